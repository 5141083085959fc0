//! How many requests the server accepted, and for how long.

/// At full speed, the measurement forgets half of what is older than so many seconds, once it has so many requests.
pub(super) const HORIZON: f64 = 1.0;
const HORIZON_REQUESTS: f64 = 5.0;

#[derive(Debug, Default)]
pub(super) struct Sample {
    began: f64,
    pub(super) accepted: f64,
    /// Seconds of a pause that do not count.
    excluded: f64,
    /// The rate of a throttled client at first.
    pub(super) rate: f64,
}

impl Sample {
    pub(super) fn new(rate: f64, excluded: f64, now: f64) -> Self {
        Self {
            began: now,
            accepted: 0.0,
            excluded,
            rate,
        }
    }

    /// How long the requests took to send up to the one that left at `sent`.
    pub(super) fn seconds(&self, sent: f64, now: f64) -> f64 {
        (sent - self.began - self.excluded)
            .max(now - sent)
            .max(0.001)
    }

    pub(super) fn age(&mut self, now: f64) {
        if now - self.began > HORIZON && self.accepted > HORIZON_REQUESTS {
            self.accepted /= 2.0;
            self.began = f64::midpoint(self.began, now);
        }
    }
}
