//! Tags. The tags of a learner are names; a new name creates a tag.

use rusqlite::{Connection, params};

use super::request::{ApiRequest, OperationResult};
use super::rows;
use crate::api::json;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::all(db, request, "SELECT * FROM tags ORDER BY id")
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
    db: &Connection,
    learner: i64,
    names: &[&str],
    now: i64,
) -> Result<String, Problem> {
    // There are few tags, so the learner's are found by tag, without an index by learner.
    let clear = "DELETE FROM learner_tags WHERE learner = ?1 AND tag IN (SELECT id FROM tags)";
    sql::run(db, clear, [learner])?;
    for name in names {
        let tag = find_or_insert(db, name, None, now)?;
        sql::run(
            db,
            "INSERT INTO learner_tags VALUES (?1, ?2)",
            [tag, learner],
        )?;
    }
    Ok(json::to_string(names))
}

/// The tag with this name, which is created if it does not exist.
pub(crate) fn find_or_insert(
    db: &Connection,
    name: &str,
    color: Option<&str>,
    now: i64,
) -> Result<i64, Problem> {
    if let Some((number,)) = sql::first(db, "SELECT id FROM tags WHERE name = ?1", [name])? {
        return Ok(number);
    }
    let sql = "INSERT INTO tags (name, color, created, modified) VALUES (?1, ?2, ?3, ?3)";
    sql::insert(db, sql, params![name, color, now])
}
