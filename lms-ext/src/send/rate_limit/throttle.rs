//! Decides the time of the next request, and the rate of the following ones.
//!
//! Responses are counted in rounds. A round with too many refusals lowers the rate below the accepted one. Each round without
//! them raises it, by steps that double, because the limit may be much higher now. Refusals in two rounds at lowered rates
//! have another cause than the rate: the smaller of the two shares is expected from then on.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock.

/// Share of refusals that is expected unless a higher rate is tried, and that two low rounds must exceed to be random.
const RANDOM: f64 = 0.1;
const MOST_RANDOM: f64 = 0.3;
/// Number of responses in a round, and its shortest and longest time in seconds.
const ROUND: f64 = 50.0;
const SHORTEST_ROUND: f64 = 1.0;
const LONGEST_ROUND: f64 = 4.0;
/// Fraction of the accepted rate to which the rate is lowered, and the first step up.
const START: f64 = 0.85;
const STEP: f64 = 0.1;
/// Lowest rate, in requests per second.
const MIN_RATE: f64 = 0.1;
/// Seconds without a round that used half of the rate, after which throttling ends.
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

/// Responses since a time.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    from: f64,
    accepted: f64,
    refused: f64,
}

impl Count {
    fn since(from: f64) -> Self {
        Self {
            from,
            ..Self::default()
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Throttle {
    /// Seconds between two requests by the caller's own rate.
    min_interval: f64,
    /// `None` at full speed.
    rate: Option<f64>,
    /// Fraction by which the rate rises after this round.
    step: f64,
    /// The rate of the last round that raised it.
    passed: f64,
    round: Count,
    /// Since the rate was lowered; at full speed, since the last round began.
    cycle: Count,
    /// The share of refusals in the last low round, and the share that is taken for random.
    last_share: f64,
    random: f64,
    refused_in_a_row: u32,
    /// Requests that left before this time say nothing about the present rate.
    since: f64,
    /// Number of requests that left.
    pub(super) number: u64,
    last_sent: f64,
    last_used: f64,
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
        self.rate.filter(|rate| 1.0 / rate > self.min_interval)
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

    /// A request leaves.
    pub(super) fn sent(&mut self, now: f64) {
        self.number += 1;
        let due = self.last_sent + self.interval();
        self.last_sent = if now - due < LATE { due } else { now };
        if let Some((left, _)) = &mut self.allowed {
            *left = left.saturating_sub(1);
        }
    }

    /// The headers of a response allow a number of requests in the next seconds. Its request, the one with this number, left
    /// at `sent`.
    pub(super) fn allowed(&mut self, left: u64, seconds: f64, number: u64, sent: f64, now: f64) {
        let end = now + seconds;
        // The server has not counted the requests that left after this one.
        let rest = left.saturating_sub(self.number - number);
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

    /// The server accepted a request that left at `sent`.
    pub(super) fn accepted(&mut self, sent: f64, now: f64) {
        if sent <= self.since {
            return;
        }
        self.refused_in_a_row = 0;
        self.round.accepted += 1.0;
        self.cycle.accepted += 1.0;
        let ends_outage = self.pause.take().is_some();
        if ends_outage && self.cycle.accepted == 1.0 {
            // An outage from the beginning says nothing about the rate.
            self.begin_cycle(self.rate, now);
        } else {
            self.review(ends_outage, now);
        }
    }

    /// The server refused a request that left at `sent`, and asked for a wait of some seconds.
    pub(super) fn refused(&mut self, sent: f64, asked: f64, now: f64) {
        let asked = asked.min(LONGEST_RETRY_AFTER);
        let is_long = asked > LONG_RETRY_AFTER;
        let mut pause = if is_long { asked } else { 0.0 };
        if sent > self.since {
            self.refused_in_a_row += 1;
            if !is_long {
                self.round.refused += 1.0;
            }
            if is_long || self.refused_in_a_row >= OUTAGE || self.pause.is_some() {
                let next = self.pause.map_or(PAUSE, |pause| pause * 2.0);
                let next = next.min(LONGEST_PAUSE);
                (self.pause, self.since) = (Some(next), now);
                // Keeps clients apart that were refused together.
                pause = pause.max(next) + PAUSE * fastrand::f64();
            } else {
                self.review(false, now);
            }
        }
        if pause > 0.0 {
            self.paused_until = self.paused_until.max(now + pause);
        }
    }

    /// Ends the round if it has gone on for long enough, or has too many refusals.
    fn review(&mut self, ends_outage: bool, now: f64) {
        let Count {
            from,
            accepted,
            refused,
        } = self.round;
        let (all, seconds) = (accepted + refused, now - from);
        let is_over =
            ends_outage || all >= ROUND && seconds >= SHORTEST_ROUND || seconds >= LONGEST_ROUND;
        if !is_over && !self.too_many(all.max(ROUND))
            || self.rate.is_none() && seconds < SHORTEST_ROUND
        {
            return;
        }
        let too_many = self.too_many(all);
        if self.rate.is_some() && self.is_low() {
            let share = refused / all;
            let both = share.min(std::mem::replace(&mut self.last_share, share));
            self.random = if both > RANDOM {
                both.min(MOST_RANDOM)
            } else {
                0.0
            };
        }
        if too_many {
            let count = if ends_outage { self.cycle } else { self.round };
            let mut accepted = count.accepted / (now - count.from).max(0.1);
            if !ends_outage {
                accepted = accepted.max(self.passed);
            }
            let rate = START * accepted.min(self.rate.unwrap_or(f64::MAX));
            self.begin_cycle(Some(rate.max(MIN_RATE)), now);
            return;
        }
        match self.rate {
            None => self.cycle = self.round,
            Some(rate) if all >= rate * seconds / 2.0 => {
                self.passed = rate;
                self.rate = Some(rate * (1.0 + self.step));
                self.step = (self.step * 2.0).min(1.0);
                (self.since, self.last_used) = (now, now);
            }
            Some(_) if now - self.last_used.max(self.paused_until) > UNUSED => {
                self.begin_cycle(None, now);
            }
            Some(_) => {}
        }
        self.round = Count::since(now);
    }

    /// Returns whether the round has more refusals than a share of some responses explains, by two standard deviations.
    fn too_many(&self, responses: f64) -> bool {
        let least = if self.is_low() { RANDOM } else { 0.0 };
        let expected = responses * self.random.max(least);
        self.round.refused > expected + 2.0 * expected.sqrt() + 1.0
    }

    /// Returns whether the rate is not higher than an accepted one.
    fn is_low(&self) -> bool {
        self.step <= STEP
    }

    fn begin_cycle(&mut self, rate: Option<f64>, now: f64) {
        (self.rate, self.step, self.passed) = (rate, STEP, 0.0);
        (self.since, self.last_used) = (now, now);
        (self.round, self.cycle) = (Count::since(now), Count::since(now));
    }

    fn interval(&self) -> f64 {
        let interval = self.rate.map_or(0.0, |rate| 1.0 / rate);
        interval
            .max(self.pause.unwrap_or_default())
            .max(self.min_interval)
    }
}
