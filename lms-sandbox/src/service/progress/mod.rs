//! How far is a learner? (The service description, §4, "Progress and completions".)
//!
//! Progress in a topic exists for every topic of every course that a learner is enrolled in; what is stored is only
//! what has happened (see `topic_marks` in `schema.sql`). So the list is a join, ordered by enrolment and then by
//! topic, except for what is completed: that is read from the marks, which are in the same order.

pub(crate) mod completions;
pub(crate) mod marks;

use rusqlite::{Connection, Row, params};

use super::enrolments::{self, Enrolment, not_enrolled};
use super::topics;
use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::pages::{Listing, Order, Window, page};
use crate::service::request::ApiRequest;
use crate::store::Count;

const COLUMNS: &str = "e.id, t.id, e.learner, e.course, max(e.created, t.created), m.modified, m.completed_on, \
     m.completed_by, m.confirmed_on, m.confirmed_by, ifnull(m.completed, 0), ifnull(m.confirmed, 0)";
// CROSS JOIN keeps SQLite to this order of the tables, which is the order of the list.
const ALL: &str = "enrolments e CROSS JOIN topics t ON t.course = e.course \
     LEFT JOIN topic_marks m ON m.enrolment = e.id AND m.topic = t.id";
const COMPLETED: &str = "topic_marks m CROSS JOIN enrolments e ON e.id = m.enrolment \
     CROSS JOIN topics t ON t.id = m.topic";

pub(crate) fn get_of_topic(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let (user, topic) = (request.param(0)?, request.param(1)?);
    let completed = request.query.flag("completed")?;
    let course = request
        .query
        .text("course")
        .map(|id| Kind::Course.parse(id).unwrap_or(0));
    let sql = format!(
        "SELECT {COLUMNS} FROM topics t CROSS JOIN enrolments e ON e.learner = ?1 AND e.course = t.course
         LEFT JOIN topic_marks m ON m.enrolment = e.id AND m.topic = t.id
         WHERE t.id = ?2 AND (?3 IS NULL OR t.course = ?3) AND (?4 IS NULL OR ifnull(m.completed, 0) = ?4)"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let learner = Kind::Learner.parse(user).unwrap_or(0);
    let mut rows = statement.query(params![
        learner,
        Kind::Topic.parse(topic).unwrap_or(0),
        course,
        completed
    ])?;
    let row = rows.next()?.ok_or_else(|| {
        Problem::not_found(format!(
            "learner {user:?} has no progress in topic {topic:?} as asked for; a learner has progress in the topics \
             of the courses he or she is enrolled in"
        ))
    })?;
    super::object(|progress| render(row, progress))
}

pub(crate) fn list_of_topics(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200, &["user", "topic", "course", "completed"])?;
    let query = &request.query;
    let (user, topic, course) = (
        query.text("user"),
        query.text("topic"),
        query.text("course"),
    );
    let completed = query.flag("completed")?;
    let chosen = Chosen {
        learner: user.map(|id| Kind::Learner.parse(id).unwrap_or(0)),
        topic: topic.map(|id| Kind::Topic.parse(id).unwrap_or(0)),
        course: course.map(|id| Kind::Course.parse(id).unwrap_or(0)),
        completed,
    };
    let listing = chosen.listing(connection)?;
    page(connection, request, &window, &listing, render, &|page| {
        page.some_text("topic", topic);
        page.some_text("course", course);
        page.some_text("user", user);
        if let Some(completed) = completed {
            page.flag("completed", completed);
        }
    })
}

/// Which topic progress is asked for.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    learner: Option<i64>,
    topic: Option<i64>,
    course: Option<i64>,
    completed: Option<bool>,
}

impl Chosen {
    fn listing(self, connection: &Connection) -> Result<Listing, Problem> {
        let mut listing = Listing::by_id(COLUMNS, ALL, "");
        if self.completed == Some(true) && self.learner.is_none() {
            listing.from = COMPLETED;
            listing.order = Order::Nested("m.enrolment", "m.topic");
            listing.conditions.push("m.completed = 1");
            if let Some(topic) = self.topic {
                listing.filter("m.topic = ?", topic);
            }
            if let Some(course) = self.course {
                listing.filter("m.course = ?", course);
            }
        } else {
            listing.order = Order::Nested("e.id", "t.id");
            if let Some(learner) = self.learner {
                listing.filter("e.learner = ?", learner);
            }
            if let Some(topic) = self.topic {
                // Only the enrolments in the topic's own course are of interest.
                listing.filter(
                    "e.course = ?",
                    topics::course_of(connection, topic)?.unwrap_or(0),
                );
                listing.filter("t.id = ?", topic);
            }
            if let Some(course) = self.course {
                listing.filter("e.course = ?", course);
            }
            if let Some(completed) = self.completed {
                listing.filter("ifnull(m.completed, 0) = ?", i64::from(completed));
            }
        }
        listing.number_found = Some(match self.learner {
            Some(_) => listing.count_rows(connection)?,
            None => self.count(connection)?,
        });
        Ok(listing)
    }

    /// The number of rows, from the kept counts.
    fn count(self, connection: &Connection) -> Result<i64, Problem> {
        let (all, completed) = match (self.topic, self.course) {
            (Some(topic), course) => match topics::course_of(connection, topic)? {
                Some(own) if course.is_none_or(|course| course == own) => (
                    Count::InCourse.of(connection, own)?,
                    Count::CompletedTopic.of(connection, topic)?,
                ),
                _ => (0, 0),
            },
            (None, Some(course)) => (
                Count::InCourse.of(connection, course)? * Count::TopicsOf.of(connection, course)?,
                Count::CompletedInCourse.of(connection, course)?,
            ),
            (None, None) => (
                Count::TopicProgress.all(connection)?,
                Count::Completed.all(connection)?,
            ),
        };
        Ok(match self.completed {
            None => all,
            Some(true) => completed,
            Some(false) => all - completed,
        })
    }
}

fn render(row: &Row<'_>, progress: &mut Object<'_>) -> Result<(), Problem> {
    let (enrolment, topic): (i64, i64) = (row.get(0)?, row.get(1)?);
    let created: i64 = row.get(4)?;
    progress.text("id", &format!("tp{enrolment}-{topic}"));
    progress.id("user", Kind::Learner, row.get(2)?);
    progress.id("topic", Kind::Topic, topic);
    progress.id("course", Kind::Course, row.get(3)?);
    progress.time("created", created);
    progress.time("modified", row.get::<_, Option<i64>>(5)?.unwrap_or(created));
    progress.some_time("completed_on", row.get(6)?);
    progress.some_id("completed_by", Kind::Learner, row.get(7)?);
    progress.some_time("confirmed_on", row.get(8)?);
    progress.some_id("confirmed_by", Kind::Learner, row.get(9)?);
    progress.flag("completed", row.get(10)?);
    progress.flag("confirmed", row.get(11)?);
    Ok(())
}

pub(crate) fn get_of_course(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let (course, user) = (request.param(0)?, request.param(1)?);
    let (Some(course_number), Some(learner)) =
        (Kind::Course.parse(course), Kind::Learner.parse(user))
    else {
        return Err(not_enrolled(user, course));
    };
    let enrolment = enrolments::of_pair(connection, learner, course_number)?
        .ok_or_else(|| not_enrolled(user, course))?;
    let completed = enrolment.completed_on.is_some();
    let overdue = !completed
        && due(connection, course_number, &enrolment)?.is_some_and(|due| due < request.now);
    super::object(|progress| {
        progress.id("id", Kind::CourseProgress, enrolment.number);
        progress.id("user", Kind::Learner, learner);
        progress.id("course", Kind::Course, course_number);
        progress.some_time("completed_on", enrolment.completed_on);
        progress.flag("completed", completed);
        // A completion is booked in the same step, so there is never one that waits.
        progress.flag("processed", completed);
        progress.flag("overdue", overdue);
        Ok(())
    })
}

/// When an enrolment is due, by the course's automatic due date.
fn due(
    connection: &Connection,
    course: i64,
    enrolment: &Enrolment,
) -> Result<Option<i64>, Problem> {
    let sql = "SELECT document ->> 'auto_due_type', document ->> 'auto_due_date', document ->> 'auto_due_seconds'
               FROM courses WHERE id = ?1";
    let (kind, date, seconds): (Option<String>, Option<String>, Option<String>) = connection
        .prepare_cached(sql)?
        .query_row([course], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if kind.is_none_or(|kind| kind == "none") {
        return Ok(None);
    }
    let by_date = date.and_then(|date| crate::api::timestamp::parse(&date));
    let by_age = seconds
        .and_then(|s| s.parse::<i64>().ok())
        .map(|s| enrolment.created.saturating_add(s));
    Ok(by_date.or(by_age))
}
