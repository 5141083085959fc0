//! The rows of a table that the current run has found.
//!
//! A bit for each row number, so ten million rows take 1.25 MB. It is stored as ranges after each checkpoint: rows come in
//! the order of their numbers as long as the service does not change its own order.

use serde::de::Error as _;

/// A set of row numbers.
#[derive(Debug, Default)]
pub(crate) struct SeenRows {
    words: Vec<u64>,
    /// The numbers that are not stored yet.
    unsaved: Vec<(i64, i64)>,
}

impl SeenRows {
    /// Adds a row.
    pub(crate) fn insert(&mut self, row: i64) {
        self.set(row);
        match self.unsaved.last_mut() {
            Some((_, last)) if *last + 1 == row => *last = row,
            _ => self.unsaved.push((row, row)),
        }
    }

    pub(crate) fn contains(&self, row: i64) -> bool {
        let (word, bit) = position(row);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The JSON of the ranges that were added since the last call; `None` if none were.
    pub(crate) fn take_unsaved(&mut self) -> Option<String> {
        if self.unsaved.is_empty() {
            return None;
        }
        serde_json::to_string(&std::mem::take(&mut self.unsaved)).ok()
    }

    /// Adds the ranges that [`take_unsaved`](Self::take_unsaved) returned, for a table whose largest row number is `last`.
    pub(crate) fn load(&mut self, ranges: &str, last: i64) -> Result<(), serde_json::Error> {
        let ranges: Vec<(i64, i64)> = serde_json::from_str(ranges)?;
        if ranges.iter().any(|(from, to)| *from < 1 || *to > last) {
            return Err(serde_json::Error::custom(
                "the table has no row with this number",
            ));
        }
        for row in ranges.into_iter().flat_map(|(first, last)| first..=last) {
            self.set(row);
        }
        Ok(())
    }

    fn set(&mut self, row: i64) {
        let (word, bit) = position(row);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if let Some(bits) = self.words.get_mut(word) {
            *bits |= bit;
        }
    }
}

fn position(row: i64) -> (usize, u64) {
    // Numbers start at 1, and a table with more rows than a `usize` has values does not fit on a disk.
    let row = usize::try_from(row).unwrap_or_default();
    (row / 64, 1 << (row % 64))
}

#[cfg(test)]
mod tests {
    use super::SeenRows;

    #[test]
    fn ranges_are_read_back() {
        let mut seen = SeenRows::default();
        for row in [1, 2, 3, 64, 65, 7] {
            seen.insert(row);
        }
        let stored = seen.take_unsaved().unwrap();
        assert_eq!(stored, "[[1,3],[64,65],[7,7]]");
        assert_eq!(seen.take_unsaved(), None);
        let mut read = SeenRows::default();
        assert!(read.load(&stored, 64).is_err());
        assert!(read.load("[[0,3]]", 65).is_err());
        assert!(read.load("[[1,9223372036854775807]]", 65).is_err());
        assert_eq!(read.len(), 0);
        read.load(&stored, 65).unwrap();
        assert_eq!(read.len(), 6);
        for row in 0..100 {
            assert_eq!(read.contains(row), seen.contains(row), "{row}");
        }
    }
}
