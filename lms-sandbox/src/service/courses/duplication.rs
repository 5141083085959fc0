//! Duplication of a course, as a task that is polled.
//!
//! Each poll advances the task by a quarter and to the next of four stages; the fourth poll makes the copy. So a client
//! sees progress at any polling interval, and tests do not have to wait.

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
            "INSERT INTO duplications (old_course, name, published, copy_enrolments, polls)
             VALUES (?1, ?2, ?3, ?4, 0)",
        )?
        .execute(params![old_course, name, published, copy_enrolments])?;
    Ok(view(&Task {
        number: connection.last_insert_rowid(),
        old_course,
        new_course: None,
        polls: 0,
    }))
}

pub(crate) fn poll(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let missing = || Problem::no_such(Kind::Duplication, id);
    let number = Kind::Duplication.parse(id).ok_or_else(missing)?;
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
    } else if task.new_course.is_none() && !request.apply(&Effect::StallDuplication) {
        task.polls += 1;
        if task.polls >= POLLS {
            task.new_course = Some(copy(connection, &task, request)?);
        }
        connection
            .prepare_cached("UPDATE duplications SET polls = ?2, new_course = ?3 WHERE id = ?1")?
            .execute(params![number, task.polls, task.new_course])?;
    }
    Ok(view(&task))
}

#[derive(Debug)]
struct Task {
    number: i64,
    old_course: i64,
    new_course: Option<i64>,
    polls: i64,
}

fn copy(connection: &Connection, task: &Task, request: &ApiRequest<'_>) -> Result<i64, Problem> {
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
            Kind::Duplication.id(task.number),
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
    let (new_course, _) = courses::insert(
        connection,
        content,
        &request.settings.client_id,
        request.now,
    )?;
    topics::copy(connection, task.old_course, new_course, request.now)?;
    if copy_enrolments {
        enrolments::copy(connection, task.old_course, new_course, request.now)?;
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
        id: Kind::Duplication.id(task.number),
        new_course: task.new_course.map(|course| Kind::Course.id(course)),
        old_course: Kind::Course.id(task.old_course),
        complete: task.new_course.is_some(),
        progress: (done * 100 / POLLS).to_string(),
        stage: (done + 1).min(POLLS).to_string(),
    })
}
