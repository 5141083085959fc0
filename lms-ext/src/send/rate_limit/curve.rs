//! The rate of a throttled client between two refusals.
//!
//! After a refusal the rate starts at [`BETA`] times the ceiling. It grows by two terms. The cube of the time, as in CUBIC
//! ([RFC 9438](https://www.rfc-editor.org/rfc/rfc9438)), is relative to the ceiling, so that any raised limit is found in the
//! same time. The other term is an absolute [`GROWTH`], by which clients that share a limit converge to equal rates (Chiu
//! and Jain, "Analysis of the increase and decrease algorithms for congestion avoidance in computer networks", 1989): for
//! the slower ones it is relatively more.

/// The fraction of the ceiling at which the rate starts.
const BETA: f64 = 0.9;
/// Seconds and requests until the ceiling is reached, whichever takes longer: one refusal in so many requests is few, and so
/// many seconds find a raised limit soon.
pub(super) const CYCLE: f64 = 4.0;
const CYCLE_REQUESTS: f64 = 100.0;
/// The longest cycle, and the longest pause that the server does not ask for, in seconds.
pub(super) const LONGEST: f64 = 60.0;
/// A pause takes at most one part in so many of the time.
pub(super) const CYCLE_PER_PAUSE: f64 = 10.0;
/// For how much longer than it was measured a ceiling is held.
const HELD: f64 = 2.0;
/// By how much the rate of a fast client grows each second, in requests per second.
const GROWTH: f64 = 0.7;
/// How much shorter than the usual time to the ceiling the same step beyond it takes.
const PROBE: f64 = 0.6;
/// A limit was raised if it is so many times the ceiling.
const RAISED: f64 = 2.0;
/// The lowest rate. A slower limit is left to the pauses.
const MIN_RATE: f64 = 0.05;

#[derive(Debug)]
pub(super) struct Curve {
    pub(super) ceiling: f64,
    /// Seconds until the ceiling is reached, and the same step beyond it.
    cycle: f64,
    probe: f64,
    growth: f64,
    /// For how long requests have been accepted at this limit.
    tested: f64,
    last_response: f64,
}

impl Curve {
    /// A curve up to a ceiling that was measured for some seconds, after a pause, of which the server asked for
    /// `retry_after`. `early` is how many ceilings in a row were refused before they were reached: others share the limit,
    /// so a slow client must not wait for its requests alone.
    pub(super) fn new(
        ceiling: f64,
        measured: f64,
        (pause, retry_after): (f64, f64),
        early: i32,
        now: f64,
    ) -> Self {
        let alone = CYCLE.max(CYCLE_REQUESTS / ceiling);
        let usual = CYCLE.max(alone * 0.5_f64.powi((early - 1).max(0)));
        let least = (1.0 / ceiling).max(retry_after.min(1.0));
        let cycle = usual
            .max(CYCLE_PER_PAUSE * pause)
            .min(LONGEST)
            .min((HELD * measured).max(least));
        Self {
            ceiling,
            cycle,
            probe: PROBE * usual.min(cycle),
            growth: GROWTH * (CYCLE / alone).powi(3) * (usual / cycle).min(1.0),
            tested: 0.0,
            last_response: now + pause,
        }
    }

    /// Sets a ceiling that was measured while the server refused other requests. If every try beyond it costs a pause that
    /// the server asks for, it is held for a whole cycle.
    pub(super) fn set_measured(&mut self, ceiling: f64, asked: bool) {
        self.ceiling = ceiling;
        if asked && self.cycle < CYCLE {
            self.cycle = CYCLE;
            self.probe = PROBE * CYCLE;
        }
    }

    /// The ceiling for a mean rate of requests that were accepted up to it.
    pub(super) fn ceiling_of_mean(mean: f64) -> f64 {
        mean * 4.0 / (1.0 + 3.0 * BETA)
    }

    pub(super) fn rate(&self) -> f64 {
        let beyond = (self.tested - self.cycle).max(0.0);
        let steps = (self.tested - beyond) / self.cycle + beyond / self.probe;
        let relative = BETA + (1.0 - BETA) * steps.powi(3);
        (self.ceiling * relative + self.growth * self.tested).max(MIN_RATE)
    }

    pub(super) fn is_ceiling_reached(&self) -> bool {
        self.rate() >= self.ceiling
    }

    pub(super) fn is_limit_raised(&self) -> bool {
        self.cycle >= CYCLE && self.rate() >= RAISED * self.ceiling
    }

    /// The server accepted a request. Only those that waited for this limit raise it.
    pub(super) fn accepted(&mut self, delayed: bool, now: f64) {
        if delayed {
            let gap = now - self.last_response;
            self.tested += gap.clamp(0.0, (2.0 / self.rate()).max(0.1));
        }
        self.last_response = now;
    }
}
