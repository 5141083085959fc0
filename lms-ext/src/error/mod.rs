//! The one error of this crate: what a program can ask it.
//!
//! How an error comes about is in `making.rs`, what a person reads in `sentence.rs`.

mod body;
mod cause;
mod construct;
mod display;
mod kind;
mod message;
mod redact;
mod retry_after;
mod usage;

use std::{error::Error as StdError, sync::Arc, time::Duration};

use reqwest::StatusCode;

pub use body::ErrorBody;
pub(crate) use body::MAX_ERROR_BODY_BYTES;
pub(crate) use cause::{connect_cause, known_cause};
pub use kind::ErrorKind;
pub(crate) use kind::is_transient;
pub(crate) use redact::RequestSecrets;
pub(crate) use retry_after::retry_after;
pub(crate) use usage::describe;

use crate::values::OperationInfo;

/// What went wrong, where, after how much effort, and what the tenant said.
///
/// [`kind`](Self::kind) and the `is_…` methods are for programs; `Display` is one sentence for people:
/// ``list_learners: 429 after 3 attempts over 4.1 s; the tenant asked to wait 30 s``. With `{:#}` it adds
/// what the tenant said, which may repeat what was sent. Neither it nor `Debug` shows the body, an id of an
/// object, a query or a secret; but the [place](Self::json_path) in an answer that is read into a type of
/// your own leads through the keys of its maps.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// match lms.get_learner_by_email().email("jo@acme.example").call().await {
///     Ok(learner) => println!("{:?}", learner.id),
///     Err(error) if error.is_not_found() => println!("nobody has that address"),
///     Err(error) => return Err(error),
/// }
/// # Ok(())
/// # }
/// ```
pub struct Error(Box<Inner>);

/// Of a request id, so much is shown.
const LONGEST_REQUEST_ID: usize = 128;

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    detail: String,
    notes: Vec<String>,
    operation: Option<&'static OperationInfo>,
    status: Option<StatusCode>,
    attempts: u32,
    elapsed: Duration,
    request_id: Option<String>,
    retry_after: Option<Duration>,
    body: Option<ErrorBody>,
    path: Option<String>,
    fields: Vec<String>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The operation, as the Rust method is called, e.g. `list_learners`; `None` when the failure
    /// belongs to none, as a base address that cannot be used.
    #[must_use]
    pub fn operation(&self) -> Option<&'static str> {
        self.0.operation.map(|operation| operation.id)
    }

    /// The HTTP method and the path template, e.g. `GET /learners/{id}`; never the path itself.
    #[must_use]
    pub fn endpoint(&self) -> Option<String> {
        let operation = self.0.operation?;
        Some(format!("{} {}", operation.method, operation.path))
    }

    /// The HTTP status of the answer that the error is about; `None` when there was none, as after a lost
    /// connection.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status.map(|status| status.as_u16())
    }

    /// How often the request was sent; 0 when it never was.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// How long the call took, waits included.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed
    }

    /// The id under which the tenant knows the request, when a header of the answer carries one.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        let id = self.0.request_id.as_deref()?;
        Some(id.get(..LONGEST_REQUEST_ID).unwrap_or(id))
    }

    /// How long the tenant asked to wait before the next try.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The body of the answer, cut off after 64 KiB.
    #[must_use]
    pub fn body(&self) -> Option<&ErrorBody> {
        self.0.body.as_ref()
    }

    /// What the tenant said in words, as far as the body holds any: error bodies have no documented shape
    /// (§7), so the usual ones are tried. At most 300 characters on one line. A token, password
    /// or other secret of the request that it repeats is replaced.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        self.0.body.as_ref()?.message().map(str::to_owned)
    }

    /// The place in the answer that could not be read, e.g. `items[17].file_size`.
    ///
    /// It is a part of what is shown of the error. For the service's own types it is made of their fields; in a type of
    /// your own with a `HashMap`, it also has the key that the tenant sent.
    #[must_use]
    pub fn json_path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// The fields that an error about an edit is about: after a mismatch those that are not as they were
    /// meant to be, after a conflict those that somebody else has changed.
    #[must_use]
    pub fn fields(&self) -> &[String] {
        &self.0.fields
    }

    /// The call could not be sent as it was written; nothing left this machine.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        self.kind() == ErrorKind::Usage
    }

    /// There is no such object, or no such address.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.kind() == ErrorKind::NotFound
    }

    /// The tenant does not accept the credentials or the token.
    #[must_use]
    pub fn is_unauthenticated(&self) -> bool {
        self.kind() == ErrorKind::Unauthenticated
    }

    /// The tenant knows who asks and does not allow it.
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.kind() == ErrorKind::Forbidden
    }

    /// What was asked for contradicts what is there, such as a second learner with the same address.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.kind() == ErrorKind::Conflict
    }

    /// The tenant answers no more requests for now.
    #[must_use]
    pub fn is_rate_limited(&self) -> bool {
        self.kind() == ErrorKind::RateLimited
    }

    /// One of the limits on time ran out: connecting, one attempt, a stalled body, or the whole call.
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

    /// The request may have been processed, and nobody knows.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.kind() == ErrorKind::Ambiguous
    }

    /// Whether the same call may succeed later without any change.
    ///
    /// False for an [ambiguous](Self::is_ambiguous) one, which may have succeeded already.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.kind() {
            ErrorKind::RateLimited
            | ErrorKind::Server
            | ErrorKind::Connect
            | ErrorKind::ConnectTimeout
            | ErrorKind::Connection
            | ErrorKind::AttemptTimeout
            | ErrorKind::BodyStalled
            | ErrorKind::DeadlineExceeded => true,
            ErrorKind::Token => self.status().is_some_and(is_transient),
            _ => false,
        }
    }

    /// Finds an error of this crate in the chain of another, such as that of a raw `send()`.
    #[must_use]
    pub fn find_in<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            next = error.source();
        }
        None
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
