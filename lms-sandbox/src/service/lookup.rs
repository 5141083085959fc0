//! From an id to its row.

use rusqlite::{Connection, OptionalExtension};

use crate::api::id::Kind;
use crate::api::problem::Problem;

/// The row of an id in a path; 404 if it does not exist.
pub(crate) fn existing(connection: &Connection, kind: Kind, id: &str) -> Result<i64, Problem> {
    find(connection, kind, id)?.ok_or_else(|| Problem::no_such(kind, id))
}

/// The row of an id in a field of the body; 422 if it does not exist.
pub(crate) fn referenced(
    connection: &Connection,
    kind: Kind,
    field: &str,
    id: &str,
) -> Result<i64, Problem> {
    find(connection, kind, id)?.ok_or_else(|| Problem::unknown_reference(field, kind, id))
}

fn find(connection: &Connection, kind: Kind, id: &str) -> Result<Option<i64>, Problem> {
    let Some(number) = kind.parse(id) else {
        return Ok(None);
    };
    let sql = format!("SELECT id FROM {} WHERE id = ?1", kind.table());
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([number], |row| row.get(0)).optional()?)
}
