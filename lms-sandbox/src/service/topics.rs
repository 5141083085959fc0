//! Topics, the parts of a course. The API only reads them.

use rusqlite::{Connection, OptionalExtension, params};

use super::fixtures::NewTopic;
use super::lookup::referenced;
use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use super::rows;
use crate::api::id::Kind;
use crate::api::problem::Problem;

const COLUMNS: &str = "id, kind, course, created, modified, name, published, hide_heading, locked, require_confirmation";

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200)?;
    let mut listing = Listing::by_id(COLUMNS, "topics", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("kind = ?", request.query.text("kind").map(str::to_owned));
    listing.filter_some("published = ?", request.query.flag("published")?);
    // The number of topics depends on the number of courses, not learners, so counting them in an index is cheap.
    page(connection, request, &window, &listing)
}

pub(crate) fn get(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let sql = format!("SELECT {COLUMNS} FROM topics WHERE id = ?1");
    rows::first(connection, request, &sql, [Kind::Topic.parse(id)])?
        .ok_or_else(|| Problem::no_such(Kind::Topic, id))
}

/// The course that a topic belongs to.
pub(crate) fn course_of(connection: &Connection, topic: i64) -> Result<Option<i64>, Problem> {
    let mut statement = connection.prepare_cached("SELECT course FROM topics WHERE id = ?1")?;
    Ok(statement.query_row([topic], |row| row.get(0)).optional()?)
}

pub(crate) fn insert(connection: &Connection, topic: &NewTopic, now: i64) -> Result<i64, Problem> {
    let course = referenced(connection, Kind::Course, "course", &topic.course)?;
    connection
        .prepare_cached(
            "INSERT INTO topics (course, kind, name, published, hide_heading, locked, require_confirmation,
                                 created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
        )?
        .execute(params![
            course,
            topic.kind,
            topic.name,
            topic.published,
            topic.hide_heading,
            topic.locked,
            topic.require_confirmation,
            now
        ])?;
    Ok(connection.last_insert_rowid())
}

/// Copies the topics of course `from` to course `to`.
pub(crate) fn copy(connection: &Connection, from: i64, to: i64, now: i64) -> Result<(), Problem> {
    connection
        .prepare_cached(
            "INSERT INTO topics (course, kind, name, published, hide_heading, locked, require_confirmation,
                                 created, modified)
             SELECT ?2, kind, name, published, hide_heading, locked, require_confirmation, ?3, ?3
             FROM topics WHERE course = ?1 ORDER BY id",
        )?
        .execute(params![from, to, now])?;
    Ok(())
}

pub(crate) fn delete_of_course(connection: &Connection, course: i64) -> Result<(), Problem> {
    connection
        .prepare_cached("DELETE FROM topics WHERE course = ?1")?
        .execute([course])?;
    Ok(())
}
