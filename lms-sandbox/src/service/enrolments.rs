//! Enrolments of learners in courses.

use rusqlite::{Connection, OptionalExtension, params};

use super::lookup::referenced;
use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use super::rows;
use crate::api::id::Kind;
use crate::api::problem::Problem;

const COLUMNS: &str = "id, course, learner AS user, created";

pub(crate) fn add(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let course = request.body.required_text("course")?;
    let user = request.body.required_text("user")?;
    request.body.flag("send_emails")?;
    let course_number = referenced(connection, Kind::Course, "course", course)?;
    let learner = referenced(connection, Kind::Learner, "user", user)?;
    let Some(number) = insert(connection, learner, course_number, request.now)? else {
        let message = format!("learner {user} is already enrolled in course {course}");
        return Err(Problem::conflict("user", message));
    };
    let sql = format!("SELECT {COLUMNS} FROM enrolments WHERE id = ?1");
    rows::first(connection, request, &sql, [number])?
        .ok_or_else(|| Problem::internal("the new enrolment is missing"))
}

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200)?;
    let mut listing = Listing::by_id(COLUMNS, "enrolments", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("learner = ?", request.id_filter("user", Kind::Learner));
    page(connection, request, &window, &listing)
}

pub(crate) fn delete(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    match (request.query.text("user"), request.query.text("course")) {
        (None, None) => {
            let message = "user and course are missing, which would delete all enrolments; send one of them or both";
            return Err(Problem::malformed("unscoped", message));
        }
        (Some(user), None) => {
            delete_of_learner(connection, Kind::Learner.parse(user).unwrap_or(0))?;
        }
        (None, Some(course)) => {
            delete_of_course(connection, Kind::Course.parse(course).unwrap_or(0))?;
        }
        (Some(user), Some(course)) => {
            let learner = Kind::Learner.parse(user).unwrap_or(0);
            let found = of_pair(connection, learner, Kind::Course.parse(course).unwrap_or(0))?;
            let Some(Enrolment { number, .. }) = found else {
                return Err(Problem::not_found(format!(
                    "learner {user:?} is not enrolled in course {course:?}"
                )));
            };
            delete_where(connection, "id = ?1", number)?;
        }
    }
    Ok(Vec::new())
}

/// The state of an enrolment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enrolment {
    pub(crate) number: i64,
    pub(crate) created: i64,
    pub(crate) completed_on: Option<i64>,
}

/// A learner's enrolment in a course.
pub(crate) fn of_pair(
    connection: &Connection,
    learner: i64,
    course: i64,
) -> Result<Option<Enrolment>, Problem> {
    let mut statement = connection.prepare_cached(
        "SELECT id, created, completed_on FROM enrolments WHERE learner = ?1 AND course = ?2",
    )?;
    let found = statement.query_row([learner, course], |row| {
        Ok(Enrolment {
            number: row.get("id")?,
            created: row.get("created")?,
            completed_on: row.get("completed_on")?,
        })
    });
    Ok(found.optional()?)
}

/// Enrols a learner; `None` if the learner is already enrolled.
pub(crate) fn insert(
    connection: &Connection,
    learner: i64,
    course: i64,
    now: i64,
) -> Result<Option<i64>, Problem> {
    if of_pair(connection, learner, course)?.is_some() {
        return Ok(None);
    }
    connection
        .prepare_cached("INSERT INTO enrolments (course, learner, created) VALUES (?1, ?2, ?3)")?
        .execute(params![course, learner, now])?;
    Ok(Some(connection.last_insert_rowid()))
}

/// Enrols the learners of course `from` in course `to`.
pub(crate) fn copy(connection: &Connection, from: i64, to: i64, now: i64) -> Result<(), Problem> {
    connection
        .prepare_cached(
            "INSERT INTO enrolments (course, learner, created)
             SELECT ?2, learner, ?3 FROM enrolments WHERE course = ?1 ORDER BY id",
        )?
        .execute(params![from, to, now])?;
    Ok(())
}

pub(crate) fn delete_of_course(connection: &Connection, course: i64) -> Result<(), Problem> {
    delete_where(connection, "course = ?1", course)
}

pub(crate) fn delete_of_learner(connection: &Connection, learner: i64) -> Result<(), Problem> {
    delete_where(connection, "learner = ?1", learner)
}

/// Deletes enrolments with their progress.
fn delete_where(connection: &Connection, condition: &str, value: i64) -> Result<(), Problem> {
    for sql in [
        format!(
            "DELETE FROM topic_marks WHERE enrolment IN (SELECT id FROM enrolments WHERE {condition})"
        ),
        format!("DELETE FROM enrolments WHERE {condition}"),
    ] {
        connection.prepare_cached(&sql)?.execute([value])?;
    }
    Ok(())
}

/// 404 for a learner who is not enrolled in a course.
pub(crate) fn not_enrolled(user: &str, course: &str) -> Problem {
    Problem::not_found(format!(
        "learner {user:?} is not enrolled in course {course:?}, so there is no progress in it"
    ))
}
