//! One attempt: sends the request once and reads the response.

use bytes::Bytes;
use reqwest::{Method, Request, Response, Url};
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

/// An attempt without a usable response.
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
        // Outside the future, which would otherwise have room for the request.
        let response = self.http.send(request);
        async move {
            let mut response = match timeout_at(clock.end, response).await {
                Ok(Ok(response)) => response,
                Ok(Err(error)) => return Err(self.no_response(error, call.request.url())),
                Err(_) => {
                    return Err(Failure {
                        error: clock.timed_out("while waiting for the response"),
                        outcome: Outcome::Lost,
                    });
                }
            };
            let body = read_body(&mut response, call, &clock).await?;
            Ok(RawResponse {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
                body,
                ..RawResponse::default()
            })
        }
    }

    fn no_response(&self, error: HttpError, url: &Url) -> Failure {
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
                Outcome::NotSent,
            ),
            HttpFailure::ConnectTimeout => {
                let timeout = in_seconds(self.connect_timeout);
                let detail = format!("could not connect to {host} within {timeout}");
                (ErrorKind::ConnectTimeout, detail, Outcome::NotSent)
            }
            HttpFailure::Lost => {
                let kind = ErrorKind::Connection;
                let cause = known_cause(&*source);
                let detail = cause.map(|cause| format!("{}: {cause}", kind.describe()));
                (kind, detail.unwrap_or_default(), Outcome::Lost)
            }
        };
        Failure {
            error: Error::new(kind, detail).with_source(source),
            outcome,
        }
    }
}

/// When an attempt times out: after its own timeout or at the deadline of the call.
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

    fn timed_out(&self, waiting: &str) -> Error {
        if self.end >= self.deadline {
            return call_timeout(self.timeouts, waiting);
        }
        let timeout = in_seconds(self.timeouts.attempt);
        let detail = format!("attempt timeout of {timeout} exceeded {waiting}");
        Error::new(ErrorKind::AttemptTimeout, detail)
    }
}

async fn read_body(
    response: &mut Response,
    call: &CallContext<'_>,
    clock: &Clock<'_>,
) -> Result<Bytes, Failure> {
    let timeouts = call.timeouts;
    // An error and a delete are complete with their status, so that a body that breaks off is no failure.
    if !response.status().is_success() || call.operation.method == Method::DELETE {
        return Ok(body::read_start(response, timeouts.read, clock.end).await);
    }
    let failure = match body::read(response, call.max_body_bytes, timeouts.read, clock.end).await {
        Ok(body) => return Ok(body),
        Err(failure) => failure,
    };
    let outcome = match failure {
        BodyFailure::TooLarge => Outcome::Unusable,
        _ => Outcome::Lost,
    };
    let error = match failure {
        BodyFailure::OutOfTime => clock.timed_out("while reading the response body"),
        BodyFailure::Stalled => {
            let read = in_seconds(timeouts.read);
            let detail = format!("read timeout of {read} exceeded while reading the response body");
            Error::new(ErrorKind::BodyStalled, detail)
        }
        BodyFailure::TooLarge => {
            let limit = size(call.max_body_bytes);
            let detail =
                format!("the response body exceeds the limit of {limit}; raise `max_body_bytes`");
            Error::new(ErrorKind::BodyTooLarge, detail)
        }
        BodyFailure::Broken(error) => {
            let detail = "the connection broke before the end of the response body";
            Error::new(ErrorKind::Connection, detail).with_source(error)
        }
    };
    Err(Failure {
        error: error.with_status(response.status(), response.headers()),
        outcome,
    })
}
