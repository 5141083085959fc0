//! Letting requests out one after the other, when there is a rate to keep.
//!
//! Nobody reserves a moment in the future: whoever is first in line waits for the next one, and takes it
//! when it has come. A call that is dropped while it waits has taken nothing.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until, timeout_at};

use super::{
    Adaptive, Refused,
    adaptive::{AdaptiveThrottle, Throttled},
};

/// How much of an unused past may be made up for at most: enough for the coarseness of timers.
const CREDIT: Duration = Duration::from_millis(20);

/// The way out for every request of a client.
#[derive(Debug)]
pub(super) struct Queue {
    max_per_second: Option<f64>,
    throttle: Adaptive,
    state: Mutex<State>,
    /// CachedToken by the one that is next; the others wait in order.
    line: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct State {
    throttle: AdaptiveThrottle,
    /// When the next request may leave.
    next: Instant,
}

impl Queue {
    pub(super) fn new(max_per_second: Option<f64>, throttle: Adaptive) -> Self {
        let now = Instant::now();
        Self {
            max_per_second,
            throttle,
            state: Mutex::new(State {
                throttle: AdaptiveThrottle::new(now),
                next: now,
            }),
            line: tokio::sync::Mutex::new(()),
        }
    }

    /// Waits until a request may leave, and says for how long.
    ///
    /// Refuses at once when a pause goes on beyond `deadline`.
    pub(super) async fn turn(&self, deadline: Instant) -> Result<Duration, Refused> {
        let came = Instant::now();
        if self.leave_freely(came) {
            return Ok(Duration::ZERO);
        }
        let wait = async {
            self.check_pause(deadline)?;
            let _first = self.line.lock().await;
            loop {
                self.check_pause(deadline)?;
                match self.leave(Instant::now()) {
                    Ok(()) => return Ok(came.elapsed()),
                    Err(later) => sleep_until(later).await,
                }
            }
        };
        match timeout_at(deadline, wait).await {
            Ok(left) => left,
            Err(_) => Err(Refused::OutOfTime(self.describe())),
        }
    }

    /// The tenant took a request that left at `sent`.
    pub(super) fn accepted(&self, sent: Instant) {
        if self.throttle == Adaptive::On {
            self.state().throttle.accepted(sent, Instant::now());
        }
    }

    /// The tenant refused a request that left at `sent`.
    pub(super) fn refused(&self, throttled: Throttled, sent: Instant) {
        if self.throttle == Adaptive::Off {
            return;
        }
        let change = self
            .state()
            .throttle
            .refused(throttled, sent, Instant::now());
        if let Some(change) = change {
            crate::send::telemetry::throttled(change.rate, change.pause);
        }
    }

    /// Lets a request out when there is no rate to keep.
    fn leave_freely(&self, now: Instant) -> bool {
        if self.throttle == Adaptive::Off {
            return self.max_per_second.is_none();
        }
        let mut state = self.state();
        let free = self.max_per_second.is_none()
            && state.throttle.rate().is_none()
            && state.throttle.paused_until.is_none();
        if free {
            state.throttle.sent(now);
        }
        free
    }

    /// Lets a request out if its moment has come, or says when to ask again.
    fn leave(&self, now: Instant) -> Result<(), Instant> {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(until) = state.throttle.paused_until {
            state.next = state.next.max(until);
        }
        let lowered = state.throttle.rate();
        if now < state.next {
            // By the throttle, and not by the rate that the caller has set.
            if self.binding(lowered).is_some() || state.throttle.paused_until.is_some() {
                state.throttle.delayed(now);
            }
            return Err(state.next);
        }
        let rate = lowered
            .into_iter()
            .chain(self.max_per_second)
            .reduce(f64::min);
        if let Some(rate) = rate {
            let interval = Duration::from_secs_f64(1.0 / rate);
            let from = state
                .next
                .max(now.checked_sub(credit(interval)).unwrap_or(now));
            state.next = from + interval;
        }
        if state.throttle.sent(now) {
            crate::send::telemetry::unthrottled();
        }
        Ok(())
    }

    fn check_pause(&self, longest: Instant) -> Result<(), Refused> {
        match self.state().throttle.paused_until {
            Some(until) if until > longest => {
                Err(Refused::Paused(until.duration_since(Instant::now())))
            }
            _ => Ok(()),
        }
    }

    fn describe(&self) -> String {
        let lowered = self.state().throttle.rate();
        match (self.binding(lowered), self.max_per_second) {
            (Some(rate), _) => format!(
                "while waiting for its turn: the tenant has slowed this client down to {rate:.1} requests a second"
            ),
            (_, Some(max)) => {
                format!("while waiting for its turn among {max} requests a second")
            }
            _ => "while waiting for its turn".to_owned(),
        }
    }

    /// The throttle's rate, if it is that and not the caller's that requests wait for.
    fn binding(&self, lowered: Option<f64>) -> Option<f64> {
        lowered.filter(|lowered| self.max_per_second.is_none_or(|max| *lowered < max))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds it panics; what a panic elsewhere left would be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What may be made up for when requests are this far apart.
///
/// When they are far apart, hardly anything: a tenant may count each distance.
fn credit(interval: Duration) -> Duration {
    if interval < CREDIT {
        CREDIT
    } else {
        interval / 10
    }
}
