//! The age and the completeness of each collection of a mirror, the results of its last runs, and its unfinished run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    collection::position,
    plan::{CollectionPlan, Plan},
    record::CompletenessRecord,
    sql::{
        database::{Cells, Database, Failure, count, query_all, query_first},
        meta, set_meta,
    },
};

/// The content of a mirror.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overview {
    /// The identity of the tenant: its `tid`, or the base URL if `GET /oauth/me` returns none.
    pub tenant: Option<String>,
    /// Start of the unfinished run, in UTC. Absent if the last run ended.
    pub unfinished_since: Option<String>,
    /// `true` if that run is under way, and `false` if it was interrupted.
    pub is_running: bool,
    /// The run that could not begin, if it is the last one.
    pub failed_start: Option<FailedStart>,
    /// The collections that a run has begun to mirror.
    pub collections: Vec<MirroredCollection>,
}

/// A run that could not begin, for example because the tenant refused its credentials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedStart {
    /// Its time, in UTC.
    pub at: String,
    /// The reason.
    pub because: String,
}

/// The name of the JSON of a [`FailedStart`].
pub(super) const FAILED_START: &str = "failed_start";

/// The state of a collection in a mirror.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MirroredCollection {
    /// The name.
    pub collection: String,
    /// The filters of the rows. Empty if all are mirrored.
    pub filters: BTreeMap<String, String>,
    /// The rows of the table, without those that are marked as deleted.
    pub rows: u64,
    /// Number of rows that the last list lacked. They stay until a witness shows that they are gone.
    pub missing: u64,
    /// The record of the rows. Absent if no run was complete yet.
    pub committed: Option<CompletenessRecord>,
    /// The record of the last run that tried the collection, if that is a later one and it failed.
    pub failed: Option<CompletenessRecord>,
    /// `true` if a run was interrupted that was to read the collection, or that has read a part of it.
    pub is_unfinished: bool,
    /// The result of the last run that tried the collection.
    pub(super) last: Option<Status>,
}

impl MirroredCollection {
    /// Time at which the last page of the rows was read, in UTC. Absent if no run was complete yet.
    #[must_use]
    pub fn ended(&self) -> Option<&str> {
        self.committed.as_ref().map(|record| record.ended.as_str())
    }
}

/// Number of rows of a collection that a run changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// Rows that were new, or had been marked as deleted.
    pub inserted: u64,
    /// Rows with another value than before.
    pub updated: u64,
    /// Rows that were deleted, or marked as deleted.
    pub deleted: u64,
    /// Rows that were equal, and were not written.
    pub unchanged: u64,
    /// Rows that the list lacks, and that [stay](crate::mirror#deletions) until it is known whether they are gone.
    pub missing: u64,
}

/// The result of the last run that tried a collection.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The number of the run.
    pub run: u64,
    /// The record of the collection.
    pub record: CompletenessRecord,
    /// Numbers of written rows. Absent if the collection was not committed, so that nothing was.
    pub written: Option<Written>,
}

const COLLECTIONS: &str = "SELECT k.name, k.filters, k.row_count, k.missing_count, c.record, k.record IS NULL, \
     k.checkpoint IS NOT NULL, l.run, l.record, l.inserted, l.updated, l.deleted, l.unchanged, l.missing FROM _lms_collections k \
     LEFT JOIN _lms_records c ON c.collection = k.name AND c.run = k.committed_run \
     LEFT JOIN _lms_records l ON l.collection = k.name \
     AND l.run = (SELECT max(run) FROM _lms_records WHERE collection = k.name)";

/// Reads the state of a mirror, as if no run were under way.
pub(crate) fn overview(database: &mut dyn Database) -> Result<Overview, Failure> {
    let sql = "SELECT began, plan, stopped IS NOT NULL FROM _lms_runs WHERE ended IS NULL";
    let (mut unfinished_since, mut untried) = (None, Vec::new());
    if let Some(mut row) = query_first(database, sql, &[])? {
        unfinished_since = Some(row.text());
        let plan = row.json::<Plan>()?;
        // If it has stopped, it has tried all of them, and some failed.
        let plan = plan.filter(|_| !row.is_true()).into_iter();
        untried.extend(plan.flat_map(|plan| plan.collections));
    }
    Ok(Overview {
        tenant: meta(database, "tenant")?,
        failed_start: meta(database, FAILED_START)?
            .and_then(|json| serde_json::from_str(&json).ok()),
        is_running: false,
        unfinished_since,
        collections: collections(database, &untried)?,
    })
}

/// Stores the reason why a run could not begin, until one begins.
pub(super) fn set_failed_start(database: &mut dyn Database, because: &str) -> Result<(), Failure> {
    let failed = FailedStart {
        at: jiff::Timestamp::now().to_string(),
        because: because.to_owned(),
    };
    let json = serde_json::to_string(&failed).unwrap_or_default();
    set_meta(database, FAILED_START, &json)
}

/// The collections, in the order of the document. An unfinished run was to read those of `untried`.
fn collections(
    database: &mut dyn Database,
    untried: &[CollectionPlan],
) -> Result<Vec<MirroredCollection>, Failure> {
    let mut collections = query_all(database, COLLECTIONS, &[], |row| mirrored(row, untried))?;
    collections.sort_by_key(|collection| position(&collection.collection));
    Ok(collections)
}

/// The collections, each with the completeness record of its rows; `None` for one that was never committed.
pub(super) fn committed(
    database: &mut dyn Database,
) -> Result<Vec<(String, Option<CompletenessRecord>)>, Failure> {
    let found = collections(database, &[])?.into_iter();
    Ok(found.map(|of| (of.collection, of.committed)).collect())
}

/// The results of the last runs that tried each collection.
pub(crate) fn status(database: &mut dyn Database) -> Result<Vec<Status>, Failure> {
    let found = collections(database, &[])?.into_iter();
    Ok(found.filter_map(|of| of.last).collect())
}

fn mirrored(mut row: Cells, untried: &[CollectionPlan]) -> Result<MirroredCollection, Failure> {
    let mut found = MirroredCollection {
        collection: row.text(),
        filters: row.json()?.unwrap_or_default(),
        rows: row.count(),
        missing: row.count(),
        committed: row.json()?,
        failed: None,
        is_unfinished: false,
        last: None,
    };
    let (is_uncommitted, is_begun) = (row.is_true(), row.is_true());
    let mut untried = untried.iter();
    let is_planned = untried.any(|plan| plan.name == found.collection);
    found.is_unfinished = is_uncommitted && (is_planned || is_begun);
    let (run, record, inserted) = (row.count(), row.json()?, row.value());
    let written = Written {
        inserted: count(&inserted),
        updated: row.count(),
        deleted: row.count(),
        unchanged: row.count(),
        missing: row.count(),
    };
    let written = (!inserted.is_null()).then_some(written);
    found.failed = record.clone().filter(|_| written.is_none());
    found.last = record.map(|record| Status {
        run,
        record,
        written,
    });
    Ok(found)
}
