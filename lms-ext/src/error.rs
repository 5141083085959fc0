//! The one error of this crate.

mod body;
mod kind;
mod message;
mod usage;

use std::{error::Error as StdError, fmt, sync::Arc, time::Duration};

use reqwest::{StatusCode, header::HeaderMap};

pub use body::ErrorBody;
pub use kind::ErrorKind;
pub(crate) use usage::in_words;

use crate::{
    operation::OperationInfo,
    retry::{passes, retry_after},
    scrub::Carried,
};

/// What went wrong, where, after how much effort, and what the tenant said.
///
/// [`kind`](Self::kind) and the `is_…` methods are for programs; `Display` is one sentence for people:
/// ``list_learners: 429 after 3 attempts over 4.1 s; the tenant asked to wait 30 s``. With `{:#}` it adds
/// what the tenant said, which may repeat what was sent. Neither it nor `Debug` shows the body, an id, a
/// query or a secret.
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
    pub(crate) fn new(kind: ErrorKind, detail: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            detail: detail.into(),
            notes: Vec::new(),
            operation: None,
            status: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            request_id: None,
            retry_after: None,
            body: None,
            path: None,
            fields: Vec::new(),
            source: None,
        }))
    }

    /// A call that cannot be sent as it is.
    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, detail)
    }

    /// An answer whose status is no success.
    pub(crate) fn from_status(
        status: StatusCode,
        headers: &HeaderMap,
        body: bytes::Bytes,
        kind: ErrorKind,
        carried: &Carried,
    ) -> Self {
        let mut error = Self::new(kind, "");
        error.0.status = Some(status);
        error.0.request_id = request_id(headers).map(|id| carried.hidden_in(&id));
        error.0.retry_after = retry_after(headers);
        error.0.body = Some(ErrorBody::new(body, headers, carried));
        error
    }

    /// No token could be had, for a [`TokenProvider`](crate::TokenProvider) of your own to say.
    ///
    /// `detail` says why, in words that start lower-case and hold no secret.
    pub fn token(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Token, detail)
    }

    /// The credentials are not accepted and trying again is of no use, for a
    /// [`TokenProvider`](crate::TokenProvider) of your own to say.
    ///
    /// `detail` says what to check, in words that start lower-case and hold no secret.
    pub fn credentials_refused(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unauthenticated, detail)
    }

    /// Adds what it comes from, which must not show a secret either.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// The same error once more, for everyone who waited for the same thing.
    pub(crate) fn share(&self) -> Self {
        Self(self.0.clone())
    }

    pub(crate) fn with_status(mut self, status: StatusCode, headers: &HeaderMap) -> Self {
        self.0.status = Some(status);
        // One that is known already had secrets taken out.
        if self.0.request_id.is_none() {
            self.0.request_id = request_id(headers);
        }
        self
    }

    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = detail.into();
        self
    }

    /// Adds to what is said, behind it.
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.0.notes.push(note.into());
        self
    }

    pub(crate) fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// The error of a call that may have been carried out all the same.
    pub(crate) fn made_ambiguous(mut self) -> Self {
        if self.0.operation.is_some() {
            // It is another operation that failed, such as fetching the next token.
            let detail = format!("an attempt was not answered, and then {self}");
            return Self::new(ErrorKind::Ambiguous, detail).with_source(self);
        }
        if self.0.detail.is_empty() && self.0.status.is_none() {
            self.0.detail = self.0.kind.in_words().to_owned();
        }
        self.with_kind(ErrorKind::Ambiguous)
    }

    pub(crate) fn with_path(mut self, path: String) -> Self {
        self.0.path = Some(path);
        self
    }

    pub(crate) fn with_fields(mut self, fields: Vec<String>) -> Self {
        self.0.fields = fields;
        self
    }

    /// Says which operation it was, unless that is already known.
    pub(crate) fn in_operation(mut self, operation: &'static OperationInfo) -> Self {
        self.0.operation.get_or_insert(operation);
        self
    }

    /// Says how much was tried; what an earlier layer counted stands.
    pub(crate) fn after(mut self, attempts: u32, elapsed: Duration) -> Self {
        if self.0.attempts == 0 {
            self.0.attempts = attempts;
            self.0.elapsed = elapsed;
        }
        self
    }

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
        self.0.request_id.as_deref()
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

    /// The request may have been carried out, and nobody knows.
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
            ErrorKind::Token => self.status().is_some_and(passes),
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

/// The id of a request, under one of the names that are in use for it.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let names = [
        "x-request-id",
        "request-id",
        "x-correlation-id",
        "x-amzn-requestid",
        "x-amzn-trace-id",
        "x-cloud-trace-context",
        "traceparent",
        "cf-ray",
    ];
    names
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .map(|id| id.chars().take(128).collect())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(operation) = inner.operation {
            write!(f, "{}: ", operation.id)?;
        }
        // The status says it all, or else the detail does.
        let words = match (inner.status, inner.detail.as_str()) {
            (Some(status), detail) => {
                write!(f, "{}", status.as_u16())?;
                detail
            }
            (None, "") => {
                f.write_str(inner.kind.in_words())?;
                ""
            }
            (None, detail) => {
                f.write_str(detail)?;
                ""
            }
        };
        if inner.attempts > 1 {
            let comma = if inner.status.is_some() { "" } else { "," };
            write!(
                f,
                "{comma} after {} attempts over {:.1} s",
                inner.attempts,
                inner.elapsed.as_secs_f64()
            )?;
        }
        let asked = inner.retry_after.filter(|asked| !asked.is_zero());
        match words {
            "" if inner.kind == ErrorKind::Ambiguous
                || inner.status.is_some() && asked.is_none() =>
            {
                write!(f, "; {}", inner.kind.in_words())?;
            }
            "" => {}
            words => write!(f, "; {words}")?,
        }
        if let Some(path) = &inner.path {
            write!(f, " at {path}")?;
        }
        if !words.is_empty() && inner.kind == ErrorKind::Ambiguous {
            write!(f, "; {}", inner.kind.in_words())?;
        }
        if let Some(asked) = asked {
            write!(f, "; the tenant asked to wait {} s", whole_seconds(asked))?;
        }
        for note in &inner.notes {
            write!(f, "; {note}")?;
        }
        if let Some(id) = &inner.request_id {
            write!(f, "; request id {id}")?;
        }
        if f.alternate()
            && let Some(message) = self.message()
        {
            write!(f, "; the tenant said: {message}")?;
        }
        Ok(())
    }
}

/// Rounded up, since who comes early comes in vain.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs()
        .saturating_add(u64::from(wait.subsec_nanos() > 0))
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.debug_struct("Error")
            .field("kind", &inner.kind)
            .field("detail", &inner.detail)
            .field("notes", &inner.notes)
            .field("operation", &inner.operation.map(|operation| operation.id))
            .field("status", &inner.status)
            .field("attempts", &inner.attempts)
            .field("elapsed", &inner.elapsed)
            .field("request_id", &inner.request_id)
            .field("retry_after", &inner.retry_after)
            .field("body", &inner.body)
            .field("path", &inner.path)
            .field("fields", &inner.fields)
            .field("source", &inner.source)
            .finish()
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
