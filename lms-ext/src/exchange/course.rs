//! What a call remembers from one attempt to the next, and what follows from it.

use std::time::Duration;

use tokio::time::Instant;

use super::{Failure, Outgoing, Reply, verdict};
use crate::{
    Error, ErrorKind, Limits, limits,
    operation::OperationInfo,
    pace::Refused,
    retry::{Outcome, Purse},
};

/// The memory of one call.
#[derive(Debug)]
pub(super) struct Course<'a> {
    started: Instant,
    limits: &'a Limits,
    pub(super) deadline: Instant,
    /// How often the request was sent.
    pub(super) attempts: u32,
    /// How many of these do not count, since the tenant refused the token and did nothing.
    replays: u32,
    /// An attempt may have been carried out, and the tenant has not said so.
    in_doubt: bool,
    /// What the last attempt came to, while there is another.
    last: Option<Error>,
}

/// What comes after an attempt.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Another one, at this moment.
    Repeat(Instant),
    /// Nothing; says why, when there might have been another.
    End(Option<String>),
}

impl<'a> Course<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        let started = Instant::now();
        Self {
            started,
            limits,
            deadline: limits::after(started, limits.call),
            attempts: 0,
            replays: 0,
            in_doubt: false,
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
        call: &Outgoing<'_>,
        outcome: &Result<Reply, Failure>,
        asked: Option<Duration>,
        budget: &Purse,
    ) -> Step {
        let met = match outcome {
            Ok(reply) => Outcome::Answered(reply.status.as_u16()),
            Err(failure) => failure.outcome,
        };
        let verdict = verdict(call.operation, met);
        self.in_doubt |= verdict.in_doubt;
        let counted = self.attempts - self.replays;
        let over = || Instant::now() >= self.deadline;
        if !verdict.repeat || counted >= call.retry.max_attempts || over() {
            return Step::End(None);
        }
        let longest = call.retry.longest_retry_after;
        if asked.is_some_and(|asked| asked > longest) {
            return Step::End(Some(format!(
                "that is longer than the {} that are waited for",
                limits::time(longest)
            )));
        }
        let wait = call.retry.wait_before(counted + 1, asked);
        let resume = limits::after(Instant::now(), wait);
        if resume >= self.deadline {
            return Step::End(Some(format!(
                "the {} that the whole call may take are too short for another attempt",
                limits::time(self.limits.call)
            )));
        }
        // The tenant works when it answers 429; pressing it is what the pace prevents.
        if met != Outcome::Answered(429) && !budget.spend() {
            return Step::End(Some(format!("not repeated: {}", budget.in_words())));
        }
        Step::Repeat(resume)
    }

    /// Keeps what an attempt came to, in case it was the last for want of time.
    pub(super) fn remember(&mut self, outcome: Result<Reply, Failure>) {
        self.last = match outcome {
            Ok(reply) => reply.into_body(true).err(),
            Err(failure) => Some(failure.error),
        };
    }

    /// The end of a call by its last attempt.
    pub(super) fn end(
        &mut self,
        outcome: Result<Reply, Failure>,
        reason: Option<String>,
    ) -> Result<Reply, Error> {
        match outcome {
            Ok(mut reply) => {
                reply.note = reason;
                Ok(reply)
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
        let error = deadline(self.limits, waiting);
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
        result: Result<Reply, Error>,
    ) -> Result<Reply, Error> {
        let elapsed: Duration = self.started.elapsed();
        match result {
            Ok(mut reply) => {
                reply.attempts = self.attempts;
                reply.elapsed = elapsed;
                reply.in_doubt = self.in_doubt;
                Ok(reply)
            }
            Err(error) => Err(if self.in_doubt {
                error.made_ambiguous()
            } else {
                error
            }
            .in_operation(operation)
            .after(self.attempts, elapsed)),
        }
    }
}

/// The error of a call whose time is over.
pub(super) fn deadline(limits: &Limits, waiting: &str) -> Error {
    Error::new(
        ErrorKind::DeadlineExceeded,
        format!(
            "the {} that the whole call may take ran out {waiting}",
            limits::time(limits.call)
        ),
    )
}
