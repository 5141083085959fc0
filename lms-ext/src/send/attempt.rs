//! One attempt: sends the request once and reads the response.

use reqwest::{Method, Request, Url};
use tokio::time::{Instant, timeout_at};

use super::{
    body,
    context::{CallContext, Sender},
    counts,
    http::{HttpError, HttpFailure},
    new_id, not_json,
    raw_response::{Failure, RawResponse},
    retry::Outcome,
    timeouts::{after, attempt_timeout, call_timeout, in_seconds},
};
use crate::error::{Error, ErrorKind, connect_cause, known_cause};

impl Sender {
    pub(super) fn attempt<'a>(
        &'a self,
        request: Request,
        call: &'a CallContext<'a>,
        deadline: Instant,
    ) -> impl Future<Output = Result<Box<RawResponse>, Failure>> + 'a {
        let timeouts = call.timeouts;
        let end = after(Instant::now(), timeouts.attempt).min(deadline);
        let timed_out = move |waiting: &str| {
            let timed_out = if end < deadline {
                attempt_timeout
            } else {
                call_timeout
            };
            Failure::new(Outcome::Lost, timed_out(timeouts, waiting))
        };
        // Outside the future, which would otherwise have room for the request.
        let response = match call.cancel {
            Some(cancel) => self.http.send_unless(request, cancel),
            None => self.http.send(request),
        };
        async move {
            let mut response = match timeout_at(end, response).await {
                Ok(Ok(response)) => response,
                Ok(Err(error)) => return Err(self.no_response(error, call.request.url())),
                Err(_) => return Err(timed_out("while waiting for the response")),
            };
            // An error and a delete are complete with their status, so a body that breaks off is not a failure.
            let complete =
                !response.status().is_success() || call.operation.method == Method::DELETE;
            let body = if complete {
                body::read_start(&mut response, timeouts.read, end).await
            } else {
                let body = body::read(&mut response, call.max_body_bytes, timeouts.read, end).await;
                body.map_err(|failure| {
                    let mut failure =
                        failure.unwrap_or_else(|| timed_out("while reading the response body"));
                    failure.error = failure
                        .error
                        .with_status(response.status(), response.headers());
                    failure
                })?
            };
            if response.status().is_success() && counts::exceed(&body, call.max_objects) {
                let detail = format!(
                    "the response contains more than {} objects, or 20 times as many values; raise `max_objects`",
                    call.max_objects
                );
                let error = Error::new(ErrorKind::BodyTooLarge, detail)
                    .with_status(response.status(), response.headers());
                return Err(Failure::new(Outcome::Unusable, error));
            }
            if response.status().is_success()
                && call.operation.is_read()
                && let Some(defect) = not_json::defect(&body)
            {
                let error = Error::new(ErrorKind::NotJson, defect)
                    .with_status(response.status(), response.headers());
                return Err(Failure::new(Outcome::NotJson, error));
            }
            if response.status().is_success() && call.operation.creates && new_id::is_missing(&body)
            {
                let detail = "the response has no `id` of a new object";
                let error = Error::new(ErrorKind::Decode, detail)
                    .with_fields(vec!["id".to_owned()])
                    .with_status(response.status(), response.headers());
                return Err(Failure::new(Outcome::Unusable, error));
            }
            // Boxed, because it is moved often on its way to the caller.
            Ok(Box::new(RawResponse {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
                body,
                ..RawResponse::default()
            }))
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
            HttpFailure::Cancelled => (ErrorKind::Cancelled, String::new(), Outcome::NotSent),
            HttpFailure::Lost => {
                let kind = ErrorKind::Connection;
                let cause = known_cause(&*source);
                let detail = cause.map(|cause| format!("{}: {cause}", kind.describe()));
                (kind, detail.unwrap_or_default(), Outcome::Lost)
            }
        };
        Failure::new(outcome, Error::new(kind, detail).with_source(source))
    }
}
