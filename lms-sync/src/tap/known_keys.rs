//! Keys of rows before a state, by which a read that continues recognises rows that it receives again.
//!
//! A list may return rows again and skip as many others. The number of rows is then right, and rows are missing. Within a run,
//! all keys are known. A state is written after each page, so it cannot contain all of them. It has two kinds:
//!
//! - the last ones, because a list that pages by offset returns those again when other rows were added before them;
//! - a sample of all of them, which shows that rows from anywhere were repeated. The more rows are repeated, the more
//!   likely one of them is in the sample.
//!
//! The sample is the smallest fingerprints. They are hashes, so which rows they belong to is random, and the same in each run.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Number of most recent keys in a state: those of a page of the usual size.
const LAST: usize = 200;

/// Number of keys in the sample.
const SAMPLE: usize = 200;

/// Hexadecimal digits of a key.
const DIGITS: usize = 2 * size_of::<u128>();

/// The fingerprints of some keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KnownKeys {
    /// The latest at the end.
    last: VecDeque<u128>,
    sample: BTreeSet<u128>,
}

impl KnownKeys {
    pub(super) fn push(&mut self, key: u128) {
        if self.last.len() == LAST {
            self.last.pop_front();
        }
        self.last.push_back(key);
        if self.sample.len() < SAMPLE || self.sample.last().is_some_and(|most| key < *most) {
            self.sample.insert(key);
            if self.sample.len() > SAMPLE {
                self.sample.pop_last();
            }
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The keys, in an order in which pushing them again gives the same.
    pub(super) fn iter(&self) -> impl Iterator<Item = u128> {
        let earlier = self.sample.iter().filter(|key| !self.last.contains(key));
        earlier.chain(&self.last).copied()
    }
}

impl Serialize for KnownKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.iter().map(|key| format!("{key:032x}")).collect();
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for KnownKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let mut known = Self::default();
        for key in digits.as_bytes().chunks(DIGITS) {
            let key = str::from_utf8(key).ok().filter(|key| key.len() == DIGITS);
            let key = key.and_then(|key| u128::from_str_radix(key, 16).ok());
            known.push(key.ok_or_else(|| de::Error::custom("the known keys are not hexadecimal"))?);
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownKeys, LAST, SAMPLE};

    #[test]
    fn the_last_keys_and_the_smallest_are_stored() {
        for count in [3, LAST + 5, LAST + SAMPLE + 5] {
            let mut known = KnownKeys::default();
            // Descending, so that the smallest are the last ones; then others that are not.
            let keys: Vec<u128> = (0..count as u128).rev().chain(5_000..5_300).collect();
            keys.iter().for_each(|key| known.push(*key));
            let last = &keys[keys.len() - LAST..];
            assert!(known.last.iter().eq(last), "{count}");
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            assert!(known.sample.iter().eq(&sorted[..SAMPLE]), "{count}");
            let text = serde_json::to_string(&known).unwrap();
            assert_eq!(serde_json::from_str::<KnownKeys>(&text).unwrap(), known);
        }
        for wrong in ["\"0\"", "\"0000000000000000000000000000000é\"", "[]"] {
            assert!(serde_json::from_str::<KnownKeys>(wrong).is_err(), "{wrong}");
        }
    }
}
