//! Cursors: where the next page starts, even if rows were added or deleted since.
//!
//! A page number or an offset shifts with every row that is added or deleted before it. A cursor instead has the position
//! of the last row that was sent: the next page is what comes after that position, whether or not the row still exists.
//! It also has a fingerprint of the list, its filters and its order, so that a cursor used with others is rejected
//! instead of misinterpreted. Clients see an opaque text. It stays valid across restarts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::api::problem::Problem;

/// A position in an ordered list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Before the first row.
    Start,
    /// After the row with this id, in a list ordered by id.
    Id(i64),
    /// After the row with this integer in the ordering column and this id.
    Number(i64, i64),
    /// After the row with this text in the ordering column and this id.
    Text(String, i64),
}

/// A position, and the number of empty pages that were sent there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) position: Position,
    /// Only faults send empty pages. The number makes the cursor different from the previous one.
    pub(crate) empty_pages: u8,
}

impl Cursor {
    /// The start of a list.
    pub(crate) const START: Self = Self {
        position: Position::Start,
        empty_pages: 0,
    };

    /// Encodes the cursor of a list with this fingerprint.
    pub(crate) fn encode(&self, fingerprint: u64) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&fingerprint.to_be_bytes());
        bytes.push(self.empty_pages);
        match &self.position {
            Position::Start => bytes.push(0),
            Position::Id(id) => {
                bytes.push(1);
                bytes.extend_from_slice(&id.to_be_bytes());
            }
            Position::Number(number, id) => {
                bytes.push(2);
                bytes.extend_from_slice(&id.to_be_bytes());
                bytes.extend_from_slice(&number.to_be_bytes());
            }
            Position::Text(text, id) => {
                bytes.push(3);
                bytes.extend_from_slice(&id.to_be_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Decodes a cursor of a list with this fingerprint.
    pub(crate) fn decode(text: &str, fingerprint: u64) -> Result<Self, Problem> {
        let (found, cursor) = Self::read(text).ok_or_else(|| {
            let message = "cursor is not valid; send the next_cursor of a page unchanged, or omit it for the first page";
            Problem::malformed("bad_cursor", message).about("cursor")
        })?;
        if found == fingerprint {
            return Ok(cursor);
        }
        let message = "cursor belongs to another list, other filters or another order; keep them the same for all \
                       pages, or omit the cursor to start again";
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
        let (empty_pages, rest) = rest.split_first()?;
        let (tag, rest) = rest.split_first()?;
        let position = if *tag == 0 {
            rest.is_empty().then_some(Position::Start)?
        } else {
            let (id, key) = rest.split_first_chunk::<8>()?;
            let id = i64::from_be_bytes(*id);
            match tag {
                1 => key.is_empty().then_some(Position::Id(id))?,
                2 => Position::Number(i64::from_be_bytes(key.try_into().ok()?), id),
                3 => Position::Text(String::from_utf8(key.to_vec()).ok()?, id),
                _ => return None,
            }
        };
        Some((
            u64::from_be_bytes(*fingerprint),
            Self {
                position,
                empty_pages: *empty_pages,
            },
        ))
    }
}

const VERSION: u8 = 1;

/// Detects damaged cursors. It is not a signature: a cursor gives no access that a filter would not give.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let hash = Fingerprint::default().with_bytes(bytes).value();
    let [a, b, c, d, ..] = hash.to_be_bytes();
    [a, b, c, d]
}

/// An FNV-1a hash. The standard library's hashers may change, but cursors must stay valid across restarts.
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

    /// Adds a text with its length, so that "ab" and "c" differ from "a" and "bc".
    pub(crate) fn with(self, text: &str) -> Self {
        self.with_bytes(&(text.len() as u64).to_be_bytes())
            .with_bytes(text.as_bytes())
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cursor, Position};

    fn positions() -> impl Strategy<Value = Position> {
        prop_oneof![
            Just(Position::Start),
            any::<i64>().prop_map(Position::Id),
            any::<(i64, i64)>().prop_map(|(number, id)| Position::Number(number, id)),
            (".*", any::<i64>()).prop_map(|(text, id)| Position::Text(text, id)),
        ]
    }

    proptest! {
        #[test]
        fn a_cursor_is_decoded_as_it_was_encoded(position in positions(), empty_pages: u8, fingerprint: u64) {
            let cursor = Cursor { position, empty_pages };
            prop_assert_eq!(Cursor::decode(&cursor.encode(fingerprint), fingerprint).unwrap(), cursor);
        }

        #[test]
        fn a_cursor_of_another_list_is_rejected(position in positions(), ours: u64, theirs: u64) {
            prop_assume!(ours != theirs);
            let text = Cursor { position, empty_pages: 0 }.encode(theirs);
            prop_assert!(Cursor::decode(&text, ours).is_err());
        }

        #[test]
        fn garbage_is_rejected(text in ".*", fingerprint: u64) {
            prop_assert!(Cursor::decode(&text, fingerprint).is_err());
        }
    }
}
