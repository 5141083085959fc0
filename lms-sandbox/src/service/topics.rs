//! Topics, the parts of a course. The API only reads them.

use rusqlite::Connection;
use serde_json::Value;

use super::pages::{Listing, page};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use crate::api::generated::TOPIC;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut listing = Listing::by_id("*", "topics", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("kind = ?", request.query.text("kind").map(str::to_owned));
    listing.filter_some("published = ?", request.query.flag("published")?);
    // The number of topics depends on the number of courses, not learners, so counting them in an index is cheap.
    page(db, request, 200, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::by_id(db, request, Kind::Topic, "*")
}

/// The course that a topic belongs to.
pub(crate) fn course_of(db: &Connection, topic: i64) -> Result<Option<i64>, Problem> {
    let found = sql::first(db, "SELECT course FROM topics WHERE id = ?1", [topic])?;
    Ok(found.map(|(course,)| course))
}

pub(crate) fn insert(db: &Connection, topic: &Value, now: i64) -> Result<i64, Problem> {
    rows::insert(db, "INSERT INTO topics", &[&TOPIC], topic, now)
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
