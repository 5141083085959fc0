//! The types of text with a format that only a tenant's own document has.
//!
//! With the feature `checked-formats`, such text is read into a type that checks it, and a value of another form fails its
//! response. Without it, all of them are `String`s, and their content is not checked.

use serde::{Deserialize, Deserializer};

#[cfg(feature = "checked-formats")]
mod bytes;
#[cfg(feature = "checked-formats")]
mod duration;

#[cfg(feature = "checked-formats")]
mod types {
    pub use super::{bytes::Bytes, duration::Duration};
    /// Text with the format `date`.
    pub type Date = jiff::civil::Date;
    /// Text with the format `decimal`.
    pub type Decimal = rust_decimal::Decimal;
    /// Text with the format `uuid`.
    pub type Uuid = uuid::Uuid;
}

#[cfg(not(feature = "checked-formats"))]
mod types {
    /// Text with the format `byte`.
    pub type Bytes = String;
    /// Text with the format `date`.
    pub type Date = String;
    /// Text with the format `duration`.
    pub type Duration = String;
    /// Text with the format `decimal`.
    pub type Decimal = String;
    /// Text with the format `uuid`.
    pub type Uuid = String;
}

pub use types::{Bytes, Date, Decimal, Duration, Uuid};

/// Reads an optional value. A blank one is absent if the type checks it, and text otherwise.
#[allow(dead_code, reason = "a document need not have such text")]
pub(crate) fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    if cfg!(feature = "checked-formats") {
        crate::wire::blank_is_absent(deserializer)
    } else {
        Option::deserialize(deserializer)
    }
}
