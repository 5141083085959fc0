//! A budget of retries that all calls of a client share.
//!
//! While a server is down, every call fails and is retried, which would triple the load when the server can handle it
//! least. Each retry therefore takes tokens out of a bucket, and responses refill it.

use std::sync::atomic::{AtomicU32, Ordering};

/// Number of retries by default. In the long run, at most half of the requests are retries, because each response adds one.
/// That is enough for a server that fails every other time, and little for one that is down.
pub(crate) const DEFAULT_RETRIES: u32 = 100;

/// A token bucket: a response adds one token, a retry takes one.
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

    /// Takes the token for one retry; `false` when none is left.
    pub(crate) fn try_acquire(&self) -> bool {
        self.update(|tokens| tokens.checked_sub(1))
    }

    /// Adds the token for a response.
    pub(crate) fn refill(&self) {
        let capacity = self.capacity;
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

    /// The message when [`try_acquire`](Self::try_acquire) fails.
    pub(crate) fn exhausted(&self) -> String {
        let retries = self.capacity;
        format!(
            "retry budget exhausted ({retries} retries for all calls of this client; each response adds one)"
        )
    }
}
