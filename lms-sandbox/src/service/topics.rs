//! Topics, the parts of a course. The API only reads them.

use rusqlite::{Connection, params};

use super::fixtures::NewTopic;
use super::lookup::referenced;
use super::pages::{Listing, Window, page};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

const COLUMNS: &str = "id, kind, course, created, modified, name, published, hide_heading, locked, require_confirmation";

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let window = Window::of(request, 200)?;
    let mut listing = Listing::by_id(COLUMNS, "topics", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("kind = ?", request.query.text("kind").map(str::to_owned));
    listing.filter_some("published = ?", request.query.flag("published")?);
    // The number of topics depends on the number of courses, not learners, so counting them in an index is cheap.
    page(db, request, &window, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let id = request.param(0)?;
    let sql = format!("SELECT {COLUMNS} FROM topics WHERE id = ?1");
    rows::first(db, request, &sql, [Kind::Topic.parse(id)])?
        .ok_or_else(|| Problem::no_such(Kind::Topic, id))
}

/// The course that a topic belongs to.
pub(crate) fn course_of(db: &Connection, topic: i64) -> Result<Option<i64>, Problem> {
    let found = sql::first(db, "SELECT course FROM topics WHERE id = ?1", [topic])?;
    Ok(found.map(|(course,)| course))
}

pub(crate) fn insert(db: &Connection, topic: &NewTopic, now: i64) -> Result<i64, Problem> {
    let course = referenced(db, Kind::Course, "course", &topic.course)?;
    sql::insert(
        db,
        "INSERT INTO topics (course, kind, name, published, hide_heading, locked, require_confirmation,
                             created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
        params![
            course,
            topic.kind,
            topic.name,
            topic.published,
            topic.hide_heading,
            topic.locked,
            topic.require_confirmation,
            now
        ],
    )
}

/// Copies the topics of course `from` to course `to`.
pub(crate) fn copy(db: &Connection, from: i64, to: i64, now: i64) -> Result<(), Problem> {
    let sql = "INSERT INTO topics (course, kind, name, published, hide_heading, locked, require_confirmation,
                                   created, modified)
               SELECT ?2, kind, name, published, hide_heading, locked, require_confirmation, ?3, ?3
               FROM topics WHERE course = ?1 ORDER BY id";
    sql::run(db, sql, [from, to, now])
}

pub(crate) fn delete_of_course(db: &Connection, course: i64) -> Result<(), Problem> {
    sql::run(db, "DELETE FROM topics WHERE course = ?1", [course])
}
