//! The reminders that were written, so that no run repeats one.

use rusqlite::params;

use super::{Ledger, now};
use crate::error::Error;

/// A reminder of a person for a course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
        self.read(|database| {
            let select = "SELECT learner, course, day, threshold FROM reminders";
            let mut statement = database.prepare(select)?;
            let found = statement.query_map([], |row| {
                Ok(Reminder {
                    learner: row.get(0)?,
                    course: row.get(1)?,
                    day: row.get(2)?,
                    threshold: row.get(3)?,
                })
            })?;
            found.collect()
        })
    }

    /// Notes that reminders were written, all of them or none.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn add_reminders(&self, reminders: &[Reminder]) -> Result<(), Error> {
        let at = now();
        self.write(|database| {
            let insert = "INSERT OR IGNORE INTO reminders (learner, course, day, threshold, at) VALUES (?1, ?2, ?3, ?4, ?5)";
            let mut statement = database.prepare(insert)?;
            reminders.iter().try_for_each(|of| {
                let values = params![of.learner, of.course, of.day, of.threshold, at];
                statement.execute(values).map(drop)
            })
        })
    }
}
