//! Sends a call: the token, rate limits, timeouts, retries and spans around each HTTP request.
//!
//! [`retry_loop`] shows how a request passes through these files.

mod attempt;
pub(crate) mod auth;
mod call_state;
pub mod http;
#[cfg(feature = "metrics")]
pub(crate) mod metrics;
pub(crate) mod rate_limit;
mod raw_response;
pub(crate) mod retry;
mod retry_loop;
mod task;
mod telemetry;
mod timeouts;

use std::{sync::Arc, time::Duration};

use reqwest::{Request, header::HeaderValue};
use tokio_util::sync::CancellationToken;

pub(crate) use attempt::end_of_string;
pub(crate) use raw_response::RawResponse;
pub(crate) use retry_loop::copy;
pub(crate) use task::spawn;
pub(crate) use telemetry::in_operation;
pub use timeouts::Timeouts;
pub(crate) use timeouts::{after, call_timeout};

use crate::values::{OperationInfo, Secret};
use auth::Tokens;
use http::HttpClient;
use rate_limit::RateLimiter;
use retry::{RetryPolicy, RetryTokens};

/// Shared by all calls of a client.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) http: Arc<dyn HttpClient>,
    pub(crate) retry: RetryPolicy,
    pub(crate) timeouts: Timeouts,
    pub(crate) max_body_bytes: usize,
    pub(crate) budget: RetryTokens,
    pub(crate) rate_limiter: RateLimiter,
    pub(crate) connect_timeout: Duration,
    pub(crate) user_agent: HeaderValue,
    /// Redacted in every response.
    pub(crate) client_secret: Option<Arc<Secret>>,
}

/// One call, with the client's settings or its own.
#[derive(Debug)]
pub(crate) struct CallContext<'a> {
    pub(crate) request: &'a mut Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) timeouts: &'a Timeouts,
    /// `None` for an operation without authentication.
    pub(crate) tokens: Option<&'a Tokens>,
    /// `None` for a token request, which other calls wait for.
    pub(crate) rate_limiter: Option<&'a RateLimiter>,
    /// Ends the call while no request is in flight.
    pub(crate) cancel: Option<&'a CancellationToken>,
    /// Spans and metrics do not count a 404 or 410 as an error.
    pub(crate) absence_expected: bool,
}

/// The functions of `metrics.rs` without the feature `metrics`: nothing is recorded.
#[cfg(not(feature = "metrics"))]
pub(crate) mod metrics {
    use std::time::Duration;

    use reqwest::Request;
    use tokio::time::Instant;

    use crate::{error::Error, values::OperationInfo};

    pub(super) fn attempt(
        _: &OperationInfo,
        _: &Request,
        _: u32,
        _: Result<u16, &Error>,
        _: bool,
        _: Instant,
    ) {
    }

    pub(super) fn call(_: &OperationInfo, _: Result<u16, &Error>, _: bool, _: Instant) {}

    pub(crate) fn waited(_: &str, _: Duration) {}

    pub(crate) fn token() {}

    pub(crate) fn items(_: &OperationInfo, _: usize) {}

    pub(super) fn throttled_rate(_: &Request, _: impl FnOnce() -> Option<f64>) {}
}
