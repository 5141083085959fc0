//! Decides the time of the next request, and the rate of the following ones.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock.

/// Share of refusals up to which a rate that should be accepted is kept, and beyond which a higher one is lowered.
const TOLERATED: f64 = 0.25;
const NEAR_LIMIT: f64 = 0.05;
/// Number of refusals beyond the tolerated share after which the rate is lowered: if it should be accepted, or is higher.
const TOO_MANY: f64 = 5.0;
const TOO_MANY_NEAR_LIMIT: f64 = 1.0;
/// Share of refusals, in two cycles, above which they are taken for random, and the factor of that share to tolerate.
const RANDOM: f64 = 0.13;
const RANDOM_SPREAD: f64 = 1.8;
/// Largest share of refusals that is tolerated.
const MOST_TOLERATED: f64 = 0.4;
/// Number of responses without which a share says nothing.
const SAMPLE: f64 = 20.0;
/// Number of accepted requests without which the time since the first refusal says nothing about the rate.
const FEW: f64 = 3.0;

/// Fraction of the accepted rate at which a lowered rate starts.
const START: f64 = 0.85;
/// Seconds and requests after which a lowered rate is back at the accepted one, and the most seconds.
const CYCLE: f64 = 4.0;
const CYCLE_REQUESTS: f64 = 100.0;
const LONGEST_CYCLE: f64 = 20.0;
/// Seconds after which the rate has then doubled.
const DOUBLING: f64 = 3.0;
/// Lowest rate, in requests per second.
const MIN_RATE: f64 = 0.1;
/// Seconds after which throttling ends when no request had to wait for it.
const UNUSED: f64 = 30.0;

/// Number of refusals in a row after which all calls pause.
const OUTAGE: u32 = 4;
/// Seconds of the first pause, which doubles, and of the longest.
const PAUSE: f64 = 0.1;
const LONGEST_PAUSE: f64 = 10.0;
/// Seconds of `Retry-After` above which one refusal pauses all calls, and the longest pause.
const LONG_RETRY_AFTER: f64 = 5.0;
const LONGEST_RETRY_AFTER: f64 = 300.0;
/// Seconds until the end of a window beyond which its headers are ignored.
const LONGEST_WINDOW: f64 = 60.0;
/// Seconds by which a request may be late without delaying the ones after it: timers are coarse.
const LATE: f64 = 0.02;

/// The rate between two times that it is lowered.
#[derive(Debug)]
struct Cycle {
    /// The rate that the server accepted.
    accepted: f64,
    seconds: f64,
    /// Seconds for which requests waited for this rate and were accepted, until the last one.
    tested: f64,
    last: f64,
}

impl Cycle {
    fn new(accepted: f64, now: f64) -> Self {
        let accepted = accepted.max(MIN_RATE);
        Self {
            accepted,
            seconds: (CYCLE_REQUESTS / accepted)
                .max(CYCLE)
                .min(LONGEST_CYCLE.max(LONGEST_CYCLE / accepted)),
            tested: 0.0,
            last: now,
        }
    }

    fn rate(&self) -> f64 {
        let beyond = self.tested - self.seconds;
        if beyond > 0.0 {
            self.accepted * (beyond / DOUBLING).powi(2).exp2()
        } else {
            self.accepted * (1.0 + (1.0 - START) * beyond / self.seconds)
        }
    }

    /// Returns whether the rate is higher than the accepted one.
    fn probes(&self) -> bool {
        self.tested >= self.seconds
    }
}

/// Responses since a time.
#[derive(Debug, Default)]
struct Count {
    from: f64,
    accepted: f64,
    refused: f64,
}

#[derive(Debug, Default)]
pub(super) struct Throttle {
    /// Seconds between two requests by the caller's own rate.
    min_interval: f64,
    /// `None` at full speed.
    cycle: Option<Cycle>,
    /// Refusals beyond the tolerated share: a leaky bucket.
    excess: f64,
    /// Since the cycle began.
    all: Count,
    /// Since the first of the refusals in `excess`.
    recent: Count,
    /// The share of refusals below the accepted rate in the last cycle, and the smaller of the last two if it is random.
    last_share: f64,
    random: f64,
    in_a_row: u32,
    /// Requests that left before this time say nothing about the present rate.
    since: f64,
    /// Number of requests that left.
    pub(super) sent: u64,
    last_sent: f64,
    last_delayed: f64,
    pub(super) paused_until: f64,
    /// Seconds of the last pause of all calls, until a request is accepted.
    pause: Option<f64>,
    /// Number of requests that the server's headers allow until the end of a window.
    allowed: Option<(u64, f64)>,
    headers_are_wrong: bool,
}

impl Throttle {
    pub(super) fn new(max_per_second: Option<f64>) -> Self {
        Self {
            min_interval: max_per_second.map_or(0.0, |rate| 1.0 / rate),
            last_sent: f64::MIN,
            since: f64::MIN,
            ..Self::default()
        }
    }

    /// Requests per second, if the server limits the client to fewer than the caller does.
    pub(super) fn rate(&self) -> Option<f64> {
        let rate = self.cycle.as_ref()?.rate();
        (1.0 / rate > self.min_interval).then_some(rate)
    }

    /// When the next request may leave. One that cannot wait for the end of a window leaves before it: headers may be wrong.
    pub(super) fn ready(&self, deadline: f64) -> f64 {
        let window = match self.allowed {
            Some((0, end)) if end < deadline => end,
            _ => 0.0,
        };
        (self.last_sent + self.interval())
            .max(self.paused_until)
            .max(window)
    }

    /// A request leaves. Returns whether it had to wait for the adaptive rate.
    pub(super) fn sent(&mut self, waited: bool, now: f64) -> bool {
        let delayed = waited && self.rate().is_some();
        if delayed {
            self.last_delayed = now;
        }
        self.sent += 1;
        let due = self.last_sent + self.interval();
        self.last_sent = if now - due < LATE { due } else { now };
        if let Some((left, _)) = &mut self.allowed {
            *left = left.saturating_sub(1);
        }
        if self.cycle.is_none() && self.pause.is_none() && now - self.all.from > 2.0 {
            // Old requests count less.
            (self.all.accepted, self.all.from) = (self.all.accepted / 2.0, now - 1.0);
        }
        delayed
    }

    /// The headers of a response allow a number of requests in the next seconds. Its request, the one with this number, left
    /// at `sent`.
    pub(super) fn allowed(&mut self, left: u64, seconds: f64, number: u64, sent: f64, now: f64) {
        let end = now + seconds;
        // The server has not counted the requests that left after this one.
        let rest = left.saturating_sub(self.sent - number);
        self.allowed = match self.allowed {
            _ if self.headers_are_wrong || seconds > LONGEST_WINDOW => None,
            // The window has ended, and the next one also has no room, although this request was accepted.
            Some((0, before)) if before <= sent && left == 0 => {
                self.headers_are_wrong = true;
                None
            }
            Some((known, before)) if now < before => Some((rest.min(known), end)),
            _ => Some((rest, end)),
        };
    }

    /// The server accepted a request that left at `sent`, after a wait for the adaptive rate if `delayed`.
    pub(super) fn accepted(&mut self, sent: f64, delayed: bool, now: f64) {
        if sent <= self.since {
            return;
        }
        if self.cycle.is_none() && self.pause.is_some() && self.all.accepted == 0.0 {
            // An outage from the beginning says nothing about the rate.
            (self.excess, self.all) = (0.0, since(now));
        }
        (self.in_a_row, self.pause) = (0, None);
        self.all.accepted += 1.0;
        self.recent.accepted += 1.0;
        if let Some(cycle) = &mut self.cycle {
            let probed = cycle.probes();
            let seconds = now - std::mem::replace(&mut cycle.last, now);
            if delayed {
                cycle.tested += seconds.clamp(0.0, (2.0 / cycle.rate()).max(0.1));
            }
            if !probed && cycle.probes() {
                self.measure();
            }
            if sent - self.last_delayed.max(self.paused_until) > UNUSED {
                (self.cycle, self.all) = (None, since(now));
            }
        }
        self.lower_if_needed(now);
        let tolerated = self.tolerated();
        self.excess = (self.excess - tolerated / (1.0 - tolerated)).max(0.0);
    }

    /// The server refused a request that left at `sent`, and asked for a wait of some seconds. Returns the seconds of a pause
    /// if this throttles the client.
    pub(super) fn refused(&mut self, sent: f64, asked: f64, now: f64) -> Option<f64> {
        let long = (asked > LONG_RETRY_AFTER).then(|| asked.min(LONGEST_RETRY_AFTER));
        if sent <= self.since {
            let until = now + long.unwrap_or_default();
            self.paused_until = self.paused_until.max(until);
            return None;
        }
        self.in_a_row += 1;
        if long.is_none() {
            if self.excess == 0.0 {
                self.recent = since(now);
            }
            self.excess += 1.0;
            self.all.refused += 1.0;
        }
        if long.is_none() && self.in_a_row < OUTAGE && self.pause.is_none() {
            return self.lower_if_needed(now).then_some(0.0);
        }
        let next = self
            .pause
            .map_or(PAUSE, |pause| pause * 2.0)
            .min(LONGEST_PAUSE);
        (self.pause, self.since) = (Some(next), now);
        self.all.from += long.unwrap_or_default();
        // Keeps clients apart that were refused together.
        let pause = next.max(long.unwrap_or_default()) + PAUSE * fastrand::f64();
        self.paused_until = self.paused_until.max(now + pause);
        Some(pause)
    }

    fn probes(&self) -> bool {
        self.cycle.as_ref().is_some_and(Cycle::probes)
    }

    fn tolerated(&self) -> f64 {
        let least = if self.probes() { NEAR_LIMIT } else { TOLERATED };
        (NEAR_LIMIT + RANDOM_SPREAD * self.random).clamp(least, MOST_TOLERATED)
    }

    /// Measures the refusals that a low rate did not avoid.
    fn measure(&mut self) {
        let all = self.all.accepted + self.all.refused;
        if all >= SAMPLE {
            let share = self.all.refused / all;
            let both = share.min(std::mem::replace(&mut self.last_share, share));
            self.random = if both > RANDOM { both } else { 0.0 };
        }
    }

    /// Begins a cycle below the accepted rate after too many refusals. Returns whether it did.
    fn lower_if_needed(&mut self, now: f64) -> bool {
        let near_limit = self.probes() && self.random == 0.0;
        if self.excess
            <= if near_limit {
                TOO_MANY_NEAR_LIMIT
            } else {
                TOO_MANY
            }
        {
            return false;
        }
        if self.cycle.is_some() && !self.probes() {
            self.measure();
        }
        // Between refusals, a token bucket accepts requests at exactly its limit.
        let accepted = if self.recent.accepted >= FEW {
            self.recent.accepted / (now - self.recent.from).max(0.01)
        } else {
            self.all.accepted.max(1.0) / (now - self.all.from).max(0.1)
        };
        let rate = self.cycle.as_ref().map(Cycle::rate);
        let accepted = rate.map_or(accepted, |rate| accepted.clamp(0.4 * rate, rate));
        self.cycle = Some(Cycle::new(accepted, now));
        (self.excess, self.all, self.since, self.last_delayed) = (0.0, since(now), now, now);
        true
    }

    fn interval(&self) -> f64 {
        let interval = self.cycle.as_ref().map_or(0.0, |cycle| 1.0 / cycle.rate());
        interval
            .max(self.pause.unwrap_or_default())
            .max(self.min_interval)
    }
}

fn since(from: f64) -> Count {
    Count {
        from,
        ..Count::default()
    }
}
