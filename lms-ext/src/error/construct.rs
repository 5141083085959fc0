//! How an error comes about: from a status, from a failure, and with what each layer on its way adds.
//!
//! What an inner layer knew stands: the operation that failed, how often it was sent. An outer one adds
//! what is missing.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use reqwest::{StatusCode, header::HeaderMap};

use super::{Error, ErrorBody, ErrorKind, Inner, redact::RequestSecrets, retry_after::retry_after};
use crate::values::OperationInfo;

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
        secrets: &RequestSecrets,
    ) -> Self {
        let mut error = Self::new(ErrorKind::of_status(status.as_u16()), "");
        error.0.status = Some(status);
        error.0.request_id = request_id(headers).map(|id| secrets.redact(&id));
        error.0.retry_after = retry_after(headers);
        error.0.body = Some(ErrorBody::new(body, headers, secrets));
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
    pub fn invalid_credentials(detail: impl Into<String>) -> Self {
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

    /// Redacts what is shown of response headers and of other libraries' errors.
    pub(crate) fn hide(&mut self, secrets: &RequestSecrets) {
        if self.0.kind == ErrorKind::Connect {
            self.0.detail = secrets.redact(&self.0.detail);
        }
        if let Some(id) = &mut self.0.request_id {
            *id = secrets.redact(id);
        }
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

    /// The error of a call that may have been processed all the same.
    pub(crate) fn into_ambiguous(mut self) -> Self {
        if self.0.operation.is_some() {
            // It is another operation that failed, such as fetching the next token.
            let detail = format!("an attempt was not answered, and then {self}");
            return Self::new(ErrorKind::Ambiguous, detail).with_source(self);
        }
        if self.0.detail.is_empty() && self.0.status.is_none() {
            self.0.detail = self.0.kind.describe().to_owned();
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
}

/// The id of a request, under one of the names that are in use for it. All of it: half a secret would not be found in it.
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
        .find_map(|name| {
            let id = headers.get(*name)?;
            let text = id.to_str().ok()?;
            // Marked, because it repeats a secret of the request.
            Some(if id.is_sensitive() { "<hidden>" } else { text })
        })
        .map(ToOwned::to_owned)
}
