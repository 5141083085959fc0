//! A JSON object that keeps every member as it was received, known or not.
//!
//! A generated type drops unknown members, and a parsed number loses its notation: `1.50` becomes `1.5`, and an
//! integer above 2^64 loses digits. To write back the exact object, members stay text until they are replaced.

use std::{collections::BTreeMap, fmt};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use crate::error::Error;

/// The members of a JSON object as text, by name.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(crate) struct RawObject(BTreeMap<String, Box<RawValue>>);

impl RawObject {
    /// The object as JSON.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<Bytes, Error> {
        let bytes = serde_json::to_vec(self).map_err(serialize_error)?;
        Ok(bytes.into())
    }

    /// Sets a member.
    #[inline]
    pub(crate) fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let value = serde_json::value::to_raw_value(value).map_err(serialize_error)?;
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    #[inline]
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Returns `true` if a member is a number.
    #[inline]
    pub(crate) fn is_number(&self, name: &str) -> bool {
        let number = |c: char| c == '-' || c.is_ascii_digit();
        self.0
            .get(name)
            .is_some_and(|value| value.get().starts_with(number))
    }

    /// The names of the members that are not empty.
    pub(crate) fn non_empty(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, value)| !matches!(value.get(), "null" | "false" | "\"\"" | "[]" | "{}"))
            .map(|(name, _)| name.as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> RawObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn null_false_and_empty_members_are_empty() {
        let object =
            object(r#"{"a": null, "b": "", "c": [], "d": false, "e": {}, "f": 0, "g": "x"}"#);
        assert_eq!(object.non_empty().collect::<Vec<_>>(), ["f", "g"]);
    }
}
