//! Duplication of a course, as a task that is polled.
//!
//! Each poll advances the task by a quarter and to the next of four stages; the fourth poll makes the copy. A client thus
//! sees progress at any polling interval, and tests do not have to wait. A copy that is not polled is also made, a minute
//! after the last poll on the sandbox's clock: the next request makes it, dated when it was due.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::document::Content;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::faults::Effect;
use crate::service::lookup::referenced;
use crate::service::request::ApiRequest;
use crate::service::{courses, enrolments, topics};

const POLLS: i64 = 4;

/// Seconds after the last poll after which the copy is made without another poll.
pub(crate) const UNPOLLED_SECONDS: i64 = 60;

pub(crate) fn add(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let body = &request.body;
    let old_course = referenced(
        connection,
        Kind::Course,
        "course",
        body.required_text("course")?,
    )?;
    let (name, published) = (body.filled_text("name")?, body.flag("published")?);
    let copy_enrolments = body.flag("copy_enrolments")?.unwrap_or(false);
    // The API has no responses of learners, so there are none to copy.
    body.flag("copy_responses")?;
    connection
        .prepare_cached(
            "INSERT INTO duplications (old_course, name, published, copy_enrolments, polls, due)
             VALUES (?1, ?2, ?3, ?4, 0, ?5)",
        )?
        .execute(params![
            old_course,
            name,
            published,
            copy_enrolments,
            due(request.now)
        ])?;
    Ok(view(&Task {
        number: connection.last_insert_rowid(),
        old_course,
        new_course: None,
        polls: 0,
    }))
}

pub(crate) fn poll(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let missing = || Problem::no_such(Kind::DuplicateCourse, id);
    let number = Kind::DuplicateCourse.parse(id).ok_or_else(missing)?;
    let sql = "SELECT old_course, new_course, polls FROM duplications WHERE id = ?1";
    let found = connection
        .prepare_cached(sql)?
        .query_row([number], |row| {
            Ok(Task {
                number,
                old_course: row.get("old_course")?,
                new_course: row.get("new_course")?,
                polls: row.get("polls")?,
            })
        })
        .optional()?;
    let mut task = found.ok_or_else(missing)?;
    if task.new_course.is_none() && request.apply(&Effect::FailDuplication) {
        // This poll returns the last state; with an error, the deletion would be rolled back.
        connection
            .prepare_cached("DELETE FROM duplications WHERE id = ?1")?
            .execute([number])?;
    } else if task.new_course.is_none() {
        let stalled = request.apply(&Effect::StallDuplication);
        task.polls += i64::from(!stalled);
        if task.polls >= POLLS {
            let creator = &request.settings.client_id;
            task.new_course = Some(copy(connection, &task, creator, request.now)?);
        }
        store(connection, &task, due(request.now))?;
    }
    Ok(view(&task))
}

fn due(now: i64) -> i64 {
    now.saturating_add(UNPOLLED_SECONDS)
}

fn store(connection: &Connection, task: &Task, due: i64) -> Result<(), Problem> {
    let due = task.new_course.is_none().then_some(due);
    connection
        .prepare_cached(
            "UPDATE duplications SET polls = ?2, new_course = ?3, due = ?4 WHERE id = ?1",
        )?
        .execute(params![task.number, task.polls, task.new_course, due])?;
    Ok(())
}

/// Due time of the next copy that is not polled.
pub(crate) fn next_due(connection: &Connection) -> Result<Option<i64>, Problem> {
    let sql = "SELECT min(due) FROM duplications";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Makes the copies that are due at `now`.
pub(crate) fn catch_up(connection: &Connection, creator: &str, now: i64) -> Result<(), Problem> {
    let sql = "SELECT id, old_course, due FROM duplications WHERE due <= ?1 ORDER BY due, id";
    let tasks: Vec<(Task, i64)> = connection
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
        if courses::stored(connection, task.old_course)?.is_some() {
            task.new_course = Some(copy(connection, &task, creator, due)?);
            store(connection, &task, due)?;
        } else {
            // Polls say that the course was deleted.
            connection.execute(
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

fn copy(connection: &Connection, task: &Task, creator: &str, now: i64) -> Result<i64, Problem> {
    let sql = "SELECT name, published, copy_enrolments FROM duplications WHERE id = ?1";
    let (name, published, copy_enrolments): (Option<String>, Option<bool>, bool) = connection
        .prepare_cached(sql)?
        .query_row([task.number], |row| {
            Ok((
                row.get("name")?,
                row.get("published")?,
                row.get("copy_enrolments")?,
            ))
        })?;
    let document = courses::stored(connection, task.old_course)?.ok_or_else(|| {
        let (course, task) = (
            Kind::Course.id(task.old_course),
            Kind::DuplicateCourse.id(task.number),
        );
        Problem::not_found(format!(
            "course {course} was deleted before {task} copied it; the task has ended"
        ))
    })?;
    let mut content = Content::of_document(&document);
    let name = name.unwrap_or_else(|| format!("Copy of {}", content.name()));
    content.set("name", name);
    if let Some(published) = published {
        content.set("published", published);
    }
    let (new_course, _) = courses::insert(connection, content, creator, now)?;
    topics::copy(connection, task.old_course, new_course, now)?;
    if copy_enrolments {
        enrolments::copy(connection, task.old_course, new_course, now)?;
    }
    Ok(new_course)
}

fn view(task: &Task) -> Vec<u8> {
    #[derive(Serialize)]
    struct View {
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        new_course: Option<String>,
        old_course: String,
        complete: bool,
        progress: String,
        stage: String,
    }
    let done = task.polls.min(POLLS);
    json::to_vec(&View {
        id: Kind::DuplicateCourse.id(task.number),
        new_course: task.new_course.map(|course| Kind::Course.id(course)),
        old_course: Kind::Course.id(task.old_course),
        complete: task.new_course.is_some(),
        progress: (done * 100 / POLLS).to_string(),
        stage: (done + 1).min(POLLS).to_string(),
    })
}
