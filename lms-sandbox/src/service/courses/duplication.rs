//! How does a course get copied, a poll at a time? (The service description, §4: `addDuplicateCourse` and
//! `viewDuplicateCourse`.)
//!
//! A task moves when it is looked at: each poll is a quarter of the way and the next of four stages, and the fourth
//! makes the copy and names it. So a client sees progress whatever the rhythm of its polls, and a test needs no
//! waiting.

use rusqlite::{Connection, OptionalExtension, params};

use super::document::Content;
use crate::api::id::Kind;
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
    // Learners' responses are not among the resources, so there are none to copy.
    body.flag("copy_responses")?;
    connection
        .prepare_cached(
            "INSERT INTO duplications (old_course, name, published, copy_enrolments, polls)
             VALUES (?1, ?2, ?3, ?4, 0)",
        )?
        .execute(params![old_course, name, published, copy_enrolments])?;
    view(&Task {
        number: connection.last_insert_rowid(),
        old_course,
        new_course: None,
        polls: 0,
    })
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
                old_course: row.get(0)?,
                new_course: row.get(1)?,
                polls: row.get(2)?,
            })
        })
        .optional()?;
    let mut task = found.ok_or_else(missing)?;
    if task.new_course.is_none() && request.apply(&Effect::FailDuplication) {
        // This look is answered as the last one was; an error would undo what it does.
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
    view(&task)
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
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    let document = courses::document(connection, task.old_course)?.ok_or_else(|| {
        let (course, task) = (
            Kind::Course.id(task.old_course),
            Kind::Duplication.id(task.number),
        );
        Problem::not_found(format!(
            "course {course} was deleted before {task} had copied it; the task is over"
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

fn view(task: &Task) -> Result<Vec<u8>, Problem> {
    let done = task.polls.min(POLLS);
    crate::service::object(|object| {
        object.id("id", Kind::Duplication, task.number);
        object.some_id("new_course", Kind::Course, task.new_course);
        object.id("old_course", Kind::Course, task.old_course);
        object.flag("complete", task.new_course.is_some());
        object.int64("progress", done * 100 / POLLS);
        object.int64("stage", (done + 1).min(POLLS));
        Ok(())
    })
}
