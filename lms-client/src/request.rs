//! The request of a builder.

#![expect(clippy::result_large_err, reason = "the error type of the raw client")]

use std::{
    borrow::Cow,
    future::poll_fn,
    pin::{Pin, pin},
};

use progenitor_client::ResponseValue;
use reqwest::Request;

use crate::{Error, Operations, hooks::taken, info::OperationInfo, types::error::ConversionError};

/// A request that was made by a builder and has not been sent.
///
/// Unlike a builder, it does not borrow its client and does not decode the response. It can therefore be kept, inspected,
/// replayed or sent by code that handles all operations alike.
///
/// ```
/// use lms_client::{Client, Operations, operation::Operation};
///
/// # fn main() -> Result<(), lms_client::Error> {
/// let client = Client::new_with_client("https://acme.example/api/v1", reqwest::Client::new());
/// let prepared = Operations::new(client, ()).get_course("c1").prepare()?;
/// assert_eq!(prepared.operation.id, "get_course");
/// assert_eq!(prepared.request.url().path(), "/api/v1/courses/c1");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
pub struct PreparedRequest<T = ()> {
    /// The request: with its parameters and body, without credentials.
    pub request: Box<Request>,
    /// The operation.
    pub operation: &'static OperationInfo,
    /// What the builder would have been sent with.
    pub transport: T,
}

/// The request that a method of the raw client would send.
#[inline]
pub(crate) fn prepare<T: Clone, V>(
    operations: &Operations<T>,
    operation: &'static OperationInfo,
    mut call: Pin<&mut impl Future<Output = Result<ResponseValue<V>, Error>>>,
) -> Result<PreparedRequest<T>, Error> {
    let Some(base) = operations.base() else {
        return Err(Error::InvalidRequest(
            "the base URL is not valid; write it like https://acme.example/api/v1".to_owned(),
        ));
    };
    let ended = pin!(poll_fn(|context| call
        .as_mut()
        .poll(context)
        .map(Result::err)));
    Ok(PreparedRequest {
        request: taken(base, ended)?,
        operation,
        transport: operations.transport().clone(),
    })
}

/// The value of a parameter.
#[inline]
pub(crate) fn value<V>(_: &str, value: Result<V, String>) -> Result<V, Error> {
    value.map_err(Error::InvalidRequest)
}

/// The value of a path parameter.
///
/// Refuses values that would change the path of the request: `delete_course("..")` would send a `DELETE` to the parent path.
pub(crate) fn segment<V: ToString>(name: &str, value: Result<V, String>) -> Result<V, Error> {
    let value = value.map_err(Error::InvalidRequest)?;
    let reason = match value.to_string().as_str() {
        "" => "is empty",
        "." | ".." => "is a dot segment, which addresses another path",
        // progenitor's `PATH_SET` leaves it, and a URL reads it as `/`.
        text if text.contains('\\') => "has a backslash, which addresses another path",
        _ => return Ok(value),
    };
    Err(Error::InvalidRequest(format!(
        "{name} {reason}; give the id of one object"
    )))
}

/// The body that a builder makes.
#[inline]
pub(crate) fn body<B, V: TryFrom<B, Error = ConversionError>>(
    _: &str,
    builder: B,
) -> Result<V, Error> {
    let body = builder.try_into();
    body.map_err(|reason| Error::InvalidRequest(format!("in the body, {reason}")))
}

/// Encodes a value as one segment of a URL's path.
///
/// Beside what progenitor encodes, the backslash, which a URL parser reads as `/`, and the semicolon: some servers ignore what
/// follows it, so the id `..;` would be a dot segment there. Returns empty values and dot segments unchanged. Builders reject
/// both.
#[must_use]
pub fn encode_path(segment: &str) -> Cow<'_, str> {
    let encoded = progenitor_client::encode_path(segment);
    Cow::Owned(encoded.replace('\\', "%5C").replace(';', "%3B"))
}
