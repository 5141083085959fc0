//! Courses.

pub(crate) mod document;
pub(crate) mod duplication;

use rusqlite::{Connection, OptionalExtension, params};

use self::document::{Content, Document, Stamp};
use super::lookup::existing;
use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use super::{enrolments, topics};
use crate::api::id::Kind;
use crate::api::problem::Problem;

pub(crate) fn add(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let content = document::from_add(&request.body)?;
    let (_, document) = insert(
        connection,
        content,
        &request.settings.client_id,
        request.now,
    )?;
    Ok(document.into_bytes())
}

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200)?;
    let mut listing = Listing::by_id("document", "courses", "id");
    listing.filter_some("archived = ?", request.query.flag("archived")?);
    listing.filter_some("published = ?", request.query.flag("published")?);
    // A tenant has at most thousands of courses, so counting them in an index is cheap.
    page(connection, request, &window, &listing)
}

pub(crate) fn get(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let number = existing(connection, Kind::Course, id)?;
    let document = stored(connection, number)?;
    let document = document.ok_or_else(|| Problem::no_such(Kind::Course, id))?;
    Ok(document.into_bytes())
}

pub(crate) fn edit(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, Kind::Course, request.param(0)?)?;
    let before = stored(connection, number)?.unwrap_or_default();
    let document = document::replaced(&before, &request.body, request.now)?;
    store(connection, number, &document)?;
    Ok(document.text.into_bytes())
}

pub(crate) fn delete(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, Kind::Course, request.param(0)?)?;
    enrolments::delete_of_course(connection, number)?;
    topics::delete_of_course(connection, number)?;
    connection
        .prepare_cached("DELETE FROM courses WHERE id = ?1")?
        .execute([number])?;
    // Profiles and sign-up pages must not assign a deleted course.
    for table in ["profiles", "signup_pages"] {
        let sql = format!(
            "UPDATE {table} SET courses =
                 (SELECT json_group_array(value) FROM json_each({table}.courses) WHERE value <> ?1)"
        );
        connection.execute(&sql, params![Kind::Course.id(number)])?;
    }
    Ok(Vec::new())
}

/// The document of a course.
fn stored(connection: &Connection, number: i64) -> Result<Option<String>, Problem> {
    let mut statement = connection.prepare_cached("SELECT document FROM courses WHERE id = ?1")?;
    Ok(statement.query_row([number], |row| row.get(0)).optional()?)
}

/// Adds a course and returns its row and its document.
pub(crate) fn insert(
    connection: &Connection,
    content: Content,
    creator: &str,
    now: i64,
) -> Result<(i64, String), Problem> {
    connection
        .prepare_cached("INSERT INTO courses (archived, published, document) VALUES (0, 0, '')")?
        .execute([])?;
    let number = connection.last_insert_rowid();
    let document = document::stamped(
        content,
        &Stamp {
            number,
            creator,
            created: now,
        },
    );
    store(connection, number, &document)?;
    Ok((number, document.text))
}

fn store(connection: &Connection, number: i64, document: &Document) -> Result<(), Problem> {
    connection
        .prepare_cached(
            "UPDATE courses SET archived = ?2, published = ?3, document = ?4 WHERE id = ?1",
        )?
        .execute(params![
            number,
            document.archived,
            document.published,
            document.text
        ])?;
    Ok(())
}
