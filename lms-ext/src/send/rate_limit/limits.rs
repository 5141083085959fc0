//! The limits that a caller sets, and what they do at a moment.

use std::time::Duration;

use tokio::sync::Semaphore;

use crate::error::Error;

/// Limits on calls and requests that all clones of a client share.
///
/// By default 64 concurrent calls, no rate, and adaptive throttling. Set with
/// [`LmsBuilder::rate_limits`](crate::LmsBuilder::rate_limits).
///
/// ```
/// # fn main() -> Result<(), lms_ext::Error> {
/// use lms_ext::{RateLimits, prelude::*};
///
/// let lms = Lms::builder("https://acme.example")
///     .token("a-token")
///     .rate_limits(RateLimits::default().max_concurrent(16).max_per_second(10))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RateLimits {
    max_concurrent: Option<usize>,
    pub(super) max_per_second: Option<f64>,
    not_adaptive: bool,
}

/// Number of concurrent calls by default.
const MAX_CONCURRENT: usize = 64;

/// One request per day. Times that are much further apart cannot be computed.
const MIN_PER_SECOND: f64 = 1.0 / 86_400.0;

impl RateLimits {
    /// Sets how many calls run concurrently, including their retries and waits. 0 counts as 1. Default: 64.
    ///
    /// Other calls wait in order, and the wait counts towards the timeout of the call.
    #[must_use]
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.max_concurrent = Some(calls.clamp(1, Semaphore::MAX_PERMITS));
        self
    }

    /// Sets how many requests are sent per second, including retries, such as `20` or `0.5`. The minimum is one request
    /// per day. Default: no limit.
    ///
    /// Requests are spread evenly over the second.
    #[must_use]
    pub fn max_per_second(mut self, per_second: impl Into<f64>) -> Self {
        self.max_per_second = Some(per_second.into());
        self
    }

    /// Disables adaptive throttling: each 429 then delays only the call that received it.
    #[must_use]
    pub fn without_adaptive_throttling(mut self) -> Self {
        self.not_adaptive = true;
        self
    }

    /// Adds settings, which replace the same ones here.
    pub(crate) fn with(self, others: &Self) -> Self {
        Self {
            max_concurrent: others.max_concurrent.or(self.max_concurrent),
            max_per_second: others.max_per_second.or(self.max_per_second),
            not_adaptive: others.not_adaptive || self.not_adaptive,
        }
    }

    pub(crate) fn concurrent_calls(&self) -> usize {
        self.max_concurrent.unwrap_or(MAX_CONCURRENT)
    }

    pub(super) fn is_adaptive(&self) -> bool {
        !self.not_adaptive
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.max_per_second {
            Some(rate) if !(rate.is_finite() && rate >= MIN_PER_SECOND) => Err(Error::usage(
                "max_per_second must be a number of requests per second, such as 20 or 0.5, and at least one per day",
            )),
            _ => Ok(()),
        }
    }
}

/// What the rate limits of a client do at a moment, as [`Lms::rate_limit_state`](crate::Lms::rate_limit_state) returns it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateLimitState {
    /// The requests per second to which adaptive throttling limits the client, if it does and if that is less than
    /// [`RateLimits::max_per_second`].
    pub throttled_to: Option<f64>,
    /// For how long the client sends nothing, if the server has throttled it.
    pub paused_for: Option<Duration>,
    /// Number of requests that were refused with 429, or 503 with `Retry-After`, since the client was built.
    pub refused: u64,
    /// Number of calls that run, including those that wait for a retry or for the rate limit.
    pub in_flight: usize,
}
