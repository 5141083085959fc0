//! What the last runs of a mirror did.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use super::failure::failed;
use crate::{error::Error, record::CompletenessRecord};

/// What the last run that tried a collection did with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The number of the run.
    pub run: u64,
    /// How the collection was read.
    pub record: CompletenessRecord,
    /// What was written. Absent if the collection was not committed, so that nothing was.
    pub written: Option<Written>,
}

/// What a run has done to the rows of a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Written {
    /// Rows that were not there, or had been marked as deleted.
    pub inserted: u64,
    /// Rows with another value than before.
    pub updated: u64,
    /// Rows that were deleted, or marked.
    pub deleted: u64,
    /// Rows that were not written, because they were the same.
    pub unchanged: u64,
}

/// Reads what the last run that tried each collection did with it.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is no SQLite file.
pub fn status(path: impl AsRef<Path>) -> Result<Vec<Status>, Error> {
    let doing = format!("read {}", path.as_ref().display());
    let doing = failed(&doing);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(path, flags).map_err(&doing)?;
    let sql = "SELECT run, record, inserted, updated, deleted, unchanged FROM _lms_records r \
               WHERE run = (SELECT max(run) FROM _lms_records WHERE collection = r.collection) ORDER BY r.rowid";
    let mut statement = connection.prepare(sql).map_err(&doing)?;
    let mut rows = statement.query(()).map_err(&doing)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(&doing)? {
        let count = |index| {
            row.get::<_, Option<i64>>(index)
                .map(|count| count.map(i64::unsigned_abs))
        };
        let counts = || -> rusqlite::Result<Option<Written>> {
            let counts = [count(2)?, count(3)?, count(4)?, count(5)?];
            let [
                Some(inserted),
                Some(updated),
                Some(deleted),
                Some(unchanged),
            ] = counts
            else {
                return Ok(None);
            };
            Ok(Some(Written {
                inserted,
                updated,
                deleted,
                unchanged,
            }))
        };
        let json: String = row.get(1).map_err(&doing)?;
        found.push(Status {
            run: row.get::<_, i64>(0).map_err(&doing)?.unsigned_abs(),
            record: serde_json::from_str(&json)
                .map_err(|error| Error::destination("a completeness record is damaged", error))?,
            written: counts().map_err(&doing)?,
        });
    }
    Ok(found)
}
