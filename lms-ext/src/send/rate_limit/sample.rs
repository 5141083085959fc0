//! How many requests the server accepted, and for how long.

/// At full speed, the measurement forgets half of what is older than so many seconds.
pub(super) const HORIZON: f64 = 1.0;

#[derive(Debug, Default)]
pub(super) struct Sample {
    began: f64,
    pub(super) accepted: f64,
    /// Seconds of a pause that do not count.
    excluded: f64,
}

impl Sample {
    pub(super) fn new(excluded: f64, now: f64) -> Self {
        Self {
            began: now,
            accepted: 0.0,
            excluded,
        }
    }

    pub(super) fn age(&self, now: f64) -> f64 {
        now - self.began
    }

    /// How long the requests took to send up to the one that left at `sent`.
    pub(super) fn seconds(&self, sent: f64, now: f64) -> f64 {
        (sent - self.began - self.excluded)
            .max(now - sent)
            .max(0.001)
    }

    /// Forgets half, before a pause of which `excluded` seconds do not count.
    pub(super) fn halve(&mut self, excluded: f64, now: f64) {
        self.accepted /= 2.0;
        self.began = now - (self.age(now) - self.excluded) / 2.0;
        self.excluded = excluded;
    }

    pub(super) fn forget_old(&mut self, now: f64) {
        if self.age(now) > HORIZON {
            self.halve(0.0, now);
        }
    }
}
