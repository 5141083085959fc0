//! A request's way to the tenant and back: attempt, judge, wait, attempt again.
//!
//! This is the one loop of the crate. The policies say what they decide: [`pace`](crate::pace) when a
//! request may leave, [`auth`](crate::auth) which token it carries, [`limits`](crate::limits) how long
//! anything may take, [`retry`](crate::retry) what may be repeated and after what wait. [`Course`] is what
//! the loop remembers from one attempt to the next.

mod attempt;
mod course;
mod reply;

use std::{pin::pin, sync::Arc, time::Duration};

use reqwest::{
    Request, StatusCode,
    header::{AUTHORIZATION, HeaderValue, USER_AGENT},
};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::Instrument as _;

use crate::{
    Error, Limits, RetryPolicy,
    auth::{Bearer, Tokens},
    http::HttpClient,
    operation::OperationInfo,
    pace::Pacer,
    retry::{Purse, retry_after, verdict},
    scrub::Carried,
    telemetry,
};
pub(crate) use attempt::Failure;
use course::{Course, Step};
pub(crate) use reply::Reply;

/// What every call of a client shares on its way out.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) http: Arc<dyn HttpClient>,
    pub(crate) retry: RetryPolicy,
    pub(crate) limits: Limits,
    pub(crate) budget: Purse,
    pub(crate) pacer: Pacer,
    pub(crate) connect_timeout: Duration,
    pub(crate) user_agent: HeaderValue,
}

/// One call, as the loop sees it.
#[derive(Debug)]
pub(crate) struct Outgoing<'a> {
    pub(crate) request: &'a mut Request,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) retry: &'a RetryPolicy,
    pub(crate) limits: &'a Limits,
    /// `None` for what needs no token.
    pub(crate) tokens: Option<&'a Tokens>,
    /// `None` for what everybody waits for.
    pub(crate) pacer: Option<&'a Pacer>,
}

/// What follows from the outcome of an attempt.
#[expect(
    clippy::large_enum_variant,
    reason = "it is taken apart as soon as it is made"
)]
enum Next {
    /// Another attempt at once, with another token.
    Afresh,
    /// Another attempt at this moment.
    Repeat(Instant),
    /// Nothing: this is what the call came to.
    End(Result<Reply, Error>),
}

impl Exchange {
    /// Sends a call until it is answered for good.
    ///
    /// Gives back the last answer, whatever its status; an error when there was none.
    pub(crate) async fn run(&self, mut call: Outgoing<'_>) -> Result<Reply, Error> {
        let span = telemetry::call(call.operation);
        let mut judged = pin!(self.judged(&mut call).instrument(span));
        let result = judged.as_mut().await;
        telemetry::ended(judged.span(), &result);
        result
    }

    /// Asks for a token: any number of attempts is harmless, none of them carries a token, and none waits
    /// for the others' pace.
    pub(crate) async fn token_request(
        &self,
        mut request: Request,
        operation: &'static OperationInfo,
    ) -> Result<Reply, Error> {
        self.run(Outgoing {
            request: &mut request,
            operation,
            retry: &self.retry,
            limits: &self.limits,
            tokens: None,
            pacer: None,
        })
        .await
    }

    async fn judged(&self, call: &mut Outgoing<'_>) -> Result<Reply, Error> {
        let mut course = Course::new(call.limits);
        let result = self.attempts(call, &mut course).await;
        course.close(call.operation, result)
    }

    async fn attempts(
        &self,
        call: &mut Outgoing<'_>,
        course: &mut Course<'_>,
    ) -> Result<Reply, Error> {
        let _place = match call.pacer {
            Some(pacer) => Some(
                pacer
                    .place(course.deadline)
                    .await
                    .map_err(|refused| course.refused(refused))?,
            ),
            None => None,
        };
        loop {
            let bearer = self.ready(call, course).await?;
            let span = telemetry::attempt(call.operation, call.request, course.attempts);
            let request = self.request(call, bearer.as_ref())?;
            let sent = Instant::now();
            course.attempts += 1;
            let outcome = {
                let attempt = span.in_scope(|| self.attempt(request, call, course.deadline));
                let mut attempt = pin!(attempt.instrument(span));
                let outcome = attempt.as_mut().await;
                telemetry::attempted(attempt.span(), &outcome);
                outcome
            };
            let resume = match self.judge(call, course, outcome, bearer.as_ref(), sent) {
                Next::End(result) => return result,
                Next::Afresh => None,
                Next::Repeat(resume) => Some(resume),
            };
            // What waits from here on waits without the outcome, which is judged.
            match (resume, call.tokens, &bearer) {
                (Some(resume), _, _) => sleep_until(resume).await,
                (None, Some(tokens), Some(bearer)) => {
                    tokens.discard(bearer, course.deadline).await;
                }
                (None, _, _) => {}
            }
        }
    }

    /// Decides what an attempt's outcome comes to.
    fn judge(
        &self,
        call: &Outgoing<'_>,
        course: &mut Course<'_>,
        mut outcome: Result<Reply, Failure>,
        bearer: Option<&Bearer>,
        sent: Instant,
    ) -> Next {
        let carried = Carried::by(call.request, bearer.map(|bearer| &bearer.header));
        match &mut outcome {
            Ok(reply) => {
                // Those of a success too: it may turn out that it cannot be read.
                carried.mark_in(&mut reply.headers);
                if !reply.status.is_success() {
                    reply.carried = carried;
                }
            }
            Err(failure) => failure.error.hide(&carried),
        }
        if let Ok(reply) = &outcome
            && reply.status == StatusCode::UNAUTHORIZED
            && bearer.is_some()
            && course.first_refusal()
        {
            // The tenant did nothing, so this is no repeat and is not counted as one.
            return Next::Afresh;
        }
        let asked = match &outcome {
            Ok(reply) if !reply.status.is_success() => retry_after(&reply.headers),
            _ => None,
        };
        self.learn(call, &outcome, asked, sent);
        match course.step(call, &outcome, asked, &self.budget) {
            Step::Repeat(resume) => {
                course.remember(outcome);
                telemetry::waits(resume.duration_since(Instant::now()), course.attempts);
                Next::Repeat(resume)
            }
            Step::End(reason) => Next::End(course.end(outcome, reason)),
        }
    }

    /// Waits until the next attempt may leave, and gives the token it carries.
    async fn ready(
        &self,
        call: &Outgoing<'_>,
        course: &mut Course<'_>,
    ) -> Result<Option<Bearer>, Error> {
        // Before the turn, so that nobody holds up the others while it fetches a token.
        let bearer = self.bearer(call, course).await?;
        let Some(pacer) = call.pacer else {
            return Ok(bearer);
        };
        let waited = pacer
            .turn(course.deadline)
            .await
            .map_err(|refused| course.refused(refused))?;
        if waited.is_zero() {
            return Ok(bearer);
        }
        telemetry::held_up(waited);
        // The token may have run out meanwhile.
        self.bearer(call, course).await
    }

    async fn bearer(
        &self,
        call: &Outgoing<'_>,
        course: &mut Course<'_>,
    ) -> Result<Option<Bearer>, Error> {
        let Some(tokens) = call.tokens else {
            return Ok(None);
        };
        // The usual case, which needs no clock to watch over it.
        if let Some(bearer) = tokens.fresh() {
            return Ok(Some(bearer));
        }
        // Kept apart, since it is needed for few calls and would have to fit into all of them.
        let new = Box::pin(tokens.bearer(course.deadline));
        match timeout_at(course.deadline, new).await {
            Ok(bearer) => bearer.map(Some),
            Err(_) => Err(course.out_of_time("while waiting for a token")),
        }
    }

    /// The request of the next attempt; a copy stays for the one after it.
    fn request(&self, call: &mut Outgoing<'_>, bearer: Option<&Bearer>) -> Result<Request, Error> {
        let copy = copy(call.request)?;
        // Not the copy: it has no room for more headers.
        let mut request = std::mem::replace(call.request, copy);
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.user_agent.clone());
        if let Some(bearer) = bearer {
            headers.insert(AUTHORIZATION, bearer.header.clone());
        }
        Ok(request)
    }

    /// Lets all calls of the client profit from what this one met.
    fn learn(
        &self,
        call: &Outgoing<'_>,
        outcome: &Result<Reply, Failure>,
        asked: Option<Duration>,
        sent: Instant,
    ) {
        let Ok(reply) = outcome else { return };
        if !crate::retry::passes(reply.status.as_u16()) {
            self.budget.earn();
        }
        if let Some(pacer) = call.pacer {
            pacer.answered(reply.status, asked, sent);
        }
    }
}

/// The same request once more; an error when its body cannot be had twice.
pub(crate) fn copy(request: &Request) -> Result<Request, Error> {
    if request.body().is_some() || request.timeout().is_some() {
        return request
            .try_clone()
            .ok_or_else(|| Error::usage("a streamed body cannot be sent twice; give it whole"));
    }
    // The usual case, for which `try_clone` makes and drops room for settings that are not there.
    let mut copy = Request::new(request.method().clone(), request.url().clone());
    *copy.headers_mut() = request.headers().clone();
    *copy.version_mut() = request.version();
    Ok(copy)
}
