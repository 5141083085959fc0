//! A JSON object that keeps every member as it was received, known or not.
//!
//! A generated type drops unknown members, and a parsed number loses its notation: `1.50` becomes `1.5`, and an
//! integer above 2^64 loses digits. To write back exactly what was read, members stay text until they are replaced.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
};

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
    /// The object as JSON.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<Bytes, Error> {
        let bytes = serde_json::to_vec(self).map_err(serialize_error)?;
        Ok(bytes.into())
    }

    /// Replaces a member in its position, or adds it at the end.
    #[inline]
    pub(crate) fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let value = serde_json::value::to_raw_value(value).map_err(serialize_error)?;
        self.put(name.to_owned(), value);
        Ok(())
    }

    #[inline]
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    /// Whether a member is a number.
    #[inline]
    pub(crate) fn is_number(&self, name: &str) -> bool {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .is_some_and(|(_, value)| {
                value
                    .get()
                    .starts_with(|c: char| c == '-' || c.is_ascii_digit())
            })
    }

    /// The names of the members that are not empty.
    pub(crate) fn non_empty(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, value)| !matches!(value.get(), "null" | "false" | "\"\"" | "[]" | "{}"))
            .map(|(name, _)| name.as_str())
    }

    #[inline]
    fn put(&mut self, name: String, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }
}

#[inline]
pub(super) fn serialize_error(error: serde_json::Error) -> Error {
    Error::usage("the change could not be serialized as JSON").with_source(error)
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
                // A search through the members for each one would take hours for a million of them.
                let mut positions: HashMap<String, usize> = HashMap::new();
                let mut object = RawObject::default();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    match positions.entry(name) {
                        Entry::Occupied(position) => object.0[*position.get()].1 = value,
                        Entry::Vacant(position) => {
                            let name = position.key().clone();
                            position.insert(object.0.len());
                            object.0.push((name, value));
                        }
                    }
                }
                Ok(object)
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(text: &str) -> RawObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn unchanged_members_keep_their_position_and_notation() {
        let mut object =
            object(r#"{"b": 1.50, "a": 18446744073709551617, "z": {"y": 1e2, "x": null}}"#);
        object.set("a", &json!("new")).unwrap();
        object.set("c", &json!(true)).unwrap();
        assert_eq!(
            object.bytes().unwrap(),
            r#"{"b":1.50,"a":"new","z":{"y": 1e2, "x": null},"c":true}"#
        );
    }

    #[test]
    fn the_last_of_duplicate_members_counts() {
        let object = object(r#"{"a": 1, "b": 2, "a": 3}"#);
        assert_eq!(object.bytes().unwrap(), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn an_object_with_many_members_is_read_in_linear_time() {
        let members: Vec<_> = (0..200_000).map(|n| format!("\"{n}\":{n}")).collect();
        let object = object(&format!("{{{},\"7\":8}}", members.join(",")));
        assert_eq!(object.0.len(), 200_000);
        assert_eq!(object.0[7].1.get(), "8");
    }

    #[test]
    fn null_false_and_empty_members_are_empty() {
        let object =
            object(r#"{"a": null, "b": "", "c": [], "d": false, "e": {}, "f": 0, "g": "x"}"#);
        assert_eq!(object.non_empty().collect::<Vec<_>>(), ["f", "g"]);
    }
}
