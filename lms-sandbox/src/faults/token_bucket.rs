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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::TokenBucket;

    #[test]
    fn a_full_bucket_allows_a_burst_and_then_the_sustained_rate() {
        let mut bucket = TokenBucket::default();
        let at = |millis: u64| Duration::from_millis(1_000_000 + millis);
        for _ in 0..3 {
            assert_eq!(bucket.take(at(0), 4, 3), None);
        }
        assert_eq!(bucket.take(at(0), 4, 3), Some(Duration::from_millis(250)));
        // A rejected request takes no token.
        assert_eq!(bucket.take(at(100), 4, 3), Some(Duration::from_millis(150)));
        assert_eq!(bucket.take(at(250), 4, 3), None);
        assert!(bucket.take(at(250), 4, 3).is_some());
        // After an idle time the bucket is full again, and no fuller than that.
        let served = (0..9).filter(|_| bucket.take(at(60_000), 4, 3).is_none());
        assert_eq!(served.count(), 3);
    }
}
