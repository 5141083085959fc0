//! Live tenants, in which learners complete topics as the clock advances.
//!
//! An incremental export finds nothing new in a tenant that never changes. In a live tenant a learner completes a topic at
//! regular intervals of the sandbox's clock, and the last topic completes the course. There is no background task:
//! the next request completes all due topics, dated when it was due. Clients cannot tell the difference, and a test
//! that advances the clock gets the same changes every time.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

use crate::api::problem::Problem;
use crate::rng;
use crate::service::progress::marks::{self, Step};
use crate::store::Store;

/// The activity of a live tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    /// The interval at which a learner completes a topic, on the sandbox's clock.
    pub every: Duration,
    /// Decides which learners and courses.
    pub seed: u64,
}

/// The activity of one tenant.
#[derive(Debug)]
pub(crate) struct LiveTenant {
    live: Live,
    started_at: Duration,
    /// Number of steps made.
    steps: Mutex<u64>,
}

impl LiveTenant {
    pub(crate) fn new(live: Live, now: Duration) -> Self {
        Self {
            live,
            started_at: now,
            steps: Mutex::new(0),
        }
    }

    /// Completes all topics that are due at `now`.
    pub(crate) fn catch_up(&self, store: &Store, now: Duration) -> Result<(), Problem> {
        let due = self.due(now);
        // Locked while writing, so that two requests do not make the same step.
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        if *steps >= due {
            return Ok(());
        }
        store.write(|connection| {
            for step in *steps + 1..=due {
                if !self.step(connection, step)? {
                    // There is nothing left to complete.
                    break;
                }
            }
            Ok(())
        })?;
        *steps = due;
        Ok(())
    }

    /// The number of steps until `now`.
    fn due(&self, now: Duration) -> u64 {
        let passed = now.saturating_sub(self.started_at).as_nanos();
        u64::try_from(passed / self.live.every.as_nanos().max(1)).unwrap_or(u64::MAX)
    }

    /// Completes the next topic of a random enrolment; `false` if everything is completed.
    fn step(&self, connection: &Connection, step: u64) -> Result<bool, Problem> {
        let at = self.started_at.as_nanos() + self.live.every.as_nanos() * u128::from(step);
        let at = i64::try_from(at / 1_000_000_000).unwrap_or(i64::MAX);
        let last: i64 = connection
            .prepare_cached("SELECT ifnull(max(id), 0) FROM enrolments")?
            .query_row([], |row| row.get(0))?;
        let random = rng::draw(self.live.seed, 0, step) % u64::try_from(last).unwrap_or(0).max(1);
        let from = i64::try_from(random).unwrap_or(0);
        // The next open enrolment after a random one.
        let open = "SELECT id, learner, course FROM enrolments WHERE id > ?1 AND completed_on IS NULL ORDER BY id LIMIT 1";
        let mut open = connection.prepare_cached(open)?;
        let mut find = |from: i64| {
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            open.query_row([from], row).optional()
        };
        let found: Option<(i64, i64, i64)> = match find(from)? {
            None => find(0)?,
            found => found,
        };
        let Some((enrolment, learner, course)) = found else {
            return Ok(false);
        };
        let topic: Option<i64> = connection
            .prepare_cached(
                "SELECT t.id FROM topics t LEFT JOIN topic_marks m ON m.enrolment = ?1 AND m.topic = t.id
                 WHERE t.course = ?2 AND ifnull(m.completed, 0) = 0 ORDER BY t.id LIMIT 1",
            )?
            .query_row([enrolment, course], |row| row.get(0))
            .optional()?;
        match topic {
            Some(topic) => marks::mark(connection, learner, topic, Step::Completed, at),
            // The course has no topics.
            None => marks::complete(connection, learner, course, at),
        }?;
        Ok(true)
    }
}
