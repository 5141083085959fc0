//! How many calls run concurrently, and how fast a client sends requests.
//!
//! A service does not announce its limits. Tasks that retry independently make overload worse: the more requests are
//! refused, the more are sent. So all calls of a client share
//!
//! - a number of permits, [`RateLimits::max_concurrent`],
//! - the caller's own rate, [`RateLimits::max_per_second`],
//! - adaptive throttling (`throttle.rs`): after a 429, or a 503 with `Retry-After`, all calls pause for as long as
//!   `Retry-After` says, and go on at the rate, or with the requests in flight, that the server was found to accept.
//!
//! `schedule.rs` computes when a request may leave. Token requests skip all of this: other calls wait for them.

mod chance;
mod curve;
mod in_flight_cap;
mod limits;
mod outage;
mod overload;
mod sample;
mod schedule;
mod throttle;

use std::{
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use reqwest::StatusCode;
use tokio::{
    sync::{Notify, Semaphore, SemaphorePermit},
    time::{Instant, timeout_at},
};

#[cfg(feature = "metrics")]
use super::metrics;
use super::{telemetry, timeouts::after};
pub use limits::{RateLimitState, RateLimits};
use schedule::{Departure, Schedule, Slot};
use throttle::{Change, Throttle};

/// The rate limits of one client.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    permits: Semaphore,
    limits: RateLimits,
    started: Instant,
    shared: Mutex<Shared>,
    /// Reservations have expired, or a request has returned.
    changed: Notify,
}

#[derive(Debug)]
struct Shared {
    schedule: Schedule,
    refused: u64,
}

/// Why a call was not sent.
#[derive(Debug, PartialEq)]
pub(crate) enum Refused {
    /// The timeout of the call passed; says during which wait.
    OutOfTime(String),
    /// All calls are paused for longer than this one may take.
    Paused(Duration),
}

/// A request may leave, and is in flight until this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Turn<'a> {
    pub(crate) waited: Duration,
    /// `None` when nothing limits the requests.
    in_flight: Option<(&'a RateLimiter, Departure)>,
}

/// A slot that returns itself when the call that waits for it is dropped.
struct Reservation<'a> {
    limiter: &'a RateLimiter,
    slot: Option<Slot>,
}

impl RateLimiter {
    pub(crate) fn new(limits: RateLimits) -> Self {
        let throttle = limits.adaptive.then(Throttle::new);
        Self {
            permits: Semaphore::new(limits.max_concurrent),
            started: Instant::now(),
            shared: Mutex::new(Shared {
                schedule: Schedule::new(limits.max_per_second, throttle),
                refused: 0,
            }),
            changed: Notify::new(),
            limits,
        }
    }

    /// Waits for one of the permits for concurrent calls. It is returned when dropped.
    pub(crate) async fn permit(&self, deadline: Instant) -> Result<SemaphorePermit<'_>, Refused> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Ok(permit);
        }
        #[cfg(feature = "metrics")]
        let began = Instant::now();
        let permit = timeout_at(deadline, self.permits.acquire()).await;
        #[cfg(feature = "metrics")]
        metrics::waited(metrics::Wait::Concurrency, began.elapsed());
        match permit {
            Ok(Ok(permit)) => Ok(permit),
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(Refused::OutOfTime(format!(
                "while waiting for one of {} concurrent calls to end",
                self.limits.max_concurrent
            ))),
        }
    }

    /// Waits until the next request may leave.
    ///
    /// Returns an error at once when all calls are paused beyond `deadline`.
    pub(crate) async fn acquire(&self, deadline: Instant) -> Result<Turn<'_>, Refused> {
        if !self.limits.adaptive && self.limits.max_per_second.is_none() {
            return Ok(Turn::default());
        }
        let now = Instant::now();
        match self.depart(None, now) {
            Ok(departure) => Ok(self.turn(Duration::ZERO, departure)),
            // Boxed, so that not every call has room for what few of them need.
            Err(slot) => Box::pin(self.wait(slot, deadline)).await,
        }
    }

    /// Records a response to a request.
    pub(crate) fn record_response(
        &self,
        status: StatusCode,
        retry_after: Option<Duration>,
        sent: Instant,
        turn: &Turn<'_>,
    ) {
        let refused = match (status.as_u16(), retry_after) {
            // A fault of the server, which says nothing about the rate.
            (503, None) => return,
            (429 | 503, _) => true,
            _ => false,
        };
        let departure = match turn.in_flight {
            Some((_, departure)) if refused || self.limits.adaptive => departure,
            Some(_) => return,
            None => {
                self.shared().refused += u64::from(refused);
                return;
            }
        };
        let (sent, now) = (self.seconds(sent), self.seconds(Instant::now()));
        let mut shared = self.shared();
        let change = if refused {
            shared.refused += 1;
            let retry_after = retry_after.map(|wait| wait.as_secs_f64());
            shared
                .schedule
                .refused(sent, departure.in_flight, retry_after, now)
        } else {
            shared.schedule.accepted(sent, departure, now)
        };
        let rate = shared.schedule.throttled_to();
        let cap = shared.schedule.in_flight_cap();
        drop(shared);
        self.publish(change, rate, cap);
    }

    pub(crate) fn max_concurrent(&self) -> usize {
        self.limits.max_concurrent
    }

    pub(crate) fn state(&self) -> RateLimitState {
        let shared = self.shared();
        let paused_until = self.instant(shared.schedule.paused_until());
        let paused = paused_until.saturating_duration_since(Instant::now());
        RateLimitState {
            throttled_to: shared.schedule.throttled_to(),
            max_in_flight: shared.schedule.in_flight_cap().map(|cap| cap as usize),
            paused_for: (!paused.is_zero()).then_some(paused),
            refused: shared.refused,
            in_flight: self.limits.max_concurrent - self.permits.available_permits(),
        }
    }

    async fn wait(&self, slot: Slot, deadline: Instant) -> Result<Turn<'_>, Refused> {
        let began = Instant::now();
        let mut reservation = Reservation {
            limiter: self,
            slot: Some(slot),
        };
        loop {
            // Before the reservation is looked at, so that no change is missed.
            let changed = pin!(self.changed.notified());
            let now = Instant::now();
            let slot = match self.depart(reservation.slot, now) {
                Ok(departure) => {
                    reservation.slot = None;
                    return Ok(self.turn(now - began, departure));
                }
                Err(slot) => slot,
            };
            reservation.slot = Some(slot);
            let paused_until = self.instant(self.shared().schedule.paused_until());
            if paused_until > deadline {
                return Err(Refused::Paused(paused_until - now));
            }
            if now >= deadline {
                return Err(Refused::OutOfTime(self.describe_wait()));
            }
            // It makes no difference which of the two ends the wait.
            let _ = timeout_at(self.instant(slot.at).min(deadline), changed).await;
        }
    }

    fn depart(&self, slot: Option<Slot>, now: Instant) -> Result<Departure, Slot> {
        let mut shared = self.shared();
        let departure = shared.schedule.depart(slot, self.seconds(now))?;
        let cap = shared.schedule.in_flight_cap();
        drop(shared);
        self.publish(departure.change, None, cap);
        if cap.is_some() {
            // Another one may leave as well.
            self.changed.notify_one();
        }
        Ok(departure)
    }

    fn turn(&self, waited: Duration, departure: Departure) -> Turn<'_> {
        Turn {
            waited,
            in_flight: Some((self, departure)),
        }
    }

    fn publish(&self, change: Change, rate: Option<f64>, cap: Option<u32>) {
        match change {
            Change::None => return,
            Change::Adjusted => {}
            Change::Throttled(pause) => {
                telemetry::throttled(rate, cap, Duration::from_secs_f64(pause));
            }
            Change::Released => telemetry::unthrottled(),
        }
        self.changed.notify_waiters();
    }

    fn describe_wait(&self) -> String {
        let state = self.state();
        if let Some(cap) = state.max_in_flight {
            return format!(
                "while waiting to send: throttled by the server to {cap} requests in flight"
            );
        }
        match (state.throttled_to, self.limits.max_per_second) {
            (Some(rate), _) => format!(
                "while waiting to send: throttled by the server to {rate:.1} requests per second"
            ),
            (None, Some(max)) => {
                format!("while waiting to send: limited to {max} requests per second")
            }
            (None, None) => "while waiting to send: throttled by the server".to_owned(),
        }
    }

    fn seconds(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.started).as_secs_f64()
    }

    fn instant(&self, seconds: f64) -> Instant {
        let since = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        after(self.started, since)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // The state is whole at every point at which a panic is possible.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            let expired = self.limiter.shared().schedule.cancel(slot);
            if expired {
                self.limiter.changed.notify_waiters();
            }
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some((limiter, _)) = self.in_flight
            && limiter.shared().schedule.returned()
        {
            limiter.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests;
