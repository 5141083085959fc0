//! Progress of learners.
//!
//! Progress in a topic exists for every topic of every course that a learner is enrolled in, but only changes are stored
//! (see `topic_marks` in `schema.sql`). The list is therefore a join, in the order of enrolments and then topics. Only
//! completed topics are read from the marks, which have the same order.

pub(crate) mod marks;

use rusqlite::{Connection, params};

use super::enrolments::{self, Enrolment, not_enrolled};
use super::pages::{Listing, Order, page};
use super::request::{ApiRequest, OperationResult};
use super::{rows, topics};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::api::{json, timestamp};
use crate::store::sql;

const COLUMNS: &str = "'tp' || e.id || '-' || t.id AS id, e.learner AS user, t.id AS topic, e.course AS course, \
     max(e.created, t.created) AS created, ifnull(m.modified, max(e.created, t.created)) AS modified, \
     m.completed_on AS completed_on, 'l' || m.completed_by AS completed_by, m.confirmed_on AS confirmed_on, \
     'l' || m.confirmed_by AS confirmed_by, ifnull(m.completed, 0) AS completed, ifnull(m.confirmed, 0) AS confirmed";
// CROSS JOIN fixes the order of the tables, which is the order of the list.
const ALL: &str = "enrolments e CROSS JOIN topics t ON t.course = e.course \
     LEFT JOIN topic_marks m ON m.enrolment = e.id AND m.topic = t.id";
const COMPLETED: &str = "topic_marks m CROSS JOIN enrolments e ON e.id = m.enrolment \
     CROSS JOIN topics t ON t.id = m.topic";

pub(crate) fn get_of_topic(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let (user, topic) = (request.param(0)?, request.param(1)?);
    let completed = request.query.flag("completed")?;
    let course = request.id_filter("course", Kind::Course);
    let sql = format!(
        "SELECT {COLUMNS} FROM topics t CROSS JOIN enrolments e ON e.learner = ?1 AND e.course = t.course
         LEFT JOIN topic_marks m ON m.enrolment = e.id AND m.topic = t.id
         WHERE t.id = ?2 AND (?3 IS NULL OR t.course = ?3) AND (?4 IS NULL OR ifnull(m.completed, 0) = ?4)"
    );
    let (learner, number) = (Kind::Learner.parse(user), Kind::Topic.parse(topic));
    let params = params![learner, number, course, completed];
    rows::first(db, request, &sql, params)?.ok_or_else(|| {
        Problem::not_found(format!(
            "there is no such progress of learner {user:?} in topic {topic:?}; learners have progress in the topics of \
             the courses that they are enrolled in"
        ))
    })
}

pub(crate) fn list_of_topics(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let learner = request.id_filter("user", Kind::Learner);
    let topic = request.id_filter("topic", Kind::Topic);
    let course = request.id_filter("course", Kind::Course);
    let completed = request.query.flag("completed")?;
    let mut listing = Listing::by_id(COLUMNS, ALL, "");
    if completed == Some(true) && learner.is_none() {
        listing.from = COMPLETED;
        listing.order = Order::Pair("m.enrolment", "m.topic");
        listing.conditions.push("m.completed = 1");
        listing.filter_some("m.topic = ?", topic);
        listing.filter_some("m.course = ?", course);
    } else {
        listing.order = Order::Pair("e.id", "t.id");
        listing.filter_some("e.learner = ?", learner);
        if let Some(topic) = topic {
            listing.filter("e.course = ?", topics::course_of(db, topic)?.unwrap_or(0));
            listing.filter("t.id = ?", topic);
        }
        listing.filter_some("e.course = ?", course);
        listing.filter_some("ifnull(m.completed, 0) = ?", completed);
    }
    page(db, request, 200, &listing)
}

pub(crate) fn get_of_course(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let (course, user) = (request.param(0)?, request.param(1)?);
    let (Some(number), Some(learner)) = (Kind::Course.parse(course), Kind::Learner.parse(user))
    else {
        return Err(not_enrolled(user, course));
    };
    let enrolment =
        enrolments::find(db, learner, number)?.ok_or_else(|| not_enrolled(user, course))?;
    let completed = enrolment.completed_on.is_some();
    let is_due = due(db, number, &enrolment)?.is_some_and(|due| due < request.now);
    let completed_on = enrolment.completed_on.map(timestamp::format);
    Ok(json::object([
        ("id", Kind::CourseProgress.id(enrolment.number).into()),
        ("user", user.into()),
        ("course", course.into()),
        ("completed_on", completed_on.into()),
        ("completed", completed.into()),
        // The completion is recorded in the same transaction.
        ("processed", completed.into()),
        ("overdue", (!completed && is_due).into()),
    ]))
}

/// Due time of an enrolment, according to the course's automatic due date.
fn due(db: &Connection, course: i64, enrolment: &Enrolment) -> Result<Option<i64>, Problem> {
    let sql = "SELECT document ->> 'auto_due_type' AS kind, document ->> 'auto_due_date' AS date,
                   document ->> 'auto_due_seconds' AS seconds
               FROM courses WHERE id = ?1";
    let found: Option<(Option<String>, Option<String>, Option<String>)> =
        sql::first(db, sql, [course])?;
    let (kind, date, seconds) = found.unwrap_or_default();
    if kind.is_none_or(|kind| kind == "none") {
        return Ok(None);
    }
    let by_date = date.and_then(|date| timestamp::parse(&date));
    let by_age = seconds
        .and_then(|s| s.parse::<i64>().ok())
        .map(|s| enrolment.created.saturating_add(s));
    Ok(by_date.or(by_age))
}

/// Course completions: a history that outlives enrolments, learners and courses.
pub(crate) fn list_of_completions(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut listing = Listing::by_id("id, course, learner AS user, happened", "completions", "id");
    listing.filter_some("course = ?", request.id_filter("course", Kind::Course));
    listing.filter_some("learner = ?", request.id_filter("user", Kind::Learner));
    page(db, request, 200, &listing)
}
