//! A token bucket, for rate limits.
//!
//! Its state is the time at which it will be full again, so no task has to refill it, and it works with any clock.

use std::time::Duration;

/// A bucket that is full at first.
#[derive(Debug, Default)]
pub(super) struct TokenBucket {
    full_at: Duration,
}

impl TokenBucket {
    /// Takes a token at `now`. If there is none, the result is the time until there is one.
    pub(super) fn take(&mut self, now: Duration, per_second: u32, burst: u32) -> Option<Duration> {
        let interval = Duration::from_secs(1) / per_second.max(1);
        let full_at = self.full_at.max(now) + interval;
        let capacity = interval * burst.max(1);
        match full_at.checked_sub(now + capacity) {
            Some(wait) if !wait.is_zero() => Some(wait),
            _ => {
                self.full_at = full_at;
                None
            }
        }
    }
}
