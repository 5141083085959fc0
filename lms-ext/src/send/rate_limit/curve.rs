//! The rate of a throttled client over time: the curve of CUBIC.

/// The fraction of the ceiling at which the curve starts.
const BETA: f64 = 0.9;
/// The ceiling as a multiple of the mean of the curve up to it.
pub(super) const CEILING_PER_MEAN: f64 = 4.0 / (3.0 + BETA);
/// Seconds and requests until the curve reaches the ceiling, whichever takes longer: one refusal in so many requests is
/// few, and so many seconds find a raised limit soon.
pub(super) const PLATEAU: f64 = 4.0;
const PLATEAU_REQUESTS: f64 = 100.0;
const LONGEST_PLATEAU: f64 = 60.0;
/// A pause takes at most one part in so many of the time.
const PLATEAU_PER_PAUSE: f64 = 10.0;
/// For how much longer than it was measured a ceiling is held.
const HELD: f64 = 2.0;
/// The lowest rate. A slower limit is left to the pauses.
const MIN_RATE: f64 = 0.05;

#[derive(Debug)]
pub(super) struct Curve {
    pub(super) ceiling: f64,
    /// Seconds until the ceiling is reached, and from there to the rate that is as far above it as the start was below.
    pub(super) plateau: f64,
    probing: f64,
    /// For how long requests have been accepted at this limit.
    pub(super) tested: f64,
    last_response: f64,
}

impl Curve {
    /// A curve up to a ceiling that was measured for some seconds, after a pause, of which the server asked for
    /// `retry_after`.
    pub(super) fn new(ceiling: f64, measured: f64, pause: f64, retry_after: f64, now: f64) -> Self {
        let usual = PLATEAU.max(PLATEAU_REQUESTS / ceiling);
        let plateau = usual
            .max(PLATEAU_PER_PAUSE * pause)
            .min(LONGEST_PLATEAU)
            .min(
                (HELD * measured)
                    .max(1.0 / ceiling)
                    .max(retry_after.min(1.0)),
            );
        Self {
            ceiling,
            plateau,
            probing: plateau.min(usual) / 2.0,
            tested: 0.0,
            last_response: now + pause,
        }
    }

    pub(super) fn rate(&self) -> f64 {
        let beyond = self.tested - self.plateau;
        let scale = if beyond < 0.0 {
            self.plateau
        } else {
            self.probing
        };
        let rate = self.ceiling * (1.0 + (1.0 - BETA) * (beyond / scale).powi(3));
        rate.max(MIN_RATE)
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
