//! Jobs of many requests, made of `lms-sync`. Each is a file here, with its clap command and its code.

mod changes;
mod database;
mod destination;
pub(crate) mod export;
mod freshness;
mod job;
mod metrics;
pub(crate) mod mirror;
mod progress;
mod reading;
pub(crate) mod report;
pub(crate) mod status;
pub(crate) mod tap;
pub(crate) mod verdict;
pub(crate) mod verify;

pub(crate) use self::status::problems_of;
use clap::{ArgMatches, Command};
use lms_sync::mirror::Mirror;

#[cfg(not(feature = "object-store"))]
use self::job::without_object_store;
use self::job::{
    blocking, check, chosen, collections, note_unreadable, print_rows, run_export, run_job, take,
    work,
};
use crate::{context::Context, failure::Failure};

/// The mirror that an option names, to read.
pub(crate) fn mirror_of(
    context: &Context,
    matches: &ArgMatches,
    option: &str,
) -> Result<Mirror, Failure> {
    database::Database::of(context, matches, option)?.existing()
}

/// The commands of all jobs.
pub(crate) fn commands() -> Vec<Command> {
    let jobs = [
        export::command(),
        mirror::command(),
        changes::command(),
        verify::command(),
        report::command(),
        report::remind::command(),
        status::command(),
        tap::command(),
    ];
    jobs.map(|job| job.arg(progress::log_format())).into()
}

/// Runs a job; `None` if there is none of this name.
pub(crate) async fn run(
    context: &Context,
    name: &str,
    matches: &ArgMatches,
) -> Option<Result<(), Failure>> {
    progress::set_log_format(matches);
    Some(match name {
        "export" => export::run(context, matches).await,
        "mirror" => mirror::run(context, matches).await,
        "changes" => changes::run(context, matches).await,
        "report" => report::run(context, matches).await,
        "remind" => report::remind::run(context, matches).await,
        "tap" => tap::run(context, matches).await,
        "verify" => verify::run(context, matches),
        "status" => status::run(context, matches).await,
        _ => return None,
    })
}
