//! Values in the formats of the service: integers as strings, timestamps without a fixed format, secrets.
//!
//! Reading is lenient: a value in another format than documented fails neither its field nor the page, as long as it can
//! be kept exactly. Writing is strict, in the documented format ([Field types](crate::service#field-types)).

mod int64;
mod secret;
mod timestamp;

use serde::{Deserialize, Deserializer, de::MapAccess};

pub use int64::{Int64, ParseInt64Error, blank_is_absent};
pub use secret::Secret;
pub use timestamp::{
    CivilDate, CivilDateTime, Moment, Offset, ParseTimestampError, Timestamp, UtcInstant,
};

/// Reads `null` as an absent array.
pub(crate) fn null_is_absent<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The text of a number that `serde_json` passes on as a map with one field.
///
/// It does so when any crate in the program enables its feature `arbitrary_precision`.
pub(crate) fn number_text<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<String>, A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == "$serde_json::private::Number" => map.next_value().map(Some),
        _ => Ok(None),
    }
}
