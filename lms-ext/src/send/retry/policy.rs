use std::time::Duration;

/// How often a request is repeated and after what wait.
///
/// Set for a client with [`LmsBuilder::retry`](crate::LmsBuilder::retry), and for one call with
/// [`CallOptions::retry`](crate::CallOptions::retry).
///
/// ```
/// use std::time::Duration;
/// use lms_ext::RetryPolicy;
///
/// let patient = RetryPolicy::default()
///     .max_attempts(6)
///     .backoff(Duration::from_millis(500), Duration::from_secs(20));
/// let never = RetryPolicy::disabled();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    pub(crate) max_attempts: u32,
    first_wait: Duration,
    longest_wait: Duration,
    pub(crate) max_retry_after: Duration,
}

impl Default for RetryPolicy {
    /// Three attempts, waits of up to 200 ms, then 400 ms, and so on up to 10 s; a `Retry-After` of up to
    /// 60 s is waited for.
    fn default() -> Self {
        Self {
            max_attempts: 3,
            first_wait: Duration::from_millis(200),
            longest_wait: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Every request is sent once.
    ///
    /// A request whose token the tenant refuses is still sent again with a fresh one: that is not a
    /// repeat, since the tenant did nothing.
    #[must_use]
    pub fn disabled() -> Self {
        Self::default().max_attempts(1)
    }

    /// How often a request is sent at most, the first time included; 0 counts as 1.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts.max(1);
        self
    }

    /// The longest wait before the second attempt, and the longest wait before any.
    ///
    /// Each wait is drawn at random between nothing and a limit that starts at `first` and doubles up to
    /// `longest`.
    #[must_use]
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_wait = first;
        self.longest_wait = longest.max(first);
        self
    }

    /// The longest `Retry-After` that is waited for. When the tenant asks for more, the call fails at
    /// once and says for how long.
    #[must_use]
    pub fn max_retry_after(mut self, longest: Duration) -> Self {
        self.max_retry_after = longest;
        self
    }

    /// How long to wait before attempt `next` (2 or more): at random, up to a limit that doubles.
    ///
    /// What the tenant asked for is waited for in full, and the random part comes on top: otherwise all
    /// that were told the same second would come back in it. Asked for no wait at all, the first repeat is
    /// sent at once; a tenant that then refuses again did not mean it.
    pub(crate) fn wait_before(&self, next: u32, asked: Option<Duration>) -> Duration {
        if asked == Some(Duration::ZERO) && next == 2 {
            return Duration::ZERO;
        }
        let jitter = self.longest_backoff(next).mul_f64(fastrand::f64());
        asked.unwrap_or_default().saturating_add(jitter)
    }

    fn longest_backoff(&self, next: u32) -> Duration {
        let doublings = next.saturating_sub(2).min(31);
        self.first_wait
            .saturating_mul(1 << doublings)
            .min(self.longest_wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let policy =
            RetryPolicy::default().backoff(Duration::from_secs(1), Duration::from_secs(10));
        for (next, longest) in [(2, 1), (3, 2), (4, 4), (5, 8), (6, 10), (u32::MAX, 10)] {
            assert_eq!(
                policy.longest_backoff(next),
                Duration::from_secs(longest),
                "{next}"
            );
        }
    }

    #[test]
    fn a_wait_is_drawn_from_the_whole_range() {
        let policy =
            RetryPolicy::default().backoff(Duration::from_secs(1), Duration::from_secs(10));
        let waits: Vec<_> = (0..1000).map(|_| policy.wait_before(3, None)).collect();
        assert!(waits.iter().all(|wait| *wait < Duration::from_secs(2)));
        assert!(waits.iter().any(|wait| *wait < Duration::from_millis(500)));
        assert!(waits.iter().any(|wait| *wait > Duration::from_millis(1500)));
    }

    #[test]
    fn what_the_tenant_asked_for_is_waited_for_in_full() {
        let asked = Duration::from_secs(7);
        for _ in 0..100 {
            let wait = RetryPolicy::default().wait_before(2, Some(asked));
            assert!(
                wait >= asked && wait < asked + Duration::from_millis(200),
                "{wait:?}"
            );
        }
    }

    #[test]
    fn a_tenant_that_asks_for_no_wait_is_taken_at_its_word_once() {
        let policy = RetryPolicy::default();
        assert_eq!(policy.wait_before(2, Some(Duration::ZERO)), Duration::ZERO);
        let again = (0..100).map(|_| policy.wait_before(3, Some(Duration::ZERO)));
        assert!(again.max() > Some(Duration::ZERO));
    }

    #[test]
    fn no_setting_overflows() {
        let policy = RetryPolicy::default().backoff(Duration::MAX, Duration::ZERO);
        assert!(policy.wait_before(9, Some(Duration::MAX)) >= Duration::from_secs(1));
    }
}
