//! Duplication of a course, as a task that is polled.
//!
//! Each poll advances the task by a quarter and to the next of four stages; the fourth poll makes the copy. A client thus
//! sees progress at any polling interval, and tests do not have to wait. A copy that is not polled is also made, a minute
//! after the last poll on the sandbox's clock: the next request makes it, dated when it was due.

use rusqlite::{Connection, Row, params};
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

#[derive(Debug)]
struct Task {
    number: i64,
    old_course: i64,
    new_course: Option<i64>,
    polls: i64,
    name: Option<String>,
    published: Option<bool>,
    copy_enrolments: bool,
}

impl TryFrom<&Row<'_>> for Task {
    type Error = rusqlite::Error;

    fn try_from(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get("id")?,
            old_course: row.get("old_course")?,
            new_course: row.get("new_course")?,
            polls: row.get("polls")?,
            name: row.get("name")?,
            published: row.get("published")?,
            copy_enrolments: row.get("copy_enrolments")?,
        })
    }
}

pub(crate) fn add(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let body = &request.body;
    let old_course = referenced(db, Kind::Course, "course", body.required("course"))?;
    let (name, published) = (body.filled_text("name"), body.flag("published"));
    let copy_enrolments = body.flag("copy_enrolments").unwrap_or(false);
    let due = due(request.now);
    // The API has no responses of learners, so `copy_responses` has none to copy.
    let sql = "INSERT INTO duplications (old_course, name, published, copy_enrolments, polls, due)
               VALUES (?1, ?2, ?3, ?4, 0, ?5)";
    let row = params![old_course, name, published, copy_enrolments, due];
    let number = sql::insert(db, sql, row)?;
    find(db, &Kind::DuplicateCourse.id(number)).map(|task| task.view())
}

pub(crate) fn poll(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut task = find(db, request.param(0)?)?;
    if task.new_course.is_none() && request.apply(&Effect::FailDuplication) {
        // This poll returns the last state; with an error, the deletion would be rolled back.
        let sql = "DELETE FROM duplications WHERE id = ?1";
        sql::run(db, sql, [task.number])?;
    } else if task.new_course.is_none() {
        task.polls += i64::from(!request.apply(&Effect::StallDuplication));
        if task.polls >= POLLS {
            task.copy(db, &request.settings.client_id, request.now)?;
        }
        let due = task.new_course.is_none().then(|| due(request.now));
        task.store(db, due)?;
    }
    Ok(task.view())
}

fn find(db: &Connection, id: &str) -> Result<Task, Problem> {
    let sql = "SELECT * FROM duplications WHERE id = ?1";
    sql::first(db, sql, [Kind::DuplicateCourse.parse(id)])?
        .ok_or_else(|| Problem::no_such(Kind::DuplicateCourse, id))
}

fn due(now: i64) -> i64 {
    now.saturating_add(UNPOLLED_SECONDS)
}

/// Due time of the next copy that is not polled.
pub(crate) fn next_due(db: &Connection) -> Result<Option<i64>, Problem> {
    let sql = "SELECT min(due) FROM duplications WHERE due IS NOT NULL";
    Ok(sql::first(db, sql, [])?.and_then(|(due,)| due))
}

/// Makes the copies that are due at `now`.
pub(crate) fn catch_up(db: &Connection, creator: &str, now: i64) -> Result<(), Problem> {
    let sql = "SELECT * FROM duplications WHERE due <= ?1 ORDER BY due, id";
    let tasks: Vec<(Task, i64)> = db
        .prepare(sql)?
        .query_map([now], |row| Ok((row.try_into()?, row.get("due")?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (mut task, due) in tasks {
        // Otherwise, polls say that the course was deleted.
        if courses::stored(db, task.old_course)?.is_some() {
            task.polls = POLLS;
            task.copy(db, creator, due)?;
        }
        task.store(db, None)?;
    }
    Ok(())
}

impl Task {
    fn store(&self, db: &Connection, due: Option<i64>) -> Result<(), Problem> {
        let update = "UPDATE duplications SET polls = ?2, new_course = ?3, due = ?4 WHERE id = ?1";
        let row = params![self.number, self.polls, self.new_course, due];
        sql::run(db, update, row)
    }

    fn copy(&mut self, db: &Connection, creator: &str, now: i64) -> Result<(), Problem> {
        let old_course = self.old_course;
        let document = courses::stored(db, old_course)?.ok_or_else(|| {
            let course = Kind::Course.id(old_course);
            let task = Kind::DuplicateCourse.id(self.number);
            Problem::not_found(format!(
                "course {course} was deleted before {task} copied it; the task has ended"
            ))
        })?;
        let mut content = courses::document::content(&document);
        let name = self.name.clone().unwrap_or_else(|| {
            let name = content.get("name").and_then(Value::as_str);
            format!("Copy of {}", name.unwrap_or_default())
        });
        content.insert("name".into(), name.into());
        if let Some(published) = self.published {
            content.insert("published".into(), published.into());
        }
        let (new_course, _) = courses::insert_content(db, content, creator, now)?;
        topics::copy(db, old_course, new_course, now)?;
        if self.copy_enrolments {
            enrolments::copy(db, old_course, new_course, now)?;
        }
        self.new_course = Some(new_course);
        Ok(())
    }

    fn view(&self) -> Vec<u8> {
        let done = self.polls.min(POLLS);
        let new_course = self.new_course.map(|course| Kind::Course.id(course));
        json::object([
            ("id", Kind::DuplicateCourse.id(self.number).into()),
            ("new_course", new_course.into()),
            ("old_course", Kind::Course.id(self.old_course).into()),
            ("complete", self.new_course.is_some().into()),
            ("progress", (done * 100 / POLLS).to_string().into()),
            ("stage", (done + 1).min(POLLS).to_string().into()),
        ])
    }
}
