//! The sandbox's clock, which tests can advance.
//!
//! Tokens expire after minutes, and tests should not wait for that. Tokens and timestamps use one [`Clock`].
//!
//! ```
//! use std::time::Duration;
//! let clock = lms_sandbox::Clock::default();
//! let before = clock.now();
//! clock.advance(Duration::from_secs(3600));
//! assert!(clock.now() >= before + Duration::from_secs(3600));
//! ```

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The end of the year 9999 since 1970, the last time that timestamps can express.
const LATEST: Duration = Duration::from_secs(253_402_300_799);

/// The sandbox's clock: it runs like the system clock, and can be advanced.
///
/// Clones share the same time. It never goes back, even if the system clock does, and stops at the end of the year 9999.
#[derive(Clone, Debug)]
pub struct Clock {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// `None` for a clock that stays where it is.
    started: Option<Instant>,
    started_at: Duration,
    advanced: Mutex<Duration>,
}

impl Clock {
    /// Creates a clock that stays at `at` until it is advanced, for tests that compare timestamps.
    pub fn stopped_at(at: SystemTime) -> Self {
        Self::new(at, None)
    }

    fn new(at: SystemTime, started: Option<Instant>) -> Self {
        let shared = Shared {
            started,
            started_at: at.duration_since(UNIX_EPOCH).unwrap_or_default(),
            advanced: Mutex::new(Duration::ZERO),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    fn advanced(&self) -> MutexGuard<'_, Duration> {
        let advanced = self.shared.advanced.lock();
        advanced.unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since 1970.
    pub fn now(&self) -> Duration {
        let advanced = *self.advanced();
        let shared = &self.shared;
        let run = shared.started.map(|started| started.elapsed());
        let now = shared.started_at.saturating_add(run.unwrap_or_default());
        now.saturating_add(advanced).min(LATEST)
    }

    /// Advances the clock by this duration.
    pub fn advance(&self, by: Duration) {
        let mut advanced = self.advanced();
        *advanced = advanced.saturating_add(by);
    }

    /// The time in seconds since 1970.
    pub(crate) fn seconds(&self) -> i64 {
        i64::try_from(self.now().as_secs()).unwrap_or(i64::MAX)
    }
}

impl Default for Clock {
    /// The system time, running.
    fn default() -> Self {
        Self::new(SystemTime::now(), Some(Instant::now()))
    }
}
