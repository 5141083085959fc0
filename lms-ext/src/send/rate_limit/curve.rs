//! The rate of a throttled client between two refusals, as TCP CUBIC computes its window.

/// Fraction of the ceiling at which the rate starts.
const BETA: f64 = 0.8;
/// Seconds and requests until the rate is back at the ceiling, whichever takes longer.
const CYCLE: f64 = 4.0;
const CYCLE_REQUESTS: f64 = 50.0;
/// The most seconds until then, or the most requests if there are fewer than one per second.
const LONGEST_CYCLE: f64 = 16.0;
/// Multiple of the seconds in which a ceiling was measured after which a higher rate is tried.
const TRUSTED: f64 = 4.0;
/// Growth beyond the ceiling, in requests per second and cubic second, as a fraction of the ceiling, and the most of it.
const GROWTH: f64 = 0.1;
const MOST_GROWTH: f64 = 0.5;
/// The lowest rate.
const MIN_RATE: f64 = 0.1;

#[derive(Debug)]
pub(super) struct Curve {
    ceiling: f64,
    /// Seconds until the ceiling is reached.
    cycle: f64,
    /// Seconds for which requests have been accepted, until the last one.
    tested: f64,
    last_accepted: f64,
}

impl Curve {
    /// A curve up to a ceiling that was measured for some seconds.
    pub(super) fn new(ceiling: f64, measured: f64, now: f64) -> Self {
        let ceiling = ceiling.max(MIN_RATE);
        let cycle = CYCLE
            .max(CYCLE_REQUESTS / ceiling)
            .min(LONGEST_CYCLE.max(LONGEST_CYCLE / ceiling))
            .min((TRUSTED * measured).max(1.0).max(1.0 / ceiling));
        Self {
            ceiling,
            cycle,
            tested: 0.0,
            last_accepted: now,
        }
    }

    /// Requests per second.
    pub(super) fn rate(&self) -> f64 {
        let beyond = self.tested - self.cycle;
        let mut growth = (1.0 - BETA) * self.ceiling / self.cycle.powi(3);
        if beyond > 0.0 {
            growth = growth.max((GROWTH * self.ceiling).min(MOST_GROWTH));
        }
        self.ceiling + growth * beyond.powi(3)
    }

    /// The ceiling of a curve with this mean rate.
    pub(super) fn ceiling_of_mean(mean: f64) -> f64 {
        mean * 4.0 / (3.0 + BETA)
    }

    /// Returns whether requests are not refused for this rate, unless the limit was lowered.
    pub(super) fn is_low(&self) -> bool {
        self.tested < self.cycle / 2.0
    }

    /// The server accepted a request. Only those that waited for this rate confirm it.
    pub(super) fn accepted(&mut self, delayed: bool, now: f64) {
        let seconds = now - std::mem::replace(&mut self.last_accepted, now);
        if delayed {
            self.tested += seconds.clamp(0.0, (2.0 / self.rate()).max(0.1));
        }
    }
}
