use lms_client::wire::Int64;
use serde::{Deserialize, Serialize};

/// The number of items that a list has returned so far, compared with its `number_found`.
///
/// Its serialized fields are part of the format of a [`Checkpoint`](crate::Checkpoint).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSummary {
    pub(super) pages: u64,
    #[serde(skip)]
    pub(super) requests: u64,
    pub(super) items: u64,
    pub(super) duplicates: u64,
    #[serde(rename = "number_found")]
    pub(super) first_count: Option<i64>,
    #[serde(skip)]
    pub(super) last_count: Option<i64>,
    pub(super) from_start: bool,
    pub(super) finished: bool,
}

impl ListSummary {
    /// The number of pages received, including those before a resume. A page that was resumed in the middle
    /// counts twice.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The number of HTTP requests sent for pages, including retries and failed pages. A resume starts at zero.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The number of items returned, including those before a resume.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// The number of items dropped by [`dedup`](crate::Items::dedup).
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// `number_found` of the first page that had one.
    #[must_use]
    pub fn number_found_first(&self) -> Option<Int64> {
        self.first_count.map(Int64::new)
    }

    /// `number_found` of the last page that had one.
    #[must_use]
    pub fn number_found_last(&self) -> Option<Int64> {
        self.last_count.map(Int64::new)
    }

    /// Returns `true` if the stream has reached the end of the list.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns `true` if items seem to have been added, removed or moved while the list was read: a duplicate was dropped,
    /// `number_found` changed, or a stream over the complete list returned a different number of items.
    ///
    /// For a list without `number_found`, only duplicates are detected. The meaning of `number_found` is not
    /// documented, so use this as a hint.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        // One item has moved, so another may have moved to a page that was already read.
        if self.duplicates > 0 {
            return true;
        }
        let (Some(first), Some(last)) = (self.first_count, self.last_count) else {
            return false;
        };
        let items = i128::from(self.items);
        first != last || (self.finished && self.from_start && items != i128::from(last))
    }

    // A stored checkpoint may contain any number, so none of these may overflow.

    pub(super) fn count_items(&mut self, items: usize) {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        self.items = self.items.saturating_add(items);
    }

    pub(super) fn count_requests(&mut self, attempts: u32) {
        self.requests = self.requests.saturating_add(attempts.into());
    }

    pub(super) fn count_duplicate(&mut self) {
        self.duplicates = self.duplicates.saturating_add(1);
    }

    pub(super) fn count_page(&mut self, number_found: Option<Int64>) {
        self.pages = self.pages.saturating_add(1);
        let number_found = number_found.map(Int64::get);
        self.first_count = self.first_count.or(number_found);
        self.last_count = number_found.or(self.last_count);
    }
}
