//! Who learns while nobody calls the API?
//!
//! An incremental export finds nothing new in a tenant that stands still. In a live one a learner completes a topic
//! now and then, by the sandbox's clock, and the last topic completes the course. Nothing runs for that in the
//! background: what has become due is made up for when the next request comes, each step dated when it was due. A
//! client cannot tell the difference, and a test that moves the clock finds the same steps every time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

use crate::api::problem::Problem;
use crate::rng;
use crate::service::progress::marks::{self, Step};
use crate::store::Store;

/// How lively the tenant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    /// A learner completes a topic each time this has passed by the sandbox's clock.
    pub every: Duration,
    /// Which learners, and in which courses.
    pub seed: u64,
}

/// The life of one tenant, as far as it has come.
#[derive(Debug)]
pub(crate) struct LiveTenant {
    live: Live,
    began: Duration,
    steps: AtomicU64,
    /// Held over the writing: two requests must not make the same step.
    turn: Mutex<()>,
}

/// Steps of one transaction, so that requests get a turn while much is made up for.
const CHUNK: u64 = 500;

impl LiveTenant {
    pub(crate) fn new(live: Live, now: Duration) -> Self {
        Self {
            live,
            began: now,
            steps: AtomicU64::new(0),
            turn: Mutex::new(()),
        }
    }

    /// Whether anything is due at `now`.
    pub(crate) fn is_due(&self, now: Duration) -> bool {
        self.due(now) > self.steps.load(Ordering::Acquire)
    }

    /// Makes up for what is due at `now`. Blocks while it does.
    pub(crate) fn catch_up(&self, store: &Store, now: Duration) -> Result<(), Problem> {
        let due = self.due(now);
        loop {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let steps = self.steps.load(Ordering::Acquire);
            if steps >= due {
                return Ok(());
            }
            let next = steps.saturating_add(CHUNK).min(due);
            let all_done = store.write(|connection| {
                for step in steps + 1..=next {
                    if !self.step(connection, step)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            })?;
            // Where there is nothing left to complete, a year of steps comes to nothing at once.
            self.steps
                .store(if all_done { due } else { next }, Ordering::Release);
        }
    }

    /// How many steps there are until `now`.
    fn due(&self, now: Duration) -> u64 {
        let passed = now.saturating_sub(self.began).as_nanos();
        u64::try_from(passed / self.live.every.as_nanos().max(1)).unwrap_or(u64::MAX)
    }

    /// Some learner completes the next topic of some course; `false` when there is none to complete.
    fn step(&self, connection: &Connection, step: u64) -> Result<bool, Problem> {
        let at = self.began.as_nanos() + self.live.every.as_nanos() * u128::from(step);
        let at = i64::try_from(at / 1_000_000_000).unwrap_or(i64::MAX);
        let last: i64 = connection
            .prepare_cached("SELECT ifnull(max(id), 0) FROM enrolments")?
            .query_row([], |row| row.get(0))?;
        let roll = rng::draw(self.live.seed, 0, step) % u64::try_from(last).unwrap_or(0).max(1);
        let from = i64::try_from(roll).unwrap_or(0);
        // The next enrolment that is not completed, from a place by chance.
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
            // A course without topics.
            None => marks::complete(connection, learner, course, at),
        }?;
        Ok(true)
    }
}
