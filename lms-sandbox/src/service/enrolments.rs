//! Enrolments of learners in courses (the service description, §4, "Enrolments").

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::lookup::referenced;
use crate::store::Count;

pub(crate) fn add(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let (course, user) = (
        request.body.required_text("course")?,
        request.body.required_text("user")?,
    );
    request.body.flag("send_emails")?;
    let course_number = referenced(connection, Kind::Course, "course", course)?;
    let learner = referenced(connection, Kind::Learner, "user", user)?;
    let Some(number) = insert(connection, learner, course_number, request.now)? else {
        let message = format!("learner {user} is enrolled in course {course} already");
        return Err(Problem::conflict("user", message));
    };
    super::object(|enrolment| {
        enrolment.id("id", Kind::Enrolment, number);
        enrolment.id("course", Kind::Course, course_number);
        enrolment.id("user", Kind::Learner, learner);
        enrolment.time("created", request.now);
        Ok(())
    })
}

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200, &["course", "user"])?;
    let (course, user) = (request.query.text("course"), request.query.text("user"));
    let course_number = course.map(|id| Kind::Course.parse(id).unwrap_or(0));
    let mut listing = Listing::by_id("id, course, learner, created", "enrolments", "id");
    if let Some(number) = course_number {
        listing.filter("course = ?", number);
    }
    if let Some(user) = user {
        listing.filter("learner = ?", Kind::Learner.parse(user).unwrap_or(0));
    }
    listing.number_found = Some(match (course_number, user) {
        (None, None) => Count::Enrolments.all(connection)?,
        (Some(course), None) => Count::InCourse.of(connection, course)?,
        // One learner's enrolments are few.
        (_, Some(_)) => listing.count_rows(connection)?,
    });
    page(connection, request, &window, &listing, render, &|page| {
        page.some_text("course", course);
        page.some_text("user", user);
    })
}

fn render(row: &Row<'_>, enrolment: &mut Object<'_>) -> Result<(), Problem> {
    enrolment.id("id", Kind::Enrolment, row.get(0)?);
    enrolment.id("course", Kind::Course, row.get(1)?);
    enrolment.id("user", Kind::Learner, row.get(2)?);
    enrolment.time("created", row.get(3)?);
    Ok(())
}

pub(crate) fn delete(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    match (request.query.text("user"), request.query.text("course")) {
        (None, None) => {
            let message = "neither user nor course is given, and that would remove every enrolment; give one of them \
                           or both";
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
                    "learner {user:?} is not enrolled in course {course:?}, so there is nothing to remove"
                )));
            };
            connection
                .prepare_cached("DELETE FROM topic_marks WHERE enrolment = ?1")?
                .execute([number])?;
            connection
                .prepare_cached("DELETE FROM enrolments WHERE id = ?1")?
                .execute([number])?;
        }
    }
    Ok(Vec::new())
}

/// What is kept of an enrolment.
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
            number: row.get(0)?,
            created: row.get(1)?,
            completed_on: row.get(2)?,
        })
    });
    Ok(found.optional()?)
}

/// Enrols a learner; `None` if he or she is enrolled already.
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

/// Enrols everyone who is in course `from` in course `to`.
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
    let marks =
        "DELETE FROM topic_marks WHERE enrolment IN (SELECT id FROM enrolments WHERE course = ?1)";
    connection.prepare_cached(marks)?.execute([course])?;
    connection
        .prepare_cached("DELETE FROM enrolments WHERE course = ?1")?
        .execute([course])?;
    Ok(())
}

pub(crate) fn delete_of_learner(connection: &Connection, learner: i64) -> Result<(), Problem> {
    let marks =
        "DELETE FROM topic_marks WHERE enrolment IN (SELECT id FROM enrolments WHERE learner = ?1)";
    connection.prepare_cached(marks)?.execute([learner])?;
    connection
        .prepare_cached("DELETE FROM enrolments WHERE learner = ?1")?
        .execute([learner])?;
    Ok(())
}

/// 404 for a learner and a course that have nothing to do with each other.
pub(crate) fn not_enrolled(user: &str, course: &str) -> Problem {
    Problem::not_found(format!(
        "learner {user:?} is not enrolled in course {course:?}, so there is no progress in it"
    ))
}
