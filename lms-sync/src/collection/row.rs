//! Rows: the items of a list as values in columns.

use std::{collections::HashMap, fmt, sync::OnceLock};

use serde::{
    Serialize,
    de::Error as _,
    ser::{SerializeSeq, Serializer},
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::{
    Collection, json,
    value::{Value, read},
};

/// One value for each column of a collection.
#[derive(Clone)]
pub struct Row {
    collection: &'static Collection,
    values: Vec<Value>,
    derived: Derived,
}

/// Derived values. Each is computed once, although records, journals and sinks each need it.
#[derive(Clone, Default)]
struct Derived {
    json: OnceLock<String>,
    sha256: OnceLock<[u8; 32]>,
    key_fingerprint: OnceLock<Option<u128>>,
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.collection == other.collection && self.values == other.values
    }
}

impl Row {
    /// A row of these values, in the order of the columns.
    ///
    /// # Panics
    ///
    /// If there is not one value for each column.
    #[must_use]
    pub fn new(collection: &'static Collection, values: Vec<Value>) -> Self {
        assert_eq!(
            values.len(),
            collection.columns.len(),
            "one value for each column"
        );
        Self::of(collection, values)
    }

    fn of(collection: &'static Collection, values: Vec<Value>) -> Self {
        Self {
            collection,
            values,
            derived: Derived::default(),
        }
    }

    /// The collection whose columns the values belong to.
    #[must_use]
    pub fn collection(&self) -> &'static Collection {
        self.collection
    }

    /// The values, in the order of the [columns](Collection::columns).
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The value of the column with this name.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&Value> {
        let columns = self.collection.columns.iter();
        let mut pairs = columns.zip(&self.values);
        pairs
            .find(|(known, _)| known.name == column)
            .map(|(_, value)| value)
    }

    /// The key of the row: the text of the key's columns, joined by a line feed. `None` when one of them is null or
    /// blank, because such a row cannot be distinguished from others.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        let mut key = String::new();
        for (index, name) in self.collection.key.iter().enumerate() {
            let Some(Value::Text(text)) = self.get(name) else {
                return None;
            };
            if text.trim().is_empty() {
                return None;
            }
            if index > 0 {
                key.push('\n');
            }
            key.push_str(text);
        }
        Some(key)
    }

    /// A fingerprint of the [key](Self::key): the first 16 bytes of its SHA-256, big-endian. Among a hundred million
    /// keys, the chance that any two share one is 1 in 10^22.
    #[must_use]
    pub fn key_fingerprint(&self) -> Option<u128> {
        let fingerprint = || fingerprint(&self.key()?);
        *self.derived.key_fingerprint.get_or_init(fingerprint)
    }

    /// The row as a compact JSON array of its values; [`from_json`](Self::from_json) reads it.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json().to_owned()
    }

    /// The row as a compact JSON array of its values, which is computed once.
    pub(crate) fn json(&self) -> &str {
        let json = || serde_json::to_string(self).unwrap_or_default();
        self.derived.json.get_or_init(json)
    }

    /// The SHA-256 of the [JSON](Self::to_json).
    pub(crate) fn sha256(&self) -> &[u8; 32] {
        let hash = || Sha256::digest(self.json()).into();
        self.derived.sha256.get_or_init(hash)
    }

    /// Reads the output of [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// Fails if the text is not an array with one fitting value for each column.
    pub fn from_json(
        collection: &'static Collection,
        text: &str,
    ) -> Result<Self, serde_json::Error> {
        let raw: Vec<&RawValue> = serde_json::from_str(text)?;
        if raw.len() != collection.columns.len() {
            return Err(serde_json::Error::invalid_length(
                raw.len(),
                &"one value for each column",
            ));
        }
        let values = collection.columns.iter().zip(raw).map(|(column, raw)| {
            read(column.kind, raw.get()).ok_or_else(|| {
                serde_json::Error::custom(format!("`{}` has no fitting value", column.name))
            })
        });
        Ok(Self::of(collection, values.collect::<Result<_, _>>()?))
    }

    /// Reads an object with the columns as fields, such as a line of NDJSON. A column that it lacks is null.
    ///
    /// # Errors
    ///
    /// Fails if the text is not an object, or a field does not fit its column.
    pub fn from_json_object(
        collection: &'static Collection,
        text: &str,
    ) -> Result<Self, serde_json::Error> {
        let fields: HashMap<String, &RawValue> = serde_json::from_str(text)?;
        let value = |name: &str| fields.get(name).map_or("null", |raw| raw.get());
        let columns = collection.columns.iter();
        let values: Vec<&str> = columns.map(|column| value(column.name)).collect();
        Self::from_json(collection, &format!("[{}]", values.join(",")))
    }

    /// Sets a value of the key that the service left out. Returns false if the row has another one, of whatever type.
    pub(crate) fn fill(&mut self, column: &str, text: &str) -> bool {
        if self.has_extra(column) {
            return false;
        }
        let mut columns = self.collection.columns.iter();
        let index = columns.position(|known| known.name == column);
        let Some(value) = index.and_then(|index| self.values.get_mut(index)) else {
            return true;
        };
        if value.is_null() {
            *value = Value::Text(text.to_owned());
            self.derived = Derived::default();
        }
        *value == Value::Text(text.to_owned())
    }

    /// Returns `true` if a value was received that does not fit its column.
    fn has_extra(&self, column: &str) -> bool {
        let Some(Value::Json(extra)) = self.values.last() else {
            return false;
        };
        let mut fields = json::fields(extra).into_iter().flatten();
        fields.any(|(name, _)| json::name(name) == column)
    }
}

/// The [fingerprint](Row::key_fingerprint) of a [key](Row::key).
pub(crate) fn fingerprint(key: &str) -> Option<u128> {
    let hash = Sha256::digest(key);
    let (head, _) = hash.split_first_chunk::<16>()?;
    Some(u128::from_be_bytes(*head))
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.collection.columns.iter().map(|column| column.name);
        f.debug_map().entries(names.zip(&self.values)).finish()
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.values.len()))?;
        for value in &self.values {
            sequence.serialize_element(value)?;
        }
        sequence.end()
    }
}
