//! The age and the completeness of each collection of a mirror, and its unfinished run.

use std::collections::BTreeMap;

use super::tables::meta;
use crate::{
    collection::{Value, position},
    error::Error,
    plan::{CollectionPlan, Plan},
    record::CompletenessRecord,
    sql::database::{
        Database, Failure, Transaction, count, failed, in_transaction, is_true, json, query_first,
        text,
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
    /// The collections that a run has begun to mirror.
    pub collections: Vec<MirroredCollection>,
}

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
}

impl MirroredCollection {
    /// Time at which the last page of the rows was read, in UTC. Absent if no run was complete yet.
    #[must_use]
    pub fn ended(&self) -> Option<&str> {
        self.committed.as_ref().map(|record| record.ended.as_str())
    }
}

const COLLECTIONS: &str = "SELECT k.name, k.filters, k.row_count, k.missing_count, c.record, l.record, \
     k.record IS NULL, k.checkpoint IS NOT NULL FROM _lms_collections k \
     LEFT JOIN _lms_records c ON c.collection = k.name AND c.run = k.committed_run \
     LEFT JOIN _lms_records l ON l.collection = k.name AND l.inserted IS NULL \
     AND l.run = (SELECT max(run) FROM _lms_records WHERE collection = k.name)";

/// Reads the state of a mirror. `is_held` says whether a run has its lock.
pub(crate) fn overview(
    database: &mut dyn Database,
    is_held: impl FnOnce(&mut dyn Database) -> Result<bool, Error>,
) -> Result<Overview, Error> {
    let overview = read(database)?;
    if overview.unfinished_since.is_none() {
        return Ok(overview);
    }
    if is_held(database)? {
        return Ok(Overview {
            is_running: true,
            ..overview
        });
    }
    // The run may have ended after it was read.
    read(database)
}

fn read(database: &mut dyn Database) -> Result<Overview, Error> {
    let doing = "read the state of the mirror";
    in_transaction(database, Transaction::Read, doing, |database| {
        let doing = failed(doing);
        let run = unfinished_run(database).map_err(&doing)?;
        let mut collections = Vec::new();
        database
            .query(COLLECTIONS, &[], &mut |row| {
                collections.extend(mirrored(&row, run.as_ref())?);
                Ok(())
            })
            .map_err(&doing)?;
        collections.sort_by_key(|collection| position(&collection.collection));
        Ok(Overview {
            tenant: meta(database, "tenant").map_err(&doing)?,
            is_running: false,
            unfinished_since: run.map(|run| run.began),
            collections,
        })
    })
}

/// A run that has not ended.
struct UnfinishedRun {
    began: String,
    /// The collections that it was to read. Empty if it has tried all of them, and some failed.
    untried: Vec<CollectionPlan>,
}

fn unfinished_run(database: &mut dyn Database) -> Result<Option<UnfinishedRun>, Failure> {
    let sql = "SELECT began, plan, stopped IS NOT NULL FROM _lms_runs WHERE ended IS NULL";
    let row = query_first(database, sql, &[])?;
    let Some([began, plan, stopped]) = row.as_deref() else {
        return Ok(None);
    };
    let plan = text(plan).unwrap_or_default();
    let plan: Plan = serde_json::from_str(&plan).map_err(Failure::damaged)?;
    Ok(Some(UnfinishedRun {
        began: text(began).unwrap_or_default(),
        untried: if is_true(stopped) {
            Vec::new()
        } else {
            plan.collections
        },
    }))
}

fn mirrored(
    row: &[Value],
    run: Option<&UnfinishedRun>,
) -> Result<Option<MirroredCollection>, Failure> {
    let [
        name,
        filters,
        rows,
        missing,
        committed,
        failed,
        uncommitted,
        begun,
    ] = row
    else {
        return Ok(None);
    };
    let name = text(name).unwrap_or_default();
    let is_planned = run.is_some_and(|run| run.untried.iter().any(|plan| plan.name == name));
    Ok(Some(MirroredCollection {
        collection: name,
        filters: json(filters)?.unwrap_or_default(),
        rows: count(rows),
        missing: count(missing),
        committed: json(committed)?,
        failed: json(failed)?,
        is_unfinished: is_true(uncommitted) && (is_planned || is_true(begun)),
    }))
}
