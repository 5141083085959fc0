//! The types of text with a format that only a tenant's own document has.
//!
//! With the feature `checked-formats`, such text is read into a type that checks it, and a value of another form fails its
//! response. Without it, all of them are `String`s, and their content is not checked.

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
