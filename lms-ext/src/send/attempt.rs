//! One attempt: sends the request once and reads the response, within the timeouts and a size limit.
//!
//! A server or a proxy may send more than fits into memory, or stop sending without closing the connection. Bytes are
//! counted after decompression, so that a small compressed body cannot expand into a large one.
//!
//! The body of a success is validated before it is decoded:
//!
//! - **The number of objects and values.** A body within its size limit can take a hundred times its size in memory:
//!   `{},{},…` as learners, or `[],[],…` as JSON values. Both are therefore counted first. Most bodies are too short for
//!   too many, and are not counted.
//! - **The first and the last byte of JSON**, in a response to a read. The HTML page of a proxy is usually not the
//!   service's response, and a retry may get another one. Nothing else is checked, because the entire body is parsed
//!   later.

use bytes::{Bytes, BytesMut};
use reqwest::{Method, Response, Url};
use serde::de::IgnoredAny;
use tokio::time::{Instant, timeout_at};

use super::{
    CallContext, Sender,
    http::{HttpError, HttpFailure, HttpFuture},
    raw_response::{AttemptFailure, RawResponse},
    retry::AttemptOutcome,
    timeouts::{Timeouts, after, attempt_timeout, call_timeout, in_seconds},
};
use crate::{
    error::{Error, ErrorKind, MAX_ERROR_BODY_BYTES, connect_cause, known_cause},
    values::OperationInfo,
};

/// Maximum number of bytes that are reserved because of a `Content-Length`: about a large page.
const MAX_RESERVED: usize = 1024 * 1024;

impl Sender {
    /// Receives the response of an attempt.
    pub(super) async fn receive(
        &self,
        time: TimeLimit<'_>,
        response: HttpFuture<'_>,
        call: &CallContext<'_>,
    ) -> Result<Box<RawResponse>, AttemptFailure> {
        let mut response = match timeout_at(time.end, response).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.no_response(error, call.request.url())),
            Err(_) => return Err(time.out("while waiting for the response")),
        };
        let status = response.status();
        // An error and a delete are complete with their status, so a body that breaks off is not a failure.
        let body = if status.is_success() && call.operation.method != Method::DELETE {
            time.read(&mut response, self.max_body_bytes).await
        } else {
            Ok(time.read_start(&mut response).await)
        };
        let valid = body.and_then(|body| {
            if status.is_success() {
                validate(call.operation, &body, self.max_body_bytes)?;
            }
            Ok(body)
        });
        let body = match valid {
            Ok(body) => body,
            Err(AttemptFailure { error, outcome }) => {
                let error = error.with_status(status, response.headers());
                return Err(AttemptFailure::new(outcome, error));
            }
        };
        // Boxed, because it is moved often on its way to the caller.
        Ok(Box::new(RawResponse {
            status,
            headers: std::mem::take(response.headers_mut()),
            body,
            ..RawResponse::default()
        }))
    }

    fn no_response(&self, error: HttpError, url: &Url) -> AttemptFailure {
        let (failure, source) = (error.failure(), error.into_source());
        // With an explicit port: another program may listen on the default one.
        let host = match (url.host_str().unwrap_or_default(), url.port()) {
            (host, Some(port)) => format!("{host}:{port}"),
            (host, None) => host.to_owned(),
        };
        let (kind, detail, outcome) = match failure {
            HttpFailure::Connect => (
                ErrorKind::Connect,
                format!("could not connect to {host}: {}", connect_cause(&*source)),
                AttemptOutcome::NotSent,
            ),
            HttpFailure::ConnectTimeout => {
                let timeout = in_seconds(self.connect_timeout);
                let detail = format!("could not connect to {host} within {timeout}");
                (ErrorKind::ConnectTimeout, detail, AttemptOutcome::NotSent)
            }
            HttpFailure::Cancelled => {
                (ErrorKind::Cancelled, String::new(), AttemptOutcome::NotSent)
            }
            HttpFailure::Lost => {
                let kind = ErrorKind::Connection;
                let cause = known_cause(&*source);
                let detail = cause.map(|cause| format!("{}: {cause}", kind.describe()));
                (kind, detail.unwrap_or_default(), AttemptOutcome::Lost)
            }
        };
        AttemptFailure::new(outcome, Error::new(kind, detail).with_source(source))
    }
}

/// The end of an attempt: by its own timeout, or by that of the call.
#[derive(Clone, Copy)]
pub(super) struct TimeLimit<'a> {
    timeouts: &'a Timeouts,
    end: Instant,
    deadline: Instant,
}

impl<'a> TimeLimit<'a> {
    pub(super) fn new(timeouts: &'a Timeouts, sent: Instant, deadline: Instant) -> Self {
        Self {
            timeouts,
            end: after(sent, timeouts.attempt).min(deadline),
            deadline,
        }
    }

    /// The failure of an attempt that took too long.
    fn out(&self, waiting: &str) -> AttemptFailure {
        let timed_out = if self.end < self.deadline {
            attempt_timeout
        } else {
            call_timeout
        };
        AttemptFailure::new(AttemptOutcome::Lost, timed_out(self.timeouts, waiting))
    }

    /// Reads a whole body of at most `limit` bytes.
    async fn read(&self, response: &mut Response, limit: usize) -> Result<Bytes, AttemptFailure> {
        let too_large = || {
            let detail = format!(
                "the response body exceeds the limit of {limit} bytes; raise `max_body_bytes`"
            );
            let error = Error::new(ErrorKind::BodyTooLarge, detail);
            Err(AttemptFailure::new(AttemptOutcome::Unusable, error))
        };
        let announced =
            usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
        if announced > limit {
            return too_large();
        }
        let mut first = Bytes::new();
        let mut whole = BytesMut::new();
        while let Some(chunk) = self.chunk(response).await? {
            if first.is_empty() {
                first = chunk;
            } else {
                if whole.is_empty() {
                    let room = announced.min(MAX_RESERVED);
                    whole.reserve(room.max(first.len() + chunk.len()));
                    whole.extend_from_slice(&first);
                }
                whole.extend_from_slice(&chunk);
            }
            if first.len().max(whole.len()) > limit {
                return too_large();
            }
            if response.content_length() == Some(0) {
                // Complete, so there is no need to poll once more for the end.
                break;
            }
        }
        // A small body usually is a single chunk, which needs no copy.
        Ok(if whole.is_empty() {
            first
        } else {
            whole.freeze()
        })
    }

    /// Reads the first [`MAX_ERROR_BODY_BYTES`] bytes of a body, or as many as arrive before it stalls or breaks off.
    async fn read_start(&self, response: &mut Response) -> Bytes {
        let mut start = BytesMut::new();
        while start.len() < MAX_ERROR_BODY_BYTES {
            match self.chunk(response).await {
                Ok(Some(chunk)) => start.extend_from_slice(&chunk),
                Ok(None) | Err(_) => break,
            }
        }
        start.truncate(MAX_ERROR_BODY_BYTES);
        start.freeze()
    }

    async fn chunk(&self, response: &mut Response) -> Result<Option<Bytes>, AttemptFailure> {
        let stalled = after(Instant::now(), self.timeouts.read);
        let error = match timeout_at(stalled.min(self.end), response.chunk()).await {
            Ok(Ok(chunk)) => return Ok(chunk),
            Ok(Err(error)) => {
                let detail = "the connection broke before the end of the response body";
                Error::new(ErrorKind::Connection, detail).with_source(error.without_url())
            }
            Err(_) if stalled < self.end => {
                let timeout = in_seconds(self.timeouts.read);
                let detail =
                    format!("read timeout of {timeout} exceeded while reading the response body");
                Error::new(ErrorKind::BodyStalled, detail)
            }
            Err(_) => return Err(self.out("while reading the response body")),
        };
        Err(AttemptFailure::new(AttemptOutcome::Lost, error))
    }
}

/// Fails if the body of a success cannot be that of the operation.
fn validate(
    operation: &OperationInfo,
    body: &[u8],
    max_body_bytes: usize,
) -> Result<(), AttemptFailure> {
    let max_objects = (max_body_bytes / BYTES_PER_OBJECT).max(MIN_OBJECTS);
    if exceeds(body, max_objects) {
        let detail = format!(
            "the response contains more than {max_objects} objects, or 20 times as many values; request smaller pages, or raise `max_body_bytes`"
        );
        let error = Error::new(ErrorKind::BodyTooLarge, detail);
        return Err(AttemptFailure::new(AttemptOutcome::Unusable, error));
    }
    if operation.is_read()
        && let Some(defect) = defect(body)
    {
        let error = Error::new(ErrorKind::NotJson, defect);
        return Err(AttemptFailure::new(AttemptOutcome::NotJson, error));
    }
    Ok(())
}

/// Bytes of the largest body for each of which a body may contain an object.
const BYTES_PER_OBJECT: usize = 1280;

/// Number of objects that a body may contain in any case.
const MIN_OBJECTS: usize = 10_000;

/// Number of values that a body may contain for each object that it may contain. Lists and members count as values.
const VALUES_PER_OBJECT: usize = 20;

/// Returns `true` if a JSON body contains more than `max_objects` objects, or more than 20 times as many values.
fn exceeds(body: &[u8], max_objects: usize) -> bool {
    // `{},` is the shortest object. A body that is too short for the objects is too short for the values.
    if body.len() / 3 < max_objects {
        return false;
    }
    let (mut objects, mut separators) = (0, 0);
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        match byte {
            b'{' => objects += 1,
            b',' => separators += 1,
            b'"' => {
                at = end_of_string(body, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    objects > max_objects || separators >= max_objects.saturating_mul(VALUES_PER_OBJECT)
}

/// The position after the string that starts at `start`.
pub(crate) fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    text.len()
}

/// The defect of a `body` that does not begin or end like JSON. An empty body is not checked.
fn defect(body: &[u8]) -> Option<&'static str> {
    let body = body.trim_ascii();
    let end = match body.first()? {
        b'{' => b'}',
        b'[' => b']',
        // Anything else is short if it is JSON, and otherwise ends the parser soon.
        _ if serde_json::from_slice::<IgnoredAny>(body).is_ok() => return None,
        _ => return Some(NOT_JSON),
    };
    match body.last() {
        Some(last) if *last == end => None,
        // More than JSON, or less.
        Some(b'>') => Some(NOT_JSON),
        _ => Some("the response body ends too early"),
    }
}

const NOT_JSON: &str = "the response is not JSON";

#[cfg(test)]
mod tests {
    use super::*;

    fn list(item: &str, count: usize) -> Vec<u8> {
        format!("[{}]", vec![item; count].join(",")).into_bytes()
    }

    #[test]
    fn objects_and_values_are_counted_outside_of_strings() {
        assert!(!exceeds(&list("{}", 100), 100));
        assert!(exceeds(&list("{}", 101), 100));
        assert!(exceeds(&list(r#"{"a": "\"{"}"#, 101), 100));
        assert!(!exceeds(&list(r#""{,{,{,\"{,\\""#, 500), 100));
        for value in ["0", "[]", "\"\""] {
            assert!(!exceeds(&list(value, 2000), 100), "{value}");
            assert!(exceeds(&list(value, 2001), 100), "{value}");
        }
        let members: Vec<_> = (0..2001).map(|n| format!("\"{n}\":0")).collect();
        assert!(exceeds(
            format!("{{{}}}", members.join(",")).as_bytes(),
            100
        ));
        assert!(!exceeds(&list("{}", 100_000), usize::MAX));
    }

    #[test]
    fn what_is_not_json_is_counted_without_an_end() {
        for body in ["", "\"", "\"\\", "{\"{", "\u{0}"] {
            assert!(!exceeds(body.as_bytes(), 1), "{body:?}");
        }
    }

    #[test]
    fn only_a_body_that_begins_and_ends_like_json_has_no_defect() {
        for body in [
            "",
            "  \n",
            "{}",
            " {\"a\": [1]}\n",
            "[]",
            "\"text\"",
            "-1.5e3",
            "true",
            "null",
        ] {
            assert_eq!(defect(body.as_bytes()), None, "{body:?}");
        }
        for body in [
            "<html></html>",
            "\u{feff}{}",
            "busy",
            "nul",
            "tenant {}",
            "{}}]<!-- -->",
            "\u{1f}\u{8b}",
        ] {
            assert_eq!(defect(body.as_bytes()), Some(NOT_JSON), "{body:?}");
        }
        for body in ["{", "[{}", "{\"items\": [{}]"] {
            let defect = defect(body.as_bytes());
            assert_eq!(defect, Some("the response body ends too early"), "{body:?}");
        }
    }
}
