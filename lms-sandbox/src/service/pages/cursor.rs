//! Cursors: where the next page starts, even if rows were added or deleted since.
//!
//! A page number or an offset shifts with every row that is added or deleted before it. A cursor instead has the position
//! of the last row that was sent: the next page has the rows after that position, whether or not the row still exists.
//! It also has a checksum over the list, its filters, its order and the position, so that a cursor that is damaged or used
//! with others is rejected instead of misinterpreted. Clients see an opaque text. It stays valid across restarts.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::api::json;
use crate::api::problem::Problem;

/// A position in an ordered list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub(crate) fn encode(&self, list: Fingerprint) -> String {
        let cursor = json::to_string(self).into_bytes();
        let sum = list.with(&cursor).0.to_be_bytes();
        URL_SAFE_NO_PAD.encode([&sum[..], &cursor].concat())
    }

    /// Decodes a cursor of a list with this fingerprint.
    pub(crate) fn decode(text: &str, list: Fingerprint) -> Result<Self, Problem> {
        Self::read(text, list).ok_or_else(|| {
            let message = "cursor is damaged, or belongs to another list, other filters or another order; send the \
                           next_cursor of a page unchanged and with the same filters, or omit it for the first page";
            Problem::malformed("bad_cursor", message).about("cursor")
        })
    }

    fn read(text: &str, list: Fingerprint) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (sum, cursor) = bytes.split_first_chunk::<8>()?;
        let is_intact = list.with(cursor).0.to_be_bytes() == *sum;
        serde_json::from_slice(cursor).ok().filter(|_| is_intact)
    }
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
    /// Adds a text with its length, so that "ab" and "c" differ from "a" and "bc".
    pub(crate) fn with(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let length = (text.len() as u64).to_be_bytes();
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self(length.iter().chain(text).fold(self.0, mix))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cursor, Fingerprint, Position};

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
        fn a_cursor_is_decoded_as_it_was_encoded(position in positions(), empty_pages: u8, list: u64) {
            let list = Fingerprint::default().with(list.to_be_bytes());
            let cursor = Cursor { position, empty_pages };
            prop_assert_eq!(Cursor::decode(&cursor.encode(list), list).unwrap(), cursor);
        }
    }
}
