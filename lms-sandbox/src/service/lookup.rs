//! From an id to its row.

use rusqlite::Connection;

use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

/// The row of an id in a path; 404 if it does not exist.
pub(crate) fn existing(db: &Connection, kind: Kind, id: &str) -> Result<i64, Problem> {
    find(db, kind, id)?.ok_or_else(|| Problem::no_such(kind, id))
}

/// The row of an id in a field of the body; 422 if it does not exist.
pub(crate) fn referenced(
    db: &Connection,
    kind: Kind,
    field: &str,
    id: &str,
) -> Result<i64, Problem> {
    find(db, kind, id)?.ok_or_else(|| Problem::unknown_reference(field, kind, id))
}

fn find(db: &Connection, kind: Kind, id: &str) -> Result<Option<i64>, Problem> {
    let Some(number) = kind.parse(id) else {
        return Ok(None);
    };
    let sql = format!("SELECT id FROM {} WHERE id = ?1", kind.table());
    Ok(sql::first(db, &sql, [number])?.map(|(number,)| number))
}
