//! Whether a walk goes in circles.
//!
//! A cursor that was seen before would walk the same pages for ever. Remembering every cursor costs
//! memory that grows with the walk, so two things are remembered instead: the fingerprints of the last
//! 4,096 cursors, which finds any circle up to that many pages the moment it closes, and one cursor
//! farther back, moved at every power of two (Brent's method), which finds a longer circle within three
//! rounds of it. That is 64 KiB at most, however long the walk.

use super::fingerprint::fingerprint;

/// How many cursors are remembered one by one: at 200 rows a page, those of the last 800,000 rows.
const RECENT: usize = 4096;

/// The cursors that a walk has met.
#[derive(Debug)]
pub(super) struct CycleDetector {
    recent: Vec<u128>,
    /// Where the next one goes once `recent` is full.
    oldest: usize,
    anchor: Option<u128>,
    since_anchor: u64,
    until_next_anchor: u64,
}

impl CycleDetector {
    /// A cycle that begins at a cursor, or at the beginning of the list.
    pub(super) fn new(start: Option<&str>) -> Self {
        let mut cycle = Self {
            recent: Vec::new(),
            oldest: 0,
            anchor: None,
            since_anchor: 0,
            until_next_anchor: 1,
        };
        if let Some(start) = start {
            cycle.is_new(start);
        }
        cycle
    }

    /// Takes note of a cursor; false when it was met before.
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

    /// After how many cursors a walk that comes back to `back_to` after `length` pages is stopped.
    fn stops_after(length: usize, back_to: usize) -> usize {
        let mut cycle = CycleDetector::new(Some("0"));
        let mut cursor = 0;
        for step in 1.. {
            cursor = if cursor + 1 == length {
                back_to
            } else {
                cursor + 1
            };
            if !cycle.is_new(&cursor.to_string()) {
                return step;
            }
        }
        unreachable!("the loop has no end")
    }

    #[test]
    fn a_circle_is_found_when_it_closes() {
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
    fn a_circle_too_long_to_remember_is_found_all_the_same() {
        for (length, back_to) in [(4098, 0), (10_000, 0), (20_000, 7_000)] {
            let stopped = stops_after(length, back_to);
            assert!(stopped <= 4 * length, "{length} {back_to}: {stopped}");
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_walk() {
        let mut cycle = CycleDetector::new(None);
        for cursor in 0..20_000 {
            assert!(cycle.is_new(&cursor.to_string()));
        }
        assert!(cycle.recent.capacity() <= RECENT);
    }
}
