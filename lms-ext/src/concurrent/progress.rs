//! The progress of a list that is read in parts, and its pages.

use serde::de::DeserializeOwned;

use crate::paging::{Page, Pages};

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

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub(super) sent: u64,
    pub(super) responses: u64,
}

impl Requests {
    pub(super) fn for_pages<T: DeserializeOwned + Send + 'static>(pages: &Pages<T>) -> Self {
        let summary = pages.summary();
        Self {
            sent: summary.requests(),
            responses: summary.pages(),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.responses += other.responses;
    }

    /// The requests after others.
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            sent: self.sent - before.sent,
            responses: self.responses - before.responses,
        }
    }
}
