//! The seam: how a request that a builder has made gets to the service and its answer back.
//!
//! The generated code makes requests and reads answers. Between the two, every request of every
//! operation goes through one [`Transport`], so policies (tokens, repeats, limits, logging) are written
//! once, outside this crate. [`Plain`] sends the request as it is; [`Bearer`] adds a token that somebody
//! else keeps fresh.
//!
//! ```
//! use std::sync::Arc;
//! use lms_client::transport::{Transport, TransportFuture};
//!
//! /// Says what is sent, then sends it.
//! #[derive(Debug)]
//! struct Loud;
//!
//! impl Transport for Loud {
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
//! let client = lms_client::Client::new("https://acme.example/api/v1", Arc::new(Loud));
//! ```
//!
//! One more thing happens to every request on its way here: `Accept: application/json` is put on where it
//! is missing. A path parameter that would move the request elsewhere is refused by
//! the builder itself, with [`Error::InvalidRequest`].
//!
//! A request can also be had without being sent: `prepare()` of a builder gives it, as [`PreparedRequest`].

use std::{any::Any, borrow::Cow, fmt, pin::Pin, sync::Arc};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::{
    Request, Response,
    header::{ACCEPT, AUTHORIZATION, HeaderValue, InvalidHeaderValue},
};
use serde::de::DeserializeOwned;

use crate::{Client, Error, ResponseValue};

/// What [`Transport::execute`] gives back.
pub type TransportFuture<'a> = Pin<Box<dyn Future<Output = reqwest::Result<Response>> + Send + 'a>>;

/// Carries one request to the service and its answer back.
///
/// Object-safe: a [`Client`] holds an `Arc<dyn Transport>`. [`Any`] is a supertrait so that who put a
/// transport in can find it again.
pub trait Transport: Any + fmt::Debug + Send + Sync {
    /// Sends `request`, which was made by the builder of `operation_id` (the name of the Rust method,
    /// e.g. `list_learners`), and gives the answer back whatever its status.
    ///
    /// `client` is the one that the [`Client`] was built with; a transport with connections of its own
    /// may leave it alone.
    fn execute<'a>(
        &'a self,
        client: &'a reqwest::Client,
        request: Request,
        operation_id: &'static str,
    ) -> TransportFuture<'a>;
}

/// Sends every request as it is, once.
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

/// Sends every request once, with one fixed bearer token (§5).
///
/// Tokens of this service live for minutes: for anything longer, use `lms-ext`, which replaces them.
#[derive(Clone)]
pub struct Bearer(HeaderValue);

impl Bearer {
    /// Takes the token without its `Bearer` prefix.
    ///
    /// # Errors
    ///
    /// When the token holds a character that no header can carry, such as a line break.
    pub fn new(token: &str) -> Result<Self, InvalidHeaderValue> {
        let mut value = HeaderValue::try_from(format!("Bearer {token}"))?;
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

impl ClientHooks<Arc<dyn Transport>> for Client {
    async fn exec(&self, request: Request, info: &OperationInfo) -> reqwest::Result<Response> {
        self.inner
            .execute(&self.client, request, info.operation_id)
            .await
    }
}

/// A request that a builder made and nobody has sent.
///
/// A builder borrows its client, and its `send()` decodes the answer its own way. Its request does neither, so it can be
/// kept, looked at, signed, changed, or sent many times: a page walk is one prepared request whose cursor changes.
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
/// `prepare()` fails as `send()` does before it sends: with [`Error::InvalidRequest`] when the builder lacks a parameter
/// or holds one that cannot be sent, and with [`Error::CommunicationError`] when no request can be made of it, for
/// example for want of a valid base address.
#[derive(Debug)]
pub struct PreparedRequest {
    /// The request: method, address, headers and body, without credentials.
    pub request: Request,
    /// The operation it belongs to, e.g. `list_learners`.
    pub operation_id: &'static str,
    /// The connections of the [`Client`] that it was made with.
    pub client: reqwest::Client,
    /// The transport of that client.
    pub transport: Arc<dyn Transport>,
}

impl PreparedRequest {
    pub(crate) fn new(client: &Client, mut request: Request, operation_id: &'static str) -> Self {
        request
            .headers_mut()
            .entry(ACCEPT)
            .or_insert(HeaderValue::from_static("application/json"));
        Self {
            request,
            operation_id,
            client: client.client.clone(),
            transport: Arc::clone(&client.inner),
        }
    }
}

/// What a [`Transport`] makes of a success that its builder cannot read.
///
/// Goes into the extensions of the answer. Without it, the builder's error is the one that it makes itself,
/// [`Error::InvalidResponsePayload`], which holds the whole body and shows it.
///
/// ```
/// use lms_client::{Error, transport::Unreadable};
///
/// # fn example(response: &mut reqwest::Response) {
/// let without_the_body = Unreadable::new(|error| match error {
///     Error::InvalidResponsePayload(_, why) => Error::Custom(why.to_string()),
///     other => other,
/// });
/// response.extensions_mut().insert(without_the_body);
/// # }
/// ```
#[derive(Clone)]
pub struct Unreadable(Arc<dyn Fn(Error) -> Error + Send + Sync>);

impl Unreadable {
    /// Takes what puts another error in the place of the builder's.
    pub fn new(instead: impl Fn(Error) -> Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(instead))
    }
}

impl fmt::Debug for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unreadable")
    }
}

/// Reads a success as the builder's type.
pub(crate) async fn read<T: DeserializeOwned>(
    mut response: Response,
) -> Result<ResponseValue<T>, Error> {
    let unreadable = response.extensions_mut().remove::<Unreadable>();
    let read = ResponseValue::from_response(response).await;
    match unreadable {
        Some(Unreadable(instead)) => read.map_err(|error| instead(error)),
        None => read,
    }
}

/// The connections that `Client::new` makes: no redirect is followed, and nothing waits for ever.
///
/// A redirect would re-send a body, client secrets included, to wherever it points.
#[expect(
    clippy::expect_used,
    reason = "`Client::new` gives no error back; its docs say so and name the way that does"
)]
pub(crate) fn http_client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(std::time::Duration::from_secs(10))
        .timeout(std::time::Duration::from_secs(60))
        .build()
        .expect("the platform provides TLS and a resolver")
}

/// Refuses a path parameter that would make another path of the request.
pub(crate) fn checked_segment<T: ToString>(name: &str, value: T) -> Result<T, String> {
    let reason = match value.to_string().as_str() {
        "" => "is empty",
        "." | ".." => "is a dot segment, which addresses another path",
        _ => return Ok(value),
    };
    Err(format!("{name} {reason}; give the id of one object"))
}

/// What a path segment cannot hold as it is: the URL standard's path set, with `/`, `%` and the
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

/// Encodes one path segment so that it stays one.
pub(crate) fn encode_path(segment: &str) -> Cow<'_, str> {
    utf8_percent_encode(segment, SEGMENT).into()
}
