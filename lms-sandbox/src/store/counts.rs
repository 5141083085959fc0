//! Row counts of large lists.
//!
//! Every page has `number_found`, and `COUNT(*)` over a million learners takes longer than the page. Triggers in
//! `schema.sql` therefore keep the counts, and this module reads them.

use rusqlite::{Connection, params};

/// The counters. Their numbers are those in `schema.sql`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    /// All learners.
    Learners = 1,
    /// The learners of one sign-up page.
    OfSignupPage = 2,
    /// The learners with one tag.
    WithTag = 3,
    /// All enrolments.
    Enrolments = 4,
    /// The enrolments in one course.
    InCourse = 5,
    /// The topics of one course.
    TopicsOf = 6,
    /// All topic progress: for each enrolment, the topics of its course.
    TopicProgress = 7,
    /// All topic progress that is completed.
    Completed = 8,
    /// The same for one course.
    CompletedInCourse = 9,
    /// The same for one topic.
    CompletedTopic = 10,
}

impl Count {
    /// The count of all rows of this kind.
    pub(crate) fn all(self, connection: &Connection) -> rusqlite::Result<i64> {
        self.of(connection, 0)
    }

    /// The count for one owner: a course, a topic, a tag or a sign-up page.
    pub(crate) fn of(self, connection: &Connection, owner: i64) -> rusqlite::Result<i64> {
        let mut statement = connection.prepare_cached(
            "SELECT ifnull((SELECT n FROM counts WHERE of = ?1 AND owner = ?2), 0)",
        )?;
        statement.query_row(params![self as i64, owner], |row| row.get(0))
    }
}
