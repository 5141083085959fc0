//! Detects a walk that goes in a cycle.
//!
//! If the server returns a cursor that the walk has already used, the walk would never end. Remembering every
//! cursor would take memory that grows with the list. So the detector keeps the fingerprints of the last 4,096
//! cursors, which finds a cycle of up to that many pages as soon as it closes, and one older cursor, replaced at
//! every power of two (Brent's algorithm), which finds a longer cycle within three rounds. That is 64 KiB at
//! most, however long the walk.

use super::fingerprint::fingerprint;

/// How many cursors are kept: at 200 items a page, those of the last 800,000 items.
const RECENT: usize = 4096;

/// The cursors that a walk has used.
#[derive(Debug)]
pub(super) struct CycleDetector {
    recent: Vec<u128>,
    /// The index to overwrite next once `recent` is full.
    oldest: usize,
    anchor: Option<u128>,
    since_anchor: u64,
    until_next_anchor: u64,
}

impl CycleDetector {
    /// For a walk that starts at this cursor, or at the start of the list.
    pub(super) fn new(start: Option<&str>) -> Self {
        let mut detector = Self {
            recent: Vec::new(),
            oldest: 0,
            anchor: None,
            since_anchor: 0,
            until_next_anchor: 1,
        };
        if let Some(start) = start {
            detector.is_new(start);
        }
        detector
    }

    /// Records a cursor; returns false if it is known.
    pub(super) fn is_new(&mut self, cursor: &str) -> bool {
        let cursor = fingerprint(cursor.as_bytes());
        if self.anchor == Some(cursor) || self.recent.contains(&cursor) {
            return false;
        }
        if self.recent.len() < RECENT {
            self.recent.push(cursor);
        } else {
            self.recent[self.oldest] = cursor;
            self.oldest = (self.oldest + 1) % RECENT;
        }
        self.since_anchor += 1;
        if self.since_anchor == self.until_next_anchor {
            self.anchor = Some(cursor);
            self.since_anchor = 0;
            self.until_next_anchor = self.until_next_anchor.saturating_mul(2);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of cursors after which a walk is stopped, if it returns to page `back_to` after `length` pages.
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
        ] {
            assert_eq!(stops_after(length, back_to), length, "{length} {back_to}");
        }
    }

    #[test]
    fn a_longer_cycle_is_found_within_three_rounds() {
        for (length, back_to) in [(4098, 0), (10_000, 0), (20_000, 7_000)] {
            let stopped = stops_after(length, back_to);
            assert!(stopped <= 4 * length, "{length} {back_to}: {stopped}");
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_walk() {
        let mut detector = CycleDetector::new(None);
        for cursor in 0..20_000 {
            assert!(detector.is_new(&cursor.to_string()));
        }
        assert!(detector.recent.capacity() <= RECENT);
    }
}
