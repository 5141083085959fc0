//! While a server is down, every call fails and is retried, which would triple the load when the server can handle it
//! least. Each retry therefore takes tokens out of a bucket that all calls of a client share, and calls that get a final
//! response return them. The amounts are those of the standard retry mode of the AWS SDKs.

use std::sync::atomic::{AtomicU32, Ordering};

/// Number of tokens by default.
pub(crate) const DEFAULT_TOKENS: u32 = 500;
/// Number of tokens that a retry takes after an error that may pass. After throttling, the rate limits also slow down.
pub(crate) const TRANSIENT_COST: u32 = 14;
const THROTTLED_COST: u32 = 5;
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
