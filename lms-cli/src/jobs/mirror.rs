//! `mirror`: a database that is brought to the state of the tenant by difference.

use clap::{ArgMatches, Command, builder::PossibleValuesParser};
use lms_sync::{
    CompletenessRecord, Export,
    mirror::{Deletes, FirstRunChanges, MirrorPolicy},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    check, chosen, collections,
    database::{self, Database, Unfinished},
    failure, note_refusals,
    progress::JobProgress,
    reading, report,
};
use crate::{
    args::{switch, text},
    context::Context,
    failure::Failure,
    session::Session,
};

/// What a run did with a collection: its completeness record, the rows that it wrote, and the error that ended it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Mirrored<'a> {
    #[serde(flatten)]
    record: &'a CompletenessRecord,
    /// Rows that were new. This count and the next three are null if the run did not change the table.
    inserted: Option<u64>,
    /// Rows with another value than before.
    updated: Option<u64>,
    /// Rows that were deleted, or marked as deleted.
    deleted: Option<u64>,
    /// Rows that were not written, because they were the same.
    unchanged: Option<u64>,
    /// What ended the run of the collection; null if nothing did.
    error: Option<String>,
}

pub(super) fn command() -> Command {
    Command::new("mirror")
        .about("Bring a database to the state of the tenant; run it again to update it or to go on")
        .args([
            collections()
                .required(false)
                .help("Names of collections, separated by commas, or all; default: those that need one list each"),
            database::argument("to", "The database, whose tables the first run creates"),
            text("deletes", "HOW", "Delete rows that are gone from the tenant, or mark them in _deleted_at")
                .default_value("delete")
                .value_parser(PossibleValuesParser::new(["delete", "mark"])),
            text("max-delete-share", "SHARE", "Largest share of a collection that one run may delete or mark, from 0 to 1")
                .default_value("0.1")
                .value_parser(share),
            switch(
                "first-run-changes",
                "Report all rows of the first run as added in `lms changes`",
            ),
            switch(
                "discard-unfinished",
                "Drop what an unfinished run has stored, instead of going on with it",
            ),
        ])
        .args(reading::arguments())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("write a number from 0 to 1".to_owned()),
    }
}

/// Updates a mirror, or goes on with a run that was interrupted.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let database = Database::of(matches, "to")?;
    let mut policy = MirrorPolicy::default();
    if let Some(share) = matches.get_one::<f64>("max-delete-share") {
        policy = policy.max_delete_share(*share);
    }
    if matches.get_one::<String>("deletes").map(String::as_str) == Some("mark") {
        policy = policy.deletes(Deletes::Mark);
    }
    if matches.get_flag("first-run-changes") {
        policy = policy.first_run_changes(FirstRunChanges::Append);
    }
    let unfinished = if matches.get_flag("discard-unfinished") {
        Unfinished::Discard
    } else {
        Unfinished::GoOn
    };
    let sink = database.sink(policy, unfinished);
    let mut names = chosen(matches);
    if names.is_empty() {
        // Derived collections cost a request for each learner or enrolment.
        let known = lms_sync::collections().iter();
        names = known
            .filter(|known| !known.is_derived())
            .map(|known| known.name)
            .collect();
    }
    let session = Session::of_job(context).await?;
    let export = Export::new(&session.lms)
        .collections(names)
        .map_err(|error| failure(&error))?;
    let export = reading::apply(export, matches)?;
    let interrupted = check(context, &session).await?;
    let mut progress = JobProgress::new(context);
    let summary = export
        .on_progress(move |state| progress.show(state))
        .on_refusal(note_refusals(context))
        .cancel_on(interrupted)
        .run(sink)
        .await
        .map_err(|error| failure(&error))?;
    let statuses = database.status()?;
    let columns = [
        "collection",
        "completeness",
        "rows",
        "inserted",
        "updated",
        "deleted",
        "unchanged",
        "error",
    ];
    report(context, &summary, &columns, |outcome| {
        // The counts of this run, not those of an earlier one.
        let written = statuses
            .iter()
            .find(|status| status.record == outcome.record)
            .and_then(|status| status.written);
        Mirrored {
            record: &outcome.record,
            inserted: written.map(|written| written.inserted),
            updated: written.map(|written| written.updated),
            deleted: written.map(|written| written.deleted),
            unchanged: written.map(|written| written.unchanged),
            error: outcome.error.as_ref().map(ToString::to_string),
        }
    })
}
