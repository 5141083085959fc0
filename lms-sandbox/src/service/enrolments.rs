//! Enrolments of learners in courses.

use rusqlite::Connection;

use super::pages::{Listing, page};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use super::rows::referenced;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

const COLUMNS: &str = "id, course, learner AS user, created";

pub(crate) fn add(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let [course, user] = ["course", "user"].map(|name| request.body.required(name));
    let course_number = referenced(db, Kind::Course, "course", course)?;
    let learner = referenced(db, Kind::Learner, "user", user)?;
    let number = enrol(db, learner, course_number, request.now)?;
    let sql = format!("SELECT {COLUMNS} FROM enrolments WHERE id = ?1");
    rows::first(db, request, &sql, [number])?
        .ok_or_else(|| Problem::internal("the new enrolment is missing"))
}

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut listing = Listing::by_id(COLUMNS, "enrolments", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("learner = ?", request.id_filter("user", Kind::Learner));
    page(db, request, 200, &listing)
}

pub(crate) fn delete(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let learner = request.id_filter("user", Kind::Learner);
    match (learner, request.id_filter("course", Kind::Course)) {
        (None, None) => {
            let message = "user and course are missing, which would delete all enrolments; send one of them or both";
            return Err(Problem::malformed("unscoped", message));
        }
        (Some(learner), None) => delete_of_learner(db, learner)?,
        (None, Some(course)) => delete_of_course(db, course)?,
        (Some(learner), Some(course)) => {
            let enrolment = find(db, learner, course)?.ok_or_else(|| {
                let [user, course] = ["user", "course"].map(|name| request.query.text(name));
                let (user, course) = (user.unwrap_or_default(), course.unwrap_or_default());
                Problem::not_found(format!(
                    "learner {user:?} is not enrolled in course {course:?}"
                ))
            })?;
            delete_where(db, "id = ?1", enrolment.number)?;
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
pub(crate) fn find(
    db: &Connection,
    learner: i64,
    course: i64,
) -> Result<Option<Enrolment>, Problem> {
    let sql = "SELECT id, created, completed_on FROM enrolments WHERE learner = ?1 AND course = ?2";
    let found = sql::first(db, sql, [learner, course])?;
    Ok(found.map(|(number, created, completed_on)| Enrolment {
        number,
        created,
        completed_on,
    }))
}

/// Enrols a learner; 409 if the learner is already enrolled.
pub(crate) fn enrol(db: &Connection, learner: i64, course: i64, now: i64) -> Result<i64, Problem> {
    insert(db, learner, course, now)?.ok_or_else(|| {
        let (learner, course) = (Kind::Learner.id(learner), Kind::Course.id(course));
        let message = format!("learner {learner} is already enrolled in course {course}");
        Problem::conflict("user", message)
    })
}

/// Enrols a learner; `None` if the learner is already enrolled.
pub(crate) fn insert(
    db: &Connection,
    learner: i64,
    course: i64,
    now: i64,
) -> Result<Option<i64>, Problem> {
    if find(db, learner, course)?.is_some() {
        return Ok(None);
    }
    let sql = "INSERT INTO enrolments (course, learner, created) VALUES (?1, ?2, ?3)";
    sql::insert(db, sql, [course, learner, now]).map(Some)
}

/// Enrols the learners of course `from` in course `to`.
pub(crate) fn copy(db: &Connection, from: i64, to: i64, now: i64) -> Result<(), Problem> {
    let sql = "INSERT INTO enrolments (course, learner, created)
               SELECT ?2, learner, ?3 FROM enrolments WHERE course = ?1 ORDER BY id";
    sql::run(db, sql, [from, to, now])
}

pub(crate) fn delete_of_course(db: &Connection, course: i64) -> Result<(), Problem> {
    delete_where(db, "course = ?1", course)
}

pub(crate) fn delete_of_learner(db: &Connection, learner: i64) -> Result<(), Problem> {
    delete_where(db, "learner = ?1", learner)
}

/// Deletes enrolments with their progress.
fn delete_where(db: &Connection, condition: &str, value: i64) -> Result<(), Problem> {
    let ids = format!("SELECT id FROM enrolments WHERE {condition}");
    let marks = format!("DELETE FROM topic_marks WHERE enrolment IN ({ids})");
    sql::run(db, &marks, [value])?;
    let enrolments = format!("DELETE FROM enrolments WHERE {condition}");
    sql::run(db, &enrolments, [value])
}

/// 404 for a learner who is not enrolled in a course.
pub(crate) fn not_enrolled(user: &str, course: &str) -> Problem {
    Problem::not_found(format!(
        "learner {user:?} is not enrolled in course {course:?}, so there is no progress in it"
    ))
}
