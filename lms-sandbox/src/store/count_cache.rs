//! A cache for the lengths of filtered lists.
//!
//! Counting the learners with a tag from a sign-up page takes longer than reading their page. A client that reads all
//! pages gets the same number with each of them, so the number is cached until the next write.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::api::problem::Problem;

/// How many counts are cached.
const CAPACITY: usize = 1_000;

/// Counts that are valid until the next write.
#[derive(Debug, Default)]
pub(crate) struct CountCache {
    writes: AtomicU64,
    cached: Mutex<Cached>,
}

#[derive(Debug, Default)]
struct Cached {
    /// The number of writes that `counts` was taken after.
    writes: u64,
    counts: HashMap<String, i64>,
}

impl CountCache {
    /// Invalidates the cache. Must be called after each commit.
    pub(super) fn invalidate(&self) {
        self.writes.fetch_add(1, Ordering::SeqCst);
    }

    /// The cache for a transaction that has not read anything yet.
    pub(crate) fn snapshot(&self) -> Counts<'_> {
        Counts {
            cache: self,
            writes: self.writes.load(Ordering::SeqCst),
        }
    }
}

/// The cache for one transaction. `writes` is read before the transaction, so a count is never older than it says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts<'a> {
    cache: &'a CountCache,
    writes: u64,
}

impl Counts<'_> {
    /// The count with this key, from the cache or else from `count`.
    pub(crate) fn get_or_count(
        self,
        key: String,
        count: impl FnOnce() -> Result<i64, Problem>,
    ) -> Result<i64, Problem> {
        let cached = || {
            self.cache
                .cached
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        {
            let cached = cached();
            if cached.writes == self.writes
                && let Some(count) = cached.counts.get(&key)
            {
                return Ok(*count);
            }
        }
        let count = count()?;
        let mut cached = cached();
        if cached.writes < self.writes || cached.counts.len() >= CAPACITY {
            cached.counts.clear();
            cached.writes = self.writes;
        }
        if cached.writes == self.writes {
            cached.counts.insert(key, count);
        }
        Ok(count)
    }
}
