//! The state of a call between attempts, and the decision to retry.

use std::{ops::ControlFlow, time::Duration};

use reqwest::header::HeaderValue;
use tokio::time::Instant;

use super::{
    CallContext,
    auth::Bearer,
    rate_limit::Refused,
    raw_response::{AttemptFailure, RawResponse},
    retry::{AttemptOutcome, RetryTokens, classify},
    telemetry,
    timeouts::{Timeouts, after, call_timeout, in_seconds},
};
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

/// The knowledge of the loop about the call so far.
#[derive(Debug)]
pub(super) struct CallState<'a> {
    started: Instant,
    timeouts: &'a Timeouts,
    pub(super) deadline: Instant,
    /// Number of attempts.
    pub(super) attempts: u32,
    /// Number of attempts that got a 401. They do not count against the policy, because the server did not process them.
    rejections: u32,
    /// The first of the tokens that the server rejected.
    rejected: Option<HeaderValue>,
    /// The server rejected a token that replaced a rejected one.
    new_token_rejected: bool,
    /// An attempt may have been processed, although no response confirms it.
    maybe_processed: bool,
    /// The error of the previous attempt.
    last: Option<Error>,
}

/// The next step of a call after an attempt that did not end it.
#[derive(Debug)]
pub(super) enum RetryDecision {
    RetryAt(Instant),
    /// Retry at once with a new token.
    Reauthenticate,
}

impl<'a> CallState<'a> {
    pub(super) fn new(timeouts: &'a Timeouts) -> Self {
        let started = Instant::now();
        Self {
            started,
            timeouts,
            deadline: after(started, timeouts.call),
            attempts: 0,
            rejections: 0,
            rejected: None,
            new_token_rejected: false,
            maybe_processed: false,
            last: None,
        }
    }

    /// Counts a token that the server rejected; `true` the first time.
    pub(super) fn first_rejection(&mut self, bearer: &Bearer) -> bool {
        self.rejections += 1;
        self.new_token_rejected = self
            .rejected
            .as_ref()
            .is_some_and(|rejected| *rejected != bearer.header);
        self.rejected.get_or_insert_with(|| bearer.header.clone());
        self.rejections == 1
    }

    /// The first token that the server rejected in this call.
    pub(super) fn rejected_token(&self) -> Option<&HeaderValue> {
        self.rejected.as_ref()
    }

    /// Decides whether the call ends with this outcome; `asked` is its `Retry-After`.
    pub(super) fn decide(
        &mut self,
        call: &CallContext<'_>,
        outcome: Result<Box<RawResponse>, AttemptFailure>,
        asked: Option<Duration>,
        budget: &RetryTokens,
    ) -> ControlFlow<Result<Box<RawResponse>, Error>, RetryDecision> {
        let outcome = match outcome {
            Ok(response) if response.status.is_success() => {
                return ControlFlow::Break(Ok(response));
            }
            other => other,
        };
        let at = match self.retry_at(call, &outcome, asked, budget) {
            Ok(at) => at,
            Err(reason) => return ControlFlow::Break(self.end(outcome, reason)),
        };
        let seen = outcome.as_ref().map(|response| response.status.as_u16());
        let wait = at.duration_since(Instant::now());
        telemetry::waits(wait, self.attempts, seen.map_err(|failure| &failure.error));
        self.last = match outcome {
            Ok(response) => response.into_body().err(),
            Err(failure) => Some(failure.error),
        };
        ControlFlow::Continue(RetryDecision::RetryAt(at))
    }

    /// The time of the next retry. An error if there is none, with the reason unless the outcome itself is the reason.
    fn retry_at(
        &mut self,
        call: &CallContext<'_>,
        outcome: &Result<Box<RawResponse>, AttemptFailure>,
        asked: Option<Duration>,
        budget: &RetryTokens,
    ) -> Result<Instant, Option<String>> {
        let outcome = match outcome {
            Ok(response) => AttemptOutcome::Response(response.status.as_u16()),
            Err(failure) => failure.outcome,
        };
        let classification = classify(call.operation, outcome);
        self.maybe_processed |= classification.maybe_processed;
        let counted = self.attempts - self.rejections;
        let now = Instant::now();
        if !classification.retry || counted >= call.retry.max_attempts || now >= self.deadline {
            return Err(None);
        }
        let longest = call.retry.max_retry_after;
        if asked.is_some_and(|asked| asked > longest) {
            let longest = in_seconds(longest);
            return Err(Some(format!(
                "more than the limit of {longest} for `Retry-After`"
            )));
        }
        let at = after(now, call.retry.wait_before(counted + 1, asked));
        if at >= self.deadline {
            let timeout = in_seconds(self.timeouts.call);
            return Err(Some(format!(
                "the next attempt would exceed the call timeout of {timeout}"
            )));
        }
        // A server that responds with 429 is up: slowing down is the job of the rate limits.
        if outcome != AttemptOutcome::Response(429) && !budget.try_acquire() {
            return Err(Some(budget.exhausted()));
        }
        Ok(at)
    }

    fn end(
        &mut self,
        outcome: Result<Box<RawResponse>, AttemptFailure>,
        reason: Option<String>,
    ) -> Result<Box<RawResponse>, Error> {
        let note = reason.map(|reason| format!("not retried: {reason}"));
        match outcome {
            Ok(mut response) => {
                response.note = note;
                Ok(response)
            }
            Err(AttemptFailure { mut error, .. }) => {
                if error.kind() == ErrorKind::DeadlineExceeded {
                    error = self.with_last(error);
                }
                Err(match note {
                    Some(note) => error.with_note(note),
                    None => error,
                })
            }
        }
    }

    /// The error of a call that the rate limiter did not let through.
    pub(super) fn refused(&mut self, refused: Refused) -> Error {
        match refused {
            Refused::OutOfTime(waiting) => self.out_of_time(&waiting),
            Refused::Paused(left) => {
                let detail = "not sent: throttled by the server for longer than this call may take";
                let error = Error::new(ErrorKind::RateLimited, detail).with_retry_after(left);
                self.with_last(error)
            }
        }
    }

    /// The error of a call whose timeout passed between attempts.
    pub(super) fn out_of_time(&mut self, waiting: &str) -> Error {
        let error = call_timeout(self.timeouts, waiting);
        self.with_last(error)
    }

    /// The error of a call that was cancelled between attempts, or before the first one.
    pub(super) fn cancelled(&mut self) -> Error {
        let detail = match self.attempts {
            0 => "",
            _ => "cancelled before the next attempt",
        };
        self.with_last(Error::new(ErrorKind::Cancelled, detail))
    }

    fn with_last(&mut self, error: Error) -> Error {
        match self.last.take() {
            Some(last) => error
                .with_note(format!("before that: {last}"))
                .with_source(last),
            None => error,
        }
    }

    /// Adds the totals of the call to its result.
    pub(super) fn close(
        self,
        operation: &'static OperationInfo,
        result: Result<Box<RawResponse>, Error>,
    ) -> Result<Box<RawResponse>, Error> {
        let elapsed = self.started.elapsed();
        match result {
            Ok(mut response) => {
                response.attempts = self.attempts;
                response.elapsed = elapsed;
                response.maybe_processed = self.maybe_processed;
                response.new_token_rejected = self.new_token_rejected;
                Ok(response)
            }
            Err(error) => Err(if self.maybe_processed {
                error.into_ambiguous()
            } else {
                error
            }
            .in_operation(operation)
            .after(self.attempts, elapsed)),
        }
    }
}
