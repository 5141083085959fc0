//! One request out, one answer back: all that the policies know of the network.
//!
//! Tokens, repeats, limits and deadlines are decided above this trait, so they can be tested on a paused
//! clock against a scripted implementation, with no socket.

use std::{error::Error as StdError, fmt, pin::Pin};

use reqwest::{Request, Response};

/// What [`HttpClient::send`] gives back.
pub type HttpFuture<'a> = Pin<Box<dyn Future<Output = Result<Response, HttpError>> + Send + 'a>>;

/// Sends one request, once, and gives back the answer whatever its status.
///
/// [`reqwest::Client`] implements it. An implementation follows no redirect and repeats nothing: that is
/// decided above it.
pub trait HttpClient: fmt::Debug + Send + Sync + 'static {
    /// Sends `request`. The body of the answer may still be on its way when this returns.
    fn send(&self, request: Request) -> HttpFuture<'_>;
}

impl HttpClient for reqwest::Client {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        // Not within the future, which would have room for the request then.
        let answer = self.execute(request);
        Box::pin(async move { answer.await.map_err(HttpError::from) })
    }
}

/// Why there was no response.
#[derive(Debug)]
pub struct HttpError {
    failure: HttpFailure,
    source: Box<dyn StdError + Send + Sync>,
}

/// How far a request got that was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpFailure {
    /// No connection was made, so the tenant cannot have seen the request.
    Connect,
    /// As [`Connect`](Self::Connect), because the limit on connecting ran out.
    ConnectTimeout,
    /// The request may have arrived; its answer was lost.
    Lost,
}

impl HttpError {
    /// An error for implementations of [`HttpClient`] other than reqwest's.
    ///
    /// After [`HttpFailure::Connect`], the text of the deepest source is a part of the
    /// [error](crate::Error)'s message, so it must not hold a secret.
    pub fn new(failure: HttpFailure, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            failure,
            source: source.into(),
        }
    }

    /// How far the request got.
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
            HttpFailure::Connect => "no connection could be made",
            HttpFailure::ConnectTimeout => "no connection was made in time",
            HttpFailure::Lost => "the connection broke before the answer was whole",
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
        // The address would show ids and filters, which may be personal data.
        Self::new(failure, error.without_url())
    }
}
