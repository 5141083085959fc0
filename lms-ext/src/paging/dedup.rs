//! Recognises items that were returned before, by fingerprints of their ids.

use std::collections::HashSet;

pub use lms_client::operation::Identified;

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
