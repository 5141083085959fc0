//! How fast a client may go.
//!
//! What a tenant can take is not documented (§8), and a job of many tasks finds out by being refused. Left
//! alone, every task repeats by itself, and the more of them are refused, the more requests there are. So
//! the tasks of a client share three things: a cap on calls in flight, a rate that the caller may set, and
//! a throttle that the tenant's own answers work.
//!
//! The throttle does nothing until the tenant answers 429 or 503 in a way that means overload (`throttle.rs` says
//! which): a 429 now and then that asks for no wait is chance, and costs the call that gets it. Then all
//! tasks pause, for as long as the tenant asked, and go on one after the other at four fifths of the rate
//! that had been too much. At first that is a guess, from what was sent in the last second, and doubles with
//! every second until it is refused. Then answers raise it: back to the rate that was refused within
//! seconds, slowly beyond it, then faster, as long as somebody waits to send more. When nobody has been held
//! up for half a minute the throttle lets go. Where half the rate is refused as often, it is not the rate that
//! the tenant minds, and the throttle lets go as well (`probe.rs`). Against a tenant that takes 20 requests a
//! second, 32 tasks settle at 18 to 21, and about one answer in a hundred is a 429.
//!
//! Token requests pass by all of this: there is one in minutes, and everybody waits for it.

mod adaptive;
mod probe;
mod queue;
mod sliding_window;

use std::time::Duration;

use reqwest::StatusCode;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

use crate::error::Error;
pub(crate) use adaptive::Throttled;
use queue::Queue;

/// How fast a client may go: calls in flight, requests a second, and whether the tenant can slow it down.
///
/// Set for a client with [`LmsBuilder::pace`](crate::LmsBuilder::pace); clones of the client share it.
///
/// ```
/// # fn main() -> Result<(), lms_ext::Error> {
/// use lms_ext::{RateLimits, prelude::*};
///
/// let lms = Lms::builder("https://acme.example")
///     .token("a-token")
///     .rate_limits(RateLimits::default().max_concurrent(16).max_per_second(10))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RateLimits {
    pub(crate) max_concurrent: usize,
    pub(crate) max_per_second: Option<f64>,
    pub(crate) throttle: Adaptive,
}

/// One request a day: whoever wants fewer has another clock for it, and times much further apart cannot be counted with.
const LEAST_RATE: f64 = 1.0 / 86_400.0;

/// Whether a tenant's 429 and 503 slow a client down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adaptive {
    On,
    Off,
}

impl Default for RateLimits {
    /// 64 calls in flight, no rate, and the throttle on.
    fn default() -> Self {
        Self {
            max_concurrent: 64,
            max_per_second: None,
            throttle: Adaptive::On,
        }
    }
}

impl RateLimits {
    /// How many calls may be under way at the same time, repeats and the waits before them included; 0
    /// counts as 1. Others wait in the order in which they came, and their wait counts as part of the time
    /// that a call may take: start no more at once than get their turn within it.
    #[must_use]
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.max_concurrent = calls.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// How many requests may be sent in a second, repeats included, such as `20` or `0.5`; one a day at the least.
    ///
    /// They are spread over the second, not sent at its start.
    #[must_use]
    pub fn max_per_second(mut self, per_second: impl Into<f64>) -> Self {
        self.max_per_second = Some(per_second.into());
        self
    }

    /// Leaves the throttle off: a 429 then holds up the call that got it, and no other.
    #[must_use]
    pub fn without_adaptive_throttling(mut self) -> Self {
        self.throttle = Adaptive::Off;
        self
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.max_per_second {
            Some(rate) if !(rate.is_finite() && rate >= LEAST_RATE) => Err(Error::usage(
                "the largest rate must be a number of requests a second, such as 20 or 0.5, and at least one a day",
            )),
            _ => Ok(()),
        }
    }
}

/// Keeps the pace of one client.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    in_flight: Semaphore,
    max_concurrent: usize,
    queue: Queue,
}

/// Why a call did not get its turn.
#[derive(Debug, PartialEq)]
pub(crate) enum Refused {
    /// The call's own time ran out first; says what it waited for.
    OutOfTime(String),
    /// The tenant asked all to wait for longer than this call may.
    Paused(Duration),
}

impl RateLimiter {
    pub(crate) fn new(pace: &RateLimits) -> Self {
        Self {
            in_flight: Semaphore::new(pace.max_concurrent),
            max_concurrent: pace.max_concurrent,
            queue: Queue::new(pace.max_per_second, pace.throttle),
        }
    }

    /// A place among the calls in flight, free again when it is dropped.
    pub(crate) async fn place(&self, deadline: Instant) -> Result<SemaphorePermit<'_>, Refused> {
        if let Ok(place) = self.in_flight.try_acquire() {
            return Ok(place);
        }
        match timeout_at(deadline, self.in_flight.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            // Closed it would be refused as well, but nobody closes it.
            Ok(Err(_)) | Err(_) => Err(Refused::OutOfTime(format!(
                "while waiting for a place among the {} calls that may be in flight",
                self.max_concurrent
            ))),
        }
    }

    /// Waits until the next request may leave, and says how long that took.
    ///
    /// A pause of the tenant's is waited through when it ends in time.
    pub(crate) async fn turn(&self, deadline: Instant) -> Result<Duration, Refused> {
        self.queue.turn(deadline).await
    }

    /// Takes note of an answer to a request that left at `sent`.
    pub(crate) fn answered(&self, status: StatusCode, asked: Option<Duration>, sent: Instant) {
        match Throttled::of(status, asked) {
            None => self.queue.accepted(sent),
            Some(throttled) => self.queue.refused(throttled, sent),
        }
    }
}
