//! Finds the rate that a server accepts, from the requests that it refuses.
//!
//! A service does not announce its limit, and limits differ: token buckets, windows of a second or an hour, several
//! clients that share one.
//!
//! - **Between refusals** (`curve.rs`) the rate grows from a little below a ceiling up to it and beyond, like the cube of the
//!   time and by an absolute amount. Only accepted requests that waited for this limit raise it.
//! - **At the first refusals** (`overload.rs`) the limit is what the server accepts while it refuses other requests.
//! - **After later refusals** the limit is between two rates: the mean of the last refusals, as in TCP Westwood (Mascolo,
//!   Casetti, Gerla, Sanadidi, Wang, "TCP Westwood", MobiCom 2001), and the one that was refused. It is the mean if the
//!   server accepts bursts, and the refused rate if it does not or if the limit was raised. The next ceiling is the geometric
//!   mean of the two if the last ceiling was reached, and the mean if it was refused earlier. Each refusal halves the weight
//!   of what was measured before it, so that refusals in quick succession do not lower the rate by what little was sent
//!   between them. The measurement starts again once the rate has doubled, because the limit was raised.
//! - **Pauses** (`outage.rs`) are as long as `Retry-After`. Without it they are short, and grow while nothing is accepted.
//! - **Chance** (`chance.rs`) does not throttle a client at full speed. A client that was throttled nevertheless finds out:
//!   when the rate was lowered to a small part before a ceiling was reached, requests are not refused for the rate, and
//!   throttling ends.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock. `tests/bench` includes
//! this file in a simulation, and docs/benchmarks.md has the results.

use super::{
    chance::Chance,
    curve::Curve,
    in_flight_cap::InFlightCap,
    outage::{Outage, PAUSE},
    overload::Overload,
    sample::{HORIZON, Sample},
};

/// A rate that was lowered to this part of the last ceiling that was reached was not what the server refused.
const IN_VAIN: f64 = 0.1;
/// The longest `Retry-After` that pauses all calls. After it, one request finds out whether it still holds.
const LONGEST_RETRY_AFTER: f64 = 300.0;
/// Throttling ends when no request had to wait for so many seconds.
const UNUSED: f64 = 30.0;

/// What follows from a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    None,
    /// The rate or the pause is another one.
    Adjusted,
    /// The server has throttled the client, and nothing is sent for so many seconds.
    Throttled(f64),
    /// Throttling is over.
    Released,
}

#[derive(Debug)]
pub(super) struct Throttle {
    limit: Option<Curve>,
    cap: InFlightCap,
    chance: Chance,
    /// Some refusals came with `Retry-After`. Those without it may be chance, also when the client is throttled.
    announced: bool,
    sample: Sample,
    overload: Overload,
    outage: Outage,
    /// When the rate was last lowered, or the client was last idle. Older requests say nothing about the present rate.
    since: f64,
    /// A request has been accepted since the last refusal.
    progress: bool,
    paused_until: f64,
    last_sent: f64,
    last_delayed: f64,
    /// The last ceiling that was reached, and how many ceilings in a row were refused before.
    peak: f64,
    early: i32,
    /// The limit was raised since the last refusal, and the measurement started again.
    raised: bool,
}

impl Throttle {
    pub(super) fn new() -> Self {
        Self {
            limit: None,
            cap: InFlightCap::default(),
            chance: Chance::new(),
            announced: false,
            sample: Sample::default(),
            overload: Overload::default(),
            outage: Outage::default(),
            since: 0.0,
            progress: false,
            paused_until: 0.0,
            last_sent: 0.0,
            last_delayed: 0.0,
            peak: 0.0,
            early: 0,
            raised: false,
        }
    }

    /// Requests per second, or `None` while the client is not throttled.
    pub(super) fn rate(&self) -> Option<f64> {
        self.limit.as_ref().map(Curve::rate)
    }

    pub(super) fn paused_until(&self) -> f64 {
        self.paused_until
    }

    /// Seconds from one request to the next; 0 while the client is not throttled.
    pub(super) fn interval(&self) -> f64 {
        let interval = self.rate().map_or(0.0, |rate| 1.0 / rate);
        if self.outage.is_probed() {
            interval.max(self.outage.pause().min(HORIZON))
        } else {
            interval
        }
    }

    /// Requests in flight, or `None` while they are not limited.
    pub(super) fn in_flight_cap(&self) -> Option<u32> {
        self.cap.cap()
    }

    /// Returns when a request may leave though none has returned, or `None` if it need not wait for that.
    pub(super) fn cap_reached_until(&self, now: f64) -> Option<f64> {
        self.cap.reached_until(now)
    }

    /// A request leaves, after a wait for this limit if `delayed`. Returns how many are in flight with it.
    pub(super) fn sent(&mut self, delayed: bool, now: f64) -> (u32, Change) {
        if delayed {
            self.last_delayed = now;
        }
        let unused = self.is_throttled() && now - self.last_delayed > UNUSED;
        if unused {
            self.chance.reset();
            self.cap.forget();
            self.release(now);
        }
        if self.limit.is_none() {
            if now - self.last_sent.max(self.paused_until) > HORIZON {
                self.restart(now);
            }
            self.sample.forget_old(now);
        }
        self.last_sent = now;
        let change = if unused {
            Change::Released
        } else {
            Change::None
        };
        (self.cap.sent(now), change)
    }

    /// A request is no longer in flight.
    pub(super) fn returned(&mut self) {
        self.cap.returned();
    }

    /// The server accepted a request that left at `sent` as one of `in_flight`, after a wait for this limit if `delayed`.
    pub(super) fn accepted(
        &mut self,
        sent: f64,
        in_flight: u32,
        delayed: bool,
        now: f64,
    ) -> Change {
        self.cap.accepted(sent, in_flight, now);
        self.overload.accepted(sent);
        if sent < self.since {
            self.set_measured_limit();
            return Change::None;
        }
        self.progress = true;
        self.chance.accepted();
        if self.limit.is_some() || self.chance.is_full() {
            self.overload.end();
        }
        if let Some(limit) = &mut self.limit {
            limit.accepted(delayed, now);
            if limit.is_limit_raised()
                && !self.outage.is_of_window()
                && !std::mem::replace(&mut self.raised, true)
            {
                self.sample = Sample::new(0.0, now);
            }
        }
        self.sample.accepted += 1.0;
        match self.outage.accepted(sent) {
            Some(mean) => {
                self.peak = self.peak.min(mean);
                Change::Adjusted
            }
            None => Change::None,
        }
    }

    /// The server refused a request that left at `sent` as one of `in_flight`, and asked for a wait of `retry_after`.
    pub(super) fn refused(
        &mut self,
        sent: f64,
        in_flight: u32,
        retry_after: Option<f64>,
        now: f64,
    ) -> Change {
        let retry_after = retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER);
        let asked = retry_after > 0.0;
        if sent >= self.since && self.limit.is_none() {
            self.overload.refused(sent);
        }
        if self.cap.refused(in_flight, retry_after, now) {
            return self.pause_for(retry_after, now);
        }
        if sent < self.since {
            return if asked {
                self.pause_for(retry_after, now)
            } else {
                Change::None
            };
        }
        self.announced |= asked;
        let known = self.limit.is_some() || self.cap.is_doubted();
        let doubtful = !asked && !self.outage.is_probed() && (self.announced || !known);
        if doubtful && self.chance.refused() {
            return Change::None;
        }
        // Keeps clients apart that were refused together.
        let spread = 0.5 * fastrand::f64();
        let jitter = 0.75 + spread;
        let pause = if std::mem::take(&mut self.progress) {
            self.outage.begin(retry_after, jitter, now);
            if self.cap.is_found(retry_after, now) {
                self.chance.reset();
                self.release(now);
                self.pause_for(retry_after, now);
                return Change::Throttled(retry_after);
            }
            self.lower(sent, retry_after, now);
            if self.is_lowered_in_vain() {
                self.chance.reset();
                self.release(now);
                return Change::Released;
            }
            self.outage.pause()
        } else {
            retry_after.max(self.outage.prolong(jitter, now))
        };
        self.since = now;
        self.paused_until = self.paused_until.max(now);
        self.pause_for(pause + if asked { PAUSE * spread } else { 0.0 }, now);
        Change::Throttled(self.paused_until - now)
    }

    /// Sets the ceiling between the mean and the refused rate.
    fn lower(&mut self, sent: f64, retry_after: f64, now: f64) {
        self.raised = false;
        let measured = self.sample.age(now);
        let active = self.sample.seconds(sent, now);
        let mut ceiling = self.sample.rate(sent, now);
        let mut unknown = retry_after;
        let excluded = retry_after.min(1.0);
        if let Some(limit) = &self.limit {
            let refused = limit.rate();
            let reached = limit.is_ceiling_reached();
            if reached || retry_after > 0.0 {
                self.peak = limit.ceiling;
            }
            self.early = if reached { 0 } else { self.early + 1 };
            ceiling = Curve::ceiling_of_mean(ceiling).min(refused);
            if reached {
                ceiling = (ceiling * refused).sqrt();
            }
        } else {
            self.early = 0;
            unknown = unknown.max(HORIZON);
        }
        // Either the whole pause is needed, or it is rounded up to a second; and what a client sends first may be a burst
        // that the server accepts once. The truth is in between.
        if measured < unknown + self.outage.pause() {
            ceiling = (ceiling * self.sample.accepted / (active + unknown)).sqrt();
        }
        if self.limit.is_some() {
            self.sample.halve(excluded, now);
        } else {
            self.sample = Sample::new(excluded, now);
            self.peak = ceiling;
        }
        let pause = (self.outage.pause(), retry_after);
        self.limit = Some(Curve::new(ceiling, measured, pause, self.early, now));
        self.set_measured_limit();
    }

    /// What was accepted while other requests were refused is the limit itself.
    fn set_measured_limit(&mut self) {
        if let Some(limit) = &mut self.limit
            && let Some(rate) = self.overload.limit(self.last_sent)
        {
            limit.set_measured(rate, self.announced);
            self.peak = rate;
        }
    }

    pub(super) fn is_throttled(&self) -> bool {
        self.limit.is_some() || self.cap.cap().is_some()
    }

    fn is_lowered_in_vain(&self) -> bool {
        let ceiling = self.limit.as_ref().map_or(0.0, |limit| limit.ceiling);
        ceiling < self.peak * IN_VAIN
    }

    fn release(&mut self, now: f64) {
        self.limit = None;
        self.outage.end();
        self.restart(now);
    }

    fn restart(&mut self, now: f64) {
        self.progress = false;
        self.since = now;
        self.sample = Sample::new(0.0, now);
    }

    fn pause_for(&mut self, seconds: f64, now: f64) -> Change {
        let until = now + seconds;
        self.last_delayed = self.last_delayed.max(until);
        if until <= self.paused_until {
            return Change::None;
        }
        self.paused_until = until;
        Change::Adjusted
    }
}
