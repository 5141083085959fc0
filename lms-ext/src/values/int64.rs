//! Integers in your own types, by `#[serde(with = "lms_ext::int64")]`.
//!
//! The service writes 64-bit integers [as JSON strings, and sometimes as numbers](lms_client::service#field-types). With
//! this module, a field of your own type can be any integer type instead of [`Int64`]. It is read from a string or a number,
//! checked, and written as a string.
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
//! // A value out of range is an error.
//! assert!(serde_json::from_str::<File>(r#"{"file_size": "-1"}"#).is_err());
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! It works for all types that convert from and to [`Int64`]: all integer types, and your own.

use std::any::type_name;

use lms_client::wire::Int64;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Unexpected},
    ser,
};

/// Writes an integer as a string.
///
/// # Errors
///
/// If the integer does not fit into a signed 64-bit integer.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Clone + TryInto<Int64>,
    S: Serializer,
{
    match value.clone().try_into() {
        Ok(value) => value.serialize(serializer),
        Err(_) => Err(ser::Error::custom("the integer does not fit into 64 bits")),
    }
}

/// Reads an integer from a string or a number.
///
/// # Errors
///
/// If it is neither, or out of range for `T`.
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
        let expected = format!("an integer in the range of {}", type_name::<T>());
        E::invalid_value(found, &expected.as_str())
    })
}

/// Optional integers, by `#[serde(with = "lms_ext::int64::option")]`.
///
/// `null` and an empty string are `None`. For a field that may be absent, add `#[serde(default)]`. `None` is written as
/// `null`; to omit it, add `skip_serializing_if = "Option::is_none"`.
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
    /// Like [`int64::serialize`](super::serialize).
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

    /// Reads an integer from a string or a number, and `None` from `null` or an empty string.
    ///
    /// # Errors
    ///
    /// Like [`int64::deserialize`](super::deserialize), except for the two that are `None`.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: TryFrom<Int64>,
        D: Deserializer<'de>,
    {
        blank_is_absent::<D, Int64>(deserializer)?
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
        required: T,
        #[serde(
            default,
            with = "super::option",
            skip_serializing_if = "Option::is_none"
        )]
        optional: Option<T>,
    }

    fn assert_round_trip<T>(value: &T)
    where
        T: Clone + Debug + PartialEq + ToString,
        Row<T>: DeserializeOwned + Serialize,
    {
        let digits = value.to_string();
        let row = Row {
            required: value.clone(),
            optional: Some(value.clone()),
        };
        let written = format!(r#"{{"required":"{digits}","optional":"{digits}"}}"#);
        assert_eq!(serde_json::to_string(&row).unwrap(), written);
        let numbers = written.replace(&format!("\"{digits}\""), &digits);
        for text in [written, numbers] {
            assert_eq!(serde_json::from_str::<Row<T>>(&text).unwrap(), row);
        }
    }

    #[test]
    fn integers_in_range_make_the_round_trip() {
        assert_round_trip(&i8::MIN);
        assert_round_trip(&i64::MIN);
        assert_round_trip(&i128::from(i64::MIN));
        assert_round_trip(&u32::MAX);
        assert_round_trip(&(usize::MAX / 2));
        assert_round_trip(&u128::from(u64::MAX / 2));
    }

    #[test]
    fn an_integer_out_of_range_is_an_error_without_its_value() {
        for json in [
            r#"{"required":"256"}"#,
            r#"{"required":-1}"#,
            r#"{"required":"0","optional":"-256"}"#,
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
        let row = |required| Row {
            required,
            optional: None,
        };
        assert!(serde_json::to_string(&row(u64::MAX)).is_err());
        let seven = serde_json::to_string(&row(7)).unwrap();
        assert_eq!(seven, r#"{"required":"7"}"#);
    }

    #[test]
    fn an_optional_integer_may_be_absent_null_or_blank() {
        for json in [
            r#"{"required":1}"#,
            r#"{"required":1,"optional":null}"#,
            r#"{"required":1,"optional":" "}"#,
        ] {
            assert_eq!(
                serde_json::from_str::<Row<u8>>(json).unwrap().optional,
                None,
                "{json}"
            );
        }
        for json in ["{}", r#"{"required":null}"#, r#"{"required":""}"#] {
            assert!(serde_json::from_str::<Row<u8>>(json).is_err(), "{json}");
        }
    }
}
