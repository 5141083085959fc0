//! `mirror`: a database that is brought to the state of the tenant by difference.

use clap::{ArgAction, ArgMatches, Command, builder::PossibleValuesParser, value_parser};
use lms_sync::{
    Collection, CompletenessRecord, Export,
    mirror::{Deletes, FirstRunChanges, MirrorPolicy},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    check, chosen, collections,
    database::{self, Database, Unfinished},
    failure, note_refusals,
    progress::JobProgress,
    reading, report_run,
};
use crate::{
    args::{switch, text},
    context::Context,
    failure::Failure,
    session::Session,
    wording,
};

/// What a run did with a collection: its completeness record, the rows that it wrote, and the error that ended it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Mirrored<'a> {
    #[serde(flatten)]
    record: &'a CompletenessRecord,
    /// Rows that were new. This count and the next four are null if the run did not change the table.
    inserted: Option<u64>,
    /// Rows with another value than before.
    updated: Option<u64>,
    /// Rows that were deleted, or marked as deleted.
    deleted: Option<u64>,
    /// Rows that were not written, because they were the same.
    unchanged: Option<u64>,
    /// Rows that the list lacks, and that stay until it is known whether they are gone.
    missing: Option<u64>,
    /// What ended the run of the collection; null if nothing did.
    error: Option<String>,
}

pub(super) fn command() -> Command {
    Command::new("mirror")
        .about("Copy a tenant into a database; run it again to update or resume")
        .args([
            collections()
                .required(false)
                .help("Names of collections, separated by commas, or all [default: those that need one list each]"),
            database::argument("to", "The database, whose tables the first run creates"),
            text("deletes", "HOW", "Delete rows that are gone from the tenant, or mark them in _deleted_at")
                .default_value("delete")
                .value_parser(PossibleValuesParser::new(["delete", "mark"])),
            text(
                "max-delete",
                "LIMIT",
                "How much of a collection one run may delete or mark: a share such as 10%, or courses=50% for one \
                 collection; or a number of rows that is always allowed [default: 10% and 20]",
            )
            .action(ArgAction::Append)
            .value_parser(DeleteLimit::parse),
            text(
                "confirm-deletes",
                "N",
                "Largest number of missing objects that one run asks for by id, to confirm that they are gone",
            )
            .default_value("500")
            .value_parser(value_parser!(u64)),
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

/// A value of `--max-delete`.
#[derive(Clone, Debug)]
enum DeleteLimit {
    Rows(u64),
    Share(f64),
    ShareOf(&'static Collection, f64),
}

impl DeleteLimit {
    fn parse(text: &str) -> Result<Self, String> {
        if let Ok(rows) = text.parse() {
            return Ok(Self::Rows(rows));
        }
        let share = |text: &str| {
            let percent: Option<f64> = text.strip_suffix('%').and_then(|text| text.parse().ok());
            let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
            percent.map(|percent| percent / 100.0)
        };
        let limit = match text.split_once('=') {
            None => share(text).map(Self::Share),
            Some((name, text)) => lms_sync::collection(name)
                .and_then(|known| Some(Self::ShareOf(known, share(text)?))),
        };
        limit.ok_or_else(|| {
            "write a share from 0% to 100%, COLLECTION=SHARE, or a number of rows".to_owned()
        })
    }

    fn apply(&self, policy: MirrorPolicy) -> MirrorPolicy {
        match self {
            Self::Rows(rows) => policy.max_delete_rows(*rows),
            Self::Share(share) => policy.max_delete_share(*share),
            Self::ShareOf(of, share) => policy.max_delete_share_of(of.name, *share),
        }
    }
}

/// Updates a mirror, or resumes an interrupted run.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let database = Database::of(matches, "to")?;
    let mut policy = MirrorPolicy::default();
    for limit in matches
        .get_many::<DeleteLimit>("max-delete")
        .into_iter()
        .flatten()
    {
        policy = limit.apply(policy);
    }
    if let Some(requests) = matches.get_one::<u64>("confirm-deletes") {
        policy = policy.confirm_deletes(*requests);
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
    let export = reading::apply(export, &session, matches)?;
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
        "missing",
        "error",
    ];
    report_run(context, &summary, &columns, |outcome| {
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
            missing: written.map(|written| written.missing),
            error: outcome.error.as_ref().map(wording::of_job),
        }
    })
}
