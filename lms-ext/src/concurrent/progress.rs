//! The progress of a list that is read in parts, and its pages.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::paging::Page;

/// The progress of a list that is read in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartsProgress {
    /// The number of parts; `None` until they are listed.
    pub total: Option<u64>,
    /// Parts that were read to their end.
    pub finished: u64,
    /// Items that were returned, including those before a resume.
    pub items: u64,
    /// Requests that were sent, including retries and those for counts. A resume starts at zero.
    pub requests: u64,
    /// Pages and counts that were received. A resume starts at zero.
    pub responses: u64,
}

/// A page of one part, returned by [`Parts::next_page`](super::Parts::next_page).
#[derive(Debug)]
#[non_exhaustive]
pub struct PartPage<T> {
    /// The id of the part.
    pub part: String,
    /// The page.
    pub page: Page<T>,
    /// `true` if the part ends with it.
    pub is_last: bool,
}

/// Counts the requests of the futures that share it.
#[derive(Debug, Default)]
pub(super) struct Requests {
    sent: AtomicU64,
    responses: AtomicU64,
}

impl Requests {
    pub(super) fn add(&self, sent: u64, responses: u64) {
        self.sent.fetch_add(sent, Ordering::Relaxed);
        self.responses.fetch_add(responses, Ordering::Relaxed);
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    pub(super) fn responses(&self) -> u64 {
        self.responses.load(Ordering::Relaxed)
    }
}
