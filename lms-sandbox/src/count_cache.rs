//! How many rows has a list, when no kept count says it?
//!
//! Learners with this tag from that sign-up page are counted one by one, which takes longer than their page. A walk
//! asks for the same number with every page, so it is remembered until something is written.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use crate::pages::Listing;
use crate::problem::Problem;

/// Counts that hold until the next write.
#[derive(Debug, Default)]
pub(crate) struct CountCache {
    writes: AtomicU64,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The number of writes that `counts` is of.
    as_of: u64,
    counts: HashMap<String, i64>,
}

impl CountCache {
    /// Forgets everything; to be called when a write has been committed.
    pub(crate) fn written(&self) {
        self.writes.fetch_add(1, Ordering::SeqCst);
    }

    /// The cache as a transaction sees it that has not read anything yet.
    pub(crate) fn now(&self) -> Counts<'_> {
        Counts {
            cache: self,
            as_of: self.writes.load(Ordering::SeqCst),
        }
    }
}

/// The cache for one transaction. What is counted in it is at least as new as `as_of` says, so a number is never
/// kept for longer than it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts<'a> {
    cache: &'a CountCache,
    as_of: u64,
}

impl Counts<'_> {
    /// The number of rows of `listing`.
    pub(crate) fn get_or_count(
        self,
        listing: &Listing,
        connection: &Connection,
    ) -> Result<i64, Problem> {
        let key = listing.key();
        let known = || {
            self.cache
                .known
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let remembered = {
            let known = known();
            if known.as_of == self.as_of {
                known.counts.get(&key).copied()
            } else {
                None
            }
        };
        if let Some(count) = remembered {
            return Ok(count);
        }
        let count = listing.count_rows(connection)?;
        let mut known = known();
        if known.as_of < self.as_of || known.counts.len() >= MOST {
            known.counts.clear();
            known.as_of = self.as_of;
        }
        if known.as_of == self.as_of {
            known.counts.insert(key, count);
        }
        Ok(count)
    }
}

const MOST: usize = 1_000;
