//! Completing and confirming topics and courses, which the API only reads.
//!
//! The last topic of a course completes the course, which adds one course completion for each enrolment.

use rusqlite::Connection;

use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::service::enrolments::{self, Enrolment, not_enrolled};
use crate::service::topics;
use crate::store::sql;

/// A change of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Completed,
    Confirmed,
}

/// Marks a topic for a learner. The last topic completes the course.
pub(crate) fn mark(
    db: &Connection,
    learner: i64,
    topic: i64,
    step: Step,
    now: i64,
) -> Result<(), Problem> {
    let (user, name) = (Kind::Learner.id(learner), Kind::Topic.id(topic));
    let course =
        topics::course_of(db, topic)?.ok_or_else(|| Problem::no_such(Kind::Topic, &name))?;
    let enrolment = enrolments::find(db, learner, course)?
        .ok_or_else(|| not_enrolled(&user, &Kind::Course.id(course)))?;
    let sql = match step {
        Step::Completed => {
            "INSERT INTO topic_marks VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, NULL, NULL, ?4) ON CONFLICT DO UPDATE
             SET completed = 1, completed_on = ?4, completed_by = ?5, modified = ?4 WHERE completed = 0"
        }
        Step::Confirmed => {
            "INSERT INTO topic_marks VALUES (?1, ?2, ?3, 0, NULL, NULL, 1, ?4, ?5, ?4) ON CONFLICT DO UPDATE
             SET confirmed = 1, confirmed_on = ?4, confirmed_by = ?5, modified = ?4 WHERE confirmed = 0"
        }
    };
    sql::run(db, sql, [enrolment.number, topic, course, now, learner])?;
    let open = "SELECT EXISTS (SELECT 1 FROM topics t LEFT JOIN topic_marks m ON m.enrolment = ?1 AND m.topic = t.id
                               WHERE t.course = ?2 AND ifnull(m.completed, 0) = 0)";
    if sql::first(db, open, [enrolment.number, course])? == Some((false,)) {
        finish(db, learner, course, &enrolment, now)?;
    }
    Ok(())
}

/// Completes a course for a learner, with all of its topics.
pub(crate) fn complete(
    db: &Connection,
    learner: i64,
    course: i64,
    now: i64,
) -> Result<(), Problem> {
    let enrolment = enrolments::find(db, learner, course)?
        .ok_or_else(|| not_enrolled(&Kind::Learner.id(learner), &Kind::Course.id(course)))?;
    let sql = "INSERT INTO topic_marks SELECT ?1, id, ?2, 1, ?3, ?4, 0, NULL, NULL, ?3 FROM topics WHERE course = ?2
               ON CONFLICT DO UPDATE SET completed = 1, completed_on = ?3, completed_by = ?4, modified = ?3
               WHERE completed = 0";
    sql::run(db, sql, [enrolment.number, course, now, learner])?;
    finish(db, learner, course, &enrolment, now)
}

/// Adds a course completion, once for each enrolment.
fn finish(
    db: &Connection,
    learner: i64,
    course: i64,
    enrolment: &Enrolment,
    now: i64,
) -> Result<(), Problem> {
    if enrolment.completed_on.is_none() {
        let sql = "UPDATE enrolments SET completed_on = ?2 WHERE id = ?1";
        sql::run(db, sql, [enrolment.number, now])?;
        let sql = "INSERT INTO completions (course, learner, happened) VALUES (?1, ?2, ?3)";
        sql::run(db, sql, [course, learner, now])?;
    }
    Ok(())
}
