//! Limits the number of concurrent calls and the rate of requests.
//!
//! All calls of a client share permits ([`LmsBuilder::max_concurrent`](crate::LmsBuilder::max_concurrent)) and one
//! rate: the caller's ([`LmsBuilder::max_per_second`](crate::LmsBuilder::max_per_second)), or a lower one that the server
//! accepts, which `throttle.rs` finds.
//!
//! While nothing is accepted, or after a long `Retry-After`, all calls pause. After a short one, only the refused call waits.
//! A hint in the headers of responses (`headers.rs`) delays requests until the end of a window that has no room.
//!
//! Calls wait in a queue, whose first call sleeps until the throttle admits it. Token requests skip the queue, because
//! other calls wait for them.

mod headers;
mod throttle;

use std::{
    ops::RangeInclusive,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use reqwest::{StatusCode, header::HeaderMap};
use tokio::{
    sync::{Mutex as Queue, Notify, Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

use super::{
    metrics, telemetry,
    timeouts::{Timeouts, after, call_timeout},
};
use crate::error::{Error, ErrorKind};
use throttle::{EXACT, Throttle};

/// The lowest and the highest rate. Times that are much further apart than a day cannot be computed.
const PER_SECOND: RangeInclusive<f64> = 1.0 / 86_400.0..=f64::MAX;

/// The current state of a client's rate limits; returned by [`Lms::rate_limit_state`](crate::Lms::rate_limit_state).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateLimitState {
    /// The rate, in requests per second, to which adaptive throttling limits the client; `None` if it does not, or if
    /// [`LmsBuilder::max_per_second`](crate::LmsBuilder::max_per_second) is lower.
    pub throttled_to: Option<f64>,
    /// The remaining time in which the client sends nothing because the server has throttled it.
    pub paused_for: Option<Duration>,
    /// Number of requests that were refused with 429, or 503 with `Retry-After`, since the client was built.
    pub refused: u64,
    /// Number of running calls, including those that wait for a retry or for the rate limit.
    pub in_flight: usize,
}

/// The rate limits of one client.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    permits: Semaphore,
    pub(crate) max_concurrent: usize,
    max_per_second: Option<f64>,
    adaptive: bool,
    started: Instant,
    throttle: Mutex<Throttle>,
    /// Held by the call that sends next.
    queue: Queue<()>,
    /// The rate or the pause has changed.
    changed: Notify,
}

/// The permission to send one request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) waited: Duration,
    /// Number of the request among those that left.
    number: u64,
}

impl RateLimiter {
    /// For this number of concurrent calls, with their retries and waits. It follows the server if it is `adaptive`.
    pub(crate) fn new(
        max_concurrent: usize,
        rate: Option<f64>,
        adaptive: bool,
    ) -> Result<Self, Error> {
        if rate.is_some_and(|rate| !PER_SECOND.contains(&rate)) {
            return Err(Error::usage(
                "max_per_second must be a number of requests per second, such as 20 or 0.5, and at least one per day",
            ));
        }
        Ok(Self {
            permits: Semaphore::new(max_concurrent),
            max_concurrent,
            max_per_second: rate,
            adaptive,
            started: Instant::now(),
            throttle: Mutex::new(Throttle::new(rate)),
            queue: Queue::new(()),
            changed: Notify::new(),
        })
    }

    /// Takes one of the permits for concurrent calls, if there is one. It is returned when dropped.
    pub(crate) fn try_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.try_acquire().ok()
    }

    /// Waits for a permit.
    pub(crate) async fn permit(
        &self,
        deadline: Instant,
        timeouts: &Timeouts,
    ) -> Result<SemaphorePermit<'_>, Error> {
        let began = Instant::now();
        let permit = timeout_at(deadline, self.permits.acquire()).await;
        metrics::waited("concurrency", began.elapsed());
        // The semaphore is never closed.
        permit.ok().and_then(Result::ok).ok_or_else(|| {
            let most = self.max_concurrent;
            let waiting = format!("while waiting for one of {most} concurrent calls to end");
            call_timeout(timeouts, &waiting)
        })
    }

    /// Takes a slot for the next request, if it may leave now.
    pub(crate) fn try_acquire(&self, deadline: Instant) -> Option<Slot> {
        // Otherwise, other calls wait.
        let _queue = self.queue.try_lock().ok()?;
        let now = Instant::now();
        self.slot(now, now, deadline).ok()
    }

    /// Waits until the next request may leave.
    ///
    /// Returns an error when all calls are paused beyond `deadline`: at once, or after the wait in the queue if the pause
    /// begins meanwhile.
    pub(crate) async fn acquire(
        &self,
        deadline: Instant,
        timeouts: &Timeouts,
    ) -> Result<Slot, Error> {
        if let Some(slot) = self.try_acquire(deadline) {
            return Ok(slot);
        }
        let began = Instant::now();
        self.check_pause(began, deadline)?;
        let first = timeout_at(deadline, self.queue.lock()).await;
        loop {
            let now = Instant::now();
            self.check_pause(now, deadline)?;
            if first.is_err() || now >= deadline {
                return Err(call_timeout(timeouts, &self.describe_wait()));
            }
            match self.slot(began, now, deadline) {
                Ok(slot) => return Ok(slot),
                Err(ready) => {
                    // It makes no difference which of the two ends the wait.
                    let _ = timeout_at(ready.min(deadline), self.changed.notified()).await;
                }
            }
        }
    }

    /// Records a response to a request.
    pub(crate) fn record_response(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        retry_after: Option<Duration>,
        sent: Instant,
        slot: Slot,
    ) {
        let refused = match (status.as_u16(), retry_after) {
            // A fault of the server, which says nothing about the rate.
            (503, None) => return,
            (429 | 503, _) => true,
            _ => false,
        };
        let (sent, now) = (self.seconds(sent), self.seconds(Instant::now()));
        let mut throttle = self.throttle();
        throttle.refusals += u64::from(refused);
        // `Retry-After: 0` invites to retry at once, and says nothing about the rate either.
        if !self.adaptive || refused && retry_after == Some(Duration::ZERO) {
            return;
        }
        let (rate_before, since_before) = (throttle.rate(), throttle.since);
        if refused {
            throttle.refused(sent, retry_after.unwrap_or_default().as_secs_f64(), now);
        } else {
            if let Some((left, seconds)) = headers::allowed(headers) {
                throttle.allowed(left, seconds, slot.number, sent, now);
            }
            throttle.accepted(sent, now);
        }
        let (rate, since) = (throttle.rate(), throttle.since);
        drop(throttle);
        self.changed.notify_one();
        let is_lower = rate.is_some_and(|rate| rate_before.is_none_or(|before| rate < before));
        if is_lower || since > now.max(since_before) {
            telemetry::throttled(rate, Duration::from_secs_f64((since - now).max(0.0)));
        } else if rate_before.is_some() && rate.is_none() {
            telemetry::unthrottled();
        }
    }

    pub(crate) fn state(&self) -> RateLimitState {
        let throttle = self.throttle();
        let paused_until = self.instant(throttle.since);
        let paused = paused_until.saturating_duration_since(Instant::now());
        RateLimitState {
            throttled_to: throttle.rate(),
            paused_for: (!paused.is_zero()).then_some(paused),
            refused: throttle.refusals,
            in_flight: self.max_concurrent - self.permits.available_permits(),
        }
    }

    fn check_pause(&self, now: Instant, deadline: Instant) -> Result<(), Error> {
        let paused_until = self.instant(self.throttle().since);
        if paused_until <= deadline {
            return Ok(());
        }
        let detail = "not sent: throttled by the server for longer than this call may take";
        Err(Error::new(ErrorKind::RateLimited, detail).with_retry_after(paused_until - now))
    }

    fn describe_wait(&self) -> String {
        let throttled = self.throttle().rate();
        match throttled.or(self.max_per_second) {
            Some(rate) => format!(
                "while waiting to send: limited to {} requests per second",
                (rate * 100.0).round() / 100.0
            ),
            None => "while waiting to send: throttled by the server".to_owned(),
        }
    }

    /// Takes a slot for a request that has waited since `began`, or returns the time of the next slot.
    fn slot(&self, began: Instant, now: Instant, deadline: Instant) -> Result<Slot, Instant> {
        let seconds = self.seconds(now);
        let mut throttle = self.throttle();
        let ready = throttle.ready(self.seconds(deadline));
        if ready > seconds + EXACT {
            return Err(self.instant(ready));
        }
        throttle.sent(seconds);
        Ok(Slot {
            waited: now - began,
            number: throttle.number,
        })
    }

    fn seconds(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.started).as_secs_f64()
    }

    fn instant(&self, seconds: f64) -> Instant {
        let since = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        after(self.started, since)
    }

    fn throttle(&self) -> MutexGuard<'_, Throttle> {
        // The state is whole at every point at which a panic is possible.
        self.throttle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
