//! The results of the last runs of a mirror.

use serde::Serialize;

use super::publish::Written;
use crate::{
    collection::position,
    record::CompletenessRecord,
    sql::database::{Database, Failure, count, query_all},
};

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

/// Reads the result of the last run that tried each collection.
pub(crate) fn status(database: &mut dyn Database) -> Result<Vec<Status>, Failure> {
    let sql = "SELECT run, record, inserted, updated, deleted, unchanged, missing FROM _lms_records r \
               WHERE run = (SELECT max(run) FROM _lms_records WHERE collection = r.collection)";
    let mut found = query_all(database, sql, &[], |mut row| {
        let (run, record) = (row.count(), row.json()?);
        let inserted = row.value();
        let written = Written {
            inserted: count(&inserted),
            updated: row.count(),
            deleted: row.count(),
            unchanged: row.count(),
            missing: row.count(),
        };
        Ok(Status {
            run,
            record: record.ok_or_else(|| Failure::damaged("a record is missing"))?,
            written: (!inserted.is_null()).then_some(written),
        })
    })?;
    found.sort_by_key(|status| position(&status.record.collection));
    Ok(found)
}
