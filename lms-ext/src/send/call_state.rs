//! The facts about a call that one attempt leaves to the next, and to the result.

use reqwest::header::HeaderValue;
use tokio::time::Instant;

use super::{
    auth::Bearer,
    raw_response::{AttemptFailure, RawResponse},
    retry::{AttemptOutcome, classify},
    timeouts::{Timeouts, after},
};
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

#[derive(Debug)]
pub(super) struct CallState {
    operation: &'static OperationInfo,
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

impl CallState {
    pub(super) fn new(operation: &'static OperationInfo, timeouts: &Timeouts) -> Self {
        let started = Instant::now();
        Self {
            operation,
            started,
            deadline: after(started, timeouts.call),
            attempts: 0,
            rejected: Vec::new(),
            paid: None,
            maybe_processed: false,
            last: None,
        }
    }

    /// Records the outcome of an attempt.
    pub(super) fn record(&mut self, outcome: AttemptOutcome, bearer: Option<&Bearer>) {
        self.attempts += 1;
        self.maybe_processed |= classify(self.operation, outcome).maybe_processed;
        if let Some(Bearer { header, .. }) = bearer
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
            .in_operation(self.operation)
            .after(self.attempts, elapsed))
    }
}
