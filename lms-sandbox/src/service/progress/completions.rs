//! Course completions: a history that outlives enrolments, learners and courses (the service description, §4).

use rusqlite::{Connection, Row};

use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::pages::{Listing, Window, page};
use crate::service::request::ApiRequest;

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200, &["course", "user"])?;
    let mut listing = Listing::by_id("id, course, learner, happened", "completions", "id");
    if let Some(course) = request.query.text("course") {
        listing.filter("course = ?", Kind::Course.parse(course).unwrap_or(0));
    }
    if let Some(user) = request.query.text("user") {
        listing.filter("learner = ?", Kind::Learner.parse(user).unwrap_or(0));
    }
    // This list says neither how many there are nor what it was asked for (§2, "Pagination").
    page(connection, request, &window, &listing, render, &|_| {})
}

fn render(row: &Row<'_>, completion: &mut Object<'_>) -> Result<(), Problem> {
    completion.id("id", Kind::Completion, row.get(0)?);
    completion.id("course", Kind::Course, row.get(1)?);
    completion.id("user", Kind::Learner, row.get(2)?);
    completion.time("happened", row.get(3)?);
    Ok(())
}

pub(crate) fn insert(
    connection: &Connection,
    learner: i64,
    course: i64,
    happened: i64,
) -> Result<i64, Problem> {
    connection
        .prepare_cached("INSERT INTO completions (course, learner, happened) VALUES (?1, ?2, ?3)")?
        .execute([course, learner, happened])?;
    Ok(connection.last_insert_rowid())
}
