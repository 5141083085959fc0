//! Decides how a job ends, before anything of its result is printed.
//!
//! | job | 0 | otherwise |
//! |---|---|---|
//! | `export`, `mirror` | every collection is complete and stored, or changed and `--accept-changes` was given, or partial and `--max-requests` was | 130 if it was stopped; 8 if some rows were read; else the code of the first error |
//! | `verify` | every collection was complete once, and its data is unchanged | 8 |
//! | `status` | every collection of the mirror is complete, and its last run that ended has ended well | 8 |
//! | `tap` | every stream is complete | 8 if some rows were read; else the code of the first error |
//! | a command with `--from` | every row ended well | 130 if it was stopped; 7 if a row is ambiguous; else 8 |
//! | any | | if it could not start or store its result: the code of that error |
//!
//! [`conclude`](crate::failure::conclude) keeps this decision when the result cannot be printed. `exit.rs` has the codes of errors.

use lms_sync::{Error, ErrorKind, RunSummary, VerifiedCollection, tap::TapSummary};

use crate::{
    exit::{Exit, of_job},
    failure::Failure,
    wording,
};

/// The end of an export or a mirror.
pub(super) fn of_run(summary: &RunSummary) -> Result<(), Failure> {
    let again = "run the same command again to resume";
    if summary.cancelled {
        return Err(Failure::cancelled("stopped at a checkpoint").advice(again));
    }
    if summary.is_committed() {
        return Ok(());
    }
    let outcomes = summary.collections.iter();
    let errors: Vec<&Error> = outcomes
        .clone()
        .filter_map(|of| of.error.as_ref())
        .collect();
    let advice = match errors.first() {
        Some(error) if error.kind() == ErrorKind::TooManyDeletes => {
            "check the tenant, then run again with a higher --max-delete"
        }
        Some(error) if is_forbidden(error) => {
            "ask an administrator of the tenant for the permission, then run the same command again to resume; or name the other collections"
        }
        _ => again,
    };
    let rows = outcomes.map(|outcome| outcome.record.rows).sum();
    let of = (summary.collections.len(), "collections", rows);
    Err(in_part(&errors, of, advice))
}

fn is_forbidden(error: &Error) -> bool {
    let refused = error.tenant_error();
    refused.is_some_and(|error| error.kind() == lms_ext::ErrorKind::Forbidden)
}

/// The end of a check of stored data.
pub(super) fn of_check(verified: &[VerifiedCollection], advice: &str) -> Result<(), Failure> {
    let broken = verified.iter().filter(|collection| !collection.is_intact());
    match (broken.count(), verified.len()) {
        (0, _) => Ok(()),
        (broken, total) => Err(Failure::of_job(
            of_job(ErrorKind::Damaged),
            format!("{broken} of {total} collections are not complete and unchanged"),
        )
        .advice(advice)),
    }
}

/// The end of `status` for a mirror with this number of collections, of which some have a problem, and others are too old.
pub(super) fn of_status(
    (problems, old): (&[String], &[String]),
    total: usize,
    too_many_deletes: bool,
) -> Result<(), Failure> {
    if total == 0 {
        return Err(incomplete("the mirror has no collection".to_owned(), false));
    }
    let groups = [(problems, "not complete"), (old, "too old")];
    let groups = groups.iter().filter(|(of, _)| !of.is_empty());
    let groups = groups.map(|(of, what)| {
        let count = of.len();
        format!(
            "{count} of {total} collections are {what}: {}",
            of.join(", ")
        )
    });
    let groups: Vec<String> = groups.collect();
    match groups.is_empty() {
        true => Ok(()),
        false => Err(incomplete(groups.join("; "), too_many_deletes)),
    }
}

/// The failure of `status`.
pub(super) fn incomplete(message: String, too_many_deletes: bool) -> Failure {
    let advice = match too_many_deletes {
        true => "check the tenant, then run `lms mirror` again with a higher --max-delete",
        false => "run `lms mirror` again",
    };
    Failure::of_job((Exit::Partial, "incomplete"), message).advice(advice)
}

/// The end of a tap.
pub(super) fn of_tap(summary: &TapSummary) -> Result<(), Failure> {
    let outcomes = summary.outcomes.iter();
    let errors: Vec<&Error> = outcomes
        .clone()
        .filter_map(|of| of.error.as_ref())
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    let rows = outcomes
        .filter_map(|of| Some(of.record.as_ref()?.rows))
        .sum();
    Err(in_part(
        &errors,
        (summary.outcomes.len(), "streams", rows),
        "run the tap again with the last state; streams that are not complete are read from their start",
    ))
}

/// The failure of a job of which parts are not complete: that of the first one, if nothing was read.
fn in_part(errors: &[&Error], (total, parts, rows): (usize, &str, u64), advice: &str) -> Failure {
    let what = format!("{} of {total} {parts} are not complete", errors.len());
    let failure = match errors.first() {
        Some(error) if rows == 0 && errors.len() == total => return (*error).into(),
        Some(error) => Failure::from(*error).into_partial(&what),
        None => Failure::of_job((Exit::Partial, "partial"), what),
    };
    failure.advice(advice)
}

/// The end of a command for the rows of a file: the numbers of rows that did not end well, of ambiguous ones and of all, and the
/// reason for unsent rows.
pub(crate) fn of_rows(
    (not_well, ambiguous, rows): (usize, usize, usize),
    stopped: Option<Failure>,
    results: Option<&str>,
) -> Result<(), Failure> {
    if not_well == 0 {
        // Only the results could not be written.
        let again = "the ledger has the results; the same command writes them again";
        return stopped.map_or(Ok(()), |failure| Err(failure.advice(again)));
    }
    let is_cancelled = stopped
        .as_ref()
        .is_some_and(|failure| failure.exit() == Exit::Cancelled);
    let exit = match ambiguous {
        _ if is_cancelled => (Exit::Cancelled, "cancelled"),
        0 => (Exit::Partial, "partial"),
        _ => (Exit::Ambiguous, "ambiguous"),
    };
    let why = stopped.map(|failure| format!(": {}", failure.message()));
    let message = format!(
        "{not_well} of {} did not end well{}",
        wording::count(rows, "row"),
        why.unwrap_or_default()
    );
    let advice = match results {
        Some(file) => {
            format!("{file} has the results; the same command continues with these rows")
        }
        None => "without --results, no file has the results".to_owned(),
    };
    Err(Failure::of_job(exit, message).advice(advice))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        match error.tenant_error() {
            Some(error) => Self::from(error),
            None => Self::of_job(of_job(error.kind()), wording::of_job(error)),
        }
    }
}
