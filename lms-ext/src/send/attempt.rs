//! One attempt: the request goes out once, and its answer is read to the end or to a limit.

use bytes::Bytes;
use reqwest::{Method, Request, Response, StatusCode, Url, header::HeaderMap};
use tokio::time::{Instant, timeout_at};

use super::{
    body::{self, BodyFailure},
    context::{CallContext, Sender},
    http::{HttpError, HttpFailure},
    raw_response::RawResponse,
    retry::Outcome,
    timeouts::{Timeouts, after, call_timeout, in_seconds, size},
};
use crate::error::{Error, ErrorKind, connect_cause, known_cause};

/// An attempt that brought no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(super) outcome: Outcome,
}

impl Sender {
    pub(super) fn attempt(
        &self,
        request: Request,
        call: &CallContext<'_>,
        deadline: Instant,
    ) -> impl Future<Output = Result<RawResponse, Failure>> {
        let clock = Clock::start(call.timeouts, deadline);
        // Not within the future, which would have room for the request then.
        let answer = self.http.send(request);
        async move {
            let mut response = match timeout_at(clock.end, answer).await {
                Ok(Ok(response)) => response,
                Ok(Err(error)) => return Err(self.unanswered(error, call.request.url())),
                Err(_) => return Err(clock.out_of_time("the answer")),
            };
            let body = read(&mut response, call, &clock).await?;
            let headers = std::mem::take(response.headers_mut());
            Ok(RawResponse::new(response.status(), headers, body))
        }
    }

    fn unanswered(&self, error: HttpError, url: &Url) -> Failure {
        let (failure, source) = (error.failure(), error.into_source());
        // The explicit port too: another program may listen on the usual one.
        let host = match (url.host_str().unwrap_or_default(), url.port()) {
            (host, Some(port)) => format!("{host}:{port}"),
            (host, None) => host.to_owned(),
        };
        let (kind, detail, outcome) = match failure {
            HttpFailure::Connect => (
                ErrorKind::Connect,
                format!("could not connect to {host}: {}", connect_cause(&*source)),
                Outcome::Unsent,
            ),
            HttpFailure::ConnectTimeout => (
                ErrorKind::ConnectTimeout,
                format!(
                    "could not connect to {host} within {}",
                    in_seconds(self.connect_timeout)
                ),
                Outcome::Unsent,
            ),
            HttpFailure::Lost => (
                ErrorKind::Connection,
                known_cause(&*source).map_or_else(String::new, |cause| {
                    format!("{}: {cause}", ErrorKind::Connection.describe())
                }),
                Outcome::Lost,
            ),
        };
        Failure {
            error: Error::new(kind, detail).with_source(source),
            outcome,
        }
    }
}

/// When an attempt ends, and whose end that is.
struct Clock<'a> {
    end: Instant,
    deadline: Instant,
    timeouts: &'a Timeouts,
}

impl<'a> Clock<'a> {
    fn start(timeouts: &'a Timeouts, deadline: Instant) -> Self {
        let end = after(Instant::now(), timeouts.attempt);
        Self {
            end: end.min(deadline),
            deadline,
            timeouts,
        }
    }

    fn out_of_time(&self, waiting_for: &str) -> Failure {
        let error = if self.end < self.deadline {
            Error::new(
                ErrorKind::AttemptTimeout,
                format!(
                    "the {} that one attempt may take ran out while waiting for {waiting_for}",
                    in_seconds(self.timeouts.attempt)
                ),
            )
        } else {
            call_timeout(self.timeouts, &format!("while waiting for {waiting_for}"))
        };
        Failure {
            error,
            outcome: Outcome::Lost,
        }
    }
}

async fn read(
    response: &mut Response,
    call: &CallContext<'_>,
    clock: &Clock<'_>,
) -> Result<Bytes, Failure> {
    let (timeouts, max_body_bytes) = (call.timeouts, call.max_body_bytes);
    // The status of an error is the answer, and so is that of a delete (§4: 200, no body). What a body
    // adds is welcome, as far as it comes.
    if !response.status().is_success() || call.operation.method == Method::DELETE {
        return Ok(body::read_start(response, timeouts.read, clock.end).await);
    }
    body::read(response, max_body_bytes, timeouts.read, clock.end)
        .await
        .map_err(|failure| unread(failure, response.status(), response.headers(), call, clock))
}

fn unread(
    failure: BodyFailure,
    status: StatusCode,
    headers: &HeaderMap,
    call: &CallContext<'_>,
    clock: &Clock<'_>,
) -> Failure {
    let (error, outcome) = match failure {
        BodyFailure::OutOfTime => {
            let failure = clock.out_of_time("the rest of the body");
            (failure.error, failure.outcome)
        }
        BodyFailure::Stalled => (
            Error::new(
                ErrorKind::BodyStalled,
                format!(
                    "nothing more of the body came for the {} that a pause in it may take",
                    in_seconds(call.timeouts.read)
                ),
            ),
            Outcome::Lost,
        ),
        BodyFailure::TooLarge => (
            Error::new(
                ErrorKind::BodyTooLarge,
                format!(
                    "the body is larger than the {} that are read",
                    size(call.max_body_bytes)
                ),
            ),
            Outcome::Unusable,
        ),
        BodyFailure::Broken(error) => (
            Error::new(
                ErrorKind::Connection,
                "the connection broke before the body was whole",
            )
            .with_source(error),
            Outcome::Lost,
        ),
    };
    Failure {
        error: error.with_status(status, headers),
        outcome,
    }
}
