//! The facts about a call that one attempt leaves to the next, and to the result. They decide whether there is a next one.

use std::time::Duration;

use reqwest::header::HeaderValue;
use tokio::time::Instant;

use super::{
    CallContext,
    raw_response::{AttemptFailure, RawResponse},
    retry::{AttemptOutcome, RetryTokens, classify},
    timeouts::{after, in_seconds},
};
use crate::error::{Error, ErrorKind};

/// Number of different tokens after whose rejection a call ends.
const MAX_TOKENS: u32 = 4;

/// The next step of a call after an attempt.
#[derive(Debug)]
pub(super) enum RetryDecision {
    /// Retry at once with a new token, without tokens of the retry budget.
    Reauthenticate,
    /// Retry at this time, for this number of tokens of the retry budget.
    RetryAt(Instant, u32),
    /// The attempt was the last one. Says why, unless its outcome is the reason.
    End(Option<String>),
}

#[derive(Debug)]
pub(super) struct CallState<'a> {
    pub(super) call: CallContext<'a>,
    pub(super) started: Instant,
    pub(super) deadline: Instant,
    /// Number of attempts.
    pub(super) attempts: u32,
    /// The tokens that the server rejected, one for each attempt that got a 401.
    pub(super) rejected: Vec<HeaderValue>,
    /// The tokens of the retry budget that the last retry took.
    pub(super) paid: Option<u32>,
    /// An attempt may have been processed, although no response confirms it.
    maybe_processed: bool,
    /// The error of the attempt before a retry.
    last: Option<Error>,
}

impl<'a> CallState<'a> {
    pub(super) fn new(call: CallContext<'a>) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: after(started, call.timeouts.call),
            call,
            attempts: 0,
            rejected: Vec::new(),
            paid: None,
            maybe_processed: false,
            last: None,
        }
    }

    /// Records the outcome of an attempt.
    pub(super) fn record(&mut self, outcome: AttemptOutcome, bearer: Option<&HeaderValue>) {
        self.attempts += 1;
        self.maybe_processed |= classify(self.call.operation, outcome).maybe_processed;
        if let Some(header) = bearer
            && outcome == AttemptOutcome::Response(401)
        {
            self.rejected.push(header.clone());
        }
    }

    /// Returns `true` if the last token that the server rejected replaced a rejected one.
    pub(super) fn last_token_was_new(&self) -> bool {
        match self.rejected.as_slice() {
            [before @ .., last] => !before.is_empty() && !before.contains(last),
            [] => false,
        }
    }

    /// Decides about a retry after an attempt, which was recorded. `asked` is the `Retry-After` of its response.
    ///
    /// Attempts with a rejected token do not count against the policy, because the server did not process them.
    pub(super) fn decide(
        &self,
        budget: &RetryTokens,
        outcome: AttemptOutcome,
        asked: Option<Duration>,
    ) -> RetryDecision {
        let policy = self.call.retry;
        let rejected = u32::try_from(self.rejected.len()).unwrap_or(u32::MAX);
        let is_rejection = outcome == AttemptOutcome::Response(401);
        if is_rejection && rejected == 1 {
            return RetryDecision::Reauthenticate;
        }
        let may_retry = if is_rejection {
            self.last_token_was_new() && rejected < MAX_TOKENS.min(policy.max_attempts)
        } else {
            classify(self.call.operation, outcome).retry
        };
        let (counted, now) = (self.attempts - rejected, Instant::now());
        if !may_retry || counted >= policy.max_attempts || now >= self.deadline {
            return RetryDecision::End(None);
        }
        let end = |reason: String| RetryDecision::End(Some(reason));
        let longest = policy.max_retry_after;
        if asked.is_some_and(|asked| asked > longest) {
            let longest = in_seconds(longest);
            return end(format!(
                "more than the limit of {longest} for `Retry-After`"
            ));
        }
        // The server refused the request because there are too many.
        let throttled = match outcome {
            AttemptOutcome::Response(429) => true,
            AttemptOutcome::Response(503) => asked.is_some(),
            _ => false,
        };
        let failures = if is_rejection { rejected } else { counted };
        let at = after(now, policy.wait_before(failures + 1, throttled, asked));
        if at >= self.deadline {
            let timeout = in_seconds(self.call.timeouts.call);
            return end(format!(
                "the next attempt would exceed the call timeout of {timeout}"
            ));
        }
        match budget.try_acquire(throttled) {
            Some(cost) => RetryDecision::RetryAt(at, cost),
            None => end(
                "too many requests have failed already, so the retry budget is exhausted"
                    .to_owned(),
            ),
        }
    }

    /// Remembers an attempt that is followed by a retry.
    pub(super) fn retried(&mut self, attempt: Result<Box<RawResponse>, AttemptFailure>) {
        self.last = match attempt {
            Ok(response) => response.into_body().err(),
            Err(failure) => Some(failure.error),
        };
    }

    /// The error of a call that was cancelled between attempts, or before the first one.
    pub(super) fn cancelled(&self) -> Error {
        let detail = match self.attempts {
            0 => "",
            _ => "cancelled before the next attempt",
        };
        Error::new(ErrorKind::Cancelled, detail)
    }

    /// Completes the result of the call.
    pub(super) fn close(
        self,
        result: Result<Box<RawResponse>, Error>,
    ) -> Result<Box<RawResponse>, Error> {
        let elapsed = self.started.elapsed();
        let mut error = match result {
            Ok(mut response) => {
                response.attempts = self.attempts;
                response.elapsed = elapsed;
                response.maybe_processed = self.maybe_processed;
                response.new_token_rejected = self.last_token_was_new();
                return Ok(response);
            }
            Err(error) => error,
        };
        // Time, a pause or the caller ended the call. The error of the attempt before that is the cause.
        if let Some(last) = self.last
            && error.status().is_none()
            && matches!(
                error.kind(),
                ErrorKind::DeadlineExceeded | ErrorKind::Cancelled | ErrorKind::RateLimited
            )
        {
            error = error
                .with_note(format!("before that: {last}"))
                .with_source(last);
        }
        if self.maybe_processed {
            error = error.into_ambiguous();
        }
        Err(error
            .in_operation(self.call.operation)
            .after(self.attempts, elapsed))
    }
}

#[cfg(test)]
mod tests {
    use lms_client::operation::OPERATIONS;
    use reqwest::{Method, Request};

    use super::*;
    use crate::send::{retry::RetryPolicy, timeouts::Timeouts};

    const SECOND: Duration = Duration::from_secs(1);

    /// Decides about a read with default settings, after its first attempt was a 429 with this `Retry-After`.
    fn after_429(asked: Duration) -> RetryDecision {
        let operation = OPERATIONS.iter().find(|operation| operation.is_read());
        let operation = operation.unwrap();
        let timeouts = Timeouts::default().call(600 * SECOND);
        let call = CallContext {
            request: &mut Request::new(Method::GET, "https://acme.example".parse().unwrap()),
            operation,
            retry: &RetryPolicy::default(),
            timeouts: &timeouts,
            tokens: None,
            rate_limiter: None,
            cancel: None,
            absence_expected: false,
        };
        let mut state = CallState::new(call);
        let outcome = AttemptOutcome::Response(429);
        state.record(outcome, None);
        state.decide(&RetryTokens::new(500), outcome, Some(asked))
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_retry_after_is_waited_for_and_a_longer_one_is_not() {
        let decision = after_429(60 * SECOND);
        let RetryDecision::RetryAt(at, 5) = decision else {
            panic!("{decision:?}");
        };
        assert!(at >= Instant::now() + 60 * SECOND);
        let decision = after_429(60 * SECOND + Duration::from_nanos(1));
        let RetryDecision::End(Some(reason)) = decision else {
            panic!("{decision:?}");
        };
        assert_eq!(reason, "more than the limit of 60 s for `Retry-After`");
    }
}
