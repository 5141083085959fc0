//! Selects the tenants that need a run: those with old data, the oldest first.
//!
//! Any number of processes on any number of machines may run the same command. They share no state except their
//! destinations: a process skips a tenant that another process holds or has finished.

use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches};
use lms_sync::{CompletenessRecord, Error, ErrorKind, age_of};

use crate::{
    args::{duration, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    tenants::Ended,
};

/// Reads the records of the collections that a destination has as the command would leave them. Blocks.
pub(super) type Records = fn(&Context, &ArgMatches) -> Result<Vec<CompletenessRecord>, Failure>;

pub(super) fn argument() -> Arg {
    text(
        "max-age",
        "AGE",
        "Skip a tenant whose collections are there as this command would leave them, complete and read within this time, such as 20h",
    )
    .value_parser(duration)
}

/// The line about a collection whose last run failed, so that a mirror has older rows than the others.
pub(super) fn note_of_failed(record: &CompletenessRecord) -> String {
    format!(
        "{}: the last run failed at {} ({}); the rows are those of the run before",
        record.collection,
        record.ended,
        record.because.join("; ")
    )
}

/// A duration for people, in at most two units.
pub(super) fn in_words(duration: Duration) -> String {
    let seconds = match duration.as_secs() {
        under @ 0..3600 => under,
        under @ 3600..86_400 => under - under % 60,
        days => days - days % 3600,
    };
    humantime::format_duration(Duration::from_secs(seconds)).to_string()
}

/// The time since the oldest of the collections was read; `None` if one was not.
pub(super) fn age(records: &[CompletenessRecord], collections: &[&str]) -> Option<Duration> {
    let ages = collections.iter().map(|name| {
        let mut records = records.iter();
        let record = records.find(|record| record.collection == *name)?;
        age_of(&record.ended)
    });
    ages.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The reason to skip a tenant: its data is complete and younger than `--max-age`, or another process has finished it since `began`. Blocks.
pub(super) fn fresh(
    context: &Context,
    matches: &ArgMatches,
    began: Instant,
    records: Records,
    collections: &[&str],
) -> Result<Option<Ended>, Failure> {
    let records = match records(context, matches) {
        // No run has written there. A destination that has something else refuses the run.
        Err(failure) if failure.exit() == Exit::Usage => Vec::new(),
        records => records?,
    };
    let Some(age) = age(&records, collections) else {
        return Ok(None);
    };
    let stored = records.iter();
    let stored = stored.filter(|of| collections.contains(&&*of.collection));
    let rows = stored.clone().map(|record| record.rows).sum();
    let complete = stored.into_iter().all(CompletenessRecord::is_complete);
    let limit = matches.get_one::<Duration>("max-age");
    let why = if complete && limit.is_some_and(|limit| age < *limit) {
        "younger than --max-age"
    } else if context.tenant.is_some() && age < began.elapsed() {
        "by another process"
    } else {
        return Ok(None);
    };
    let age = in_words(age);
    let reason = format!("it was read {age} ago, {why}");
    Ok(Some(Ended::skipped(reason, Some((rows, complete)))))
}

/// A tenant that another process holds is passed over. Alone, it is an error.
pub(super) fn unless_held(context: &Context, error: &Error) -> Result<Ended, Failure> {
    match error.kind() {
        ErrorKind::Locked if context.tenant.is_some() => {
            Ok(Ended::skipped(error.to_string(), None))
        }
        _ => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_at_most_two_units() {
        for (seconds, text) in [
            (0, "0s"),
            (61, "1m 1s"),
            (3_661, "1h 1m"),
            (90_061, "1day 1h"),
        ] {
            assert_eq!(in_words(Duration::from_secs(seconds)), text);
        }
    }
}
