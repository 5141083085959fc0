//! Topics, the parts of a course (the service description, §4, "Topics"). The API reads them only.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fixtures::NewTopic;
use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::lookup::referenced;

const COLUMNS: &str = "id, kind, course, created, modified, name, published, hide_heading, locked, require_confirmation";

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200, &["course", "kind", "published"])?;
    let (course, kind) = (request.query.text("course"), request.query.text("kind"));
    let published = request.query.flag("published")?;
    let mut listing = Listing::by_id(COLUMNS, "topics", "id");
    if let Some(course) = course {
        // An id that never was has no topics, like one that is gone; no row has the number 0.
        listing.filter("course = ?", Kind::Course.parse(course).unwrap_or(0));
    }
    if let Some(kind) = kind {
        listing.filter("kind = ?", kind.to_owned());
    }
    if let Some(published) = published {
        listing.filter("published = ?", i64::from(published));
    }
    // Topics grow with the courses and not with the learners: counting them in an index is cheap.
    listing.number_found = Some(listing.count_rows(connection)?);
    page(connection, request, &window, &listing, render, &|page| {
        page.some_text("kind", kind);
        page.some_text("course", course);
        if let Some(published) = published {
            page.flag("published", published);
        }
    })
}

pub(crate) fn get(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let missing = || Problem::no_such(Kind::Topic, id);
    let number = Kind::Topic.parse(id).ok_or_else(missing)?;
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM topics WHERE id = ?1"))?;
    let mut rows = statement.query([number])?;
    let row = rows.next()?.ok_or_else(missing)?;
    super::object(|topic| render(row, topic))
}

fn render(row: &Row<'_>, topic: &mut Object<'_>) -> Result<(), Problem> {
    topic.id("id", Kind::Topic, row.get(0)?);
    topic.some_text("kind", row.get_ref(1)?.as_str_or_null()?);
    topic.id("course", Kind::Course, row.get(2)?);
    topic.time("created", row.get(3)?);
    topic.time("modified", row.get(4)?);
    topic.text("name", row.get_ref(5)?.as_str()?);
    topic.flag("published", row.get(6)?);
    topic.flag("hide_heading", row.get(7)?);
    topic.flag("locked", row.get(8)?);
    topic.flag("require_confirmation", row.get(9)?);
    Ok(())
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

/// Gives course `to` the topics of course `from`.
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
