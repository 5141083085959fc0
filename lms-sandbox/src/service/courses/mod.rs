//! Courses.

pub(crate) mod document;
pub(crate) mod duplication;

use rusqlite::{Connection, params};
use serde_json::Value;

use self::document::Content;
use super::pages::{Listing, page};
use super::request::{AUTHOR, ApiRequest, OperationResult};
use super::rows::existing;
use super::{enrolments, rows, topics};
use crate::api::fields::Fields;
use crate::api::generated::{ADD_COURSE, COURSE};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn add(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let content = document::from_add(&request.body);
    let (_, document) = insert_content(db, content, &request.settings.client_id, request.now)?;
    Ok(document.into_bytes())
}

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut listing = Listing::by_id("document", "courses", "id");
    listing.filter_some("archived = ?", request.query.flag("archived")?);
    listing.filter_some("published = ?", request.query.flag("published")?);
    // A tenant has at most thousands of courses, so counting them in an index is cheap.
    page(db, request, 200, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::by_id(db, request, Kind::Course, "document")
}

pub(crate) fn edit(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let number = existing(db, Kind::Course, request.param(0)?)?;
    let before = stored(db, number)?.unwrap_or_default();
    let document = document::replaced(&before, &request.body, request.now)?;
    store(db, number, &document)?;
    Ok(document.into_bytes())
}

pub(crate) fn delete(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let number = existing(db, Kind::Course, request.param(0)?)?;
    enrolments::delete_of_course(db, number)?;
    topics::delete_of_course(db, number)?;
    sql::run(db, "DELETE FROM courses WHERE id = ?1", [number])?;
    // Profiles and sign-up pages must not assign a deleted course.
    for table in ["profiles", "signup_pages"] {
        let sql = format!(
            "UPDATE {table} SET courses =
                 (SELECT json_group_array(value) FROM json_each({table}.courses) WHERE value <> ?1)"
        );
        db.execute(&sql, params![Kind::Course.id(number)])?;
    }
    Ok(Vec::new())
}

/// The document of a course.
fn stored(db: &Connection, number: i64) -> Result<Option<String>, Problem> {
    let found = sql::first(db, "SELECT document FROM courses WHERE id = ?1", [number])?;
    Ok(found.map(|(document,)| document))
}

/// Adds a course that no request added, and returns its row.
pub(crate) fn insert(db: &Connection, course: &Value, now: i64) -> Result<i64, Problem> {
    let fields = Fields::to_add(course, &[&COURSE, &ADD_COURSE])?;
    let (number, _) = insert_content(db, fields.into_map(), AUTHOR, now)?;
    Ok(number)
}

/// Adds a course and returns its row and its document.
fn insert_content(
    db: &Connection,
    content: Content,
    creator: &str,
    now: i64,
) -> Result<(i64, String), Problem> {
    let empty = "INSERT INTO courses (document) VALUES ('{}')";
    let number = sql::insert(db, empty, [])?;
    let document = document::stamped(content, number, creator, now);
    store(db, number, &document)?;
    Ok((number, document))
}

fn store(db: &Connection, number: i64, document: &str) -> Result<(), Problem> {
    let update = "UPDATE courses SET document = ?2 WHERE id = ?1";
    sql::run(db, update, params![number, document])
}
