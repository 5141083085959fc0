use std::time::Duration;

/// Wait before the first retry after throttling, at most, unless the policy has a longer one.
const THROTTLED_BACKOFF: Duration = Duration::from_secs(1);

/// Number of attempts of a request, and the waits between them.
///
/// Set for a client with [`LmsBuilder::retry`](crate::LmsBuilder::retry), and for one call with
/// [`CallOptions::retry`](crate::CallOptions::retry). A request that could take effect twice is never retried:
///
/// - Every request is retried if no connection was made, after a 429, and after a 401 with a new token.
/// - `GET`, `PUT` and `DELETE` are also retried after a lost response, 408, 500, 502, 503 and 504. A `POST` then ends as
///   [`Ambiguous`](crate::ErrorKind::Ambiguous).
///
/// ```
/// use std::time::Duration;
/// use lms_ext::RetryPolicy;
///
/// let patient = RetryPolicy::job();
/// let custom = RetryPolicy::default()
///     .max_attempts(6)
///     .backoff(Duration::from_millis(500), Duration::from_secs(20));
/// let never = RetryPolicy::disabled();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    pub(crate) max_attempts: u32,
    initial_backoff: Duration,
    max_backoff: Duration,
    pub(crate) max_retry_after: Duration,
    /// `false` only in tests.
    pub(crate) waits: bool,
}

impl Default for RetryPolicy {
    /// 3 attempts, waits of at most 50 ms, 100 ms and so on up to 10 s, and at most 60 s for `Retry-After`. After a 429,
    /// the waits begin with one second.
    fn default() -> Self {
        Self {
            max_attempts: 3,
            initial_backoff: Duration::from_millis(50),
            max_backoff: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(60),
            waits: true,
        }
    }
}

impl RetryPolicy {
    /// No retries: every request is sent once.
    ///
    /// After a 401, a request is still sent again once with a new token: the server has not processed it.
    #[must_use]
    pub fn disabled() -> Self {
        Self::default().max_attempts(1)
    }

    /// For programs that can wait: 12 attempts, and waits of at most 0.5 s, 1 s and so on up to 30 s. They wait about a
    /// minute and a half in total, longer than most short outages.
    ///
    /// [`LmsBuilder::job`](crate::LmsBuilder::job) also sets the timeout and the retry budget that go with it.
    #[must_use]
    pub fn job() -> Self {
        Self::default()
            .max_attempts(12)
            .backoff(Duration::from_millis(500), Duration::from_secs(30))
    }

    /// Sets the maximum number of attempts, including the first one. Default: 3. 0 counts as 1.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts.max(1);
        self
    }

    /// Sets the maximum wait before the first retry and before any retry. Default: 50 ms and 10 s.
    ///
    /// Each wait is random (full jitter), between zero and a limit that starts at `initial` and doubles up to `max`. After
    /// throttling (429, or 503 with `Retry-After`), the limit starts at one second if `initial` is shorter.
    #[must_use]
    pub fn backoff(mut self, initial: Duration, max: Duration) -> Self {
        self.initial_backoff = initial;
        self.max_backoff = max.max(initial);
        self
    }

    /// Sets the longest `Retry-After` to wait for. Default: 60 s.
    ///
    /// If the server asks for a longer wait, the call fails at once; see
    /// [`Error::retry_after`](crate::Error::retry_after).
    #[must_use]
    pub fn max_retry_after(mut self, max: Duration) -> Self {
        self.max_retry_after = max;
        self
    }

    /// The random wait before attempt `next` (2 or more), after a `Retry-After` of `asked`.
    ///
    /// The random part is added to `asked`: otherwise all clients that got the same `Retry-After` would retry in the
    /// same second. `Retry-After: 0` means no wait, but only once: after a second failure the client backs off.
    pub(crate) fn wait_before(
        &self,
        next: u32,
        throttled: bool,
        asked: Option<Duration>,
    ) -> Duration {
        if !self.waits || asked == Some(Duration::ZERO) && next == 2 {
            return Duration::ZERO;
        }
        let jitter = self.backoff_limit(next, throttled).mul_f64(fastrand::f64());
        asked.unwrap_or_default().saturating_add(jitter)
    }

    fn backoff_limit(&self, next: u32, throttled: bool) -> Duration {
        let doublings = next.saturating_sub(2).min(31);
        let initial = if throttled {
            self.initial_backoff.max(THROTTLED_BACKOFF)
        } else {
            self.initial_backoff
        };
        initial.saturating_mul(1 << doublings).min(self.max_backoff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn backoff_begins_with_fifty_milliseconds_and_after_throttling_with_a_second() {
        let policy = RetryPolicy::default();
        for (next, transient, throttled) in [(2, 50, 1), (3, 100, 2), (4, 200, 4), (9, 6_400, 10)] {
            let limits = [false, true].map(|throttled| policy.backoff_limit(next, throttled));
            assert_eq!(
                limits,
                [Duration::from_millis(transient), throttled * SECOND]
            );
        }
    }

    #[test]
    fn jitter_is_added_to_retry_after() {
        let asked = 7 * SECOND;
        for (throttled, most) in [(false, SECOND / 20), (true, SECOND)] {
            let policy = RetryPolicy::default();
            let waits = (0..100).map(|_| policy.wait_before(2, throttled, Some(asked)));
            for wait in waits {
                assert!((asked..asked + most).contains(&wait), "{wait:?}");
            }
        }
    }

    #[test]
    fn retry_after_zero_skips_the_wait_once() {
        let policy = RetryPolicy::default();
        assert_eq!(
            policy.wait_before(2, true, Some(Duration::ZERO)),
            Duration::ZERO
        );
        let later = (0..100).map(|_| policy.wait_before(3, true, Some(Duration::ZERO)));
        assert!(later.max() > Some(Duration::ZERO));
    }

    #[test]
    fn no_setting_overflows() {
        let policy = RetryPolicy::default().backoff(Duration::MAX, Duration::ZERO);
        assert!(policy.wait_before(9, true, Some(Duration::MAX)) >= SECOND);
    }
}
