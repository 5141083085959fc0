//! The keys of the rows that were read, to drop duplicates.

use std::collections::HashSet;

/// Fingerprints of keys: 16 bytes each.
#[derive(Debug, Default)]
pub(super) struct SeenKeys(HashSet<u128>);

impl SeenKeys {
    /// Records a key; returns false if it is known.
    pub(super) fn insert(&mut self, key: u128) -> bool {
        self.0.insert(key)
    }
}
