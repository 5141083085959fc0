//! Does a request come too fast?
//!
//! A token bucket, kept as the one moment at which it would be full again: no task fills it, and it goes by whatever
//! clock it is asked with.

use std::time::Duration;

/// One bucket, full at first.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    full_at: Duration,
}

impl Bucket {
    /// Takes a token at `now`; when there is none, how long it takes until there is.
    pub(super) fn take(&mut self, now: Duration, per_second: u32, burst: u32) -> Option<Duration> {
        let interval = Duration::from_secs(1) / per_second.max(1);
        let full_at = self.full_at.max(now) + interval;
        let room = interval * burst.max(1);
        match full_at.checked_sub(now + room) {
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

    use super::Bucket;

    #[test]
    fn a_burst_is_served_and_then_the_rate() {
        let mut bucket = Bucket::default();
        let at = |millis: u64| Duration::from_millis(1_000_000 + millis);
        for _ in 0..3 {
            assert_eq!(bucket.take(at(0), 4, 3), None);
        }
        assert_eq!(bucket.take(at(0), 4, 3), Some(Duration::from_millis(250)));
        // What is refused takes nothing.
        assert_eq!(bucket.take(at(100), 4, 3), Some(Duration::from_millis(150)));
        assert_eq!(bucket.take(at(250), 4, 3), None);
        assert!(bucket.take(at(250), 4, 3).is_some());
        // After a quiet time the burst is there again, and no more than that.
        let served = (0..9).filter(|_| bucket.take(at(60_000), 4, 3).is_none());
        assert_eq!(served.count(), 3);
    }
}
