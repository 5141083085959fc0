//! Tags. The tags of a learner are names; a new name creates a tag.

use rusqlite::{Connection, OptionalExtension, params};

use super::request::ApiRequest;
use super::rows;
use crate::api::json;
use crate::api::problem::Problem;

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql = "SELECT id, color, created, modified, name FROM tags ORDER BY id";
    rows::all(connection, request, sql)
}

/// The tags of a request without duplicates, in their order; 422 for an empty name.
pub(crate) fn checked<'a>(
    field: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<&'a str>, Problem> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if name.trim().is_empty() {
            let message =
                format!("{field} has an empty name; send names, or omit the field for no tags");
            return Err(Problem::invalid(field, message));
        }
        if !once.contains(&name) {
            once.push(name);
        }
    }
    Ok(once)
}

/// Replaces the tags of a learner, and returns them as JSON for the learner's row.
pub(crate) fn assign(
    connection: &Connection,
    learner: i64,
    names: &[&str],
    now: i64,
) -> Result<String, Problem> {
    // There are few tags, so the learner's are found by tag, without an index by learner.
    let clear = "DELETE FROM learner_tags WHERE learner = ?1 AND tag IN (SELECT id FROM tags)";
    connection.prepare_cached(clear)?.execute([learner])?;
    for name in names {
        let tag = find_or_insert(connection, name, None, now)?;
        connection
            .prepare_cached("INSERT INTO learner_tags VALUES (?1, ?2)")?
            .execute([tag, learner])?;
    }
    Ok(json::to_string(names))
}

/// The tag with this name, which is created if it does not exist.
pub(crate) fn find_or_insert(
    connection: &Connection,
    name: &str,
    color: Option<&str>,
    now: i64,
) -> Result<i64, Problem> {
    let mut statement = connection.prepare_cached("SELECT id FROM tags WHERE name = ?1")?;
    if let Some(number) = statement.query_row([name], |row| row.get(0)).optional()? {
        return Ok(number);
    }
    connection
        .prepare_cached(
            "INSERT INTO tags (name, color, created, modified) VALUES (?1, ?2, ?3, ?3)",
        )?
        .execute(params![name, color, now])?;
    Ok(connection.last_insert_rowid())
}
