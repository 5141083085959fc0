//! A call may need several attempts, each with a valid token, within the rate limits and before the deadline of the call.
//!
//! This loop makes them: attempt, classify, wait, attempt again. No other code sends requests. Each policy makes one decision:
//! [`rate_limit`](super::rate_limit) the time of a request, [`auth`](super::auth) its token, [`timeouts`](super::timeouts)
//! its deadlines, and [`retry`](super::retry) its retries and their waits. [`CallState`] passes from one attempt to the next.

use std::pin::{Pin, pin};

use reqwest::{
    Request, StatusCode,
    header::{AUTHORIZATION, USER_AGENT},
};
use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{
    CallContext, Sender,
    attempt::TimeLimit,
    auth::Bearer,
    call_state::{CallState, RetryDecision},
    metrics,
    rate_limit::Slot,
    raw_response::{AttemptFailure, RawResponse},
    retry::AttemptOutcome,
    telemetry,
    timeouts::call_timeout,
};
use crate::{
    error::{Error, RequestSecrets, is_transient, retry_after},
    values::OperationInfo,
};

/// The result of an attempt.
type Attempt = Result<Box<RawResponse>, AttemptFailure>;

impl Sender {
    /// Sends a call and returns its last response, whatever the status; an error when the last attempt got none.
    pub(crate) async fn run(&self, call: CallContext<'_>) -> Result<Box<RawResponse>, Error> {
        let (operation, absence_expected) = (call.operation, call.absence_expected);
        let mut state = CallState::new(call);
        let started = state.started;
        let attempts = async {
            let result = self.attempts(&mut state).await;
            state.close(result)
        };
        let mut traced = pin!(attempts.instrument(telemetry::call(operation)));
        let result = traced.as_mut().await;
        let attempts = result
            .as_ref()
            .map_or_else(Error::attempts, |response| response.attempts);
        traced.span().record("lms.attempts", attempts);
        let outcome = result.as_ref().map(|ok| ok.status.as_u16());
        telemetry::record_outcome(traced.span(), outcome, absence_expected);
        metrics::call(operation, outcome, absence_expected, started);
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
    async fn attempts(&self, state: &mut CallState<'_>) -> Result<Box<RawResponse>, Error> {
        let _permit = match state.call.rate_limiter {
            None => None,
            Some(limiter) => match limiter.try_permit() {
                None => {
                    let permit = limiter.permit(state.deadline, state.call.timeouts);
                    Some(state.unless_cancelled(permit).await??)
                }
                permit => permit,
            },
        };
        loop {
            let (bearer, slot) = match state.ready_now() {
                Some(ready) => ready,
                None => state.unless_cancelled(state.ready()).await??,
            };
            let request = self.request(&mut state.call, bearer.as_ref())?;
            let sent = Instant::now();
            let mut attempt = self.traced_attempt(request, state, sent).await;
            match self.decide(state, &mut attempt, bearer.as_ref(), sent, slot) {
                RetryDecision::End(reason) => return end(attempt, reason),
                RetryDecision::Reauthenticate => state.paid = None,
                RetryDecision::RetryAt(at, cost) => {
                    state.paid = Some(cost);
                    let wait = at.duration_since(Instant::now());
                    telemetry::waits(wait, state.attempts, seen(&attempt));
                    metrics::waited("retry", wait);
                    // Moved, so that no response is held during the wait.
                    state.retried(attempt);
                    state.unless_cancelled(sleep_until(at)).await?;
                }
            }
        }
    }

    /// Makes an attempt, in a span. Boxed, because allocators are slow for a future of a call that holds it.
    fn traced_attempt<'a>(
        &'a self,
        request: Request,
        state: &'a CallState<'_>,
        sent: Instant,
    ) -> Pin<Box<impl Future<Output = Attempt> + 'a>> {
        let call = &state.call;
        let (resent, absence_expected) = (state.attempts, call.absence_expected);
        let span = telemetry::attempt(call.operation, call.request, resent);
        let time = TimeLimit::new(call.timeouts, sent, state.deadline);
        let response = span.in_scope(|| match call.cancel {
            Some(cancel) => self.http.send_unless(request, cancel),
            None => self.http.send(request),
        });
        let recorded = span.clone();
        let attempt = async move {
            let result = self.receive(time, response, call).await;
            telemetry::record_outcome(&recorded, seen(&result), absence_expected);
            metrics::attempt(
                call.operation,
                call.request,
                resent,
                seen(&result),
                absence_expected,
                sent,
            );
            result
        };
        Box::pin(attempt.instrument(span))
    }

    /// Tells the policies about an attempt, and decides the next step of the call.
    fn decide(
        &self,
        state: &mut CallState<'_>,
        attempt: &mut Attempt,
        bearer: Option<&Bearer>,
        sent: Instant,
        slot: Slot,
    ) -> RetryDecision {
        let outcome = match attempt {
            Ok(response) => AttemptOutcome::Response(response.status.as_u16()),
            Err(failure) => failure.outcome,
        };
        state.record(outcome, bearer.map(|bearer| &bearer.header));
        let call = &state.call;
        let secrets = RequestSecrets::in_request(
            call.request,
            bearer.map(|bearer| &bearer.header),
            &state.rejected,
            self.client_secret.as_ref(),
        );
        let mut asked = None;
        match attempt {
            Err(failure) => failure.error.hide(&secrets),
            Ok(response) => {
                telemetry::headers(call.request.headers(), &response.headers, &secrets);
                response.secrets = secrets;
                let status = response.status;
                if let (StatusCode::UNAUTHORIZED, Some(tokens), Some(bearer)) =
                    (status, call.tokens, bearer)
                {
                    tokens.invalidate(bearer);
                }
                if !status.is_success() {
                    asked = retry_after(&response.headers);
                }
                if !is_transient(status.as_u16()) {
                    self.budget.refill(state.paid);
                }
                if let Some(rate_limiter) = call.rate_limiter {
                    rate_limiter.record_response(status, &response.headers, asked, sent, slot);
                    metrics::throttled_rate(call.request, || rate_limiter.state().throttled_to);
                }
            }
        }
        state.decide(&self.budget, outcome, asked)
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

impl CallState<'_> {
    /// Waits until the rate limits allow the next attempt. Returns its token, and its slot in the rate limiter.
    async fn ready(&self) -> Result<(Option<Bearer>, Slot), Error> {
        // Before the rate limiter, where a call that fetches a token would delay the calls behind it.
        let bearer = self.bearer().await?;
        let Some(rate_limiter) = self.call.rate_limiter else {
            return Ok((bearer, Slot::default()));
        };
        let slot = rate_limiter
            .acquire(self.deadline, self.call.timeouts)
            .await?;
        if slot.waited.is_zero() {
            return Ok((bearer, slot));
        }
        telemetry::delayed(slot.waited);
        metrics::waited("rate_limit", slot.waited);
        // The token may have expired during the wait.
        Ok((self.bearer().await?, slot))
    }

    async fn bearer(&self) -> Result<Option<Bearer>, Error> {
        let Some(tokens) = self.call.tokens else {
            return Ok(None);
        };
        // The usual case needs no timer.
        if let Some(bearer) = tokens.fresh() {
            return Ok(Some(bearer));
        }
        let began = Instant::now();
        let new = timeout_at(self.deadline, tokens.bearer(self.deadline)).await;
        metrics::waited("token", began.elapsed());
        match new {
            Ok(bearer) => bearer.map(Some),
            Err(_) => Err(call_timeout(
                self.call.timeouts,
                "while waiting for a token",
            )),
        }
    }

    /// The token of the next attempt and its slot in the rate limiter, unless the call has to wait for one of them.
    fn ready_now(&self) -> Option<(Option<Bearer>, Slot)> {
        let call = &self.call;
        if call.cancel.is_some_and(CancellationToken::is_cancelled) {
            return None;
        }
        let bearer = match call.tokens {
            Some(tokens) => Some(tokens.fresh()?),
            None => None,
        };
        let slot = match call.rate_limiter {
            Some(rate_limiter) => rate_limiter.try_acquire(self.deadline)?,
            None => Slot::default(),
        };
        Some((bearer, slot))
    }

    /// Completes a wait. An error if the client is cancelled by then. Boxed, since few calls wait, and all have room for it.
    fn unless_cancelled<'a, T>(
        &'a self,
        wait: impl Future<Output = T> + Send + 'a,
    ) -> Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>> {
        Box::pin(async move {
            let Some(cancel) = self.call.cancel else {
                return Ok(wait.await);
            };
            let waited = cancel.run_until_cancelled(wait).await;
            waited
                .filter(|_| !cancel.is_cancelled())
                .ok_or_else(|| self.cancelled())
        })
    }
}

/// The status or the error of an attempt.
fn seen(attempt: &Attempt) -> Result<u16, &Error> {
    match attempt {
        Ok(response) => Ok(response.status.as_u16()),
        Err(failure) => Err(&failure.error),
    }
}

/// The result of a call with its last attempt, and the reason why its policies allowed no other.
fn end(attempt: Attempt, reason: Option<String>) -> Result<Box<RawResponse>, Error> {
    let note = reason.map(|reason| format!("not retried: {reason}"));
    match (attempt, note) {
        (Ok(mut response), note) => {
            response.note = note;
            Ok(response)
        }
        (Err(failure), Some(note)) => Err(failure.error.with_note(note)),
        (Err(failure), None) => Err(failure.error),
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
