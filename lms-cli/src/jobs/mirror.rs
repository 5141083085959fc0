//! `mirror`: updates a database to the state of the tenant, and writes only the differences.

use std::{ops::ControlFlow, time::Instant};

use clap::{ArgAction, ArgMatches, Command, value_parser};
use lms_sync::{
    Collection, Completeness, CompletenessRecord, Outcome, RunSummary,
    mirror::{Deletes, MirrorPolicy, Status},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    blocking, chosen, collections,
    database::{self, Database},
    destination, freshness, metrics, reading, run_export, run_job, take, work,
};
use crate::{
    args::{choice, switch, switched, text, with},
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    output::TableFields,
    selection,
    tenants::{self, Ended, SUMMARY},
    wording,
};

/// The result of a run for a collection: its completeness record, the rows that it wrote, and the error that ended it.
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
    /// The error that ended the run of the collection; null without one.
    error: Option<String>,
}

const DELETES: &[(&str, Deletes)] = &[("delete", Deletes::Delete), ("mark", Deletes::Mark)];

pub(super) fn command() -> Command {
    Command::new("mirror")
        .about("Copy a tenant into a database; run it again to update or resume")
        .args([
            collections(),
            database::argument("to", "The database, whose tables the first run creates"),
            choice("deletes", "HOW", "Delete rows that are gone from the tenant, or mark them in _deleted_at", DELETES),
            text(
                "max-delete",
                "LIMIT",
                "Limit of the rows of a collection that one run may delete or mark: a share such as 10%, or courses=50% for one \
                 collection; or a number of rows that is always allowed [default: 10% and 20]",
            )
            .action(ArgAction::Append)
            .value_parser(DeleteLimit::parse),
            text(
                "confirm-deletes",
                "N",
                "Maximum number of missing objects that a run requests by id, to confirm that they are gone",
            )
            .default_value("500")
            .value_parser(value_parser!(u64)),
            switch(
                "first-run-changes",
                "Report all rows of the first run as added in `lms changes`",
            ),
            switch(
                "extra-changes",
                "Report each row of which only undocumented fields changed, instead of their number",
            ),
            switch(
                database::ONE_SCHEMA,
                "Give all tenants one set of tables, in PostgreSQL of views, with the column _tenant; SQLite writes one tenant at a time",
            )
            .visible_alias("union-views"),
            switch(
                "discard-unfinished",
                "Discard the state of an unfinished run, instead of continuing it",
            ),
        ])
        .arg(freshness::argument())
        .args(reading::budget())
        .args(reading::arguments())
        .arg(metrics::argument())
        .args(selection::options())
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

const FIELDS: TableFields<'_> = TableFields {
    columns: &[
        "collection",
        "completeness",
        "rows",
        "inserted",
        "updated",
        "deleted",
        "missing",
    ],
    below: &["error"],
};

/// Updates a mirror, or resumes an interrupted run.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let collections = chosen(matches).into_iter().filter_map(lms_sync::collection);
    if matches.contains_id("max-requests") && !collections.clone().any(Collection::is_derived) {
        let message = "--max-requests is for derived collections, and lists are read completely";
        return Err(Failure::usage(message).advice("leave it out, or name a derived collection"));
    }
    let shared = Database::shared(matches, "to")?;
    if let Some(selection) = &context.selection
        && let Some(tenant) = tenants::contexts(context, selection)?.first()
    {
        // A name that cannot be that of one tenant is a mistake of the command, not of each tenant.
        Database::of(tenant, matches, "to")?;
    }
    let job = |context, matches, began| Box::pin(mirror(context, matches, began)) as _;
    let ran = run_job(context, matches, (FIELDS, SUMMARY), job, records).await;
    let Some(shared) = shared else {
        return ran;
    };
    let contexts = match &context.selection {
        Some(selection) => tenants::contexts(context, selection)?,
        None => vec![context.clone()],
    };
    let own = |tenant: Context| {
        let name = destination::profile(&tenant, "--one-schema")?.to_owned();
        Ok((name, Database::of(&tenant, matches, "to")?))
    };
    let tenants: Result<Vec<_>, Failure> = contexts.into_iter().map(own).collect();
    let (tenants, collections) = (tenants?, collections.collect::<Vec<_>>());
    conclude(
        ran,
        blocking(move || shared.unite(tenants, &collections)).await,
    )
}

/// The records of the mirror of a tenant, for the collections that were read as this command would read them.
fn records(context: &Context, matches: &ArgMatches) -> Result<Vec<CompletenessRecord>, Failure> {
    let overview = Database::of(context, matches, "to")?
        .existing()?
        .overview()?;
    let is_asked = reading::is_asked(context, matches)?;
    let collections = overview.collections.into_iter();
    let records = collections.filter_map(|of| of.committed);
    Ok(records.filter(is_asked).collect())
}

async fn mirror(context: Context, matches: ArgMatches, began: Instant) -> Result<Ended, Failure> {
    let database = Database::of(&context, &matches, "to")?;
    let sink = database.sink(policy(&matches), matches.get_flag("discard-unfinished"));
    let sink = match take(&context, &matches, began, records, sink).await? {
        ControlFlow::Continue(sink) => sink,
        ControlFlow::Break(ended) => return Ok(ended),
    };
    let begun = reading::begin(&context, &matches).await;
    if let Err(failure) = &begun {
        note_failed_start(database.clone(), failure).await;
    }
    let (_session, export, interrupted) = begun?;
    let summary = match run_export(&context, export, interrupted, sink).await {
        Ok(summary) => summary,
        Err(error) => return freshness::unless_held(&context, &error),
    };
    let statuses = blocking(move || Ok::<_, Failure>(database.existing()?.status()?)).await?;
    let records = summary.collections.iter().map(|of| &of.record);
    for partial in records.filter(|of| of.completeness == Completeness::Partial) {
        let because = wording::of_commands(&partial.because.join("; "));
        context.note(&format!("{}: {because}", partial.collection));
    }
    ended(&summary, &statuses)
}

/// Keeps in a mirror that its run could not begin, which `lms status` then says. A mistake of the command is no run.
async fn note_failed_start(database: Database, failure: &Failure) {
    if matches!(
        failure.exit(),
        Exit::Usage | Exit::NotFound | Exit::Cancelled
    ) {
        return;
    }
    let because = failure.message().to_owned();
    // The failure itself is reported in any case.
    let _ =
        blocking(move || Ok::<_, Failure>(database.existing()?.set_failed_start(&because)?)).await;
}

/// The result for each collection, with the counts of this run and not those of an earlier one.
fn ended(summary: &RunSummary, statuses: &[Status]) -> Result<Ended, Failure> {
    let written = |outcome: &Outcome| {
        let mut statuses = statuses.iter();
        statuses
            .find(|status| status.record == outcome.record)?
            .written
    };
    let counts = summary.collections.iter().filter_map(written);
    let changes = counts.map(|written| written.inserted + written.updated + written.deleted);
    work(summary, Some(changes.sum()), |outcome| {
        let written = written(outcome);
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

fn policy(matches: &ArgMatches) -> MirrorPolicy {
    let limits = matches.get_many::<DeleteLimit>("max-delete");
    let limits = limits.into_iter().flatten();
    let policy = limits.fold(MirrorPolicy::default(), |policy, limit| limit.apply(policy));
    let of = |id| (matches, id);
    let policy = with(policy, MirrorPolicy::confirm_deletes, of("confirm-deletes"));
    let policy = with(policy, MirrorPolicy::deletes, of("deletes"));
    let policy = switched(
        policy,
        MirrorPolicy::first_run_changes,
        of("first-run-changes"),
    );
    switched(policy, MirrorPolicy::extra_changes, of("extra-changes"))
}
