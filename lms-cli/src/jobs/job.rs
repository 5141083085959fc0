//! Code that jobs share: their collections, Ctrl-C, one tenant or several, and their results.

use std::{
    future::Future,
    hash::{BuildHasher as _, RandomState},
    ops::ControlFlow,
    pin::Pin,
    time::{Duration, Instant},
};

use clap::{Arg, ArgAction, ArgMatches, builder::PossibleValuesParser};
use futures_util::{StreamExt as _, stream};
use lms_sync::{CompletenessRecord, Error, Export, Outcome, RunSummary, sink::Sink};
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::{
    freshness,
    metrics::{self, MetricsFile},
    progress::{self, JobProgress},
    verdict,
};
use crate::{
    context::Context,
    failure::{Failure, conclude},
    output::{Printer, TableFields},
    profile,
    session::Session,
    tenants::{self, Cost, Ended},
};

/// Completes when Ctrl-C is pressed.
pub(super) type Interrupted = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The argument with the names of collections.
pub(super) fn collections() -> Arg {
    let names = lms_sync::collections().iter().map(|known| known.name);
    Arg::new("collections")
        .value_name("COLLECTIONS")
        .num_args(1..)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(names.chain(["all"])))
        .help("Names of collections, separated by commas, or all [default: those that need one list each]")
}

/// The names that were given, or all. Without any, those that need one list each: derived collections cost a request for each
/// learner or enrolment.
pub(super) fn chosen(matches: &ArgMatches) -> Vec<&str> {
    let given: Vec<&str> = matches
        .try_get_many::<String>("collections")
        .ok()
        .flatten()
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let known = lms_sync::collections().iter();
    let names = |derived: bool| {
        let known = known.clone();
        let known = known.filter(move |known| derived || !known.is_derived());
        known.map(|known| known.name).collect()
    };
    match given.as_slice() {
        [] => names(false),
        given if given.contains(&"all") => names(true),
        _ => given,
    }
}

#[cfg(not(feature = "object-store"))]
pub(super) fn without_object_store() -> Error {
    let message = "cannot use a URL here: this program was built without its feature object-store; name a folder";
    Error::new(lms_sync::ErrorKind::Usage, message)
}

/// Checks the connection of a job, and then what `more` checks. Returns a future that completes when Ctrl-C is pressed from now on; the
/// job then stops at a checkpoint.
///
/// # Errors
///
/// Cancelled, if Ctrl-C is pressed during the check.
pub(super) async fn check<T>(
    context: &Context,
    session: &Session,
    more: impl Future<Output = Result<T, Failure>>,
) -> Result<(Interrupted, T), Failure> {
    let check = async {
        session.check().await?;
        more.await
    };
    // One future for the whole job: a signal between two of them would be lost.
    let mut interrupted = interrupt(context);
    tokio::select! {
        biased;
        () = &mut interrupted => Err(Failure::cancelled("stopped before anything was read")),
        checked = check => checked.map(|more| (interrupted, more)),
    }
}

/// Completes when Ctrl-C is pressed after it was polled first.
pub(super) fn interrupt(context: &Context) -> Interrupted {
    let context = context.clone();
    Box::pin(async move {
        match crate::signal::interrupted().await {
            Ok(()) => context.note("stopping at the next checkpoint"),
            Err(_) => std::future::pending().await,
        }
    })
}

/// Runs an export, and shows its progress.
pub(super) async fn run_export(
    context: &Context,
    export: Export,
    interrupted: Interrupted,
    sink: Box<dyn Sink>,
) -> Result<RunSummary, Error> {
    let mut progress = JobProgress::new(context);
    let ran = export
        .on_progress(move |state| progress.show(state))
        .cancel_on(interrupted)
        .run(sink)
        .await;
    if let Ok(summary) = &ran {
        let outcomes = summary.collections.iter();
        outcomes.for_each(|outcome| progress::log_outcome(context, outcome));
        let records = summary.collections.iter().map(|outcome| &outcome.record);
        note_unreadable(context, records);
    }
    ran
}

/// Notes the values that could not be read as the type of their column.
pub(super) fn note_unreadable<'a>(
    context: &Context,
    records: impl Iterator<Item = &'a CompletenessRecord>,
) {
    let values = records.flat_map(|of| of.unreadable.iter().map(move |column| (of, column)));
    let values =
        values.map(|(of, (column, number))| format!("{number} in {}.{column}", of.collection));
    let values = values.collect::<Vec<_>>().join(", ");
    if !values.is_empty() {
        let zone = match values.contains("_utc") {
            true => "; --time-zone reads times that have no zone",
            false => "",
        };
        context.note(&format!(
            "values that do not fit their column: {values}{zone}"
        ));
    }
}

/// The results of a run, with a row for each collection.
pub(super) fn work<'a, T: Serialize>(
    summary: &'a RunSummary,
    changes: Option<u64>,
    row: impl Fn(&'a Outcome) -> T,
) -> Result<Ended, Failure> {
    let outcomes = summary.collections.iter();
    outcomes
        .clone()
        .for_each(|outcome| metrics::record(&outcome.record));
    let collections = outcomes.clone().map(|outcome| to_raw_value(&row(outcome)));
    let sum = |of: fn(&CompletenessRecord) -> u64| {
        outcomes.clone().map(|outcome| of(&outcome.record)).sum()
    };
    let mut ended = Ended::of_rows(sum(|record| record.rows), verdict::of_run(summary));
    ended.row.changes = changes;
    ended.row.complete = Some(summary.is_complete());
    ended.row.collections = collections.collect::<Result<_, _>>()?;
    ended.row.cost = Cost {
        requests: sum(|record| record.requests),
        retries: sum(|record| record.retries),
        bytes: sum(|record| record.bytes),
    };
    Ok(ended)
}

/// A job for one tenant, started at a time.
type Job =
    fn(Context, ArgMatches, Instant) -> Pin<Box<dyn Future<Output = Result<Ended, Failure>>>>;

/// Runs a job for the tenant of the command, or for each of several, the oldest first. Writes the metrics of the job, also if it
/// fails. A table of one tenant has the named fields, and a table of several tenants has the columns.
pub(super) async fn run_job(
    context: &Context,
    matches: &ArgMatches,
    (fields, columns): (TableFields<'_>, &[&str]),
    job: Job,
    records: freshness::Records,
) -> Result<(), Failure> {
    let metrics = MetricsFile::begin(matches)?;
    let began = Instant::now();
    let run = |context| measured(job, context, matches.clone(), began);
    let ran = async {
        let Some(selection) = &context.selection else {
            let Ended { row, decided } = run(context.clone()).await?;
            if let Some(reason) = row.skipped {
                context.note(&format!("skipped: {reason}"));
            }
            return conclude(decided, print_rows(context, fields, &row.collections));
        };
        let tenants = tenants::contexts(context, selection)?;
        let at_once = selection.at_once;
        let tenants = oldest_first(tenants, matches, records, at_once).await;
        let outcomes = tenants::run(selection, tenants, run).await;
        tenants::conclude(context, selection, outcomes, columns)
    }
    .await;
    match metrics {
        Some(metrics) => conclude(ran, metrics.write()),
        None => ran,
    }
}

/// Runs a job for a tenant. Without a result, none of its collections is complete.
async fn measured(
    job: Job,
    context: Context,
    matches: ArgMatches,
    began: Instant,
) -> Result<Ended, Failure> {
    let ended = job(context.clone(), matches.clone(), began).await;
    if let (Err(_), Some(url)) = (&ended, profile::base_url(&context)) {
        metrics::record_failed(&url, &chosen(&matches));
    }
    ended
}

/// The tenants in the order in which they are run: first those that were never read, then the oldest. Processes that begin at the
/// same time begin with different ones.
async fn oldest_first(
    tenants: Vec<Context>,
    matches: &ArgMatches,
    records: freshness::Records,
    at_once: usize,
) -> Vec<Context> {
    let (random, collections) = (RandomState::new(), &chosen(matches));
    let aged = tenants.into_iter().map(async |context| {
        let (of, matches) = (context.clone(), matches.clone());
        // A record that cannot be read is an error of its run.
        let records = blocking(move || records(&of, &matches).unwrap_or_default()).await;
        (freshness::age(&records, collections), context)
    });
    let aged = stream::iter(aged).buffer_unordered(at_once);
    let mut aged: Vec<_> = aged.collect().await;
    aged.sort_by_cached_key(|(age, context)| {
        let age = age.unwrap_or(Duration::MAX);
        (std::cmp::Reverse(age), random.hash_one(&context.tenant))
    });
    aged.into_iter().map(|(_, context)| context).collect()
}

/// Takes the destination of a tenant, unless the tenant needs no run. One of several is held before anything is requested, so that its
/// limits are those of one process.
pub(super) async fn take(
    context: &Context,
    matches: &ArgMatches,
    began: Instant,
    records: freshness::Records,
    mut sink: Box<dyn Sink>,
) -> Result<ControlFlow<Ended, Box<dyn Sink>>, Failure> {
    if context.tenant.is_none() && matches.get_one::<Duration>("max-age").is_none() {
        return Ok(ControlFlow::Continue(sink));
    }
    let (context, matches) = (context.clone(), matches.clone());
    let taken = move || {
        let fresh = || freshness::fresh(&context, &matches, began, records, &chosen(&matches));
        if let Some(fresh) = fresh()? {
            return Ok(ControlFlow::Break(fresh));
        }
        if let Err(error) = sink.hold() {
            return freshness::unless_held(&context, &error).map(ControlFlow::Break);
        }
        // No other process can finish it from now on.
        Ok(fresh()?.map_or(ControlFlow::Continue(sink), ControlFlow::Break))
    };
    blocking(taken).await
}

/// Makes a call that blocks.
pub(super) async fn blocking<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(call).await {
        Ok(value) => value,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Prints rows. Tables have the named fields.
pub(super) fn print_rows<'a>(
    context: &Context,
    fields: impl Into<TableFields<'a>>,
    rows: &[impl Serialize],
) -> Result<(), Failure> {
    let printer = Printer::new(context, None)?.in_tables(fields.into());
    printer.rows_of(rows)
}
