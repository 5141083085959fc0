//! Decides whether a call is retried after an attempt, and when.

use std::time::Duration;

use tokio::time::Instant;

use super::{AttemptOutcome, RetryPolicy, RetryTokens, classify};
use crate::{
    send::timeouts::{after, in_seconds},
    values::OperationInfo,
};

/// The next step of a call after an attempt.
#[derive(Debug)]
pub(crate) enum RetryDecision {
    RetryAt(Instant),
    /// Retry at once with a new token.
    Reauthenticate,
    /// The attempt was the last one. Says why, unless its outcome is the reason.
    End(Option<String>),
}

/// A call after an attempt.
#[derive(Debug)]
pub(crate) struct Attempted<'a> {
    pub(crate) operation: &'static OperationInfo,
    pub(crate) outcome: AttemptOutcome,
    /// The `Retry-After` of the response.
    pub(crate) asked: Option<Duration>,
    pub(crate) attempts: u32,
    /// Number of attempts whose token the server rejected. They do not count against the policy, because the server did
    /// not process them.
    pub(crate) rejections: u32,
    pub(crate) policy: &'a RetryPolicy,
    pub(crate) budget: &'a RetryTokens,
    pub(crate) call_timeout: Duration,
    pub(crate) deadline: Instant,
}

impl Attempted<'_> {
    pub(crate) fn decide(&self) -> RetryDecision {
        if self.outcome == AttemptOutcome::Response(401) && self.rejections == 1 {
            return RetryDecision::Reauthenticate;
        }
        if !classify(self.operation, self.outcome).retry {
            return RetryDecision::End(None);
        }
        let counted = self.attempts - self.rejections;
        let now = Instant::now();
        if counted >= self.policy.max_attempts || now >= self.deadline {
            return RetryDecision::End(None);
        }
        let longest = self.policy.max_retry_after;
        if self.asked.is_some_and(|asked| asked > longest) {
            let longest = in_seconds(longest);
            return RetryDecision::End(Some(format!(
                "more than the limit of {longest} for `Retry-After`"
            )));
        }
        let at = after(now, self.policy.wait_before(counted + 1, self.asked));
        if at >= self.deadline {
            let timeout = in_seconds(self.call_timeout);
            return RetryDecision::End(Some(format!(
                "the next attempt would exceed the call timeout of {timeout}"
            )));
        }
        // A server that responds with 429 is up: slowing down is the job of the rate limits.
        if self.outcome != AttemptOutcome::Response(429) && !self.budget.try_acquire() {
            return RetryDecision::End(Some(self.budget.exhausted()));
        }
        RetryDecision::RetryAt(at)
    }
}
