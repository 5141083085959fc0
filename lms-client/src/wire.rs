//! Values in the formats of the service: integers as strings, timestamps without a fixed format, secrets.
//!
//! Reading is lenient: a value in an undocumented format is not an error if it can be kept exactly. Writing is strict,
//! in the documented format ([Field types](crate::service#field-types)).

mod int64;
mod secret;
mod timestamp;

use serde::de::MapAccess;

pub use int64::{Int64, ParseInt64Error};
pub(crate) use secret::has_hidden_secret;
pub use secret::{Secret, expose_secrets, expose_secrets_in};
pub use timestamp::{CivilDate, CivilDateTime, Moment, ParseTimestampError, Timestamp, UtcInstant};

/// The text of a number that `serde_json` passes on as a map with one field.
///
/// It does so when any crate in the program enables its feature `arbitrary_precision`.
pub(crate) fn number_text<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<String>, A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == "$serde_json::private::Number" => map.next_value().map(Some),
        _ => Ok(None),
    }
}
