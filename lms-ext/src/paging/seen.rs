//! The cursors that a list has used, and the ids of the items that it has returned.
//!
//! Both are remembered only to recognise them, so fingerprints of 16 bytes stand for them.

use std::collections::{HashSet, VecDeque};

pub use lms_client::operation::Identified;

/// Number of most recent cursors that are kept: at 200 items a page, those of the last 800,000 items.
const RECENT: usize = 4096;

/// Detects a stream that runs in a cycle: the cursors that it has used.
///
/// If the server returns a cursor that the stream has already used, the stream would never end. Remembering every
/// cursor would take memory that grows with the list. The detector keeps the fingerprints of the last 4,096 cursors, which
/// finds a cycle of up to that many pages as soon as it closes, and one more cursor, which is replaced whenever the number of
/// pages has doubled (Brent's algorithm). A longer cycle meets that one before three times as many pages were read.
#[derive(Debug)]
pub(super) struct CycleDetector {
    recent: VecDeque<u128>,
    saved: Option<u128>,
    /// Number of cursors that were recorded.
    count: usize,
}

impl CycleDetector {
    /// For a stream that starts at this cursor, or at the start of the list.
    pub(super) fn new(start: Option<&str>) -> Self {
        let mut detector = Self {
            recent: VecDeque::new(),
            saved: None,
            count: 0,
        };
        if let Some(start) = start {
            detector.is_new(start);
        }
        detector
    }

    /// Records a cursor; returns false if it is known.
    pub(super) fn is_new(&mut self, cursor: &str) -> bool {
        let cursor = fingerprint(cursor.as_bytes());
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

/// The fingerprints of the ids of the items that were returned.
pub(super) struct Dedup<T> {
    // A pointer, so that only `Items::dedup` requires `T: Identified`, and not all of `Items`.
    fingerprint: fn(&T) -> Option<u128>,
    seen: HashSet<u128>,
}

impl<T: Identified> Dedup<T> {
    pub(super) fn new() -> Self {
        Self {
            fingerprint: |item| {
                let id = item.id().filter(|id| !id.trim().is_empty())?;
                Some(fingerprint(id.as_bytes()))
            },
            seen: HashSet::new(),
        }
    }
}

impl<T> Dedup<T> {
    /// Records an item; returns false if its id is known.
    pub(super) fn is_new(&mut self, item: &T) -> bool {
        (self.fingerprint)(item).is_none_or(|id| self.seen.insert(id))
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

    /// The number of cursors after which a stream is stopped, if it returns to page `back_to` after `length` pages.
    fn stops_after(length: usize, back_to: usize) -> usize {
        let mut detector = CycleDetector::new(Some("0"));
        let mut cursor = 0;
        for step in 1.. {
            cursor += 1;
            if cursor == length {
                cursor = back_to;
            }
            if !detector.is_new(&cursor.to_string()) {
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
            assert!(detector.is_new(&cursor.to_string()));
        }
        assert!(detector.recent.capacity() <= RECENT);
    }

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
}
