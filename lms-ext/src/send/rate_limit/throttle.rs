//! Decides the time of the next request, and the rate of the following ones.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock.

use super::{chance::Chance, curve::Curve};

/// Seconds of the first pause that the server does not ask for, the factor to the next one, and the longest.
const PAUSE: f64 = 0.1;
const PAUSE_GROWTH: f64 = 1.5;
const LONGEST_PAUSE: f64 = 60.0;
/// Number of refusals in a row after which all calls pause.
const OUTAGE: f64 = 4.0;
/// Seconds of `Retry-After` above which one refusal pauses all calls, and the longest pause.
const LONG_RETRY_AFTER: f64 = 5.0;
const LONGEST_RETRY_AFTER: f64 = 300.0;
/// Seconds after which throttling ends when no request had to wait.
const UNUSED: f64 = 30.0;
/// Seconds by which a request may be late without delaying the ones after it: timers are coarse.
const LATE: f64 = 0.02;
/// Seconds that a measurement of the rate takes at least.
const SHORTEST: f64 = 0.1;

#[derive(Debug, Default)]
pub(super) struct Throttle {
    /// Seconds between two requests by the caller's own rate.
    min_interval: f64,
    /// `None` at full speed.
    curve: Option<Curve>,
    chance: Chance,
    /// Number of requests that were accepted since `measured_from`.
    accepted: f64,
    measured_from: f64,
    /// Requests that left before this time say nothing about the present rate.
    since: f64,
    last_sent: f64,
    last_delayed: f64,
    pub(super) paused_until: f64,
    /// Seconds of the last pause of all calls, until a request is accepted.
    pause: Option<f64>,
}

impl Throttle {
    pub(super) fn new(max_per_second: Option<f64>) -> Self {
        Self {
            min_interval: max_per_second.map_or(0.0, |rate| 1.0 / rate),
            last_sent: f64::MIN,
            ..Self::default()
        }
    }

    /// Requests per second, if the server limits the client to fewer than the caller does.
    pub(super) fn rate(&self) -> Option<f64> {
        let rate = self.curve.as_ref()?.rate();
        (1.0 / rate > self.min_interval).then_some(rate)
    }

    /// When the next request may leave.
    pub(super) fn ready(&self) -> f64 {
        (self.last_sent + self.interval()).max(self.paused_until)
    }

    /// A request leaves. Returns whether it had to wait for the adaptive rate.
    pub(super) fn sent(&mut self, waited: bool, now: f64) -> bool {
        let delayed = waited && self.rate().is_some();
        if delayed {
            self.last_delayed = now;
        }
        let due = self.last_sent + self.interval();
        self.last_sent = if now - due < LATE { due } else { now };
        if self.curve.is_none() && now - self.measured_from > 2.0 {
            // Old requests count less.
            (self.accepted, self.measured_from) = (self.accepted / 2.0, now - 1.0);
        }
        delayed
    }

    /// The server accepted a request that left at `sent`, after a wait for the adaptive rate if `delayed`.
    pub(super) fn accepted(&mut self, sent: f64, delayed: bool, now: f64) {
        if sent < self.since {
            return;
        }
        if self.curve.is_some() && sent - self.last_delayed.max(self.paused_until) > UNUSED {
            self.release(now);
        }
        self.accepted += 1.0;
        self.pause = None;
        if self.curve.as_ref().is_none_or(Curve::is_low) {
            self.chance.accepted(self.curve.is_none(), sent);
        }
        if let Some(curve) = &mut self.curve {
            curve.accepted(delayed, now);
        }
    }

    /// The server refused a request that left at `sent`, and asked for a wait of some seconds. Returns the seconds of a pause
    /// if this throttles the client.
    pub(super) fn refused(&mut self, sent: f64, asked: f64, now: f64) -> Option<f64> {
        let asked = asked.min(LONGEST_RETRY_AFTER);
        let mut pauses = asked > LONG_RETRY_AFTER || self.pause.is_some();
        if sent < self.since {
            if pauses {
                self.paused_until = self.paused_until.max(now + asked);
            }
            return None;
        }
        if self.pause.is_none() {
            let is_low = self.curve.as_ref().map(Curve::is_low);
            let may_be_chance =
                is_low != Some(false) && self.chance.refused(is_low.is_none(), sent);
            if may_be_chance && !pauses {
                return None;
            }
            let is_outage = self.curve.is_some() && self.accepted == 0.0;
            pauses |= is_outage || self.chance.in_a_row >= OUTAGE;
            if !is_outage && self.lower(is_low, now) {
                return None;
            }
        }
        self.since = now;
        if !pauses {
            return Some(0.0);
        }
        let pause = self
            .pause
            .map_or(PAUSE, |pause| pause * PAUSE_GROWTH)
            .min(LONGEST_PAUSE);
        self.pause = Some(pause);
        self.measured_from += asked;
        // Keeps clients apart that were refused together.
        let pause = pause.max(asked) + PAUSE * fastrand::f64();
        self.paused_until = self.paused_until.max(now + pause);
        Some(pause)
    }

    /// Starts another curve, after one that was low or not. Returns whether throttling ends instead, because a lower rate
    /// does not help.
    fn lower(&mut self, is_low: Option<bool>, now: f64) -> bool {
        if is_low.is_some() && self.chance.is_found() {
            self.release(now);
            return true;
        }
        let seconds = (now - self.measured_from).max(SHORTEST);
        let mean = self.accepted.max(1.0) / seconds;
        let ceiling = if let Some(curve) = &self.curve {
            let rate = curve.rate();
            // The mean of few requests is not exact.
            let least = rate * (0.5 - self.accepted / 40.0).max(0.0);
            let mean = Curve::ceiling_of_mean(mean).clamp(least, rate);
            if is_low == Some(true) || self.chance.in_vain > 0 {
                mean
            } else {
                (mean * rate).sqrt().min(1.3 * mean)
            }
        } else {
            // Between refusals, a token bucket accepts requests at exactly its limit.
            self.chance.slow_down(self.last_sent).unwrap_or(mean)
        };
        self.curve = Some(Curve::new(ceiling, seconds, now));
        (self.accepted, self.measured_from, self.last_delayed) = (0.0, now, now);
        false
    }

    fn release(&mut self, now: f64) {
        self.curve = None;
        self.chance.release();
        (self.accepted, self.measured_from, self.since) = (0.0, now, now);
    }

    fn interval(&self) -> f64 {
        let interval = self.curve.as_ref().map_or(0.0, |curve| 1.0 / curve.rate());
        let probe = self.pause.map_or(0.0, |pause| pause.min(1.0));
        interval.max(probe).max(self.min_interval)
    }
}
