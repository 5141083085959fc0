//! A request's way to the tenant and back: attempt, judge, wait, attempt again.
//!
//! This is the one loop of the crate. The policies say what they decide: [`retry`](crate::retry) what may
//! be repeated and after what wait, [`auth`](crate::auth) which token an attempt carries, `limits` how
//! long anything may take. The loop keeps the one thing that none of them can know alone: whether
//! an earlier attempt may have been carried out.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use reqwest::{
    Method, Request, StatusCode,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, LOCATION, USER_AGENT},
};
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::{
    Error, ErrorKind, Limits, RetryPolicy,
    auth::Tokens,
    body::{self, BodyFailure},
    http::{HttpClient, HttpFailure},
    operation::OperationInfo,
    retry::{passes, retry_after},
};

/// What every call of a client shares on its way out.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) http: Arc<dyn HttpClient>,
    pub(crate) retry: RetryPolicy,
    pub(crate) limits: Limits,
    pub(crate) user_agent: HeaderValue,
}

/// One call, as the loop sees it.
#[derive(Debug)]
pub(crate) struct Outgoing<'a> {
    pub(crate) request: Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) limits: &'a Limits,
    /// `None` for what needs no token.
    pub(crate) tokens: Option<&'a Tokens>,
    /// Whether it changes nothing at the tenant.
    pub(crate) reads: bool,
    /// Whether it may be sent twice.
    pub(crate) repeatable: bool,
}

/// An answer, whatever its status, read to its end.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
    pub(crate) elapsed: Duration,
    /// An earlier attempt may have been carried out already.
    pub(crate) in_doubt: bool,
}

/// One attempt that brought no answer.
struct Failure {
    error: Error,
    /// The tenant cannot have seen the request.
    unsent: bool,
    /// Another attempt may fare better.
    passes: bool,
}

/// What the loop remembers between attempts.
struct Course {
    started: Instant,
    deadline: Instant,
    attempts: u32,
    in_doubt: bool,
}

impl Exchange {
    /// Sends a call until it is answered for good.
    ///
    /// Gives back the last answer, whatever its status; an error when there was none.
    pub(crate) async fn run(&self, outgoing: Outgoing<'_>) -> Result<Reply, Error> {
        let started = Instant::now();
        let mut course = Course {
            started,
            deadline: after(started, outgoing.limits.call),
            attempts: 0,
            in_doubt: false,
        };
        let result = self.attempts(&outgoing, &mut course).await;
        let elapsed = course.started.elapsed();
        match result {
            Ok(mut reply) => {
                reply.attempts = course.attempts;
                reply.elapsed = elapsed;
                reply.in_doubt = course.in_doubt;
                Ok(reply)
            }
            Err(error) => Err(if course.in_doubt {
                in_doubt(error)
            } else {
                error
            }
            .in_operation(outgoing.operation)
            .after(course.attempts, elapsed)),
        }
    }

    /// Asks for a token: any number of attempts is harmless, and none of them carries a token.
    pub(crate) async fn token_request(
        &self,
        request: Request,
        operation: &'static OperationInfo,
    ) -> Result<Reply, Error> {
        self.run(Outgoing {
            request,
            operation,
            retry: &self.retry,
            limits: &self.limits,
            tokens: None,
            reads: true,
            repeatable: true,
        })
        .await
    }

    async fn attempts(&self, outgoing: &Outgoing<'_>, course: &mut Course) -> Result<Reply, Error> {
        let mut replayed = false;
        let mut tries = 0;
        loop {
            let bearer = match outgoing.tokens {
                None => None,
                Some(tokens) => Some(
                    timeout_at(course.deadline, tokens.bearer(course.deadline))
                        .await
                        .map_err(|_| deadline_exceeded("while waiting for a token"))??,
                ),
            };
            let mut request = copy(&outgoing.request)?;
            let headers = request.headers_mut();
            headers.insert(USER_AGENT, self.user_agent.clone());
            if let Some(bearer) = &bearer {
                headers.insert(AUTHORIZATION, bearer.header.clone());
            }
            tries += 1;
            course.attempts += 1;
            let outcome = self.attempt(request, outgoing, course.deadline).await;
            let (may_repeat, wait) = match &outcome {
                Ok(reply) if reply.status == StatusCode::UNAUTHORIZED && !replayed => {
                    let (Some(tokens), Some(bearer)) = (outgoing.tokens, &bearer) else {
                        return outcome.map_err(|failure| failure.error);
                    };
                    // The tenant did nothing, so this is no repeat and is not counted as one.
                    tokens.discard(bearer).await;
                    replayed = true;
                    tries -= 1;
                    continue;
                }
                Ok(reply) => {
                    let status = reply.status.as_u16();
                    let limited = reply.status == StatusCode::TOO_MANY_REQUESTS;
                    if passes(status) && !limited && !outgoing.reads {
                        course.in_doubt = true;
                    }
                    let asked = retry_after(&reply.headers);
                    let too_long =
                        asked.is_some_and(|asked| asked > outgoing.retry.longest_retry_after);
                    (
                        passes(status) && (limited || outgoing.repeatable) && !too_long,
                        asked,
                    )
                }
                Err(failure) => {
                    if !failure.unsent && !outgoing.reads {
                        course.in_doubt = true;
                    }
                    (
                        failure.passes && (failure.unsent || outgoing.repeatable),
                        None,
                    )
                }
            };
            let wait = wait.unwrap_or_else(|| outgoing.retry.wait_before(tries + 1));
            let resume = after(Instant::now(), wait);
            if !may_repeat || tries >= outgoing.retry.max_attempts || resume >= course.deadline {
                return outcome.map_err(|failure| failure.error);
            }
            sleep_until(resume).await;
        }
    }

    async fn attempt(
        &self,
        request: Request,
        outgoing: &Outgoing<'_>,
        deadline: Instant,
    ) -> Result<Reply, Failure> {
        let limits = outgoing.limits;
        let attempt_end = after(Instant::now(), limits.attempt);
        let end = attempt_end.min(deadline);
        let out_of_time = || {
            if deadline <= attempt_end {
                deadline_exceeded("while waiting for the answer")
            } else {
                Error::new(
                    ErrorKind::AttemptTimeout,
                    format!(
                        "no whole answer within the {} s that one attempt may take",
                        limits.attempt.as_secs_f64()
                    ),
                )
            }
        };
        let response = match timeout_at(end, self.http.send(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let failure = error.failure();
                let kind = match failure {
                    HttpFailure::Connect => ErrorKind::Connect,
                    HttpFailure::ConnectTimeout => ErrorKind::ConnectTimeout,
                    HttpFailure::Lost => ErrorKind::Connection,
                };
                return Err(Failure {
                    error: Error::new(kind, "").with_source(error.into_source()),
                    unsent: failure != HttpFailure::Lost,
                    passes: true,
                });
            }
            Err(_) => {
                return Err(Failure {
                    error: out_of_time(),
                    unsent: false,
                    passes: true,
                });
            }
        };
        let status = response.status();
        let headers = response.headers().clone();
        let read = timeout_at(end, body::read(response, limits.body, limits.idle)).await;
        let (error, passes) = match read {
            Ok(Ok(body)) => {
                return Ok(Reply {
                    status,
                    headers,
                    body,
                    attempts: 0,
                    elapsed: Duration::ZERO,
                    in_doubt: false,
                });
            }
            Err(_) => (out_of_time(), true),
            Ok(Err(BodyFailure::Stalled)) => (
                Error::new(
                    ErrorKind::BodyStalled,
                    format!(
                        "the body stopped flowing for {} s",
                        limits.idle.as_secs_f64()
                    ),
                ),
                true,
            ),
            Ok(Err(BodyFailure::TooLarge)) => (
                Error::new(
                    ErrorKind::BodyTooLarge,
                    format!(
                        "the body is larger than the {} bytes that are read",
                        limits.body
                    ),
                ),
                false,
            ),
            Ok(Err(BodyFailure::Broken(error))) => (
                Error::new(ErrorKind::Connection, "").with_source(error),
                true,
            ),
        };
        Err(Failure {
            error: error.with_status(status, &headers),
            unsent: false,
            passes,
        })
    }
}

impl Reply {
    /// The body of a success, or the error that any other answer is.
    pub(crate) fn into_body(self, reads: bool) -> Result<Bytes, Error> {
        if self.status.is_success() {
            return Ok(self.body);
        }
        let kind = ErrorKind::of_status(self.status.as_u16(), reads);
        let target = (kind == ErrorKind::Redirect).then(|| self.redirect_target());
        let error = Error::from_status(self.status, &self.headers, self.body, kind)
            .after(self.attempts, self.elapsed);
        Err(match target {
            Some(target) => error.with_detail(format!(
                "the tenant points to {target}, which is not followed: credentials stay with the tenant; check the base address"
            )),
            None => error,
        })
    }

    /// Whether this is a delete that found nothing to delete because an earlier attempt of it did.
    pub(crate) fn already_gone(&self, method: &Method) -> bool {
        *method == Method::DELETE && self.in_doubt && self.status == StatusCode::NOT_FOUND
    }

    /// Where a redirect points, as far as it is safe to show: scheme, host and port.
    fn redirect_target(&self) -> String {
        self.headers
            .get(LOCATION)
            .and_then(|value| reqwest::Url::parse(value.to_str().ok()?).ok())
            .map_or_else(
                || "another path".to_owned(),
                |url| url.origin().ascii_serialization(),
            )
    }
}

/// An error of a call that may have been carried out all the same.
fn in_doubt(error: Error) -> Error {
    let detail = format!("{error}; it may have been carried out, so look before sending it again");
    error.with_kind(ErrorKind::Ambiguous).with_detail(detail)
}

fn deadline_exceeded(when: &str) -> Error {
    Error::new(
        ErrorKind::DeadlineExceeded,
        format!("the time that the whole call may take ran out {when}"),
    )
}

fn copy(request: &Request) -> Result<Request, Error> {
    request
        .try_clone()
        .ok_or_else(|| Error::usage("a streamed body cannot be sent twice; give it whole"))
}

/// `start + time`, or as good as never when that cannot be counted.
fn after(start: Instant, time: Duration) -> Instant {
    let century = Duration::from_secs(100 * 365 * 86_400);
    start + time.min(century)
}
