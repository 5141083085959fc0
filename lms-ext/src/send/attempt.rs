//! One attempt: sends the request once and reads the response, within the timeouts and a size limit.
//!
//! A server or a proxy may send more than fits into memory, or stop sending without closing the connection. Bytes are
//! counted after decompression, so that a small compressed body cannot expand into a large one.

use bytes::{Bytes, BytesMut};
use reqwest::{Method, Request, Response, Url};
use tokio::time::{Instant, timeout_at};

use super::{
    CallContext, Sender,
    http::{HttpError, HttpFailure, HttpFuture},
    raw_response::{AttemptFailure, RawResponse},
    retry::AttemptOutcome,
    timeouts::{Timeouts, after, attempt_timeout, call_timeout, in_seconds},
    validate::validate,
};
use crate::error::{Error, ErrorKind, MAX_ERROR_BODY_BYTES, connect_cause, known_cause};

/// Maximum number of bytes that are reserved because of a `Content-Length`: about a large page.
const MAX_RESERVED: usize = 1024 * 1024;

impl Sender {
    /// Starts an attempt.
    pub(super) fn start<'a>(
        &'a self,
        request: Request,
        call: &CallContext<'a>,
        sent: Instant,
        deadline: Instant,
    ) -> (TimeLimit<'a>, HttpFuture<'a>) {
        let time = TimeLimit {
            timeouts: call.timeouts,
            end: after(sent, call.timeouts.attempt).min(deadline),
            deadline,
        };
        let response = match call.cancel {
            Some(cancel) => self.http.send_unless(request, cancel),
            None => self.http.send(request),
        };
        (time, response)
    }

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

impl TimeLimit<'_> {
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
