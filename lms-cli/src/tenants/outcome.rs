//! The result of the work for each tenant, and the exit code of a command for several tenants.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    context::Context,
    exit::Exit,
    failure::{self, Failure},
    output::{Printer, TableFields},
    profile::config::write_private,
    selection::Selection,
    wording::count,
};

/// The end of the work for a tenant.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It was done, completely or in part.
    Done(Work),
    /// There was nothing to do.
    Skipped(Skipped),
}

/// A tenant that was skipped.
#[derive(Debug)]
pub(crate) struct Skipped {
    pub(crate) reason: String,
    /// The rows of the destination, and whether they are complete; `None` if another process is writing them.
    pub(crate) stored: Option<(u64, bool)>,
}

/// The cost of reading a tenant, without requests for tokens.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Cost {
    /// The requests for pages and objects, retries included.
    pub(crate) requests: u64,
    /// Number of the requests that were retries.
    pub(crate) retries: u64,
    /// The bytes of the items that were read, as JSON text.
    pub(crate) bytes: u64,
}

/// The result for a tenant.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) rows: u64,
    /// Rows that were inserted, updated or deleted; `None` if the destination is replaced completely.
    pub(crate) changes: Option<u64>,
    pub(crate) complete: bool,
    /// The time since the oldest collection was read, if the command shows what was read before.
    pub(crate) age: Option<String>,
    /// A row for each collection.
    pub(crate) collections: Vec<Box<RawValue>>,
    pub(crate) cost: Cost,
    pub(crate) decided: Result<(), Failure>,
}

impl Work {
    /// A result without a row for each collection.
    pub(crate) fn of_rows(rows: u64, decided: Result<(), Failure>) -> Self {
        Self {
            rows,
            changes: None,
            complete: decided.is_ok(),
            age: None,
            collections: Vec::new(),
            cost: Cost::default(),
            decided,
        }
    }
}

/// A tenant with the end of its work.
#[derive(Debug)]
pub(crate) struct Outcome {
    row: TenantOutcome,
    cancelled: bool,
}

/// The result of a command for a tenant.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct TenantOutcome {
    /// The name of the profile.
    tenant: String,
    /// The rows that were read, or those of the destination of a tenant that was skipped. Null if another process holds it.
    rows: Option<u64>,
    /// Rows that were inserted, updated or deleted; null if the destination has no single rows.
    changes: Option<u64>,
    /// `true` if everything is complete and stored, by this command or before. Null if another process holds the destination.
    complete: Option<bool>,
    /// With `lms status`, how long ago the oldest collection was read; null without one.
    age: Option<String>,
    /// The reason for skipping the tenant: another process holds the destination, or it is fresh. Null otherwise.
    skipped: Option<String>,
    /// The message of the error; null if there was none.
    error: Option<String>,
    /// The duration in seconds.
    seconds: f64,
    #[serde(flatten)]
    cost: Cost,
    /// The result for each collection, as the command prints it for one tenant.
    #[schemars(with = "Vec<serde_json::Value>")]
    collections: Vec<Box<RawValue>>,
}

/// Long texts, which stand below the row of their tenant.
const BELOW: &[&str] = &["skipped", "error"];

impl Outcome {
    pub(super) fn new(context: &Context, ended: Result<Ended, Failure>, time: Duration) -> Self {
        let mut outcome = Self::of(context);
        outcome.row.seconds = (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let failure = match ended {
            Ok(Ended::Done(work)) => {
                outcome.row.rows = Some(work.rows);
                outcome.row.changes = work.changes;
                outcome.row.complete = Some(work.complete);
                outcome.row.age = work.age;
                outcome.row.collections = work.collections;
                outcome.row.cost = work.cost;
                work.decided.err()
            }
            Ok(Ended::Skipped(Skipped { reason, stored })) => {
                outcome.row.skipped = Some(reason);
                (outcome.row.rows, outcome.row.complete) = stored.unzip();
                None
            }
            Err(failure) => Some(failure),
        };
        outcome.cancelled = failure
            .as_ref()
            .is_some_and(|failure| failure.exit() == Exit::Cancelled);
        outcome.row.error = failure.map(|failure| failure.message().to_owned());
        outcome
    }

    /// A tenant that was not begun before the command was stopped.
    pub(super) fn not_begun(context: &Context) -> Self {
        let mut outcome = Self::of(context);
        outcome.cancelled = true;
        outcome.row.error = Some("stopped before it was begun".to_owned());
        outcome
    }

    fn of(context: &Context) -> Self {
        Self {
            row: TenantOutcome {
                tenant: context.tenant.clone().unwrap_or_default(),
                rows: Some(0),
                complete: Some(false),
                ..TenantOutcome::default()
            },
            cancelled: false,
        }
    }

    /// Writes a line about how it ended. `--quiet` does not hide errors.
    pub(super) fn note(&self, context: &Context) {
        let TenantOutcome {
            rows,
            changes,
            skipped,
            error,
            seconds,
            ..
        } = &self.row;
        match (error, skipped) {
            (Some(error), _) => context.line(&format!("error: {error}")),
            (None, Some(reason)) => context.note(&format!("skipped: {reason}")),
            (None, None) => {
                let changes = changes.map(|changes| format!(", {}", count(changes, "change")));
                let changes = changes.unwrap_or_default();
                context.note(&format!(
                    "{}{changes}, {seconds:.1} s",
                    count(rows.unwrap_or_default(), "row")
                ));
            }
        }
    }
}

/// The output of a command for several tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The result of each tenant.
    Summary,
    /// The age and the completeness of the data of each tenant.
    Status,
    /// The rows that were read.
    Rows,
}

/// Ends a command for several tenants: partial if one failed. Writes the outcomes to their file.
pub(crate) fn conclude(
    context: &Context,
    selection: &Selection,
    mut outcomes: Vec<Outcome>,
    printed: Printed,
) -> Result<(), Failure> {
    outcomes.sort_by(|a, b| a.row.tenant.cmp(&b.row.tenant));
    let rows: Vec<&TenantOutcome> = outcomes.iter().map(|outcome| &outcome.row).collect();
    let failed = rows.iter().filter(|row| row.error.is_some()).count();
    let message = format!("{failed} of {} tenants are not complete", rows.len());
    let decided = match outcomes.iter().any(|outcome| outcome.cancelled) {
        true => Err(Failure::cancelled(format!("stopped: {message}"))
            .advice("run the same command again to resume")),
        false if failed > 0 => Err(Failure::of_job((Exit::Partial, "partial"), message).advice(
            "each error is above with its tenant; the same command continues where it can",
        )),
        false => Ok(()),
    };
    let written = selection.outcomes.as_ref().map_or(Ok(()), |file| {
        let json = serde_json::to_string_pretty(&rows)?;
        write_private(file.as_ref(), &format!("{json}\n"))
    });
    let decided = failure::conclude(decided, written);
    let columns: &[&str] = match printed {
        Printed::Rows => return decided,
        Printed::Summary => &["tenant", "rows", "changes", "complete", "seconds"],
        Printed::Status => &["tenant", "rows", "age", "complete"],
    };
    let fields = TableFields {
        columns,
        below: BELOW,
    };
    let printed =
        Printer::new(context, None).and_then(|printer| printer.in_tables(fields).rows_of(&rows));
    failure::conclude(decided, printed)
}
