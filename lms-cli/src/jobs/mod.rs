//! Jobs of many requests, made of `lms-sync`. Each is a file here, with its clap command and its code.

mod changes;
mod database;
pub(crate) mod export;
pub(crate) mod mirror;
mod progress;
mod reading;
pub(crate) mod report;
pub(crate) mod tap;
pub(crate) mod verdict;
pub(crate) mod verify;

use std::{future::Future, pin::Pin};

use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};
use lms_sync::{Collection, Error, ErrorKind, Outcome, RunSummary};
use serde::Serialize;

use self::verdict::failure;
use crate::{
    context::Context,
    failure::{Failure, conclude},
    output::Printer,
    session::Session,
    trace::{self, Waiting},
    wording,
};

/// Completes when Ctrl-C is pressed.
type Interrupted = Pin<Box<dyn Future<Output = ()> + Send>>;

fn is_job(name: &str) -> bool {
    commands().iter().any(|job| job.get_name() == name)
}

/// The commands of all jobs.
pub(crate) fn commands() -> Vec<Command> {
    vec![
        export::command(),
        mirror::command(),
        changes::command(),
        verify::command(),
        report::command(),
        tap::command(),
    ]
}

/// Runs a job; `None` if there is none of this name.
pub(crate) async fn run(
    context: &Context,
    name: &str,
    matches: &ArgMatches,
) -> Option<Result<(), Failure>> {
    if !is_job(name) {
        return None;
    }
    trace::install(context.detail);
    let _waiting = Waiting::report();
    Some(match name {
        "export" => export::run(context, matches).await,
        "mirror" => mirror::run(context, matches).await,
        "changes" => changes::run(context, matches).await,
        "report" => report::run(context, matches).await,
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
        checked = session.check() => checked.map(|()| interrupted),
    }
}

/// Completes when Ctrl-C is pressed after it was polled first.
fn interrupt(context: &Context) -> Interrupted {
    let context = context.clone();
    Box::pin(async move {
        match tokio::signal::ctrl_c().await {
            Ok(()) => context.note("stopping at the next checkpoint"),
            Err(_) => std::future::pending().await,
        }
    })
}

/// Notes each collection that the credentials do not allow, before the others are read.
fn note_refusals(context: &Context) -> impl FnMut(&'static Collection, &Error) + Send + 'static {
    let context = context.clone();
    move |refused, error| {
        context.note(&format!("{}: {}", refused.name, wording::of_job(error)));
    }
}

/// Prints a row for each collection of a run, and turns what is not complete into a failure. Tables have the named columns.
fn report_run<'a, T: Serialize>(
    context: &Context,
    summary: &'a RunSummary,
    columns: &[&str],
    row: impl Fn(&'a Outcome) -> T,
) -> Result<(), Failure> {
    let decided = verdict::of_run(summary);
    let rows: Vec<T> = summary.collections.iter().map(row).collect();
    conclude(decided, print_rows(context, columns, &rows))
}

/// Prints rows. Tables have the named columns.
fn print_rows(context: &Context, columns: &[&str], rows: &[impl Serialize]) -> Result<(), Failure> {
    let printer = Printer::new(context, None)?.in_tables(columns);
    printer.rows_of(rows)
}
