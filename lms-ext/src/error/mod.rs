//! The error type of this crate.
//!
//! `construct.rs` creates errors, `display.rs` displays them, `cause.rs` finds the cause of a failed connection, and
//! `redact.rs` hides secrets.

mod body;
mod cause;
mod construct;
mod display;
mod kind;
mod redact;

use std::{error::Error as StdError, sync::Arc, time::Duration};

use bytes::Bytes;
use reqwest::StatusCode;

pub(crate) use body::MAX_ERROR_BODY_BYTES;
pub(crate) use cause::{connect_cause, known_cause};
pub(crate) use construct::{content_type, retry_after};
pub use kind::ErrorKind;
pub(crate) use kind::is_transient;
pub(crate) use redact::RequestSecrets;

use crate::values::OperationInfo;

/// A failed call: its cause, the operation, the number of attempts, and the response of the server.
///
/// Programs use [`kind`](Self::kind) and the `is_…` methods. `Display` is one line for people:
/// ``list_learners: 429 after 3 attempts over 4.1 s; the server asked to wait 30 s``. `{:#}` appends the server's
/// [message](Self::message), which may echo the request. `Debug` is the line of `Display`. Apart from that message, none of
/// them shows the body, the id of an object, a query or a secret. If a response is decoded into your own type with a map,
/// the [path](Self::json_path) may contain a key of that map.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// match lms.get_learner_by_email("jo@acme.example").call().await {
///     Ok(learner) => println!("{:?}", learner.id),
///     Err(error) if error.is_not_found() => println!("no learner has this email address"),
///     Err(error) => return Err(error),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

/// Number of bytes after which a request id is truncated.
const MAX_REQUEST_ID: usize = 128;

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    detail: String,
    /// In place of the general advice of the kind.
    advice: Option<String>,
    notes: Vec<String>,
    operation: Option<&'static OperationInfo>,
    status: Option<StatusCode>,
    attempts: u32,
    elapsed: Duration,
    request_id: Option<String>,
    content_type: Option<String>,
    retry_after: Option<Duration>,
    body: Option<Bytes>,
    message: Option<String>,
    path: Option<String>,
    fields: Vec<String>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

macro_rules! is_kind {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ident;)+) => {$(
        $(#[doc = $doc])+
        #[must_use]
        pub fn $name(&self) -> bool {
            self.kind() == ErrorKind::$kind
        }
    )+};
}

impl Error {
    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The operation, by the name of its Rust method: `list_learners`. `None` if there is none, for example for an
    /// invalid base URL.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.0.operation.map(|operation| operation.id)
    }

    /// The HTTP status of the response; `None` without a response, for example after a lost connection.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status.map(|status| status.as_u16())
    }

    /// The content type of the response, without parameters, for example `application/json`; hidden if it contains a secret
    /// of the request. `None` if the response has none.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.0.content_type.as_deref()
    }

    /// Number of times that the request was sent.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// Duration of the call, including waits.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed
    }

    /// The request id from the response headers, for questions to the service's support; at most 128 bytes.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        let id = self.0.request_id.as_deref()?;
        Some(id.get(..MAX_REQUEST_ID).unwrap_or(id))
    }

    /// The wait that the response's `Retry-After` header asked for.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The response body as received, at most 64 KiB. It may echo the request.
    #[must_use]
    pub fn body(&self) -> Option<&[u8]> {
        self.0.body.as_deref()
    }

    /// The server's message: at most 300 characters on one line, found in the usual places of the body, since
    /// [error bodies have no documented shape](lms_client::service#errors). If it repeats a secret of the
    /// request, it says only which, such as `<hidden: password>`.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        self.0.message.clone()
    }

    /// The JSON path of the value that could not be decoded: `items[17].file_size`.
    ///
    /// It is part of `Display`. It consists of field names of the type. If your own type has a map, it may contain a
    /// key that the server sent.
    #[must_use]
    pub fn json_path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// The fields that caused the error of an edit: after a mismatch, the fields that differ from the request;
    /// otherwise the fields that were missing when the object was read. For [`Lms::from_env`](crate::Lms::from_env),
    /// the missing variables.
    #[must_use]
    pub fn fields(&self) -> &[String] {
        &self.0.fields
    }

    is_kind! {
        /// The call is not valid as written, and no request was sent.
        is_usage: Usage;
        /// The object or the URL does not exist.
        is_not_found: NotFound;
        /// The server does not accept the credentials or the token.
        is_unauthenticated: Unauthenticated;
        /// The credentials do not allow the operation.
        is_forbidden: Forbidden;
        /// The request conflicts with existing data, for example a second learner with the same email address.
        is_conflict: Conflict;
        /// The server does not accept the cursor of a list any more. Read the list from the start.
        is_cursor_rejected: CursorRejected;
        /// Too many requests (429).
        is_rate_limited: RateLimited;
        /// A write may have been processed. Check before you send it again.
        is_ambiguous: Ambiguous;
    }

    /// A timeout: of connecting, of one attempt, of reading the body, or of the entire call.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::ConnectTimeout
                | ErrorKind::AttemptTimeout
                | ErrorKind::BodyStalled
                | ErrorKind::DeadlineExceeded
        )
    }

    /// Returns `true` if the same call may succeed later, unchanged.
    ///
    /// `false` for an [ambiguous](Self::is_ambiguous) error, because the call may have succeeded.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.kind() {
            ErrorKind::RateLimited
            | ErrorKind::Server
            | ErrorKind::NotJson
            | ErrorKind::Connect
            | ErrorKind::Connection => true,
            _ => self.is_timeout(),
        }
    }

    /// Returns `true` if the failure concerns only the object or the request of this call, so that the same call for
    /// another object may succeed.
    ///
    /// `false` if other calls are also affected: the credentials, the connection, an outage, throttling, a redirect. A
    /// loop over many objects can continue after `true`, and should end after `false`.
    ///
    /// `true` for an [ambiguous](Self::is_ambiguous) error: check that object before you make the call again.
    #[must_use]
    pub fn is_object_specific(&self) -> bool {
        match self.kind() {
            ErrorKind::Usage
            | ErrorKind::NotFound
            | ErrorKind::Conflict
            | ErrorKind::Rejected
            | ErrorKind::BodyTooLarge
            | ErrorKind::Ambiguous
            | ErrorKind::Mismatch
            | ErrorKind::TaskFailed => true,
            // Otherwise the response is no object at all.
            ErrorKind::Decode => self.json_path().is_some() || !self.fields().is_empty(),
            _ => false,
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoding_error_is_about_an_object_if_it_names_a_part_of_it() {
        let error = || Error::new(ErrorKind::Decode, "");
        assert!(!error().is_object_specific());
        let with_path = error().with_path("items[0].id".to_owned());
        let with_fields = error().with_fields(vec!["id".to_owned()]);
        assert!(with_path.is_object_specific() && with_fields.is_object_specific());
    }
}
