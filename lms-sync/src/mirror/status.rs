//! The results of the last runs of a mirror.

use serde::Serialize;

use super::publish::Written;
use crate::{
    collection::{Value, position},
    error::Error,
    record::CompletenessRecord,
    sql::database::{Database, Failure, count, failed, text},
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
pub(crate) fn status(database: &mut dyn Database) -> Result<Vec<Status>, Error> {
    let sql = "SELECT run, record, inserted, updated, deleted, unchanged, missing FROM _lms_records r \
               WHERE run = (SELECT max(run) FROM _lms_records WHERE collection = r.collection)";
    let mut found = Vec::new();
    database
        .query(sql, &[], &mut |row| {
            let [run, record, counts @ ..] = row.as_slice() else {
                return Ok(());
            };
            let json = text(record).unwrap_or_default();
            found.push(Status {
                run: count(run),
                record: serde_json::from_str(&json).map_err(Failure::damaged)?,
                written: written(counts),
            });
            Ok(())
        })
        .map_err(failed("read the completeness records"))?;
    found.sort_by_key(|status| position(&status.record.collection));
    Ok(found)
}

fn written(counts: &[Value]) -> Option<Written> {
    let [inserted, updated, deleted, unchanged, missing] = counts else {
        return None;
    };
    (!inserted.is_null()).then(|| Written {
        inserted: count(inserted),
        updated: count(updated),
        deleted: count(deleted),
        unchanged: count(unchanged),
        missing: count(missing),
    })
}
