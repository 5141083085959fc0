//! The reminders that were written, so that no run repeats one.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{Ledger, now};
use crate::error::Error;

/// A reminder of a person for a course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reminder {
    /// The id of the learner.
    pub learner: String,
    /// The id of the course.
    pub course: String,
    /// The last day in time, such as `2026-05-01`.
    pub day: String,
    /// Number of days after that day at which the reminder is due; negative before it.
    pub threshold: i32,
}

impl Reminder {
    /// A reminder.
    #[must_use]
    pub fn new(
        learner: impl Into<String>,
        course: impl Into<String>,
        day: impl Into<String>,
        threshold: i32,
    ) -> Self {
        Self {
            learner: learner.into(),
            course: course.into(),
            day: day.into(),
            threshold,
        }
    }
}

impl Ledger {
    /// All reminders that were written.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if they cannot be read.
    pub fn reminders(&self) -> Result<Vec<Reminder>, Error> {
        let select = "SELECT json_object('learner', learner, 'course', course, 'day', day, 'threshold', threshold) FROM reminders";
        self.all(select)
    }

    /// Notes that reminders were written, all of them or none.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn add_reminders(&self, reminders: &[Reminder]) -> Result<(), Error> {
        // Texts and numbers always serialize.
        let json = serde_json::to_string(reminders).unwrap_or_default();
        let insert = "INSERT OR IGNORE INTO reminders (learner, course, day, threshold, at)
            SELECT value ->> 'learner', value ->> 'course', value ->> 'day', value ->> 'threshold', ?2 FROM json_each(?1)";
        self.write(|database| database.execute(insert, params![json, now()]).map(drop))
    }
}
