//! What may be repeated, how often, and after what wait.
//!
//! The service has no idempotency key, so a request is repeated only when doing so cannot do a thing
//! twice: reads, `PUT` and `DELETE` after a lost answer or a failure that passes, `POST` only when the
//! tenant cannot have carried it out. Waits grow and are drawn at random, so that a thousand clients that
//! failed together do not come back together.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How often a request is repeated and after what wait.
///
/// ```
/// use std::time::Duration;
/// use lms_ext::RetryPolicy;
///
/// let patient = RetryPolicy::default()
///     .max_attempts(6)
///     .backoff(Duration::from_millis(500), Duration::from_secs(20));
/// let never = RetryPolicy::off();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    pub(crate) max_attempts: u32,
    first_wait: Duration,
    longest_wait: Duration,
    pub(crate) longest_retry_after: Duration,
}

impl Default for RetryPolicy {
    /// Three attempts, waits of up to 200 ms, then 400 ms, and so on up to 10 s; a `Retry-After` of up to
    /// 60 s is waited for.
    fn default() -> Self {
        Self {
            max_attempts: 3,
            first_wait: Duration::from_millis(200),
            longest_wait: Duration::from_secs(10),
            longest_retry_after: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Every request is sent once.
    ///
    /// A request whose token the tenant refuses is still sent again with a fresh one: that is not a
    /// repeat, since the tenant did nothing.
    #[must_use]
    pub fn off() -> Self {
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
    pub fn longest_retry_after(mut self, longest: Duration) -> Self {
        self.longest_retry_after = longest;
        self
    }

    /// How long to wait before attempt `next` (2 or more): full jitter.
    pub(crate) fn wait_before(&self, next: u32) -> Duration {
        let doublings = next.saturating_sub(2).min(31);
        let limit = self
            .first_wait
            .saturating_mul(1 << doublings)
            .min(self.longest_wait);
        limit.mul_f64(fastrand::f64())
    }
}

/// Whether a failure with this status passes by itself.
pub(crate) fn passes(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}

/// How long the tenant asks to wait: seconds or a date (RFC 9110, 10.2.3).
///
/// `None` when it does not ask or when what it asks cannot be read. A date in the past is no wait.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}
