//! Creates errors, from a status or a failure, and adds the facts of each layer.
//!
//! An outer layer never replaces facts of an inner layer, such as the operation and the number of attempts.

use std::{
    error::Error as StdError,
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use lms_client::types::error::ConversionError;
use reqwest::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};

use super::{
    Error, ErrorKind, Inner,
    body::{MAX_ERROR_BODY_BYTES, find_message},
    redact::{RequestSecrets, hidden},
};
use crate::values::OperationInfo;

impl Error {
    pub(crate) fn new(kind: ErrorKind, detail: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            detail: detail.into(),
            advice: None,
            notes: Vec::new(),
            operation: None,
            status: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            request_id: None,
            content_type: None,
            retry_after: None,
            body: None,
            message: None,
            path: None,
            fields: Vec::new(),
            source: None,
        }))
    }

    /// The error of a call that is not valid.
    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, detail)
    }

    /// The error of a response whose status is not a success.
    pub(crate) fn from_status(
        status: StatusCode,
        headers: &HeaderMap,
        mut body: Bytes,
        secrets: &RequestSecrets,
    ) -> Self {
        let mut error = Self::new(ErrorKind::of_response(status.as_u16(), &body), "");
        error.0.status = Some(status);
        if error.0.kind == ErrorKind::NotJson {
            error.0.notes.extend(foreign_type(headers));
        }
        error.0.request_id = request_id(headers, Some(secrets));
        error.0.retry_after = retry_after(headers);
        error.0.content_type = content_type(headers, secrets);
        body.truncate(MAX_ERROR_BODY_BYTES);
        error.0.message = find_message(&body, secrets);
        error.0.body = Some(body);
        error
    }

    /// For your own [`TokenProvider`](crate::TokenProvider): no token could be obtained.
    ///
    /// `detail` says why. It should start in lower case, and must not contain a secret.
    pub fn token(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Token, detail)
    }

    /// For your own [`TokenProvider`](crate::TokenProvider): the credentials are not accepted, and a retry does not
    /// help.
    ///
    /// `detail` is advice on what to check. It should start in lower case, and must not contain a secret.
    pub fn invalid_credentials(detail: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unauthenticated, detail)
    }

    /// An error of any kind, for tests of code that handles errors. It has the status of a response of that kind.
    ///
    /// ```
    /// use std::time::Duration;
    /// use lms_ext::{Error, ErrorKind};
    ///
    /// let error = Error::for_test(ErrorKind::RateLimited).with_retry_after(Duration::from_secs(30));
    /// assert!(error.is_retryable());
    /// assert_eq!(error.status(), Some(429));
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(30)));
    /// ```
    #[must_use]
    pub fn for_test(kind: ErrorKind) -> Self {
        let mut error = Self::new(kind, "");
        error.0.status = kind
            .status()
            .and_then(|status| StatusCode::from_u16(status).ok());
        error
    }

    /// Sets the source, which must not show a secret either.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Sets the wait that [`retry_after`](Self::retry_after) returns. After an error of your own
    /// [`TokenProvider`](crate::TokenProvider), no token is requested for this time, at most an hour.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    pub(crate) fn with_status(mut self, status: StatusCode, headers: &HeaderMap) -> Self {
        self.0.status = Some(status);
        // If it is set already, it has been redacted.
        if self.0.request_id.is_none() {
            self.0.request_id = request_id(headers, None);
        }
        if self.0.kind == ErrorKind::NotJson {
            self.0.notes.extend(foreign_type(headers));
        }
        self
    }

    /// Hides texts that contain a secret: the cause in another library's words, the content type, and the request id.
    pub(crate) fn hide(&mut self, secrets: &RequestSecrets) {
        if self.0.kind == ErrorKind::Connect && secrets.is_in(&self.0.detail) {
            self.0.detail.clear();
        }
        self.0.notes.retain(|note| !secrets.is_in(note));
        if let Some(id) = &mut self.0.request_id {
            *id = secrets.redact(id).into_owned();
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

    /// Appends a sentence to the message.
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Self {
        self.0.notes.push(note.into());
        self
    }

    /// Replaces the advice of an ambiguous error.
    pub(crate) fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// The error of a call that may have been processed.
    pub(crate) fn into_ambiguous(mut self) -> Self {
        if self.0.operation.is_some() {
            // Another operation failed, such as the request for a new token.
            let detail = format!("an attempt got no response; then {self}");
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

    /// Sets the operation, unless it is set.
    pub(crate) fn in_operation(mut self, operation: &'static OperationInfo) -> Self {
        self.0.operation.get_or_insert(operation);
        self
    }

    /// Sets the number of attempts and the time they took, unless they are set.
    pub(crate) fn after(mut self, attempts: u32, elapsed: Duration) -> Self {
        if self.0.attempts == 0 {
            self.0.attempts = attempts;
            self.0.elapsed = elapsed;
        }
        self
    }
}

/// The content type without parameters, hidden if it contains a secret. `application/json` is returned whatever the secrets
/// are: a short one may be part of it.
pub(crate) fn content_type(headers: &HeaderMap, secrets: &RequestSecrets) -> Option<String> {
    let text = String::from_utf8_lossy(headers.get(CONTENT_TYPE)?.as_bytes());
    let essence = text.split(';').next()?.trim().to_ascii_lowercase();
    Some(match essence.as_str() {
        "application/json" => essence,
        _ => secrets.redact(&essence).into_owned(),
    })
}

/// Says which content type a response has that should be JSON.
fn foreign_type(headers: &HeaderMap) -> Option<String> {
    let value = headers
        .get(CONTENT_TYPE)
        .filter(|value| !value.is_sensitive())?;
    let essence = value.to_str().ok()?.split(';').next()?.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '+' | '-' | '_');
    let is_shown = essence.contains('/') && essence.len() <= 80 && essence.chars().all(plain);
    (is_shown && !essence.ends_with("json")).then(|| {
        format!(
            "its content type is {essence}, so it probably is that of a proxy or of another site"
        )
    })
}

/// A value that a generated type does not accept.
impl From<ConversionError> for Error {
    fn from(error: ConversionError) -> Self {
        Self::usage(error.to_string())
    }
}

/// The request id, from one of the usual headers. Not shortened yet: a part of a secret would not be redacted.
fn request_id(headers: &HeaderMap, secrets: Option<&RequestSecrets>) -> Option<String> {
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
    names.iter().find_map(|name| {
        let id = headers.get(*name)?;
        let text = id.to_str().ok()?;
        let shown = secrets.map_or(text.into(), |secrets| secrets.redact(text));
        // Marked as sensitive because it contains a secret of the request.
        Some(match id.is_sensitive() && shown == text {
            true => hidden("a secret of the request"),
            false => shown.into_owned(),
        })
    })
}

/// The wait that `Retry-After` asks for, in seconds or until a date (RFC 9110, 10.2.3).
///
/// `None` without a valid header. Zero for a date in the past.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    read(headers.get(RETRY_AFTER)?.to_str().ok()?, SystemTime::now())
}

fn read(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits are a very long time.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_valid_and_nothing_else() {
        // 2026-03-01T12:00:00Z
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_366_400);
        for (text, expected) in [
            ("0", Some(0)),
            ("30", Some(30)),
            (" 30 ", Some(30)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 01 Mar 2026 12:00:30 GMT", Some(30)),
            ("Sunday, 01-Mar-26 12:00:30 GMT", Some(30)),
            ("Sun Mar  1 12:00:30 2026", Some(30)),
            ("Sun, 01 Mar 2026 11:00:00 GMT", Some(0)),
            ("", None),
            ("-1", None),
            ("+5", None),
            ("1.5", None),
            ("30s", None),
            ("soon", None),
            ("2026-03-01T12:00:30Z", None),
        ] {
            assert_eq!(
                read(text, now),
                expected.map(Duration::from_secs),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_header_that_is_not_text_is_ignored() {
        let mut headers = HeaderMap::new();
        assert_eq!(retry_after(&headers), None);
        let bytes = reqwest::header::HeaderValue::from_bytes(b"\xff").unwrap();
        headers.insert(RETRY_AFTER, bytes);
        assert_eq!(retry_after(&headers), None);
    }
}
