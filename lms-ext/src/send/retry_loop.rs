//! The retry loop: attempt, classify, wait, attempt again.
//!
//! No other code sends requests. Each policy makes one decision: [`rate_limit`](super::rate_limit) the time of a
//! request, [`auth`](super::auth) its token, [`timeouts`](super::timeouts) its deadlines, and [`retry`](super::retry)
//! its retries and their waits. [`CallState`] passes from one attempt to the next.

use std::{ops::ControlFlow, pin::pin};

use reqwest::{
    Request, StatusCode,
    header::{AUTHORIZATION, USER_AGENT},
};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::Instrument as _;

#[cfg(feature = "metrics")]
use super::metrics;
use super::{
    CallContext, Sender,
    auth::Bearer,
    call_state::{CallState, RetryDecision},
    rate_limit::Slot,
    raw_response::{AttemptFailure, RawResponse},
    telemetry,
};
use crate::{
    error::{Error, RequestSecrets, is_transient, retry_after},
    values::OperationInfo,
};

impl Sender {
    /// Sends a call and returns its last response, whatever the status; an error when the last attempt got none.
    pub(crate) async fn run(&self, mut call: CallContext<'_>) -> Result<Box<RawResponse>, Error> {
        let (operation, absence_expected) = (call.operation, call.absence_expected);
        let span = telemetry::call(operation);
        #[cfg(feature = "metrics")]
        let began = Instant::now();
        let attempts = async {
            let mut state = CallState::new(call.timeouts);
            let result = self.attempts(&mut call, &mut state).await;
            state.close(operation, result)
        };
        let mut traced = pin!(attempts.instrument(span));
        let result = traced.as_mut().await;
        let attempts = result
            .as_ref()
            .map_or_else(Error::attempts, |response| response.attempts);
        traced.span().record("lms.attempts", attempts);
        let outcome = result.as_ref().map(|ok| ok.status.as_u16());
        telemetry::record_outcome(traced.span(), outcome, absence_expected);
        #[cfg(feature = "metrics")]
        metrics::call(operation, outcome, absence_expected, began.elapsed());
        result
    }

    /// Sends a request for a token: without a token, and past the rate limits, because other calls wait for it.
    pub(crate) async fn token_request(
        &self,
        mut request: Request,
        operation: &'static OperationInfo,
    ) -> Result<Box<RawResponse>, Error> {
        self.run(CallContext {
            request: &mut request,
            operation,
            retry: &self.retry,
            timeouts: &self.timeouts,
            tokens: None,
            rate_limiter: None,
            cancel: None,
            absence_expected: false,
        })
        .await
    }

    /// Every wait ends when the client is cancelled. A request that is in flight gets its response.
    async fn attempts(
        &self,
        call: &mut CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<Box<RawResponse>, Error> {
        let _permit = match call.rate_limiter {
            Some(rate_limiter) => {
                let permit = rate_limiter.permit(state.deadline);
                match call.unless_cancelled(permit).await {
                    Some(permit) => Some(permit.map_err(|refused| state.refused(refused))?),
                    None => return Err(state.cancelled()),
                }
            }
            None => None,
        };
        loop {
            let Some(ready) = call.unless_cancelled(self.ready(call, state)).await else {
                return Err(state.cancelled());
            };
            let (bearer, slot) = ready?;
            let span = telemetry::attempt(call.operation, call.request, state.attempts);
            let request = self.request(call, bearer.as_ref())?;
            let sent = Instant::now();
            state.attempts += 1;
            let outcome = {
                let attempt = span.in_scope(|| self.attempt(request, call, state.deadline));
                let mut attempt = pin!(attempt.instrument(span));
                let outcome = attempt.as_mut().await;
                let status = outcome.as_ref().map(|response| response.status.as_u16());
                let status = status.map_err(|failure| &failure.error);
                telemetry::record_outcome(attempt.span(), status, call.absence_expected);
                #[cfg(feature = "metrics")]
                metrics::attempt(
                    call.operation,
                    call.request,
                    state.attempts - 1,
                    status,
                    call.absence_expected,
                    sent.elapsed(),
                );
                outcome
            };
            // Taken apart before the waits, so that the future does not hold a response during them.
            let retry = match self.decide(call, state, outcome, bearer.as_ref(), sent, slot) {
                ControlFlow::Break(result) => return result,
                ControlFlow::Continue(retry) => retry,
            };
            match (retry, call.tokens, &bearer) {
                (RetryDecision::RetryAt(at), ..) => {
                    if call.unless_cancelled(sleep_until(at)).await.is_none() {
                        return Err(state.cancelled());
                    }
                }
                (RetryDecision::Reauthenticate, Some(tokens), Some(bearer)) => {
                    tokens.invalidate(bearer);
                }
                (RetryDecision::Reauthenticate, ..) => {}
            }
        }
    }

    /// Decides the next step of the call after an attempt, and tells the policies about the response.
    fn decide(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
        mut outcome: Result<Box<RawResponse>, AttemptFailure>,
        bearer: Option<&Bearer>,
        sent: Instant,
        slot: Slot,
    ) -> ControlFlow<Result<Box<RawResponse>, Error>, RetryDecision> {
        let secrets = RequestSecrets::of(
            call.request,
            bearer.map(|bearer| &bearer.header),
            state.rejected_token(),
            self.client_secret.as_ref(),
        );
        match &mut outcome {
            Ok(response) => {
                telemetry::headers(call.request.headers(), &response.headers, &secrets);
                response.secrets = secrets;
            }
            Err(failure) => failure.error.hide(&secrets),
        }
        let mut asked = None;
        if let Ok(response) = &outcome {
            let status = response.status;
            if let Some(bearer) = bearer
                && status == StatusCode::UNAUTHORIZED
                && state.first_rejection(bearer)
            {
                return ControlFlow::Continue(RetryDecision::Reauthenticate);
            }
            if !status.is_success() {
                asked = retry_after(&response.headers);
            }
            if !is_transient(status.as_u16()) {
                self.budget.refill();
            }
            if let Some(rate_limiter) = call.rate_limiter {
                rate_limiter.record_response(status, asked, sent, slot);
                #[cfg(feature = "metrics")]
                metrics::throttled_rate(call.request, rate_limiter.state().throttled_to);
            }
        }
        state.decide(call, outcome, asked, &self.budget)
    }

    /// Waits until the rate limits allow the next attempt. Returns its token, and its slot in the rate limiter.
    async fn ready(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<(Option<Bearer>, Slot), Error> {
        // Before the rate limiter, where a call that fetches a token would delay the calls behind it.
        let bearer = self.bearer(call, state).await?;
        let Some(rate_limiter) = call.rate_limiter else {
            return Ok((bearer, Slot::default()));
        };
        let slot = rate_limiter
            .acquire(state.deadline)
            .await
            .map_err(|refused| state.refused(refused))?;
        if slot.waited.is_zero() {
            return Ok((bearer, slot));
        }
        telemetry::delayed(slot.waited);
        // The token may have expired during the wait.
        Ok((self.bearer(call, state).await?, slot))
    }

    async fn bearer(
        &self,
        call: &CallContext<'_>,
        state: &mut CallState<'_>,
    ) -> Result<Option<Bearer>, Error> {
        let Some(tokens) = call.tokens else {
            return Ok(None);
        };
        // The usual case needs no timer.
        if let Some(bearer) = tokens.fresh() {
            return Ok(Some(bearer));
        }
        // Boxed, so that not every call has room for state that few calls need.
        let new = Box::pin(tokens.bearer(state.deadline));
        #[cfg(feature = "metrics")]
        let began = Instant::now();
        let new = timeout_at(state.deadline, new).await;
        #[cfg(feature = "metrics")]
        metrics::waited("token", began.elapsed());
        match new {
            Ok(bearer) => bearer.map(Some),
            Err(_) => Err(state.out_of_time("while waiting for a token")),
        }
    }

    /// Takes the request for the next attempt, and leaves a copy for the one after it.
    fn request(
        &self,
        call: &mut CallContext<'_>,
        bearer: Option<&Bearer>,
    ) -> Result<Request, Error> {
        let copy = copy(call.request)?;
        // Headers are added to the original: a copy has no spare capacity for them.
        let mut request = std::mem::replace(call.request, copy);
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.user_agent.clone());
        if let Some(bearer) = bearer {
            headers.insert(AUTHORIZATION, bearer.header.clone());
        }
        Ok(request)
    }
}

impl CallContext<'_> {
    /// Completes a wait. `None` if the client is cancelled by then.
    async fn unless_cancelled<T>(&self, wait: impl Future<Output = T>) -> Option<T> {
        let Some(cancel) = self.cancel else {
            return Some(wait.await);
        };
        let waited = cancel.run_until_cancelled(wait).await;
        waited.filter(|_| !cancel.is_cancelled())
    }
}

/// Clones a request; a usage error when its body is a stream.
pub(crate) fn copy(request: &Request) -> Result<Request, Error> {
    if request.body().is_some() || request.timeout().is_some() {
        return request.try_clone().ok_or_else(|| {
            Error::usage("a streamed body cannot be sent again in a retry; set the whole body")
        });
    }
    // Most requests are of this kind, and `try_clone` would allocate for extensions that they do not have.
    let mut copy = Request::new(request.method().clone(), request.url().clone());
    *copy.headers_mut() = request.headers().clone();
    *copy.version_mut() = request.version();
    Ok(copy)
}
