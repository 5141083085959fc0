//! Values as the service writes them: integers as strings, timestamps of no fixed format.
//!
//! Reading is generous: a value that came in another shape than promised fails neither its field nor the
//! page around it, as long as it can be kept exactly. Writing is strict, in the shape that was promised
//! (§2).

mod int64;
mod timestamp;

use serde::{Deserialize, Deserializer, de::MapAccess};

pub use int64::{Int64, ParseInt64Error, blank_is_absent};
pub use timestamp::{
    CivilDate, CivilDateTime, Moment, Offset, ParseTimestampError, Timestamp, UtcInstant,
};

/// Stands in `Debug` output where a secret would be.
#[derive(Clone, Copy)]
pub(crate) struct Hidden;

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("<hidden>")
    }
}

/// Reads `null` as the default: an absent array.
pub(crate) fn null_is_absent<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The text of a number that `serde_json` hands over unread, as a map of one field.
///
/// It does so everywhere in a program as soon as any crate in it turns on `arbitrary_precision`.
pub(crate) fn number_text<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<String>, A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == "$serde_json::private::Number" => map.next_value().map(Some),
        _ => Ok(None),
    }
}
