//! Course completions: a history that outlives enrolments, learners and courses.

use rusqlite::Connection;

use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::service::pages::{Listing, Window, page};
use crate::service::request::ApiRequest;

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200)?;
    let mut listing = Listing::by_id("id, course, learner AS user, happened", "completions", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("learner = ?", request.id_filter("user", Kind::Learner));
    page(connection, request, &window, &listing)
}

pub(super) fn insert(
    connection: &Connection,
    learner: i64,
    course: i64,
    now: i64,
) -> Result<(), Problem> {
    connection
        .prepare_cached("INSERT INTO completions (course, learner, happened) VALUES (?1, ?2, ?3)")?
        .execute([course, learner, now])?;
    Ok(())
}
