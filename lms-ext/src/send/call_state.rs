//! What a call remembers from one attempt to the next, and what follows from it.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    attempt::Failure,
    context::CallContext,
    rate_limit::Refused,
    raw_response::RawResponse,
    retry::{Outcome, RetryTokens, classify},
    timeouts::{Timeouts, after, call_timeout, in_seconds},
};
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

/// The memory of one call.
#[derive(Debug)]
pub(super) struct CallState<'a> {
    started: Instant,
    timeouts: &'a Timeouts,
    pub(super) deadline: Instant,
    /// How often the request was sent.
    pub(super) attempts: u32,
    /// How many of these do not count, since the tenant refused the token and did nothing.
    replays: u32,
    /// An attempt may have been processed, and the tenant has not said so.
    maybe_processed: bool,
    /// What the last attempt came to, while there is another.
    last: Option<Error>,
}

/// What comes after an attempt.
#[derive(Debug, PartialEq)]
pub(super) enum RetryDecision {
    /// Another one, at this moment.
    RetryAt(Instant),
    /// Nothing; says why, when there might have been another.
    End(Option<String>),
}

impl<'a> CallState<'a> {
    pub(super) fn new(timeouts: &'a Timeouts) -> Self {
        let started = Instant::now();
        Self {
            started,
            timeouts,
            deadline: after(started, timeouts.call),
            attempts: 0,
            replays: 0,
            maybe_processed: false,
            last: None,
        }
    }

    /// Takes note that the tenant refused a token. `false` when it had done so before.
    pub(super) fn first_refusal(&mut self) -> bool {
        self.replays += 1;
        self.replays == 1
    }

    /// Decides what comes after an attempt, whose answer asked for this wait.
    pub(super) fn step(
        &mut self,
        call: &CallContext<'_>,
        outcome: &Result<RawResponse, Failure>,
        asked: Option<Duration>,
        budget: &RetryTokens,
    ) -> RetryDecision {
        let met = match outcome {
            Ok(response) => Outcome::Answered(response.status.as_u16()),
            Err(failure) => failure.outcome,
        };
        let classification = classify(call.operation, met);
        self.maybe_processed |= classification.maybe_processed;
        let counted = self.attempts - self.replays;
        let over = || Instant::now() >= self.deadline;
        if !classification.retry || counted >= call.retry.max_attempts || over() {
            return RetryDecision::End(None);
        }
        let longest = call.retry.max_retry_after;
        if asked.is_some_and(|asked| asked > longest) {
            return RetryDecision::End(Some(format!(
                "that is longer than the {} that are waited for",
                in_seconds(longest)
            )));
        }
        let wait = call.retry.wait_before(counted + 1, asked);
        let resume = after(Instant::now(), wait);
        if resume >= self.deadline {
            return RetryDecision::End(Some(format!(
                "the {} that the whole call may take are too short for another attempt",
                in_seconds(self.timeouts.call)
            )));
        }
        // The tenant works when it answers 429; pressing it is what the pace prevents.
        if met != Outcome::Answered(429) && !budget.spend() {
            return RetryDecision::End(Some(format!("not repeated: {}", budget.describe())));
        }
        RetryDecision::RetryAt(resume)
    }

    /// Keeps what an attempt came to, in case it was the last for want of time.
    pub(super) fn remember(&mut self, outcome: Result<RawResponse, Failure>) {
        self.last = match outcome {
            Ok(response) => response.into_body().err(),
            Err(failure) => Some(failure.error),
        };
    }

    /// The end of a call by its last attempt.
    pub(super) fn end(
        &mut self,
        outcome: Result<RawResponse, Failure>,
        reason: Option<String>,
    ) -> Result<RawResponse, Error> {
        match outcome {
            Ok(mut response) => {
                response.note = reason;
                Ok(response)
            }
            Err(Failure { mut error, .. }) => {
                if error.kind() == ErrorKind::DeadlineExceeded {
                    error = self.with_last(error);
                }
                Err(match reason {
                    Some(reason) => error.with_note(reason),
                    None => error,
                })
            }
        }
    }

    /// The end of a call that did not get its turn.
    pub(super) fn refused(&mut self, refused: Refused) -> Error {
        match refused {
            Refused::OutOfTime(waiting) => self.out_of_time(&waiting),
            Refused::Paused(left) => {
                let error = Error::new(
                    ErrorKind::RateLimited,
                    "not sent, because the tenant has stopped this client for a while",
                )
                .with_retry_after(left);
                self.with_last(error)
            }
        }
    }

    /// The end of a call whose time is over.
    pub(super) fn out_of_time(&mut self, waiting: &str) -> Error {
        let error = call_timeout(self.timeouts, waiting);
        self.with_last(error)
    }

    fn with_last(&mut self, error: Error) -> Error {
        match self.last.take() {
            Some(last) => error
                .with_note(format!("before that: {last}"))
                .with_source(last),
            None => error,
        }
    }

    /// Writes on the result what the whole call came to.
    pub(super) fn close(
        self,
        operation: &'static OperationInfo,
        result: Result<RawResponse, Error>,
    ) -> Result<RawResponse, Error> {
        let elapsed: Duration = self.started.elapsed();
        match result {
            Ok(mut response) => {
                response.attempts = self.attempts;
                response.elapsed = elapsed;
                response.maybe_processed = self.maybe_processed;
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
