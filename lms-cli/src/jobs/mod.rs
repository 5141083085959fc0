//! Jobs of many requests, made of `lms-sync`. Each is a file here, with its clap command and its code.

mod changes;
mod database;
pub(crate) mod export;
pub(crate) mod mirror;
mod progress;
mod reading;
pub(crate) mod tap;
pub(crate) mod verify;

use std::{future::Future, io::Write as _, pin::Pin};

use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};
use lms_sync::{Collection, Error, ErrorKind, Outcome, RunSummary};
use serde::Serialize;

use crate::{
    context::Context, failure::Failure, output::Printer, sanitize::visible, session::Session,
};

/// Completes when Ctrl-C is pressed.
type Interrupted = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The commands of all jobs.
pub(crate) fn commands() -> Vec<Command> {
    vec![
        export::command(),
        mirror::command(),
        changes::command(),
        verify::command(),
        tap::command(),
    ]
}

/// Runs a job; `None` if there is none of this name.
pub(crate) async fn run(
    context: &Context,
    name: &str,
    matches: &ArgMatches,
) -> Option<Result<(), Failure>> {
    Some(match name {
        "export" => export::run(context, matches).await,
        "mirror" => mirror::run(context, matches).await,
        "changes" => changes::run(context, matches).await,
        "tap" => tap::run(context, matches).await,
        "verify" => verify::run(context, matches),
        _ => return None,
    })
}

/// The argument with the names of collections.
fn collections() -> Arg {
    let names = lms_sync::collections().iter().map(|known| known.name);
    Arg::new("collections")
        .value_name("COLLECTIONS")
        .required(true)
        .num_args(1..)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(names.chain(["all"])))
        .help("Names of collections, separated by commas, or all")
}

/// The names that were given, or all.
fn chosen(matches: &ArgMatches) -> Vec<&str> {
    let given: Vec<&str> = matches
        .get_many::<String>("collections")
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    if given.contains(&"all") {
        lms_sync::collections()
            .iter()
            .map(|known| known.name)
            .collect()
    } else {
        given
    }
}

#[cfg(not(feature = "object-store"))]
fn without_object_store() -> Error {
    let message = "cannot use a URL here: this program was built without its feature object-store; name a folder";
    Error::new(ErrorKind::Usage, message)
}

/// Checks the connection of a job. Returns what completes when Ctrl-C is pressed from now on; the job then stops at a
/// checkpoint.
///
/// # Errors
///
/// Cancelled, if Ctrl-C is pressed during the check.
async fn check(context: &Context, session: &Session) -> Result<Interrupted, Failure> {
    // One future for the whole job: a signal between two of them would be lost.
    let mut interrupted = interrupt(context);
    tokio::select! {
        biased;
        () = &mut interrupted => Err(Failure::cancelled("stopped before anything was read")),
        checked = session.check(context) => checked.map(|()| interrupted),
    }
}

/// Completes when Ctrl-C is pressed after it was polled first.
fn interrupt(context: &Context) -> Interrupted {
    let quiet = context.quiet;
    Box::pin(async move {
        match tokio::signal::ctrl_c().await {
            Ok(()) if quiet => {}
            Ok(()) => {
                // A note is not worth a failure.
                let _ = writeln!(std::io::stderr().lock(), "stopping at the next checkpoint");
            }
            Err(_) => std::future::pending().await,
        }
    })
}

/// Notes each collection that the credentials do not allow, before the others are read.
fn note_refusals(context: &Context) -> impl FnMut(&'static Collection, &Error) + Send + 'static {
    let quiet = context.quiet;
    move |refused, error| {
        if !quiet {
            let note = visible(&format!("{}: {error}", refused.name));
            // A note is not worth a failure.
            let _ = writeln!(std::io::stderr().lock(), "{note}");
        }
    }
}

/// Prints a row for each collection of a run, and turns what is not complete into a failure. Tables have the named columns.
fn report<'a, T: Serialize>(
    context: &Context,
    summary: &'a RunSummary,
    columns: &[&str],
    row: impl Fn(&'a Outcome) -> T,
) -> Result<(), Failure> {
    let rows: Vec<T> = summary.collections.iter().map(row).collect();
    Printer::new(context, None)?
        .in_tables(columns)
        .rows_of(&rows)?;
    if summary.cancelled {
        return Err(Failure::cancelled("stopped at a checkpoint")
            .advice("run the same command again to go on"));
    }
    if summary.is_committed() {
        return Ok(());
    }
    let failed = summary
        .collections
        .iter()
        .filter(|outcome| outcome.error.is_some());
    let rows: u64 = summary
        .collections
        .iter()
        .map(|outcome| outcome.record.rows)
        .sum();
    let (count, total) = (failed.clone().count(), summary.collections.len());
    let mut errors = failed.filter_map(|outcome| outcome.error.as_ref());
    let (failure, advice) = match errors.next() {
        Some(error) if error.kind() == ErrorKind::TooManyDeletes => (
            failure(error),
            "check the tenant, then run again with a higher --max-delete",
        ),
        Some(error) => (failure(error), "run the same command again to go on"),
        None => (
            Failure::incomplete("a collection is not complete"),
            "run the same command again to go on",
        ),
    };
    Err(match rows {
        0 if count == total => failure,
        _ => failure
            .into_partial(&format!("{count} of {total} collections are not complete"))
            .advice(advice),
    })
}

/// The failure of an error of `lms-sync`.
fn failure(error: &Error) -> Failure {
    let message = error.to_string();
    match (error.kind(), error.tenant_error()) {
        (_, Some(error)) => Failure::from(error),
        (ErrorKind::Usage | ErrorKind::OtherRun | ErrorKind::Foreign, None) => {
            Failure::usage(message)
        }
        (ErrorKind::Locked, None) => Failure::locked(message),
        (ErrorKind::Cancelled, None) => Failure::cancelled(message),
        (ErrorKind::Incomplete | ErrorKind::Tenant | ErrorKind::TooManyDeletes, None) => {
            Failure::incomplete(message)
        }
        _ => Failure::fault(message),
    }
}
