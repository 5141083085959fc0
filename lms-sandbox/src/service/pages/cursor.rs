//! Where does the next page begin, when rows come and go between two pages?
//!
//! A page number or an offset shifts with every row that is added or deleted before it. A cursor instead names the
//! last row that was sent, by its place in the order: the next page is what comes after that place, whether or not
//! the row is still there. It carries a fingerprint of the list, its filters and its order, so that a cursor that
//! is used with others is refused and not silently misunderstood. To a client it is an opaque text; it stays good
//! over restarts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::api::problem::Problem;

/// A place in an ordered list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the first row.
    Start,
    /// After the row with this id, in a list ordered by id.
    Id(i64),
    /// After the row with this number in the ordering column, and this id among equals.
    Number(i64, i64),
    /// After the row with this text in the ordering column, and this id among equals.
    Text(String, i64),
}

/// A place, and how many empty pages were sent since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) place: Place,
    /// Not zero only in a tenant that sends empty pages: it tells the cursor apart from the one before.
    pub(crate) pauses: u8,
}

impl Cursor {
    /// The start of a list.
    pub(crate) const START: Self = Self {
        place: Place::Start,
        pauses: 0,
    };

    /// The opaque text for a list with this fingerprint.
    pub(crate) fn encode(&self, fingerprint: u64) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&fingerprint.to_be_bytes());
        bytes.push(self.pauses);
        match &self.place {
            Place::Start => bytes.push(0),
            Place::Id(id) => {
                bytes.push(1);
                bytes.extend_from_slice(&id.to_be_bytes());
            }
            Place::Number(number, id) => {
                bytes.push(2);
                bytes.extend_from_slice(&id.to_be_bytes());
                bytes.extend_from_slice(&number.to_be_bytes());
            }
            Place::Text(text, id) => {
                bytes.push(3);
                bytes.extend_from_slice(&id.to_be_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a text that [`encode`](Self::encode) made for a list with this fingerprint.
    pub(crate) fn decode(text: &str, fingerprint: u64) -> Result<Self, Problem> {
        let (found, cursor) = Self::read(text).ok_or_else(|| {
            let message = "cursor is not one that this service gave out; pass the next_cursor of a page unchanged, \
                           or leave it out for the first page";
            Problem::malformed("bad_cursor", message).about("cursor")
        })?;
        if found == fingerprint {
            return Ok(cursor);
        }
        let message = "cursor belongs to another list, other filters or another order; keep them the same from page \
                       to page, or leave the cursor out and begin again";
        Err(Problem::malformed("bad_cursor", message).about("cursor"))
    }

    fn read(text: &str) -> Option<(u64, Self)> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, sum) = bytes.split_last_chunk::<4>()?;
        let (version, rest) = bytes.split_first()?;
        if *version != VERSION || checksum(bytes) != *sum {
            return None;
        }
        let (fingerprint, rest) = rest.split_first_chunk::<8>()?;
        let (pauses, rest) = rest.split_first()?;
        let (tag, rest) = rest.split_first()?;
        let place = if *tag == 0 {
            rest.is_empty().then_some(Place::Start)?
        } else {
            let (id, key) = rest.split_first_chunk::<8>()?;
            let id = i64::from_be_bytes(*id);
            match tag {
                1 => key.is_empty().then_some(Place::Id(id))?,
                2 => Place::Number(i64::from_be_bytes(key.try_into().ok()?), id),
                3 => Place::Text(String::from_utf8(key.to_vec()).ok()?, id),
                _ => return None,
            }
        };
        Some((
            u64::from_be_bytes(*fingerprint),
            Self {
                place,
                pauses: *pauses,
            },
        ))
    }
}

const VERSION: u8 = 1;

/// Tells a cursor from garbage. It is no signature: a cursor gives access to nothing that a filter would not.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let hash = Fingerprint::default().with_bytes(bytes).value();
    let [a, b, c, d, ..] = hash.to_be_bytes();
    [a, b, c, d]
}

/// FNV-1a: a cursor must mean the same after a restart, which the standard library's hashers do not promise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn with_bytes(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    /// Adds a text. Its length goes in too, so that "ab" and "c" is not "a" and "bc".
    pub(crate) fn with(self, text: &str) -> Self {
        self.with_bytes(&(text.len() as u64).to_be_bytes())
            .with_bytes(text.as_bytes())
    }

    /// The result.
    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cursor, Place};

    fn places() -> impl Strategy<Value = Place> {
        prop_oneof![
            Just(Place::Start),
            any::<i64>().prop_map(Place::Id),
            any::<(i64, i64)>().prop_map(|(number, id)| Place::Number(number, id)),
            (".*", any::<i64>()).prop_map(|(text, id)| Place::Text(text, id)),
        ]
    }

    proptest! {
        #[test]
        fn a_cursor_comes_back_as_it_was(place in places(), pauses: u8, fingerprint: u64) {
            let cursor = Cursor { place, pauses };
            prop_assert_eq!(Cursor::decode(&cursor.encode(fingerprint), fingerprint).unwrap(), cursor);
        }

        #[test]
        fn another_lists_cursor_is_refused(place in places(), ours: u64, theirs: u64) {
            prop_assume!(ours != theirs);
            let text = Cursor { place, pauses: 0 }.encode(theirs);
            prop_assert!(Cursor::decode(&text, ours).is_err());
        }

        #[test]
        fn garbage_is_refused(text in ".*", fingerprint: u64) {
            prop_assert!(Cursor::decode(&text, fingerprint).is_err());
        }
    }
}
