//! A list that ends too early loses items without an error, and a list without an end is read forever.
//!
//! [`EndOfList`] decides whether a page is the last one, and which cursor requests the next. A page without `more: true` is the
//! last. All of these are errors: `more` without a cursor, a cursor without a value of `more`, `more: true` in a list without
//! pages, a cursor that was used before, too many pages in a row without a new item, and far more items than the service counts.

use std::collections::VecDeque;

use lms_client::wire::Int64;

use super::page::Page;

/// The end of a list that is being read.
#[derive(Debug)]
pub(super) struct EndOfList {
    /// `true` if the list is paginated.
    pub(super) paged: bool,
    cursors: CycleDetector,
    /// The items of pages.
    pages: CycleDetector,
    /// Number of pages since the last one with a new item.
    stale: u64,
    pub(super) max_stale: u64,
    /// Number of items so far, and on the largest page.
    items: u64,
    largest: u64,
    /// The largest `number_found` so far.
    count: u64,
    pub(super) ignore_count: bool,
}

/// The default of [`Pages::max_stale_pages`](super::Pages::max_stale_pages).
const MAX_STALE: u64 = 1000;

/// Number of items that a list may have beyond twice its count.
const UNCOUNTED: u64 = 10_000;

impl EndOfList {
    /// For a stream that starts at this cursor, or at the start of the list.
    pub(super) fn new(paged: bool, start: Option<&str>) -> Self {
        Self {
            paged,
            cursors: CycleDetector::new(start),
            pages: CycleDetector::new(None),
            stale: 0,
            max_stale: MAX_STALE,
            items: 0,
            largest: 0,
            count: 0,
            ignore_count: false,
        }
    }

    /// For a stream with the same settings that starts somewhere else.
    pub(super) fn restart(&self, start: Option<&str>) -> Self {
        Self {
            max_stale: self.max_stale,
            ignore_count: self.ignore_count,
            ..Self::new(self.paged, start)
        }
    }

    /// Returns `true` if only its items can show that a page was returned before, because no count ends the list.
    pub(super) fn is_unbounded<T>(&self, page: &Page<T>) -> bool {
        let count = page.number_found.map(Int64::get);
        let count = count.and_then(|count| usize::try_from(count).ok());
        let is_counted = count.is_some_and(|count| count > page.items.len());
        page.more && (self.ignore_count || !is_counted)
    }

    /// The cursor of the page after this one; `None` if it is the last. An error if there must be another page, and it
    /// cannot be requested, or if the list may have no end. `items` is the fingerprint of its items, if it is known.
    pub(super) fn next_cursor<T>(
        &mut self,
        page: &Page<T>,
        items: Option<u128>,
    ) -> Result<Option<String>, &'static str> {
        let is_new = !page.items.is_empty() && items.is_none_or(|items| self.pages.is_new(items));
        self.stale = match is_new {
            true => 0,
            false => self.stale.saturating_add(1),
        };
        let listed = u64::try_from(page.items.len()).unwrap_or(u64::MAX);
        self.items = self.items.saturating_add(listed);
        self.largest = self.largest.max(listed);
        let count = page.number_found.map(Int64::get);
        let count = count.and_then(|count| u64::try_from(count).ok());
        self.count = self.count.max(count.unwrap_or_default());
        match &page.next_cursor {
            Some(_) if !page.more && !page.received.more => Err(
                "the page has a cursor and does not say whether there is more, so whether the list has ended is not known; try again",
            ),
            _ if !page.more => Ok(None),
            _ if !self.paged => Err(
                "the page says that there are more items, and the service documents no pages of this list, so the rest cannot be read; try again",
            ),
            Some(_) if self.stale > self.max_stale => Err(
                "the server returned too many pages in a row without a new item, so reading the list might never end; try again, or allow more with max_stale_pages()",
            ),
            Some(_) if self.is_beyond_count() => Err(
                "the list has more than twice the items that the service counts, so reading it might never end; try again, or read it with ignore_number_found()",
            ),
            Some(next) if self.cursors.is_new(fingerprint(next.as_bytes())) => {
                Ok(Some(next.clone()))
            }
            Some(_) => Err(
                "the server returned a cursor that was already used for this list, so reading it would never end; try again, or read the list from the start",
            ),
            None => Err(
                "the page says that there are more items but has no next cursor; try again, or read the list from the start",
            ),
        }
    }

    /// Returns `true` if no count explains the number of items. A count that is not larger than a page may be that of the
    /// page: its meaning is not documented.
    fn is_beyond_count(&self) -> bool {
        let most = self.count.saturating_mul(2).saturating_add(UNCOUNTED);
        !self.ignore_count && self.count > self.largest && self.items > most
    }
}

/// Number of most recent cursors that are kept: at 200 items a page, those of the last 800,000 items.
const RECENT: usize = 4096;

/// Detects a stream that runs in a cycle: the cursors that it has used.
///
/// If the server returns a cursor that the stream has already used, the stream would never end. Remembering every
/// cursor would take memory that grows with the list. The detector keeps the fingerprints of the last 4,096 cursors, which
/// finds a cycle of up to that many pages as soon as it closes, and one more cursor, which is replaced whenever the number of
/// pages has doubled (Brent's algorithm). A longer cycle meets that one before three times as many pages were read.
#[derive(Debug)]
struct CycleDetector {
    recent: VecDeque<u128>,
    saved: Option<u128>,
    /// Number of cursors that were recorded.
    count: usize,
}

impl CycleDetector {
    /// For a stream that starts at this cursor, or at the start of the list.
    fn new(start: Option<&str>) -> Self {
        let mut detector = Self {
            recent: VecDeque::new(),
            saved: None,
            count: 0,
        };
        if let Some(start) = start {
            detector.is_new(fingerprint(start.as_bytes()));
        }
        detector
    }

    /// Records the fingerprint of a cursor; returns false if it is known.
    fn is_new(&mut self, cursor: u128) -> bool {
        if self.saved == Some(cursor) || self.recent.contains(&cursor) {
            return false;
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(cursor);
        self.count += 1;
        if self.count.is_power_of_two() {
            self.saved = Some(cursor);
        }
        true
    }
}

/// 128-bit FNV-1a, a 16-byte hash of a text.
///
/// Among a hundred million ids, the chance that any two share a fingerprint is 1 in 10^22. Checkpoints contain fingerprints of
/// filters, so the function must give the same result in every process and every release.
pub(crate) fn fingerprint(text: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    text.iter().fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_fnv_1a() {
        // The published test vectors.
        for (text, expected) in [
            ("", 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
            ("a", 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
            ("foobar", 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
        ] {
            assert_eq!(fingerprint(text.as_bytes()), expected, "{text}");
        }
    }

    /// The number of cursors after which a stream is stopped, if it returns to page `back_to` after `length` pages.
    fn stops_after(length: usize, back_to: usize) -> usize {
        let mut detector = CycleDetector::new(None);
        detector.is_new(0);
        let mut cursor = 0;
        for step in 1.. {
            cursor += 1;
            if cursor == length {
                cursor = back_to;
            }
            if !detector.is_new(cursor as u128) {
                return step;
            }
        }
        unreachable!("the loop has no end")
    }

    #[test]
    fn a_cycle_of_up_to_4096_pages_is_found_when_it_closes() {
        for (length, back_to) in [
            (1, 0),
            (2, 0),
            (2, 1),
            (5, 3),
            (1000, 0),
            (4096, 0),
            (9000, 5000),
            (9000, 5001),
        ] {
            assert_eq!(stops_after(length, back_to), length, "{length} {back_to}");
        }
    }

    #[test]
    fn a_longer_cycle_is_found_before_three_times_its_pages_were_read() {
        for (length, back_to) in [(4098, 0), (9_000, 3), (20_000, 15_000)] {
            let stopped = stops_after(length, back_to);
            assert!(stopped <= 3 * length, "{length} {back_to}: {stopped}");
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_listing() {
        let mut detector = CycleDetector::new(None);
        for cursor in 0..20_000 {
            assert!(detector.is_new(cursor));
        }
        assert!(detector.recent.capacity() <= RECENT);
    }
}
