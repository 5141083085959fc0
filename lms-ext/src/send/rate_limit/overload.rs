//! What the server accepts while it refuses other requests.
//!
//! A client at full speed is refused once the burst of a token bucket is used up. From then on, the server accepts as many
//! requests as its limit says (Flach and others, "An internet-wide analysis of traffic policing", SIGCOMM 2016). Those that
//! leave until the first refusal arrives are enough to tell the limit; their responses arrive during the pause. A window
//! accepts none of them.

#[derive(Debug, Default)]
pub(super) struct Overload {
    /// When the first refused request left.
    since: Option<f64>,
    accepted: f64,
}

impl Overload {
    pub(super) fn refused(&mut self, sent: f64) {
        self.since.get_or_insert(sent);
    }

    pub(super) fn accepted(&mut self, sent: f64) {
        if self.since.is_some_and(|since| sent >= since) {
            self.accepted += 1.0;
        }
    }

    /// Requests per second up to the last one, which left at `last_sent`, or `None` if none was accepted.
    pub(super) fn limit(&self, last_sent: f64) -> Option<f64> {
        let seconds = last_sent - self.since?;
        (self.accepted > 0.0 && seconds > 0.0).then_some(self.accepted / seconds)
    }

    /// The server refuses requests no longer, or the client has slowed down.
    pub(super) fn end(&mut self) {
        *self = Self::default();
    }
}
