//! Decides the time of the next request, and the rate of the following ones.
//!
//! Responses are counted in rounds. A round with too many refusals lowers the rate, to a fraction of the last one that the
//! server accepted. Each round without them raises it, by steps that double, because the limit may be much higher now.
//! Refusals that continue at lowered rates have another cause than the rate: the least share of them is expected.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock.

/// Share of refusals that is normal unless a higher rate is tried. A larger share that lasts at lowered rates is taken for
/// random.
const RANDOM: f64 = 0.1;
/// Fraction by which the expected share of refusals rises in a low round with more of them.
const RISE: f64 = 0.03;
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

/// Number of refusals, with no request accepted in the round, after which all calls pause.
const OUTAGE: f64 = 4.0;
/// Seconds of the first pause, which doubles, and of the longest.
const PAUSE: f64 = 0.1;
const LONGEST_PAUSE: f64 = 10.0;
/// Seconds of `Retry-After` above which one refusal pauses all calls, and the longest pause.
const LONG_RETRY_AFTER: f64 = 5.0;
const LONGEST_RETRY_AFTER: f64 = 300.0;
/// Seconds until the end of a window beyond which its headers are ignored.
const LONGEST_WINDOW: f64 = 60.0;
/// Rounding error, in seconds, of a time that was converted to an `Instant` and back.
pub(super) const EXACT: f64 = 1e-6;
/// Seconds by which a request may be late without delaying the ones after it: timers are coarse.
const LATE: f64 = 0.02;

#[derive(Debug, Default)]
pub(super) struct Throttle {
    /// Seconds between two requests by the caller's own rate.
    min_interval: f64,
    /// Infinite at full speed.
    rate: f64,
    /// Fraction by which the rate rises after this round: [`STEP`] at full speed, and after the rate was lowered.
    step: f64,
    /// The beginning of the round, and its responses.
    round: f64,
    accepted: f64,
    refused: f64,
    /// The share of refusals that is taken for random if it is larger than [`RANDOM`].
    random: f64,
    /// Time of the last change of the rate, or end of a pause. Requests that left before say nothing about the rate.
    pub(super) since: f64,
    /// Seconds of the last pause of all calls, until a request is accepted.
    pause: f64,
    /// Number of refused requests, whatever they say about the rate.
    pub(super) refusals: u64,
    /// Number of requests that left, and the time of the last one.
    pub(super) number: u64,
    last_sent: f64,
    /// Number of requests that the server's headers allow until the end of a window.
    allowed: Option<(u64, f64)>,
    headers_are_wrong: bool,
}

impl Throttle {
    pub(super) fn new(max_per_second: Option<f64>) -> Self {
        Self {
            min_interval: max_per_second.map_or(0.0, |rate| 1.0 / rate),
            rate: f64::INFINITY,
            step: STEP,
            last_sent: f64::MIN,
            ..Self::default()
        }
    }

    /// Requests per second, if the server limits the client to fewer than the caller does.
    pub(super) fn rate(&self) -> Option<f64> {
        (1.0 / self.rate > self.min_interval).then_some(self.rate)
    }

    /// Earliest time of the next request. One that cannot wait for the end of a window leaves before it: headers may be wrong.
    pub(super) fn ready(&self, deadline: f64) -> f64 {
        let window = match self.allowed {
            Some((0, end)) if end < deadline => end,
            _ => 0.0,
        };
        (self.last_sent + self.interval())
            .max(self.since)
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
        if sent + EXACT < self.since {
            return;
        }
        self.accepted += 1.0;
        if self.pause > 0.0 {
            // The time of an outage, or of a full window, says nothing about the rate.
            self.pause = 0.0;
            self.begin_round(now);
        } else {
            self.review(now);
        }
    }

    /// The server refused a request that left at `sent`, and asked for a wait of some seconds.
    pub(super) fn refused(&mut self, sent: f64, asked: f64, now: f64) {
        if sent + EXACT < self.since {
            return;
        }
        self.refused += 1.0;
        let is_outage = self.accepted == 0.0 && self.refused >= OUTAGE;
        if asked <= LONG_RETRY_AFTER && self.pause == 0.0 && !is_outage {
            return self.review(now);
        }
        self.pause = (self.pause * 2.0).clamp(PAUSE, LONGEST_PAUSE);
        // The random part keeps clients apart that were refused together.
        let pause = self.pause.max(asked.min(LONGEST_RETRY_AFTER));
        self.since = now + pause + PAUSE * fastrand::f64();
    }

    /// Ends the round if it has gone on for long enough, or has too many refusals.
    fn review(&mut self, now: f64) {
        let (all, seconds) = (self.accepted + self.refused, now - self.round);
        let is_low = self.step <= STEP;
        let share = match is_low {
            _ if self.random > RANDOM => self.random,
            true => RANDOM,
            false => 0.0,
        };
        // More than the share explains, by two standard deviations.
        let too_many = |responses: f64| {
            let expected = responses * share;
            self.refused > expected + 2.0 * expected.sqrt() + 1.0
        };
        let is_long = seconds >= LONGEST_ROUND || seconds >= SHORTEST_ROUND && all >= ROUND;
        if !is_long && !too_many(ROUND) {
            return;
        }
        let too_many = too_many(all);
        if is_low {
            self.random = (self.refused / all).min(self.random + RISE);
        }
        if too_many {
            let accepted = match is_low {
                true => self.accepted / seconds,
                false => self.rate / (1.0 + self.step / 2.0),
            };
            self.rate = (START * accepted.min(self.rate)).max(MIN_RATE);
            (self.step, self.since) = (STEP, now);
        } else if all >= self.rate * seconds / 2.0 {
            self.rate *= 1.0 + self.step;
            (self.step, self.since) = (self.step * 2.0, now);
        } else if now - self.since > UNUSED {
            (self.rate, self.step) = (f64::INFINITY, STEP);
        }
        self.begin_round(now);
    }

    fn begin_round(&mut self, now: f64) {
        (self.round, self.accepted, self.refused) = (now, 0.0, 0.0);
    }

    fn interval(&self) -> f64 {
        (1.0 / self.rate).max(self.pause).max(self.min_interval)
    }
}
