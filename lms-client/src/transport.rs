//! The transport: sends a request and returns the response.
//!
//! The generated builders create requests and decode responses. A [`Transport`] sends the requests of all operations,
//! so a policy (tokens, retries, rate limits, logging) is written once, outside of this crate. [`Plain`] sends a
//! request unchanged; [`Bearer`] adds a fixed token.
//!
//! ```
//! use lms_client::{operation::OperationInfo, transport::Transport};
//!
//! /// Logs and sends every request.
//! #[derive(Clone, Debug)]
//! struct Logged(reqwest::Client);
//!
//! impl Transport for Logged {
//!     async fn execute(
//!         &self,
//!         request: reqwest::Request,
//!         operation: &'static OperationInfo,
//!     ) -> reqwest::Result<reqwest::Response> {
//!         println!("{}: {}", operation.id, request.method());
//!         self.0.execute(request).await
//!     }
//! }
//!
//! let client = lms_client::Client::new("https://acme.example/api/v1", Logged(reqwest::Client::new()));
//! ```
//!
//! Requests have `Accept: application/json` and no credentials when they reach the transport. A builder with a path
//! parameter that would change the path of the request (an empty id or a dot segment) fails with
//! [`Error::InvalidRequest`](crate::Error::InvalidRequest) and sends nothing.

use std::fmt;

use reqwest::{
    Request, Response,
    header::{AUTHORIZATION, HeaderValue, InvalidHeaderValue},
};

pub use crate::request::{PreparedRequest, encode_path};
use crate::{info::OperationInfo, wire::Secret};

/// Sends requests and returns responses, for the `send` of builders.
pub trait Transport: Clone + Send + Sync {
    /// Sends `request` and returns the response, with any status.
    fn execute(
        &self,
        request: Request,
        operation: &'static OperationInfo,
    ) -> impl Future<Output = reqwest::Result<Response>> + Send;
}

/// Sends every request once and unchanged.
#[derive(Clone, Debug)]
pub struct Plain(reqwest::Client);

impl Plain {
    /// Sends requests with an HTTP client, which should not follow redirects.
    #[must_use]
    pub fn new(http: reqwest::Client) -> Self {
        Self(http)
    }
}

/// With timeouts, and without redirects.
impl Default for Plain {
    fn default() -> Self {
        Self(http_client())
    }
}

impl Transport for Plain {
    async fn execute(
        &self,
        request: Request,
        _: &'static OperationInfo,
    ) -> reqwest::Result<Response> {
        self.0.execute(request).await
    }
}

/// Sends every request once, with a fixed bearer token.
///
/// Tokens expire after a few minutes ([Authentication](crate::service#authentication)). `lms-ext` refreshes them.
#[derive(Clone)]
pub struct Bearer {
    http: reqwest::Client,
    header: HeaderValue,
}

impl Bearer {
    /// Sends `token` with every request. Pass it without the prefix `Bearer`.
    ///
    /// # Errors
    ///
    /// Fails if the token contains a character that is not allowed in a header, such as a line break.
    pub fn new(token: impl Into<Secret>) -> Result<Self, InvalidHeaderValue> {
        let mut header = HeaderValue::try_from(format!("Bearer {}", token.into().expose()))?;
        header.set_sensitive(true);
        Ok(Self {
            http: http_client(),
            header,
        })
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(<hidden>)")
    }
}

impl Transport for Bearer {
    async fn execute(
        &self,
        mut request: Request,
        _: &'static OperationInfo,
    ) -> reqwest::Result<Response> {
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, self.header.clone());
        self.http.execute(request).await
    }
}

/// A redirect could send a request body, client secret included, to another host.
#[expect(
    clippy::expect_used,
    reason = "a default cannot return an error; `Plain::new` takes a client that was built"
)]
fn http_client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(std::time::Duration::from_secs(10))
        .timeout(std::time::Duration::from_secs(60))
        .build()
        .expect("the platform provides TLS and a resolver")
}
