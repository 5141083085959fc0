//! Checks the tables of a mirror against their completeness records.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::failure::failed;
use crate::{
    collection::{Collection, ColumnKind, Row, Value, collection},
    error::Error,
    record::CompletenessRecord,
    sql::Names,
    verify::{Recount, VerifiedCollection},
};

/// Compares the rows of each committed collection of a mirror with its completeness record.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is no SQLite file.
pub fn verify(path: impl AsRef<Path>) -> Result<Vec<VerifiedCollection>, Error> {
    let doing = format!("read {}", path.as_ref().display());
    let doing = failed(&doing);
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(&doing)?;
    // One state of the file for all collections.
    let transaction = connection.unchecked_transaction().map_err(&doing)?;
    let sql = "SELECT k.name, c.record FROM _lms_collections k \
               JOIN _lms_records c ON c.run = k.committed_run AND c.collection = k.name ORDER BY k.rowid";
    let mut statement = transaction.prepare(sql).map_err(&doing)?;
    let stored: Vec<(String, String)> = statement
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .map_err(&doing)?;
    let mut verified = Vec::new();
    for (name, json) in stored {
        let record: CompletenessRecord = serde_json::from_str(&json).map_err(|error| {
            Error::destination(
                format!("the completeness record of {name} is damaged"),
                error,
            )
        })?;
        let problems = match collection(&name) {
            Some(collection) => compare(&transaction, collection, &record).map_err(&doing)?,
            None => vec!["this release does not know the collection".to_owned()],
        };
        verified.push(VerifiedCollection {
            collection: name,
            record: Some(record),
            problems,
        });
    }
    Ok(verified)
}

/// Passes the rows of a mirrored collection to `visit`, without those that are marked as deleted.
///
/// # Errors
///
/// As [`verify`], and when the file has no such collection.
pub fn visit_rows(
    path: impl AsRef<Path>,
    collection: &'static Collection,
    visit: &mut dyn FnMut(Row),
) -> Result<(), Error> {
    let doing = format!("read {} of {}", collection.name, path.as_ref().display());
    let doing = failed(&doing);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(path, flags).map_err(&doing)?;
    each_row(&connection, collection, visit).map_err(&doing)
}

fn each_row(
    connection: &Connection,
    collection: &'static Collection,
    visit: &mut dyn FnMut(Row),
) -> rusqlite::Result<()> {
    let columns = collection.columns.iter();
    let columns: Vec<String> = columns
        .map(|column| format!("\"{}\"", column.name))
        .collect();
    let live = Names::new(collection).live;
    let mut statement = connection.prepare(&format!(
        "SELECT {} FROM {live} WHERE \"_deleted_at\" IS NULL",
        columns.join(", ")
    ))?;
    let mut found = statement.query(())?;
    while let Some(row) = found.next()? {
        visit(read(collection, row)?);
    }
    let sql = "SELECT data FROM _lms_rows_without_key WHERE collection = $1";
    let mut statement = connection.prepare(sql)?;
    let mut found = statement.query([collection.name])?;
    while let Some(row) = found.next()? {
        let data: String = row.get(0)?;
        let row = Row::from_json_object(collection, &data);
        visit(row.map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(
                0,
                rusqlite::types::Type::Text,
                Box::new(error),
            )
        })?);
    }
    Ok(())
}

fn compare(
    connection: &Connection,
    collection: &'static Collection,
    record: &CompletenessRecord,
) -> rusqlite::Result<Vec<String>> {
    let mut recount = Recount::default();
    each_row(connection, collection, &mut |row| recount.add(&row))?;
    let mut problems = Vec::new();
    recount.compare(record, &mut problems);
    Ok(problems)
}

/// A row of the table as it was written.
fn read(collection: &'static Collection, row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let mut values = Vec::with_capacity(collection.columns.len());
    for (index, column) in collection.columns.iter().enumerate() {
        let value = match column.kind {
            ColumnKind::Text | ColumnKind::Timestamp => {
                row.get::<_, Option<_>>(index)?.map(Value::Text)
            }
            ColumnKind::Integer => row.get::<_, Option<_>>(index)?.map(Value::Integer),
            ColumnKind::Float => row.get::<_, Option<_>>(index)?.map(Value::Float),
            ColumnKind::Boolean => row.get::<_, Option<_>>(index)?.map(Value::Boolean),
            ColumnKind::Json => row.get::<_, Option<_>>(index)?.map(Value::Json),
            ColumnKind::Utc => {
                let text: Option<String> = row.get(index)?;
                let instant = text.and_then(|text| text.parse::<jiff::Timestamp>().ok());
                instant.map(|instant| Value::Utc(instant.as_microsecond()))
            }
        };
        values.push(value.unwrap_or(Value::Null));
    }
    Ok(Row::new(collection, values))
}
