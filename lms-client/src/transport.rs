//! The transport: sends a request and returns the response.
//!
//! The generated builders make requests and decode responses. In between, all requests of all operations go through one
//! [`Transport`], so a policy (tokens, retries, rate limits, logging) is written once, outside this crate. [`Plain`]
//! sends a request unchanged; [`Bearer`] adds a fixed token.
//!
//! ```
//! use std::sync::Arc;
//! use lms_client::transport::{Transport, TransportFuture};
//!
//! /// Logs and sends every request.
//! #[derive(Debug)]
//! struct Logged;
//!
//! impl Transport for Logged {
//!     fn execute<'a>(
//!         &'a self,
//!         client: &'a reqwest::Client,
//!         request: reqwest::Request,
//!         operation_id: &'static str,
//!     ) -> TransportFuture<'a> {
//!         println!("{operation_id}: {}", request.method());
//!         Box::pin(client.execute(request))
//!     }
//! }
//!
//! let client = lms_client::Client::new("https://acme.example/api/v1", Arc::new(Logged));
//! ```
//!
//! Requests have `Accept: application/json` and no credentials when they reach the transport. A builder with a path
//! parameter that would change the path of the request (an empty id or a dot segment) fails with
//! [`Error::InvalidRequest`] and sends nothing.
//!
//! `prepare()` of a builder returns the request without sending it, as a [`PreparedRequest`].

use std::{any::Any, borrow::Cow, fmt, pin::Pin, sync::Arc};

use http::Extensions;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::{
    Request, Response,
    header::{ACCEPT, AUTHORIZATION, HeaderValue, InvalidHeaderValue},
};
use serde::de::DeserializeOwned;

use crate::{Client, Error, ResponseValue, wire::Secret};

/// The future of [`Transport::execute`].
pub type TransportFuture<'a> = Pin<Box<dyn Future<Output = reqwest::Result<Response>> + Send + 'a>>;

/// Sends requests and returns responses.
///
/// A [`Client`] holds an `Arc<dyn Transport>`. [`Any`] is a supertrait, so a transport can be downcast to its type.
pub trait Transport: Any + fmt::Debug + Send + Sync {
    /// Sends `request` and returns the response, whatever its status.
    ///
    /// `operation_id` is the name of the Rust method that made the request, for example `list_learners`. `client` is the
    /// HTTP client of the [`Client`]; a transport with its own connections may ignore it.
    fn execute<'a>(
        &'a self,
        client: &'a reqwest::Client,
        request: Request,
        operation_id: &'static str,
    ) -> TransportFuture<'a>;
}

/// Sends every request once and unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Transport for Plain {
    fn execute<'a>(
        &'a self,
        client: &'a reqwest::Client,
        request: Request,
        _: &'static str,
    ) -> TransportFuture<'a> {
        Box::pin(client.execute(request))
    }
}

impl From<Plain> for Arc<dyn Transport> {
    fn from(transport: Plain) -> Self {
        Arc::new(transport)
    }
}

/// Sends every request once, with a fixed bearer token.
///
/// Tokens expire after a few minutes ([Authentication](crate::service#authentication)). `lms-ext` refreshes them.
#[derive(Clone)]
pub struct Bearer(HeaderValue);

impl Bearer {
    /// Sends `token`. Pass it without the prefix `Bearer`.
    ///
    /// # Errors
    ///
    /// When the token contains a character that is not allowed in a header, such as a line break.
    pub fn new(token: impl Into<Secret>) -> Result<Self, InvalidHeaderValue> {
        let mut value = HeaderValue::try_from(format!("Bearer {}", token.into().expose()))?;
        value.set_sensitive(true);
        Ok(Self(value))
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(<hidden>)")
    }
}

impl Transport for Bearer {
    fn execute<'a>(
        &'a self,
        client: &'a reqwest::Client,
        mut request: Request,
        _: &'static str,
    ) -> TransportFuture<'a> {
        request.headers_mut().insert(AUTHORIZATION, self.0.clone());
        Box::pin(client.execute(request))
    }
}

impl From<Bearer> for Arc<dyn Transport> {
    fn from(transport: Bearer) -> Self {
        Arc::new(transport)
    }
}

impl<P> ClientHooks<Arc<dyn Transport>> for Client<P> {
    async fn exec(&self, request: Request, info: &OperationInfo) -> reqwest::Result<Response> {
        self.inner
            .execute(&self.client, request, info.operation_id)
            .await
    }
}

/// A request that was made by a builder and has not been sent.
///
/// Unlike a builder, it does not borrow its client and does not decode the response. So it can be kept, inspected,
/// signed, changed or sent several times. `lms-ext` sends its requests this way.
///
/// ```
/// # fn main() -> Result<(), lms_client::Error> {
/// use lms_client::{Client, transport::Plain};
///
/// let client = Client::new("https://acme.example/api/v1", Plain.into());
/// let prepared = client.get_course().id("c1").prepare()?;
/// assert_eq!(prepared.request.url().path(), "/api/v1/courses/c1");
/// assert_eq!(prepared.operation_id, "get_course");
/// # Ok(())
/// # }
/// ```
///
/// `prepare()` returns [`Error::InvalidRequest`] when a parameter is missing or invalid, and
/// [`Error::CommunicationError`] when the request cannot be built, for example because the base URL is invalid.
#[derive(Debug)]
pub struct PreparedRequest {
    /// The request, without credentials.
    pub request: Request,
    /// The name of the operation, for example `list_learners`.
    pub operation_id: &'static str,
    /// The HTTP client of the [`Client`] that made it.
    pub client: reqwest::Client,
    /// The transport of that [`Client`].
    pub transport: Arc<dyn Transport>,
    /// Values of the code that made the request for the code that sends it, such as options of this call. Not sent.
    pub extensions: Extensions,
}

impl PreparedRequest {
    pub(crate) fn new<P>(client: &Client<P>, request: Request, operation_id: &'static str) -> Self {
        Self::of(&client.client, &client.inner, request, operation_id)
    }

    /// Apart from `new`, so that it is compiled once.
    fn of(
        client: &reqwest::Client,
        transport: &Arc<dyn Transport>,
        mut request: Request,
        operation_id: &'static str,
    ) -> Self {
        request
            .headers_mut()
            .entry(ACCEPT)
            .or_insert(HeaderValue::from_static("application/json"));
        Self {
            request,
            operation_id,
            client: client.clone(),
            transport: Arc::clone(transport),
            extensions: Extensions::new(),
        }
    }
}

/// Replaces the error of a successful response that a builder cannot decode.
///
/// A [`Transport`] adds it to the extensions of a response. Without it, the error is
/// [`Error::InvalidResponsePayload`], whose `Debug` output shows the whole body.
///
/// ```
/// use lms_client::{Error, transport::MapDecodeError};
///
/// # fn example(response: &mut reqwest::Response) {
/// let without_the_body = MapDecodeError::new(|error| match error {
///     Error::InvalidResponsePayload(_, why) => Error::Custom(why.to_string()),
///     other => other,
/// });
/// response.extensions_mut().insert(without_the_body);
/// # }
/// ```
#[derive(Clone)]
pub struct MapDecodeError(Arc<dyn Fn(Error) -> Error + Send + Sync>);

impl MapDecodeError {
    /// Replaces the error by the result of `map`.
    pub fn new(map: impl Fn(Error) -> Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(map))
    }
}

impl fmt::Debug for MapDecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MapDecodeError")
    }
}

/// Decodes a successful response.
pub(crate) async fn decode<T: DeserializeOwned>(
    mut response: Response,
) -> Result<ResponseValue<T>, Error> {
    let map = response.extensions_mut().remove::<MapDecodeError>();
    let decoded = ResponseValue::from_response(response).await;
    match map {
        Some(MapDecodeError(map)) => decoded.map_err(|error| map(error)),
        None => decoded,
    }
}

/// The HTTP client of `Client::new`: with timeouts, and without redirects.
///
/// A redirect could send a request body, client secret included, to another host.
#[expect(
    clippy::expect_used,
    reason = "`Client::new` is generated and cannot return an error; `new_with_client` takes a client that was built"
)]
pub(crate) fn http_client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(std::time::Duration::from_secs(10))
        .timeout(std::time::Duration::from_secs(60))
        .build()
        .expect("the platform provides TLS and a resolver")
}

/// Refuses a path parameter that would change the path of the request.
pub(crate) fn check_segment<T: ToString>(name: &str, value: T) -> Result<T, String> {
    let reason = match value.to_string().as_str() {
        "" => "is empty",
        "." | ".." => "is a dot segment, which addresses another path",
        _ => return Ok(value),
    };
    Err(format!("{name} {reason}; give the id of one object"))
}

/// What is encoded in a path segment: the path percent-encode set of the URL standard, with `/`, `%`, brackets and the
/// backslash, which URL parsers read as `/`.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Encodes a path parameter as one segment, as the builders do.
///
/// A dot segment stays as it is, and changes the path: check for it.
pub fn encode_path(segment: &str) -> Cow<'_, str> {
    utf8_percent_encode(segment, SEGMENT).into()
}
