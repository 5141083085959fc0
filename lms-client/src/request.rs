//! The request of a builder.

use std::{borrow::Cow, fmt};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use progenitor_client::QueryParam;
use reqwest::{
    Request,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue},
};
use serde::Serialize;

use crate::{Error, client::Client, info::OperationInfo, transport::Plain, wire::expose_secrets};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A request that was made by a builder and has not been sent.
///
/// Unlike a builder, it does not borrow its client and does not decode the response. It can therefore be kept, inspected,
/// signed, changed or sent several times. `lms-ext` sends its requests this way.
///
/// ```
/// # fn main() -> Result<(), lms_client::Error> {
/// use lms_client::{Client, operation::Operation, transport::Plain};
///
/// let client = Client::new("https://acme.example/api/v1", Plain::default());
/// let prepared = client.get_course("c1").prepare()?;
/// assert_eq!(prepared.request.url().path(), "/api/v1/courses/c1");
/// assert_eq!(prepared.operation.id, "get_course");
/// # Ok(())
/// # }
/// ```
///
/// `prepare()` returns [`Error::InvalidRequest`] when a parameter is missing or invalid, or the base URL is invalid.
#[derive(Debug)]
pub struct PreparedRequest<T = Plain> {
    /// The request, without credentials.
    pub request: Request,
    /// The properties of the operation.
    pub operation: &'static OperationInfo,
    /// The transport of the [`Client`] that made it.
    pub transport: T,
}

/// A request to which a builder adds its parameters.
pub(crate) struct Draft<'a, T> {
    client: &'a Client<T>,
    operation: &'static OperationInfo,
    request: Request,
    query: String,
}

impl<'a, T> Draft<'a, T> {
    pub(crate) fn new(
        client: &'a Client<T>,
        operation: &'static OperationInfo,
        path: fmt::Arguments<'_>,
    ) -> Result<Self, Invalid> {
        let mut request =
            Request::new(operation.method.clone(), client.url(path).map_err(invalid)?);
        request.headers_mut().insert(ACCEPT, JSON);
        Ok(Self {
            client,
            operation,
            request,
            query: String::new(),
        })
    }

    /// Adds a parameter of the query: once for each value of a list, and not at all for `None`.
    #[inline]
    pub(crate) fn query<V: Serialize>(
        self,
        name: &str,
        value: Result<V, String>,
    ) -> Result<Self, Invalid> {
        let value = value.map_err(Invalid)?;
        let pairs = expose_secrets(|| serde_urlencoded::to_string(QueryParam::new(name, &value)));
        Ok(self.with_pairs(&pairs.map_err(invalid)?))
    }

    fn with_pairs(mut self, pairs: &str) -> Self {
        if !self.query.is_empty() && !pairs.is_empty() {
            self.query.push('&');
        }
        self.query.push_str(pairs);
        self
    }

    /// Adds a header, unless the value is `None`.
    #[allow(dead_code, reason = "a document need not have such parameters")]
    pub(crate) fn header(
        mut self,
        name: &'static str,
        value: Result<Option<impl fmt::Display>, String>,
    ) -> Result<Self, Invalid> {
        if let Some(value) = value.map_err(Invalid)? {
            let value = HeaderValue::try_from(value.to_string()).map_err(invalid)?;
            let name = HeaderName::try_from(name).map_err(invalid)?;
            self.request.headers_mut().insert(name, value);
        }
        Ok(self)
    }

    /// Sets the body to the value of a builder.
    #[inline]
    pub(crate) fn body<B: Serialize>(
        self,
        builder: impl TryInto<B, Error: fmt::Display>,
    ) -> Result<Self, Invalid> {
        let body = builder.try_into();
        self.json(body.map_err(|error| format!("body is not valid: {error}")))
    }

    /// Sets the body.
    #[inline]
    pub(crate) fn json<B: Serialize>(self, body: Result<B, String>) -> Result<Self, Invalid> {
        let body = body.map_err(Invalid)?;
        let text = expose_secrets(|| serde_json::to_vec(&body)).map_err(invalid)?;
        Ok(self.with_body(text))
    }

    fn with_body(mut self, text: Vec<u8>) -> Self {
        let headers = self.request.headers_mut();
        headers.entry(CONTENT_TYPE).or_insert(JSON);
        *self.request.body_mut() = Some(text.into());
        self
    }

    #[inline]
    pub(crate) fn finish(self) -> PreparedRequest<T>
    where
        T: Clone,
    {
        let mut request = self.request;
        if !self.query.is_empty() {
            request.url_mut().set_query(Some(&self.query));
        }
        PreparedRequest {
            request,
            operation: self.operation,
            transport: self.client.transport().clone(),
        }
    }
}

/// The reason why a builder has no request.
pub(crate) struct Invalid(String);

fn invalid(reason: impl fmt::Display) -> Invalid {
    Invalid(reason.to_string())
}

impl From<Invalid> for Error {
    fn from(Invalid(reason): Invalid) -> Self {
        Self::InvalidRequest(reason)
    }
}

/// A path parameter as one encoded segment.
///
/// Refuses values that would change the path of the request: `delete_course("..")` would send a `DELETE` to the parent path.
#[inline]
pub(crate) fn segment(name: &str, value: Result<impl ToString, String>) -> Result<String, Invalid> {
    encoded(name, value.map(|value| value.to_string()))
}

fn encoded(name: &str, value: Result<String, String>) -> Result<String, Invalid> {
    let value = value.map_err(Invalid)?;
    let reason = match value.as_str() {
        "" => "is empty",
        "." | ".." => "is a dot segment, which addresses another path",
        _ => return Ok(encode_path(&value).into_owned()),
    };
    Err(Invalid(format!(
        "{name} {reason}; give the id of one object"
    )))
}

/// The characters that are encoded in a path segment: the path percent-encode set of the URL standard, with `/`, `%`,
/// brackets, the backslash, which URL parsers read as `/`, and the semicolon, after which some servers read parameters
/// of the segment.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b';')
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
/// A dot segment is not encoded, and would change the path: check for it first.
pub fn encode_path(segment: &str) -> Cow<'_, str> {
    utf8_percent_encode(segment, SEGMENT).into()
}

#[cfg(test)]
#[cfg(not(feature = "tenant-document"))]
mod tests {
    use super::*;
    use crate::{operation::OPERATIONS, wire::Secret};

    #[test]
    #[allow(clippy::unwrap_used, reason = "a failing test stops here")]
    fn a_secret_in_the_query_is_sent_as_its_text() {
        let client = Client::new("https://acme.example/api/v1", Plain::default());
        let draft = Draft::new(&client, &OPERATIONS[0], format_args!("/courses"));
        let draft = draft.and_then(|draft| draft.query("pin", Ok(Some(Secret::from("s3cr3t")))));
        let request = draft.map_err(Error::from).unwrap().finish().request;
        assert_eq!(request.url().query(), Some("pin=s3cr3t"));
    }
}
