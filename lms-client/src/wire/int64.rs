//! Integers that are JSON strings.
//!
//! Many JSON readers lose digits of numbers above 2^53, so the service writes 64-bit integers as strings ([Field
//! types](crate::service#field-types)). [`Int64`] reads a string or a number and writes a string. A value that is not
//! exactly an `i64` is an error; nothing is rounded. `Int64` has no arithmetic, so that callers choose the overflow
//! behaviour for the `i64` of [`Int64::get`].

use std::{borrow::Cow, cmp::Ordering, fmt, num::IntErrorKind, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Scalar;

#[cfg(test)]
mod tests;

/// A 64-bit integer that is a JSON string.
///
/// ```
/// use lms_client::wire::Int64;
///
/// let limit: Int64 = serde_json::from_str("\"200\"")?;
/// assert_eq!(limit, 200);
/// assert_eq!(serde_json::to_string(&limit)?, "\"200\"");
///
/// // Numbers are also accepted.
/// let limit: Int64 = serde_json::from_str("200")?;
/// assert_eq!(u16::try_from(limit)?, 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int64(i64);

impl Int64 {
    /// The smallest value.
    pub const MIN: Self = Self(i64::MIN);
    /// The largest value.
    pub const MAX: Self = Self(i64::MAX);

    /// Converts an `i64`.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    /// Converts to an `i64`.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Int64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The reason why a string is not an [`Int64`].
///
/// The message does not repeat the string, which is data of the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseInt64Error {
    /// The string is empty.
    Empty,
    /// The string is not an optional sign and digits, but for example a fraction or an exponent.
    NotAnInteger,
    /// The integer is below [`Int64::MIN`] or above [`Int64::MAX`].
    OutOfRange,
}

impl fmt::Display for ParseInt64Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "expected an integer, found an empty string",
            Self::NotAnInteger => "expected an integer: an optional sign and digits",
            Self::OutOfRange => "the integer does not fit into 64 bits",
        })
    }
}

impl std::error::Error for ParseInt64Error {}

impl FromStr for Int64 {
    type Err = ParseInt64Error;

    /// Parses an optional sign and digits, with leading zeros and surrounding white space.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let value = text.trim_ascii().parse::<i64>();
        value.map(Self).map_err(|error| match error.kind() {
            IntErrorKind::Empty => ParseInt64Error::Empty,
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => ParseInt64Error::OutOfRange,
            _ => ParseInt64Error::NotAnInteger,
        })
    }
}

macro_rules! parsed {
    ($($text:ty),*) => {$(
        impl TryFrom<$text> for Int64 {
            type Error = ParseInt64Error;

            fn try_from(text: $text) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    )*};
}

macro_rules! widening {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Int64 {
            fn from(value: $integer) -> Self {
                Self(i64::from(value))
            }
        }
    )*};
}

macro_rules! checked_from {
    ($($integer:ty),*) => {$(
        impl TryFrom<$integer> for Int64 {
            type Error = std::num::TryFromIntError;

            fn try_from(value: $integer) -> Result<Self, Self::Error> {
                i64::try_from(value).map(Self)
            }
        }
    )*};
}

macro_rules! checked_into {
    ($($integer:ty),*) => {$(
        impl TryFrom<Int64> for $integer {
            type Error = std::num::TryFromIntError;

            fn try_from(value: Int64) -> Result<Self, Self::Error> {
                <$integer>::try_from(value.0)
            }
        }
    )*};
}

parsed!(&str, String);
widening!(i8, i16, i32, i64, u8, u16, u32);
checked_from!(i128, isize, u64, u128, usize);
checked_into!(i8, i16, i32, isize, u8, u16, u32, u64, u128, usize);

impl From<Int64> for i64 {
    fn from(value: Int64) -> Self {
        value.0
    }
}

impl From<Int64> for i128 {
    fn from(value: Int64) -> Self {
        value.0.into()
    }
}

impl PartialEq<i64> for Int64 {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

impl PartialEq<Int64> for i64 {
    fn eq(&self, other: &Int64) -> bool {
        *self == other.0
    }
}

impl PartialOrd<i64> for Int64 {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }
}

impl PartialOrd<Int64> for i64 {
    fn partial_cmp(&self, other: &Int64) -> Option<Ordering> {
        self.partial_cmp(&other.0)
    }
}

impl Serialize for Int64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Int64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}

impl Scalar for Int64 {
    const EXPECTED: &'static str = "a 64-bit integer, as a string or a number";

    fn from_text(text: Cow<'_, str>) -> Result<Self, &'static str> {
        text.parse().map_err(|error| match error {
            ParseInt64Error::Empty => "nothing",
            ParseInt64Error::NotAnInteger => "not an integer",
            ParseInt64Error::OutOfRange => "an integer out of range",
        })
    }
}
