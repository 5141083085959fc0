//! An object as the tenant wrote it: every member, known or not, letter by letter.
//!
//! A generated type forgets the members it does not know, and a parsed number forgets how it was written:
//! `1.50` becomes `1.5`, and an integer above 2^64 loses digits. What is written back must be what was
//! read, so members stay the text they came as until one of them is replaced.

use std::fmt;

use bytes::Bytes;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use crate::error::Error;

/// A JSON object whose members keep their order and their text.
#[derive(Clone, Default)]
pub(crate) struct RawObject(Vec<(String, Box<RawValue>)>);

impl RawObject {
    /// The object as text.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<Bytes, Error> {
        let bytes = serde_json::to_vec(self).map_err(unwritable)?;
        Ok(bytes.into())
    }

    /// Replaces a member where it stands, or adds it at the end.
    #[inline]
    pub(crate) fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let value = serde_json::value::to_raw_value(value).map_err(unwritable)?;
        self.put(name.to_owned(), value);
        Ok(())
    }

    /// Takes a member out.
    #[inline]
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// The names of the members that hold something.
    pub(crate) fn filled(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, value)| !matches!(value.get(), "null" | "false" | "\"\"" | "[]" | "{}"))
            .map(|(name, _)| name.as_str())
    }

    #[inline]
    fn put(&mut self, name: String, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some((_, cached)) => *cached = value,
            None => self.0.push((name, value)),
        }
    }
}

/// What cannot be written as JSON.
#[inline]
pub(super) fn unwritable(error: serde_json::Error) -> Error {
    Error::usage("the change cannot be written as JSON").with_source(error)
}

impl fmt::Debug for RawObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} members, hidden>", self.0.len())
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = RawObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut document = RawObject::default();
                while let Some((name, value)) = map.next_entry()? {
                    document.put(name, value);
                }
                Ok(document)
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(text: &str) -> RawObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_is_not_touched_keeps_its_place_and_its_digits() {
        let mut document =
            document(r#"{"b": 1.50, "a": 18446744073709551617, "z": {"y": 1e2, "x": null}}"#);
        document.set("a", &json!("new")).unwrap();
        document.set("c", &json!(true)).unwrap();
        assert_eq!(
            &document.bytes().unwrap()[..],
            br#"{"b":1.50,"a":"new","z":{"y": 1e2, "x": null},"c":true}"#
        );
    }

    #[test]
    fn a_member_that_comes_twice_counts_as_its_last() {
        let document = document(r#"{"a": 1, "b": 2, "a": 3}"#);
        assert_eq!(&document.bytes().unwrap()[..], br#"{"a":3,"b":2}"#);
    }

    #[test]
    fn a_member_without_content_is_not_filled() {
        let document =
            document(r#"{"a": null, "b": "", "c": [], "d": false, "e": {}, "f": 0, "g": "x"}"#);
        assert_eq!(document.filled().collect::<Vec<_>>(), ["f", "g"]);
    }
}
