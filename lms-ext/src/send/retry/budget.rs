//! A budget of retries that all calls of a client share.
//!
//! While a server is down, every call fails and is retried, which would triple the load when the server can handle it
//! least. Each retry therefore takes tokens out of a bucket, and responses refill it.

use std::sync::atomic::{AtomicU32, Ordering};

/// Number of retries that all calls of a client may make together.
///
/// A client starts with the full budget. Each retry takes one out of it, and each response puts one back, unless its
/// status is worth a retry itself. Occasional failures never exhaust the budget. During an outage it is exhausted soon;
/// then calls fail after their first attempt, with an error that says so.
///
/// Two kinds of retries are free: after a 429, where adaptive throttling slows the client down, and after a
/// 401, with a new token.
///
/// ```
/// # fn main() -> Result<(), lms_ext::Error> {
/// use lms_ext::{RetryBudget, prelude::*};
///
/// let lms = Lms::builder("https://acme.example")
///     .token("a-token")
///     .retry_budget(RetryBudget::new(20))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryBudget {
    retries: u32,
}

impl Default for RetryBudget {
    /// 100 retries, and each response adds one: in the long run, at most half of the requests are retries. That is
    /// enough for a server that fails every other time, and little for one that is down.
    fn default() -> Self {
        Self { retries: 100 }
    }
}

impl RetryBudget {
    /// Creates a budget of `retries`; 0 allows none.
    #[must_use]
    pub fn new(retries: u32) -> Self {
        Self { retries }
    }

    /// Creates a budget that is never exhausted: only the [`RetryPolicy`](crate::RetryPolicy) limits retries.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u32::MAX)
    }

    /// Creates a budget with which `calls` concurrent calls can each make all of their `retries`.
    pub(crate) fn per_call(retries: u32, calls: usize) -> Self {
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        Self::new(retries.saturating_mul(calls))
    }
}

/// A token bucket: a response adds one token, a retry takes one.
#[derive(Debug)]
pub(crate) struct RetryTokens {
    budget: RetryBudget,
    tokens: AtomicU32,
}

impl RetryTokens {
    pub(crate) fn new(budget: RetryBudget) -> Self {
        Self {
            budget,
            tokens: AtomicU32::new(budget.retries),
        }
    }

    /// Takes the token for one retry; `false` when none is left.
    pub(crate) fn try_acquire(&self) -> bool {
        self.budget == RetryBudget::unlimited() || self.update(|tokens| tokens.checked_sub(1))
    }

    /// Adds the token for a response.
    pub(crate) fn refill(&self) {
        let capacity = self.budget.retries;
        // Usually the bucket is full, and needs no write to memory that all tasks share.
        if self.tokens.load(Ordering::Relaxed) < capacity {
            self.update(|tokens| Some(tokens.saturating_add(1).min(capacity)));
        }
    }

    fn update(&self, change: impl FnMut(u32) -> Option<u32>) -> bool {
        self.tokens
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, change)
            .is_ok()
    }

    /// Why there is no retry when [`try_acquire`](Self::try_acquire) fails.
    pub(crate) fn exhausted(&self) -> String {
        let retries = self.budget.retries;
        format!(
            "retry budget exhausted ({retries} retries for all calls of this client; each response adds one)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of retries that are allowed in a row, up to 1000.
    fn retries(tokens: &RetryTokens) -> usize {
        (0..1000).take_while(|_| tokens.try_acquire()).count()
    }

    #[test]
    fn retries_take_tokens_and_responses_refill_them() {
        let tokens = RetryTokens::new(RetryBudget::new(2));
        for (responses, expected) in [(0, 2), (1, 1), (100, 2)] {
            (0..responses).for_each(|_| tokens.refill());
            assert_eq!(retries(&tokens), expected, "{responses} responses");
        }
    }

    #[test]
    fn extreme_budgets_work() {
        for (budget, expected) in [(RetryBudget::new(0), 0), (RetryBudget::unlimited(), 1000)] {
            assert_eq!(retries(&RetryTokens::new(budget)), expected, "{budget:?}");
        }
    }
}
