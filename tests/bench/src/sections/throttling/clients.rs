//! The clients that are compared.

use std::collections::HashMap;

use super::{
    schedule::{Departure, Schedule, Slot},
    throttle::{Change, Throttle},
};

/// An algorithm that keeps to an unknown limit.
pub(super) trait Client {
    /// Returns when to ask again, if a request of this task may not leave now.
    fn leave(&mut self, _task: usize, _now: f64) -> Result<(), f64> {
        Ok(())
    }

    /// Records a response to the request of a task that left at `sent`; `Err` is a refusal with its `Retry-After`. Returns whether
    /// tasks that wait must ask again.
    fn answered(
        &mut self,
        _task: usize,
        _sent: f64,
        _now: f64,
        _answer: Result<(), Option<f64>>,
    ) -> bool {
        false
    }

    /// Maximum number of attempts of a call.
    fn attempts(&self) -> u32 {
        3
    }

    /// The wait of a call before another attempt: the defaults of lms-ext.
    fn backoff(&self, attempt: u32, retry_after: Option<f64>) -> f64 {
        if retry_after == Some(0.0) && attempt == 1 {
            return 0.0;
        }
        let longest = 0.2 * f64::from(1_u32 << (attempt - 1).min(5));
        retry_after.unwrap_or_default() + longest * fastrand::f64()
    }
}

/// lms-ext, by the source files of its rate limiter.
pub(super) struct Ours {
    schedule: Schedule,
    slots: HashMap<usize, Slot>,
    /// The requests in flight, by task.
    departures: HashMap<usize, Departure>,
}

impl Ours {
    pub(super) fn new() -> Self {
        Self {
            schedule: Schedule::new(None, Some(Throttle::new())),
            slots: HashMap::new(),
            departures: HashMap::new(),
        }
    }
}

impl Client for Ours {
    fn leave(&mut self, task: usize, now: f64) -> Result<(), f64> {
        match self.schedule.depart(self.slots.remove(&task), now) {
            Ok(departure) => {
                self.departures.insert(task, departure);
                Ok(())
            }
            Err(slot) => {
                self.slots.insert(task, slot);
                Err(slot.at)
            }
        }
    }

    fn answered(
        &mut self,
        task: usize,
        sent: f64,
        now: f64,
        answer: Result<(), Option<f64>>,
    ) -> bool {
        let Some(departure) = self.departures.remove(&task) else {
            return false;
        };
        let change = match answer {
            Ok(()) => self.schedule.accepted(sent, departure, now),
            Err(wait) => self.schedule.refused(sent, departure.in_flight, wait, now),
        };
        self.schedule.returned() || change != Change::None
    }
}

/// The retries of lms-ext without adaptive throttling.
pub(super) struct RetriesOnly;

impl Client for RetriesOnly {}

/// A loop that sends a call again after 100 ms until it is accepted.
pub(super) struct FixedBackoff;

impl Client for FixedBackoff {
    fn attempts(&self) -> u32 {
        u32::MAX
    }

    fn backoff(&self, _: u32, _: Option<f64>) -> f64 {
        0.1
    }
}

/// The CUBIC rate limiter of the AWS SDKs' adaptive retry mode, with the retries of lms-ext.
///
/// Written from its published description. A retry takes one token here, as a first attempt does: with the five of the
/// Rust SDK, retries never leave where the bucket holds fewer.
#[derive(Default)]
pub(super) struct AwsCubic {
    enabled: bool,
    rate: f64,
    capacity: f64,
    tokens: f64,
    refilled: f64,
    /// Requests per second, smoothed over periods of half a second.
    measured: f64,
    period: f64,
    requests: f64,
    last_max: f64,
    last_throttled: f64,
}

impl AwsCubic {
    const BETA: f64 = 0.7;
    const SCALE: f64 = 0.4;
    const SMOOTHING: f64 = 0.8;

    fn refill(&mut self, now: f64) {
        self.tokens = (self.tokens + (now - self.refilled) * self.rate).min(self.capacity);
        self.refilled = now;
    }

    fn measure(&mut self, now: f64) {
        let period = (now * 2.0).floor() / 2.0;
        self.requests += 1.0;
        if period > self.period {
            let rate = self.requests / (period - self.period);
            self.measured = rate * Self::SMOOTHING + self.measured * (1.0 - Self::SMOOTHING);
            self.requests = 0.0;
            self.period = period;
        }
    }
}

impl Client for AwsCubic {
    fn leave(&mut self, _: usize, now: f64) -> Result<(), f64> {
        if !self.enabled {
            return Ok(());
        }
        self.refill(now);
        if self.tokens < 1.0 {
            return Err(now + ((1.0 - self.tokens) / self.rate).max(1e-6));
        }
        self.tokens -= 1.0;
        Ok(())
    }

    fn answered(&mut self, _: usize, _: f64, now: f64, answer: Result<(), Option<f64>>) -> bool {
        self.measure(now);
        let rate = if answer.is_ok() {
            let plateau = (self.last_max * (1.0 - Self::BETA) / Self::SCALE).cbrt();
            Self::SCALE * (now - self.last_throttled - plateau).powi(3) + self.last_max
        } else {
            self.last_max = if self.enabled {
                self.measured.min(self.rate)
            } else {
                self.measured
            };
            self.last_throttled = now;
            self.enabled = true;
            self.last_max * Self::BETA
        };
        let rate = rate.min(2.0 * self.measured);
        self.refill(now);
        self.rate = rate.max(0.5);
        self.capacity = rate.max(1.0);
        self.tokens = self.tokens.min(self.capacity);
        false
    }
}
