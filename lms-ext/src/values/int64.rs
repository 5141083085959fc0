//! The service's integers in types of your own.
//!
//! The service writes 64-bit integers as JSON strings, and sometimes as numbers (§2). A row type of your
//! own would need [`Int64`] for every such field. With this module as its `with`, a field can be the integer
//! that the program works with: it is read from either shape, checked, and written as a string.
//!
//! ```
//! #[derive(serde::Deserialize, serde::Serialize)]
//! struct File {
//!     #[serde(with = "lms_ext::int64")]
//!     file_size: u32,
//!     #[serde(default, with = "lms_ext::int64::option")]
//!     pass_mark: Option<u8>,
//! }
//!
//! let file: File = serde_json::from_str(r#"{"file_size": "2048", "pass_mark": 80}"#)?;
//! assert_eq!((file.file_size, file.pass_mark), (2048, Some(80)));
//! assert_eq!(serde_json::to_string(&file)?, r#"{"file_size":"2048","pass_mark":"80"}"#);
//!
//! // What does not fit is an error, never another number.
//! assert!(serde_json::from_str::<File>(r#"{"file_size": "-1"}"#).is_err());
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! It works for every integer type, and for every type of your own that converts from and to [`Int64`].

use std::{any::type_name, fmt};

use lms_client::wire::Int64;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Expected, Unexpected},
    ser,
};

/// Writes an integer as a string.
///
/// # Errors
///
/// When the integer does not fit into 64 bits with a sign, which are the service's.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Clone + TryInto<Int64>,
    S: Serializer,
{
    match value.clone().try_into() {
        Ok(value) => value.serialize(serializer),
        Err(_) => Err(ser::Error::custom(
            "the integer does not fit into 64 bits with a sign",
        )),
    }
}

/// Reads an integer from a string or a number.
///
/// # Errors
///
/// When there is neither, or the integer is none that a `T` can hold.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<Int64>,
    D: Deserializer<'de>,
{
    narrow(Int64::deserialize(deserializer)?)
}

fn narrow<T: TryFrom<Int64>, E: de::Error>(value: Int64) -> Result<T, E> {
    T::try_from(value).map_err(|_| {
        let found = Unexpected::Other("an integer out of range");
        E::invalid_value(found, &Range(type_name::<T>()))
    })
}

/// What would have been in range.
struct Range(&'static str);

impl Expected for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer in the range of {}", self.0)
    }
}

/// The same for an integer that may be missing.
///
/// `null` and an empty text are `None`. For a field that may be left out altogether, add
/// `#[serde(default)]`; to leave it out when writing, add `skip_serializing_if = "Option::is_none"`, since
/// `None` is written as `null` otherwise.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Course {
///     #[serde(default, with = "lms_ext::int64::option")]
///     renewal_days: Option<u16>,
/// }
///
/// for none in ["{}", r#"{"renewal_days": null}"#, r#"{"renewal_days": ""}"#] {
///     assert_eq!(serde_json::from_str::<Course>(none)?.renewal_days, None);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod option {
    use lms_client::wire::{Int64, blank_is_absent};
    use serde::{Deserializer, Serializer};

    /// Writes an integer as a string, and `None` as `null`.
    ///
    /// # Errors
    ///
    /// As [`int64::serialize`](super::serialize).
    pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Clone + TryInto<Int64>,
        S: Serializer,
    {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads an integer from a string or a number, and `None` from `null` or an empty text.
    ///
    /// # Errors
    ///
    /// As [`int64::deserialize`](super::deserialize), except for the two that are `None`.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: TryFrom<Int64>,
        D: Deserializer<'de>,
    {
        blank_is_absent(deserializer)?
            .map(super::narrow)
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::{Deserialize, Serialize, de::DeserializeOwned};

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(bound = "T: Clone + TryFrom<super::Int64> + TryInto<super::Int64>")]
    struct Row<T> {
        #[serde(with = "super")]
        there: T,
        #[serde(
            default,
            with = "super::option",
            skip_serializing_if = "Option::is_none"
        )]
        perhaps: Option<T>,
    }

    fn exchanged<T>(value: &T)
    where
        T: Clone + Debug + PartialEq + ToString,
        Row<T>: DeserializeOwned + Serialize,
    {
        let digits = value.to_string();
        for (row, written) in [
            (
                Row {
                    there: value.clone(),
                    perhaps: Some(value.clone()),
                },
                format!(r#"{{"there":"{digits}","perhaps":"{digits}"}}"#),
            ),
            (
                Row {
                    there: value.clone(),
                    perhaps: None,
                },
                format!(r#"{{"there":"{digits}"}}"#),
            ),
        ] {
            assert_eq!(serde_json::to_string(&row).unwrap(), written);
            assert_eq!(serde_json::from_str::<Row<T>>(&written).unwrap(), row);
            let numbers = written.replace(&format!("\"{digits}\""), &digits);
            assert_eq!(serde_json::from_str::<Row<T>>(&numbers).unwrap(), row);
        }
    }

    #[test]
    fn every_integer_that_fits_is_exchanged() {
        exchanged(&i8::MIN);
        exchanged(&i16::MIN);
        exchanged(&i32::MIN);
        exchanged(&i64::MIN);
        exchanged(&i128::from(i64::MIN));
        exchanged(&isize::MIN);
        exchanged(&u8::MAX);
        exchanged(&u16::MAX);
        exchanged(&u32::MAX);
        exchanged(&(u64::MAX / 2));
        exchanged(&u128::from(u64::MAX / 2));
        exchanged(&(usize::MAX / 2));
    }

    #[test]
    fn what_does_not_fit_is_an_error_without_its_value() {
        for json in [
            r#"{"there":"256"}"#,
            r#"{"there":-1}"#,
            r#"{"there":"0","perhaps":"-256"}"#,
        ] {
            let error = serde_json::from_str::<Row<u8>>(json)
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(", expected an integer in the range of u8"),
                "{error}"
            );
            assert!(!error.contains("256"), "{error}");
        }
        let row = Row {
            there: u64::MAX,
            perhaps: None,
        };
        assert!(serde_json::to_string(&row).is_err());
    }

    #[test]
    fn nothing_is_none_where_it_may_be() {
        for json in [
            r#"{"there":1}"#,
            r#"{"there":1,"perhaps":null}"#,
            r#"{"there":1,"perhaps":" "}"#,
        ] {
            assert_eq!(
                serde_json::from_str::<Row<u8>>(json).unwrap().perhaps,
                None,
                "{json}"
            );
        }
        for json in ["{}", r#"{"there":null}"#, r#"{"there":""}"#] {
            assert!(serde_json::from_str::<Row<u8>>(json).is_err(), "{json}");
        }
    }
}
