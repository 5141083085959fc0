//! The keys of the last rows before a state, by which a read that goes on recognises rows that it gets again.
//!
//! A list that pages by offset returns the last rows again when others were added before them, and may skip as many later. The
//! number of rows is then right, and rows are missing. Within a run, all keys are known. A state is written after each page, so
//! it cannot contain all of them; but rows that move across it are the last ones before it.

use std::collections::VecDeque;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many keys a state has: those of a page of the usual size.
const MOST: usize = 200;

/// Hexadecimal digits of a key.
const DIGITS: usize = 2 * size_of::<u128>();

/// The fingerprints of the last keys, the latest at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LastKeys(VecDeque<u128>);

impl LastKeys {
    pub(super) fn push(&mut self, key: u128) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(key);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u128> {
        self.0.iter().copied()
    }
}

impl Serialize for LastKeys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.iter().map(|key| format!("{key:032x}")).collect();
        serializer.serialize_str(&digits)
    }
}

impl<'de> Deserialize<'de> for LastKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let keys = digits.as_bytes().chunks(DIGITS).map(|key| {
            let key = str::from_utf8(key).ok().filter(|key| key.len() == DIGITS);
            key.and_then(|key| u128::from_str_radix(key, 16).ok())
        });
        let keys: Option<VecDeque<u128>> = keys.collect();
        keys.map(Self)
            .ok_or_else(|| de::Error::custom("the last keys are not hexadecimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::{LastKeys, MOST};

    #[test]
    fn the_last_keys_are_stored() {
        let mut keys = LastKeys::default();
        let count = MOST as u128 + 5;
        (0..count).for_each(|key| keys.push(key));
        assert_eq!(
            keys.iter().collect::<Vec<_>>(),
            (5..count).collect::<Vec<_>>()
        );
        let text = serde_json::to_string(&keys).unwrap();
        assert_eq!(serde_json::from_str::<LastKeys>(&text).unwrap(), keys);
        for wrong in ["\"0\"", "\"0000000000000000000000000000000é\"", "[]"] {
            assert!(serde_json::from_str::<LastKeys>(wrong).is_err(), "{wrong}");
        }
    }
}
