//! Duplication of a course, as a task that is polled.
//!
//! Each poll advances the task by a quarter and to the next of four stages; the fourth poll makes the copy. A client thus
//! sees progress at any polling interval, and tests do not have to wait. A copy that is not polled is also made, a minute
//! after the last poll on the sandbox's clock: the next request makes it, dated when it was due.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::faults::Effect;
use crate::service::request::{ApiRequest, OperationResult};
use crate::service::rows::referenced;
use crate::service::{courses, enrolments, topics};
use crate::store::sql;

const POLLS: i64 = 4;

/// Seconds after the last poll after which the copy is made without another poll.
const UNPOLLED_SECONDS: i64 = 60;

pub(crate) fn add(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let body = &request.body;
    let old_course = referenced(db, Kind::Course, "course", body.required("course"))?;
    let (name, published) = (body.filled_text("name"), body.flag("published"));
    let copy_enrolments = body.flag("copy_enrolments").unwrap_or(false);
    // The API has no responses of learners, so `copy_responses` has none to copy.
    let number = sql::insert(
        db,
        "INSERT INTO duplications (old_course, name, published, copy_enrolments, polls, due)
         VALUES (?1, ?2, ?3, ?4, 0, ?5)",
        params![
            old_course,
            name,
            published,
            copy_enrolments,
            due(request.now)
        ],
    )?;
    Ok(view(&Task {
        number,
        old_course,
        new_course: None,
        polls: 0,
    }))
}

pub(crate) fn poll(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let id = request.param(0)?;
    let missing = || Problem::no_such(Kind::DuplicateCourse, id);
    let number = Kind::DuplicateCourse.parse(id).ok_or_else(missing)?;
    let select = "SELECT old_course, new_course, polls FROM duplications WHERE id = ?1";
    let (old_course, new_course, polls) = sql::first(db, select, [number])?.ok_or_else(missing)?;
    let mut task = Task {
        number,
        old_course,
        new_course,
        polls,
    };
    if task.new_course.is_none() && request.apply(&Effect::FailDuplication) {
        // This poll returns the last state; with an error, the deletion would be rolled back.
        sql::run(db, "DELETE FROM duplications WHERE id = ?1", [number])?;
    } else if task.new_course.is_none() {
        let stalled = request.apply(&Effect::StallDuplication);
        task.polls += i64::from(!stalled);
        if task.polls >= POLLS {
            let creator = &request.settings.client_id;
            task.new_course = Some(copy(db, &task, creator, request.now)?);
        }
        store(db, &task, due(request.now))?;
    }
    Ok(view(&task))
}

fn due(now: i64) -> i64 {
    now.saturating_add(UNPOLLED_SECONDS)
}

fn store(db: &Connection, task: &Task, due: i64) -> Result<(), Problem> {
    let due = task.new_course.is_none().then_some(due);
    let update = "UPDATE duplications SET polls = ?2, new_course = ?3, due = ?4 WHERE id = ?1";
    sql::run(
        db,
        update,
        params![task.number, task.polls, task.new_course, due],
    )
}

/// Due time of the next copy that is not polled.
pub(crate) fn next_due(db: &Connection) -> Result<Option<i64>, Problem> {
    let due = sql::first(
        db,
        "SELECT min(due) FROM duplications WHERE due IS NOT NULL",
        [],
    )?;
    Ok(due.and_then(|(due,)| due))
}

/// Makes the copies that are due at `now`.
pub(crate) fn catch_up(db: &Connection, creator: &str, now: i64) -> Result<(), Problem> {
    let sql = "SELECT id, old_course, due FROM duplications WHERE due <= ?1 ORDER BY due, id";
    let tasks: Vec<(Task, i64)> = db
        .prepare(sql)?
        .query_map([now], |row| {
            let task = Task {
                number: row.get("id")?,
                old_course: row.get("old_course")?,
                new_course: None,
                polls: POLLS,
            };
            Ok((task, row.get("due")?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    for (mut task, due) in tasks {
        if courses::stored(db, task.old_course)?.is_some() {
            task.new_course = Some(copy(db, &task, creator, due)?);
            store(db, &task, due)?;
        } else {
            // Polls say that the course was deleted.
            sql::run(
                db,
                "UPDATE duplications SET due = NULL WHERE id = ?1",
                [task.number],
            )?;
        }
    }
    Ok(())
}

#[derive(Debug)]
struct Task {
    number: i64,
    old_course: i64,
    new_course: Option<i64>,
    polls: i64,
}

fn copy(db: &Connection, task: &Task, creator: &str, now: i64) -> Result<i64, Problem> {
    let select = "SELECT name, published, copy_enrolments FROM duplications WHERE id = ?1";
    let (name, published, copy_enrolments): (Option<String>, Option<bool>, bool) =
        sql::first(db, select, [task.number])?
            .ok_or_else(|| Problem::no_such(Kind::DuplicateCourse, ""))?;
    let document = courses::stored(db, task.old_course)?.ok_or_else(|| {
        let (course, task) = (
            Kind::Course.id(task.old_course),
            Kind::DuplicateCourse.id(task.number),
        );
        Problem::not_found(format!(
            "course {course} was deleted before {task} copied it; the task has ended"
        ))
    })?;
    let mut content = courses::document::content(&document);
    let name = name.unwrap_or_else(|| {
        let name = content.get("name").and_then(Value::as_str);
        format!("Copy of {}", name.unwrap_or_default())
    });
    content.insert("name".into(), name.into());
    if let Some(published) = published {
        content.insert("published".into(), published.into());
    }
    let (new_course, _) = courses::insert_content(db, content, creator, now)?;
    topics::copy(db, task.old_course, new_course, now)?;
    if copy_enrolments {
        enrolments::copy(db, task.old_course, new_course, now)?;
    }
    Ok(new_course)
}

fn view(task: &Task) -> Vec<u8> {
    let done = task.polls.min(POLLS);
    let new_course = task.new_course.map(|course| Kind::Course.id(course));
    json::object([
        ("id", Kind::DuplicateCourse.id(task.number).into()),
        ("new_course", new_course.into()),
        ("old_course", Kind::Course.id(task.old_course).into()),
        ("complete", task.new_course.is_some().into()),
        ("progress", (done * 100 / POLLS).to_string().into()),
        ("stage", (done + 1).min(POLLS).to_string().into()),
    ])
}
