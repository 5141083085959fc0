//! Values as the service writes them: integers as strings, timestamps of no fixed format.

mod int64;
mod timestamp;

use serde::{Deserialize, Deserializer};

pub use int64::{Int64, ParseInt64Error};
pub use timestamp::Timestamp;

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
