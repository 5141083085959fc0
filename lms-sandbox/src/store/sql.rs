//! Short forms of statements that are prepared once.

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::api::problem::Problem;

/// Runs a statement.
pub(crate) fn run(db: &Connection, sql: &str, params: impl Params) -> Result<(), Problem> {
    db.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// Adds a row, and returns its number.
pub(crate) fn insert(db: &Connection, sql: &str, params: impl Params) -> Result<i64, Problem> {
    run(db, sql, params)?;
    Ok(db.last_insert_rowid())
}

/// The columns of the first row, as a tuple.
pub(crate) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Option<T>, Problem>
where
    T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>,
{
    let mut statement = db.prepare_cached(sql)?;
    Ok(statement
        .query_row(params, |row| T::try_from(row))
        .optional()?)
}
