//! The HTTP client that sends single requests. Programs and tests can replace it.
//!
//! Tokens, retries, rate limits and timeouts are handled outside of [`HttpClient`]. An implementation only sends one
//! request, so tests of these policies need no socket and can run on a paused clock. [`reqwest::Client`] is the
//! default; set another one with [`LmsBuilder::http_client`](crate::LmsBuilder::http_client).
//! [`reqwest`](crate::reqwest) is re-exported in the version whose types it uses. A [`Response`] converts into a
//! `reqwest::Response`.
//! [`testing`](crate::testing) has a client with scripted responses.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use lms_ext::{http::{HttpClient, HttpFuture}, reqwest};
//!
//! /// Counts requests, retries and token requests included.
//! #[derive(Debug)]
//! struct Counting {
//!     client: reqwest::Client,
//!     sent: AtomicU64,
//! }
//!
//! impl Counting {
//!     fn new() -> reqwest::Result<Self> {
//!         // By default, reqwest follows redirects.
//!         let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
//!         Ok(Self { client: client.build()?, sent: AtomicU64::new(0) })
//!     }
//! }
//!
//! impl HttpClient for Counting {
//!     fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
//!         self.sent.fetch_add(1, Ordering::Relaxed);
//!         self.client.send(request)
//!     }
//! }
//! ```

#[cfg(feature = "tower")]
mod tower;

use std::{error::Error as StdError, fmt, pin::Pin};

#[doc(no_inline)]
pub use http::{Request, Response};
use reqwest::Method;
use tokio::task::yield_now;
pub use tokio_util::sync::CancellationToken;

#[cfg(feature = "tower")]
pub use tower::TowerClient;

/// The future returned by [`HttpClient::send`].
pub type HttpFuture<'a> =
    Pin<Box<dyn Future<Output = Result<reqwest::Response, HttpError>> + Send + 'a>>;

/// Sends one request once. An implementation must not follow redirects, and must not retry.
pub trait HttpClient: fmt::Debug + Send + Sync + 'static {
    /// Sends `request` and returns the response, with any status, as soon as its headers have arrived. The body may
    /// arrive later. The future may be polled in another task than the caller's, without its task-local values.
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_>;

    /// Like [`send`](Self::send), for an HTTP client in which a request may have to wait: if `cancelled` is set before
    /// the request is sent, it fails with [`HttpFailure::Cancelled`]. The default implementation calls `send`.
    fn send_unless<'a>(
        &'a self,
        request: reqwest::Request,
        cancelled: &'a CancellationToken,
    ) -> HttpFuture<'a> {
        let _ = cancelled;
        self.send(request)
    }
}

impl HttpClient for reqwest::Client {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        let idempotent = request.method() != Method::POST;
        // Outside the future, which would otherwise have room for the request. It takes no connection before it is polled.
        let response = self.execute(request);
        Box::pin(async move {
            if !idempotent {
                // The server may have closed the connection that this request would use. The first time lets the runtime
                // look at its sockets, the second time lets the connection notice.
                yield_now().await;
                yield_now().await;
            }
            response.await.map_err(HttpError::from)
        })
    }
}

/// The error of a request without a response.
#[derive(Debug)]
pub struct HttpError {
    failure: HttpFailure,
    source: Box<dyn StdError + Send + Sync>,
}

/// The cause of a missing response. It decides whether the request may have been processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpFailure {
    /// There was no connection, so the server cannot have processed the request.
    Connect,
    /// The connect timeout was exceeded, so the server cannot have processed the request.
    ConnectTimeout,
    /// The client was cancelled before the request was sent.
    Cancelled,
    /// The request may have been processed, but its response was lost.
    Lost,
}

impl HttpError {
    /// Creates an error for your own [`HttpClient`].
    ///
    /// After [`HttpFailure::Connect`], the message of the [error](crate::Error) ends with the text of the deepest source,
    /// which must not contain a secret.
    pub fn new(failure: HttpFailure, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            failure,
            source: source.into(),
        }
    }

    /// The cause.
    #[must_use]
    pub fn failure(&self) -> HttpFailure {
        self.failure
    }

    pub(crate) fn into_source(self) -> Box<dyn StdError + Send + Sync> {
        self.source
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.failure {
            HttpFailure::Connect => "could not connect",
            HttpFailure::ConnectTimeout => "could not connect within the connect timeout",
            HttpFailure::Cancelled => "cancelled before the request was sent",
            HttpFailure::Lost => "the connection broke before the end of the response",
        })
    }
}

impl StdError for HttpError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}

impl From<reqwest::Error> for HttpError {
    fn from(error: reqwest::Error) -> Self {
        let failure = match (error.is_connect(), error.is_timeout()) {
            (true, true) => HttpFailure::ConnectTimeout,
            (true, false) => HttpFailure::Connect,
            (false, _) => HttpFailure::Lost,
        };
        // The URL contains ids and filters, which may be personal data.
        Self::new(failure, error.without_url())
    }
}
