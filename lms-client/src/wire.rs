//! Values in the formats of the service: integers as strings, timestamps without a fixed format, secrets.
//!
//! Reading is lenient: a value in an undocumented format is not an error if it can be kept exactly. Writing is strict,
//! in the documented format ([Field types](crate::service#field-types)).

mod int64;
mod secret;
mod timestamp;

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserializer,
    de::{Error, MapAccess, Unexpected, Visitor},
};

pub use int64::{Int64, ParseInt64Error};
pub(crate) use secret::has_hidden_secret;
pub use secret::{Secret, expose_secrets, expose_secrets_in};
pub use timestamp::{CivilDate, CivilDateTime, Moment, ParseTimestampError, Timestamp, UtcInstant};

/// A value that is read from the text of a string, a number or a boolean.
pub(crate) trait Scalar: Sized {
    /// The valid values, for errors.
    const EXPECTED: &'static str;

    /// The value, or what there is instead of one.
    fn from_text(text: Cow<'_, str>) -> Result<Self, &'static str>;
}

/// Reads a scalar, without allocating for a string.
pub(crate) fn read<'de, D: Deserializer<'de>, T: Scalar>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Reading(PhantomData))
}

struct Reading<T>(PhantomData<T>);

impl<T: Scalar> Reading<T> {
    fn value<E: Error>(&self, text: Cow<'_, str>) -> Result<T, E> {
        T::from_text(text).map_err(|found| E::invalid_value(Unexpected::Other(found), self))
    }
}

macro_rules! by_text {
    ($($visit:ident: $scalar:ty = $format:literal),*) => {$(
        fn $visit<E: Error>(self, value: $scalar) -> Result<T, E> {
            self.value(format!($format, value).into())
        }
    )*};
}

impl<'de, T: Scalar> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    by_text!(
        visit_bool: bool = "{}",
        visit_i64: i64 = "{}",
        visit_u64: u64 = "{}",
        visit_i128: i128 = "{}",
        visit_u128: u128 = "{}",
        // With its fraction, also if that is 0: the deserializer may have rounded an integer.
        visit_f64: f64 = "{:?}"
    );

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.value(text.into())
    }

    /// `serde_json` passes a number on as a map with one field if any crate in the program enables `arbitrary_precision`.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        match map.next_key::<String>()? {
            Some(key) if key == "$serde_json::private::Number" => {
                self.value(map.next_value::<String>()?.into())
            }
            _ => Err(Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}
