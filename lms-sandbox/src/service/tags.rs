//! Tags. A learner's tags are names; a name that is new makes a new tag (the service description leaves it open).

use rusqlite::{Connection, OptionalExtension, params};

use super::request::ApiRequest;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;

pub(crate) fn list(connection: &Connection, _: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql = "SELECT id, color, created, modified, name FROM tags ORDER BY id";
    super::whole_list(connection, sql, |row, tag| {
        tag.id("id", Kind::Tag, row.get(0)?);
        tag.some_text("color", row.get_ref(1)?.as_str_or_null()?);
        tag.time("created", row.get(2)?);
        tag.time("modified", row.get(3)?);
        tag.text("name", row.get_ref(4)?.as_str()?);
        Ok(())
    })
}

/// The names that a request gives, each once, in their order; 422 for an empty one.
pub(crate) fn checked<'a>(
    field: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<&'a str>, Problem> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if name.trim().is_empty() {
            let message =
                format!("{field} holds an empty name; send names, or leave it out for no tags");
            return Err(Problem::invalid(field, message));
        }
        if !once.contains(&name) {
            once.push(name);
        }
    }
    Ok(once)
}

/// Gives a learner these tags and no others, and returns them as the learner's row keeps them.
pub(crate) fn assign(
    connection: &Connection,
    learner: i64,
    names: &[&str],
    now: i64,
) -> Result<String, Problem> {
    // Tags are few beside learners, so the learner's are found from that side and need no index of their own.
    let clear = "DELETE FROM learner_tags WHERE learner = ?1 AND tag IN (SELECT id FROM tags)";
    connection.prepare_cached(clear)?.execute([learner])?;
    for name in names {
        let tag = find_or_insert(connection, name, None, now)?;
        connection
            .prepare_cached("INSERT INTO learner_tags VALUES (?1, ?2)")?
            .execute([tag, learner])?;
    }
    Ok(json::strings_text(names.iter().copied()))
}

/// The tag of this name, made if there is none.
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
