//! What a call needs on its way: the policies that all calls of a client share, and what is its own.

use std::{sync::Arc, time::Duration};

use reqwest::{Request, header::HeaderValue};

use super::{
    auth::Tokens, http::HttpClient, rate_limit::RateLimiter, retry::RetryTokens, timeouts::Timeouts,
};
use crate::{error::Error, send::retry::RetryPolicy, values::OperationInfo};

/// What every call of a client shares on its way out.
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
}

/// One call, as the loop sees it.
#[derive(Debug)]
pub(crate) struct CallContext<'a> {
    pub(crate) request: &'a mut Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) timeouts: &'a Timeouts,
    pub(crate) max_body_bytes: usize,
    /// `None` for what needs no token.
    pub(crate) tokens: Option<&'a Tokens>,
    /// `None` for what everybody waits for.
    pub(crate) rate_limiter: Option<&'a RateLimiter>,
}

/// The same request once more; an error when its body cannot be had twice.
pub(crate) fn copy(request: &Request) -> Result<Request, Error> {
    if request.body().is_some() || request.timeout().is_some() {
        return request
            .try_clone()
            .ok_or_else(|| Error::usage("a streamed body cannot be sent twice; give it whole"));
    }
    // The usual case, for which `try_clone` makes and drops room for settings that are not there.
    let mut copy = Request::new(request.method().clone(), request.url().clone());
    *copy.headers_mut() = request.headers().clone();
    *copy.version_mut() = request.version();
    Ok(copy)
}
