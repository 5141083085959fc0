//! A request's way to the tenant and back: attempt, classify, wait, attempt again.
//!
//! This is the one loop of the crate. The policies say what they decide: [`pace`](crate::send::rate_limit) when a
//! request may leave, [`auth`](crate::send::auth) which token it carries, [`limits`](crate::send::timeouts) how long
//! anything may take, [`retry`](crate::send::retry) what may be repeated and after what wait. [`Course`] is what
//! the loop remembers from one attempt to the next.

use std::{pin::pin, time::Duration};

use reqwest::{
    Request, StatusCode,
    header::{AUTHORIZATION, USER_AGENT},
};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::Instrument as _;

use super::{
    attempt::Failure,
    auth::Bearer,
    call_state::{CallState, RetryDecision},
    context::{CallContext, Sender, copy},
    raw_response::RawResponse,
    telemetry,
};
use crate::{
    error::{Error, RequestSecrets, is_transient, retry_after},
    values::OperationInfo,
};

/// What follows from the outcome of an attempt.
#[expect(
    clippy::large_enum_variant,
    reason = "it is taken apart as soon as it is made"
)]
enum Next {
    /// Another attempt at once, with another token.
    Reauthenticate,
    /// Another attempt at this moment.
    RetryAt(Instant),
    /// Nothing: this is what the call came to.
    End(Result<RawResponse, Error>),
}

impl Sender {
    /// Sends a call until it is answered for good.
    ///
    /// Gives back the last answer, whatever its status; an error when there was none.
    pub(crate) async fn run(&self, mut call: CallContext<'_>) -> Result<RawResponse, Error> {
        let span = telemetry::call(call.operation);
        let mut traced = pin!(self.traced(&mut call).instrument(span));
        let result = traced.as_mut().await;
        match &result {
            Ok(response) => telemetry::record_call(
                traced.span(),
                response.attempts,
                Some(response.status.as_u16()),
                None,
            ),
            Err(error) => {
                telemetry::record_call(traced.span(), error.attempts(), None, Some(error.kind()));
            }
        }
        result
    }

    /// Asks for a token: any number of attempts is harmless, none of them carries a token, and none waits
    /// for the others' pace.
    pub(crate) async fn token_request(
        &self,
        mut request: Request,
        operation: &'static OperationInfo,
    ) -> Result<RawResponse, Error> {
        self.run(CallContext {
            request: &mut request,
            operation,
            retry: &self.retry,
            timeouts: &self.timeouts,
            max_body_bytes: self.max_body_bytes,
            tokens: None,
            rate_limiter: None,
        })
        .await
    }

    async fn traced(&self, call: &mut CallContext<'_>) -> Result<RawResponse, Error> {
        let mut state = CallState::new(call.timeouts);
        let result = self.attempts(call, &mut state).await;
        state.close(call.operation, result)
    }

    async fn attempts(
        &self,
        call: &mut CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<RawResponse, Error> {
        let _place = match call.rate_limiter {
            Some(rate_limiter) => Some(
                rate_limiter
                    .place(state.deadline)
                    .await
                    .map_err(|refused| state.refused(refused))?,
            ),
            None => None,
        };
        loop {
            let bearer = self.ready(call, state).await?;
            let span = telemetry::attempt(call.operation, call.request, state.attempts);
            let request = self.request(call, bearer.as_ref())?;
            let sent = Instant::now();
            state.attempts += 1;
            let outcome = {
                let attempt = span.in_scope(|| self.attempt(request, call, state.deadline));
                let mut attempt = pin!(attempt.instrument(span));
                let outcome = attempt.as_mut().await;
                match &outcome {
                    Ok(response) => {
                        telemetry::record_attempt(
                            attempt.span(),
                            Some(response.status.as_u16()),
                            None,
                        );
                    }
                    Err(failure) => telemetry::record_attempt(
                        attempt.span(),
                        failure.error.status(),
                        Some(failure.error.kind()),
                    ),
                }
                outcome
            };
            let resume = match self.classify(call, state, outcome, bearer.as_ref(), sent) {
                Next::End(result) => return result,
                Next::Reauthenticate => None,
                Next::RetryAt(resume) => Some(resume),
            };
            // What waits from here on waits without the outcome, which is traced.
            match (resume, call.tokens, &bearer) {
                (Some(resume), _, _) => sleep_until(resume).await,
                (None, Some(tokens), Some(bearer)) => {
                    tokens.discard(bearer, state.deadline).await;
                }
                (None, _, _) => {}
            }
        }
    }

    /// Decides what an attempt's outcome comes to.
    fn classify(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
        mut outcome: Result<RawResponse, Failure>,
        bearer: Option<&Bearer>,
        sent: Instant,
    ) -> Next {
        let secrets = RequestSecrets::by(call.request, bearer.map(|bearer| &bearer.header));
        match &mut outcome {
            Ok(response) => {
                // Those of a success too: it may turn out that it cannot be read.
                secrets.redact_headers(&mut response.headers);
                if !response.status.is_success() {
                    response.secrets = secrets;
                }
            }
            Err(failure) => failure.error.hide(&secrets),
        }
        if let Ok(response) = &outcome
            && response.status == StatusCode::UNAUTHORIZED
            && bearer.is_some()
            && state.first_refusal()
        {
            // The tenant did nothing, so this is no repeat and is not counted as one.
            return Next::Reauthenticate;
        }
        let asked = match &outcome {
            Ok(response) if !response.status.is_success() => retry_after(&response.headers),
            _ => None,
        };
        self.record(call, &outcome, asked, sent);
        match state.step(call, &outcome, asked, &self.budget) {
            RetryDecision::RetryAt(resume) => {
                state.remember(outcome);
                telemetry::waits(resume.duration_since(Instant::now()), state.attempts);
                Next::RetryAt(resume)
            }
            RetryDecision::End(reason) => Next::End(state.end(outcome, reason)),
        }
    }

    /// Waits until the next attempt may leave, and gives the token it carries.
    async fn ready(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<Option<Bearer>, Error> {
        // Before the turn, so that nobody holds up the others while it fetches a token.
        let bearer = self.bearer(call, state).await?;
        let Some(rate_limiter) = call.rate_limiter else {
            return Ok(bearer);
        };
        let waited = rate_limiter
            .turn(state.deadline)
            .await
            .map_err(|refused| state.refused(refused))?;
        if waited.is_zero() {
            return Ok(bearer);
        }
        telemetry::delayed(waited);
        // The token may have run out meanwhile.
        self.bearer(call, state).await
    }

    async fn bearer(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<Option<Bearer>, Error> {
        let Some(tokens) = call.tokens else {
            return Ok(None);
        };
        // The usual case, which needs no clock to watch over it.
        if let Some(bearer) = tokens.fresh() {
            return Ok(Some(bearer));
        }
        // Kept apart, since it is needed for few calls and would have to fit into all of them.
        let new = Box::pin(tokens.bearer(state.deadline));
        match timeout_at(state.deadline, new).await {
            Ok(bearer) => bearer.map(Some),
            Err(_) => Err(state.out_of_time("while waiting for a token")),
        }
    }

    /// The request of the next attempt; a copy stays for the one after it.
    fn request(
        &self,
        call: &mut CallContext<'_>,
        bearer: Option<&Bearer>,
    ) -> Result<Request, Error> {
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
    fn record(
        &self,
        call: &CallContext<'_>,
        outcome: &Result<RawResponse, Failure>,
        asked: Option<Duration>,
        sent: Instant,
    ) {
        let Ok(response) = outcome else { return };
        if !is_transient(response.status.as_u16()) {
            self.budget.earn();
        }
        if let Some(rate_limiter) = call.rate_limiter {
            rate_limiter.answered(response.status, asked, sent);
        }
    }
}
