//! How long all calls pause while the server accepts nothing.
//!
//! As long as `Retry-After` says. Without it pauses grow. Windows of a minute are used up again and again, so an outage is
//! expected to end a period after the one before ended, or when it has lasted as long as that one, whichever is sooner. One
//! long pause leads up to there. No pause that the server does not ask for takes longer than a minute.

use super::{
    curve::{CYCLE, LONGEST},
    sample::HORIZON,
};

/// The first pause, and the factor from one to the next.
pub(super) const PAUSE: f64 = 0.1;
const PAUSE_GROWTH: f64 = 1.2;
/// By which part of its period the end of an outage is expected too early, and the first pause after that.
const EARLY: f64 = 0.05;

#[derive(Debug, Default)]
pub(super) struct Outage {
    began: f64,
    /// The current pause, and how many there were since a request was accepted.
    pause: f64,
    pauses: u32,
    /// Of the last one that took longer than a moment: how long it took, when it ended, and how long that was after the end
    /// of the one before.
    duration: f64,
    ended: f64,
    period: f64,
    /// Requests that were accepted since it ended.
    accepted: f64,
}

impl Outage {
    pub(super) fn pause(&self) -> f64 {
        self.pause
    }

    /// Returns whether the client waits for windows to begin. In a window, requests may be sent at any rate.
    pub(super) fn is_of_window(&self) -> bool {
        self.duration > CYCLE
    }

    /// Returns whether one request at a time finds out if the server accepts requests again.
    pub(super) fn is_probed(&self) -> bool {
        self.pauses > 0
    }

    /// The server refused a request, and asked for a wait of `retry_after`.
    pub(super) fn begin(&mut self, retry_after: f64, jitter: f64, now: f64) {
        let asked = retry_after > 0.0;
        self.began = now;
        self.pause = if asked { retry_after } else { PAUSE * jitter };
        self.pauses = u32::from(asked || self.duration > HORIZON);
    }

    /// The server refused another request. Returns for how long to pause.
    pub(super) fn prolong(&mut self, jitter: f64, now: f64) -> f64 {
        self.pauses += 1;
        self.pause = (self.pause * PAUSE_GROWTH).clamp(PAUSE, LONGEST);
        let again = self.ended + self.period * (1.0 - EARLY);
        let rest = again.min(self.began + self.duration) - now;
        if rest > self.pause {
            self.pause = EARLY * self.period / PAUSE_GROWTH;
            rest.min(LONGEST)
        } else {
            self.pause * jitter
        }
    }

    /// The server accepted a request that left at `sent`. If that ends an outage, returns the mean rate since the end of the
    /// one before, which is infinite if it only took a moment.
    pub(super) fn accepted(&mut self, sent: f64) -> Option<f64> {
        self.accepted += 1.0;
        if std::mem::take(&mut self.pauses) == 0 {
            return None;
        }
        let duration = sent - self.began;
        if duration <= HORIZON {
            self.duration /= 2.0;
            return Some(f64::INFINITY);
        }
        self.duration = duration;
        self.period = sent - self.ended;
        self.ended = sent;
        Some(std::mem::take(&mut self.accepted) / self.period)
    }

    /// The server does not limit the rate.
    pub(super) fn end(&mut self) {
        self.pauses = 0;
    }
}
