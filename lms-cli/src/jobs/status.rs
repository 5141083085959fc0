//! `status`: the rows, the age and the completeness of a mirror, and its unfinished run.

use std::{collections::BTreeMap, time::Duration};

use clap::{ArgMatches, Command};
use lms_sync::{
    Completeness, age_of,
    mirror::{FailedStart, MirroredCollection, Overview},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::{
    blocking,
    database::{self, Database},
    freshness::in_words,
    note_unreadable, run_job, verdict,
};
use crate::{
    args::{duration, text},
    context::Context,
    failure::Failure,
    output::TableFields,
    selection,
    tenants::Ended,
    wording,
};

/// The state of a collection in a mirror.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CollectionStatus {
    /// The name of the collection.
    collection: String,
    /// The rows of the table.
    rows: u64,
    /// The age of the rows, such as `5h 12m`; null if no run was complete yet, or a wrong clock has set their time in the future.
    age: Option<String>,
    /// The time at which the rows were read, in UTC.
    read_at: Option<String>,
    /// `complete`, `changed` if rows may be missing because the list changed while it was read, `partial` if the budget of
    /// requests was spent, or `never`.
    state: &'static str,
    /// Rows that the last list lacked, and that stay until it is known whether they are gone.
    missing: u64,
    /// The unfinished run, the reason why the last run failed, or what a budget left; null if nothing is unfinished.
    unfinished: Option<String>,
    /// `true` if a run reads the tenant now.
    running: bool,
    /// The reason why the collection is not complete after the last run that ended; `None` if it is complete.
    #[serde(skip)]
    problem: Option<String>,
    /// The filters of the rows. Empty if all are mirrored.
    filters: BTreeMap<String, String>,
    /// The identity of the tenant.
    tenant_id: Option<String>,
}

pub(super) fn command() -> Command {
    Command::new("status")
        .about("Show the rows, age and completeness of a mirror, and its unfinished run")
        .arg(database::argument("mirror", "The database of `lms mirror`"))
        .arg(
            text(
                "max-age",
                "AGE",
                "Fail with exit code 8 if a collection was read longer ago than this, such as 26h",
            )
            .value_parser(duration),
        )
        .args(selection::options())
}

/// Prints a row for each collection, or for each tenant. Partial if one is not complete.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let status = |context, matches, _| Box::pin(status(context, matches)) as _;
    let printed = &["tenant", "rows", "age", "complete"];
    run_job(context, matches, (FIELDS, printed), status, |_, _| {
        Ok(Vec::new())
    })
    .await
}

async fn status(context: Context, matches: ArgMatches) -> Result<Ended, Failure> {
    let of = context.clone();
    let max_age = matches.get_one::<Duration>("max-age").copied();
    let overview = blocking(move || {
        let mirror = Database::of_tenant(&of, &matches, "mirror")?.existing()?;
        Ok::<_, Failure>(mirror.overview()?)
    })
    .await?;
    let rows: Vec<_> = rows(&overview).collect();
    if let (true, Some(since)) = (overview.is_running, &overview.unfinished_since) {
        context.note(&format!("a run is under way since {since}"));
    }
    let (mut unfinished, mut old) = (Vec::new(), Vec::new());
    for row in &rows {
        let name = &row.collection;
        for (filter, value) in &row.filters {
            context.note(&format!("{name}: only rows with {filter}={value}"));
        }
        let age = row.read_at.as_deref().and_then(age_of);
        let is_old = max_age.is_some_and(|limit| age.is_none_or(|age| age > limit));
        match (&row.problem, age.map(in_words)) {
            (Some(problem), _) => unfinished.push(format!("{name} ({problem})")),
            (None, Some(age)) if is_old => old.push(format!("{name} (read {age} ago)")),
            (None, None) if is_old => old.push(format!("{name} (read in the future)")),
            (None, _) => {}
        }
    }
    let collections = overview.collections.iter();
    let committed = collections.clone().filter_map(|of| of.committed.as_ref());
    note_unreadable(&context, committed);
    let mut failed = collections.clone().filter_map(|of| of.failed.as_ref());
    let too_many_deletes = failed.any(|record| record.too_many_deletes);
    let mut decided = verdict::of_status((&unfinished, &old), rows.len(), too_many_deletes);
    if let Some(failed) = &overview.failed_start {
        let message = could_not_begin(failed);
        match &decided {
            Ok(()) => decided = Err(verdict::incomplete(message, false)),
            Err(_) => context.note(&message),
        }
    }
    let total = rows.iter().map(|row| row.rows).sum();
    let mut ended = Ended::of_rows(total, decided);
    let oldest = collections.filter_map(MirroredCollection::ended).min();
    ended.row.age = oldest.and_then(age_of).map(in_words);
    ended.row.collections = rows.iter().map(to_raw_value).collect::<Result<_, _>>()?;
    Ok(ended)
}

const FIELDS: TableFields<'_> = TableFields {
    columns: &["collection", "rows", "age", "state", "missing"],
    below: &["unfinished"],
};

/// A row for each collection of a mirror.
fn rows(overview: &Overview) -> impl Iterator<Item = CollectionStatus> {
    overview.collections.iter().map(|of| row(overview, of))
}

fn row(overview: &Overview, of: &MirroredCollection) -> CollectionStatus {
    let read_at = of.ended().map(str::to_owned);
    let since = overview.unfinished_since.as_deref().unwrap_or_default();
    // The part that a budget of requests leaves to the next runs.
    let (state, left) = match &of.committed {
        None => ("never", None),
        Some(record) if record.is_complete() => ("complete", None),
        Some(record) if record.completeness == Completeness::Partial => {
            ("partial", Some(record.because.join("; ")))
        }
        Some(_) => ("changed", None),
    };
    let failed = of.failed.as_ref().map(|record| {
        let because = wording::of_commands(&record.because.join("; "));
        format!("failed at {}: {because}", record.ended)
    });
    // A collection that failed in the unfinished run was not interrupted.
    let failed_in_run = of.failed.as_ref().is_some_and(|record| {
        let [began, ended] = [since, &record.ended].map(humantime::parse_rfc3339);
        // A record has whole seconds.
        began.is_ok_and(|began| ended.is_ok_and(|ended| ended + Duration::from_secs(1) > began))
    });
    let is_interrupted = of.is_unfinished && (overview.is_running || !failed_in_run);
    let (unfinished, unwell) = match (is_interrupted, overview.is_running) {
        (false, _) => (failed.clone().or(left), failed),
        (true, false) => (
            Some(format!("interrupted; the run began at {since}")),
            Some("interrupted".to_owned()),
        ),
        (true, true) => (Some(format!("being read since {since}")), failed),
    };
    CollectionStatus {
        collection: of.collection.clone(),
        rows: of.rows,
        age: read_at.as_deref().and_then(age_of).map(in_words),
        read_at,
        state,
        missing: of.missing,
        unfinished,
        running: overview.is_running,
        problem: unwell.or((state != "complete").then(|| state.to_owned())),
        filters: of.filters.clone(),
        tenant_id: overview.tenant.clone(),
    }
}

/// The collections of a mirror that are not well, each with the problem.
pub(crate) fn problems_of(overview: &Overview) -> Vec<String> {
    let problem = |row: CollectionStatus| Some(format!("{} ({})", row.collection, row.problem?));
    let problems = rows(overview).filter_map(problem);
    let failed = overview.failed_start.iter().map(could_not_begin);
    problems.chain(failed).collect()
}

fn could_not_begin(failed: &FailedStart) -> String {
    format!(
        "the last run could not begin at {}: {}",
        failed.at, failed.because
    )
}
