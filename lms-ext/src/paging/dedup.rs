//! Drops items that a list returns twice.

use std::collections::HashSet;

pub use lms_client::operation::Identified;

use super::fingerprint::fingerprint;

/// The fingerprints of the ids of the items that were returned.
pub(super) struct Dedup<T> {
    // A pointer, so that only `Items::dedup` requires `T: Identified`, and not all of `Items`.
    fingerprint: fn(&T) -> Option<u128>,
    seen: HashSet<u128>,
}

impl<T: Identified> Dedup<T> {
    /// Knows these ids.
    pub(super) fn new(known: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self {
            fingerprint: |item| {
                let id = item.id().filter(|id| !id.trim().is_empty())?;
                Some(fingerprint(id.as_bytes()))
            },
            seen: known
                .into_iter()
                .map(|id| fingerprint(id.as_ref().as_bytes()))
                .collect(),
        }
    }
}

impl<T> Dedup<T> {
    /// How many ids it knows.
    pub(super) fn known(&self) -> usize {
        self.seen.len()
    }

    /// Records an item; returns false if its id is known.
    pub(super) fn is_new(&mut self, item: &T) -> bool {
        (self.fingerprint)(item).is_none_or(|id| self.seen.insert(id))
    }
}
