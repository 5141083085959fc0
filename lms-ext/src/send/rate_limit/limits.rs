//! The limits that a caller sets, and their current state.

use std::time::Duration;

use crate::error::Error;

/// Limits on calls and requests that all clones of a client share.
#[derive(Clone, Debug)]
pub(crate) struct RateLimits {
    /// Number of concurrent calls, with their retries and waits.
    pub(crate) max_concurrent: usize,
    pub(crate) max_per_second: Option<f64>,
    pub(crate) adaptive: bool,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            max_concurrent: 64,
            max_per_second: None,
            adaptive: true,
        }
    }
}

/// One request per day. Times that are much further apart cannot be computed.
const MIN_PER_SECOND: f64 = 1.0 / 86_400.0;

impl RateLimits {
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.max_per_second {
            Some(rate) if !(rate.is_finite() && rate >= MIN_PER_SECOND) => Err(Error::usage(
                "max_per_second must be a number of requests per second, such as 20 or 0.5, and at least one per day",
            )),
            _ => Ok(()),
        }
    }
}

/// The current state of a client's rate limits; returned by [`Lms::rate_limit_state`](crate::Lms::rate_limit_state).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateLimitState {
    /// The rate, in requests per second, to which adaptive throttling limits the client; `None` if it does not, or if
    /// [`LmsBuilder::max_per_second`](crate::LmsBuilder::max_per_second) is lower.
    pub throttled_to: Option<f64>,
    /// The remaining time in which the client sends nothing because the server has throttled it.
    pub paused_for: Option<Duration>,
    /// Number of requests that were refused with 429, or 503 with `Retry-After`, since the client was built.
    pub refused: u64,
    /// Number of running calls, including those that wait for a retry or for the rate limit.
    pub in_flight: usize,
}
