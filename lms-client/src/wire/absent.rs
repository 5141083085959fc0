//! Fields without a value: absent, `null`, or a blank string in a field that is not text.
//!
//! For a field without a value, a service may send any of them. serde's derive reads `null` as absent only for
//! `Option`, and a blank string is an error for the entire page.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{
        self, IntoDeserializer, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, MapDeserializer, SeqAccessDeserializer},
    },
};

use super::number_text;

/// Deserializes an optional number or boolean, for `#[serde(deserialize_with)]`.
///
/// `null` and a blank string are `None`: the service may write an empty string for a missing value. Add
/// `#[serde(default)]` for a field that may be absent.
///
/// ```
/// use lms_client::wire::{Int64, blank_is_absent};
///
/// #[derive(serde::Deserialize)]
/// struct Row {
///     #[serde(default, deserialize_with = "blank_is_absent")]
///     file_size: Option<Int64>,
///     #[serde(default, deserialize_with = "blank_is_absent")]
///     archived: Option<bool>,
/// }
///
/// for none in [r#"{"file_size": "", "archived": ""}"#, r#"{"file_size": null}"#, "{}"] {
///     let row: Row = serde_json::from_str(none)?;
///     assert_eq!((row.file_size, row.archived), (None, None));
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the value is neither a `T` nor blank.
pub fn blank_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_any(Scalar(PhantomData))
}

/// Reads `null` and a blank string as an absent object.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_any(Container(PhantomData))
}

/// Reads `null` and a blank string as an absent array or map.
pub(crate) fn sequence<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(object(deserializer)?.unwrap_or_default())
}

struct Scalar<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Scalar<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a boolean")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        T::deserialize(text.into_deserializer()).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        T::deserialize(SeqAccessDeserializer::new(items)).map(Some)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let Some(text) = number_text(map)? else {
            // In the words of the type.
            let none = MapDeserializer::new(std::iter::empty::<(&str, &str)>());
            return T::deserialize(none).map(Some);
        };
        match (text.parse(), text.parse(), text.parse::<f64>()) {
            (Ok(integer), _, _) => self.visit_i64(integer),
            (_, Ok(integer), _) => self.visit_u64(integer),
            (_, _, Ok(float)) => self
                .visit_f64(float)
                .or_else(|_: A::Error| T::deserialize(text.into_deserializer()).map(Some)),
            _ => T::deserialize(text.into_deserializer()).map(Some),
        }
    }
}

struct Container<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Container<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence or a map")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        Err(E::invalid_type(de::Unexpected::Other("text"), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        T::deserialize(SeqAccessDeserializer::new(items)).map(Some)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::{
        IntoDeserializer as _,
        value::{Error, U128Deserializer, UnitDeserializer},
    };

    use super::*;
    use crate::wire::Int64;

    #[test]
    fn wide_integers_and_no_value_are_read_from_other_formats_than_json() {
        let wide = |value: u128| {
            let deserializer: U128Deserializer<Error> = value.into_deserializer();
            blank_is_absent::<_, Int64>(deserializer)
        };
        assert_eq!(wide(7).unwrap(), Some(Int64::from(7_i64)));
        assert!(wide(u128::MAX).is_err());
        let nothing: UnitDeserializer<Error> = ().into_deserializer();
        assert_eq!(blank_is_absent::<_, bool>(nothing).unwrap(), None);
    }
}
