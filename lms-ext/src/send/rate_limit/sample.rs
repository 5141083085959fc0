//! How many requests the server accepted, and for how long.

/// At full speed, the measurement forgets half of what is older than so many seconds.
pub(super) const HORIZON: f64 = 1.0;

#[derive(Debug, Default)]
pub(super) struct Sample {
    began: f64,
    pub(super) accepted: f64,
    /// Seconds of a pause that may or may not count.
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

    /// The mean rate up to the request that left at `sent`: between the rates with and without the excluded seconds, because
    /// a pause that the server asks for is rounded up.
    pub(super) fn rate(&self, sent: f64, now: f64) -> f64 {
        let active = self.seconds(sent, now);
        self.accepted / (active * (active + self.excluded)).sqrt()
    }

    /// Forgets half, before a pause of which `excluded` seconds may not count.
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
