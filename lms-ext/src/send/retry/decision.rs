//! Decides whether a call is retried after an attempt, and when.
//!
//! While a server is down, every call fails and is retried, which would triple the load when the server can handle it
//! least. Each retry therefore takes tokens out of a bucket that all calls of a client share, and calls that get a final
//! response return them. The amounts are those of the standard retry mode of the AWS SDKs.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tokio::time::Instant;

use super::{AttemptOutcome, RetryPolicy, classify};
use crate::{
    send::timeouts::{after, in_seconds},
    values::OperationInfo,
};

/// Number of different tokens after whose rejection a call ends.
const MAX_TOKENS: u32 = 4;

/// The next step of a call after an attempt.
#[derive(Debug)]
pub(crate) enum RetryDecision {
    /// Retry at once with a new token, without tokens of the retry budget.
    Reauthenticate,
    /// Retry at this time, for this number of tokens of the retry budget.
    RetryAt(Instant, u32),
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
    /// Number of tokens that the server rejected. Their attempts do not count against the policy, because the server did
    /// not process them.
    pub(crate) rejected_tokens: usize,
    /// The last of them was new, as after a revocation.
    pub(crate) token_was_new: bool,
    pub(crate) policy: &'a RetryPolicy,
    pub(crate) budget: &'a RetryTokens,
    pub(crate) call_timeout: Duration,
    pub(crate) deadline: Instant,
}

impl Attempted<'_> {
    pub(crate) fn decide(&self) -> RetryDecision {
        let rejected = u32::try_from(self.rejected_tokens).unwrap_or(u32::MAX);
        let is_rejection = self.outcome == AttemptOutcome::Response(401);
        if is_rejection && rejected == 1 {
            return RetryDecision::Reauthenticate;
        }
        let tokens = MAX_TOKENS.min(self.policy.max_attempts);
        let may_retry = if is_rejection {
            self.token_was_new && rejected < tokens
        } else {
            classify(self.operation, self.outcome).retry
        };
        let counted = self.attempts - rejected;
        if !may_retry || counted >= self.policy.max_attempts {
            return RetryDecision::End(None);
        }
        let now = Instant::now();
        if now >= self.deadline {
            return RetryDecision::End(None);
        }
        let longest = self.policy.max_retry_after;
        if self.asked.is_some_and(|asked| asked > longest) {
            let longest = in_seconds(longest);
            return RetryDecision::End(Some(format!(
                "more than the limit of {longest} for `Retry-After`"
            )));
        }
        let throttled = is_throttling(self.outcome, self.asked);
        let failures = if is_rejection { rejected } else { counted };
        let wait = self.policy.wait_before(failures + 1, throttled, self.asked);
        let at = after(now, wait);
        if at >= self.deadline {
            let timeout = in_seconds(self.call_timeout);
            return RetryDecision::End(Some(format!(
                "the next attempt would exceed the call timeout of {timeout}"
            )));
        }
        match self.budget.try_acquire(throttled) {
            Some(cost) => RetryDecision::RetryAt(at, cost),
            None => RetryDecision::End(Some(EXHAUSTED.to_owned())),
        }
    }
}

/// Returns `true` if the server has refused a request because there are too many.
fn is_throttling(outcome: AttemptOutcome, asked: Option<Duration>) -> bool {
    match outcome {
        AttemptOutcome::Response(429) => true,
        AttemptOutcome::Response(503) => asked.is_some(),
        _ => false,
    }
}

/// Number of tokens by default.
pub(crate) const DEFAULT_TOKENS: u32 = 500;
/// Number of tokens that a retry takes after an error that may pass. After throttling, the rate limits also slow down.
pub(crate) const TRANSIENT_COST: u32 = 14;
const THROTTLED_COST: u32 = 5;
/// The message when there are not enough tokens.
const EXHAUSTED: &str = "too many requests have failed already, so the retry budget is exhausted";
/// Number of tokens that a call without a retry returns.
const REFUND: u32 = 1;

#[derive(Debug)]
pub(crate) struct RetryTokens {
    capacity: u32,
    tokens: AtomicU32,
}

impl RetryTokens {
    pub(crate) fn new(capacity: u32) -> Self {
        Self {
            capacity,
            tokens: AtomicU32::new(capacity),
        }
    }

    /// Takes the tokens for one retry, and returns their number; `None` when there are not enough.
    pub(crate) fn try_acquire(&self, throttled: bool) -> Option<u32> {
        let cost = if throttled {
            THROTTLED_COST
        } else {
            TRANSIENT_COST
        };
        self.update(|tokens| tokens.checked_sub(cost))
            .then_some(cost)
    }

    /// Returns the tokens of the retry that succeeded, if there was one.
    pub(crate) fn refill(&self, paid: Option<u32>) {
        let capacity = self.capacity;
        // Usually the bucket is full, and needs no write to memory that all tasks share.
        if self.tokens.load(Ordering::Relaxed) < capacity {
            let refund = paid.unwrap_or(REFUND);
            self.update(|tokens| Some(tokens.saturating_add(refund).min(capacity)));
        }
    }

    fn update(&self, change: impl FnMut(u32) -> Option<u32>) -> bool {
        self.tokens
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, change)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use lms_client::operation::OPERATIONS;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Decides about a read with default settings, after its first attempt was a 429 with this `Retry-After`.
    fn after_429(asked: Duration) -> RetryDecision {
        let operation = OPERATIONS.iter().find(|operation| operation.is_read());
        let attempted = Attempted {
            operation: operation.unwrap(),
            outcome: AttemptOutcome::Response(429),
            asked: Some(asked),
            attempts: 1,
            rejected_tokens: 0,
            token_was_new: true,
            policy: &RetryPolicy::default(),
            budget: &RetryTokens::new(500),
            call_timeout: 600 * SECOND,
            deadline: Instant::now() + 600 * SECOND,
        };
        attempted.decide()
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
