//! Rows: the items of a list as values in columns.

use std::{collections::BTreeMap, fmt, io, sync::OnceLock};

use serde::{
    Serialize,
    ser::{SerializeMap, Serializer},
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::{
    Collection,
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
        let texts = self
            .collection
            .key
            .iter()
            .map(|name| match self.get(name)? {
                Value::Text(text) if !text.trim().is_empty() => Some(text.as_str()),
                _ => None,
            });
        Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
    }

    /// A fingerprint of the [key](Self::key): the first 16 bytes of its SHA-256, big-endian. Among a hundred million
    /// keys, the chance that any two share one is 1 in 10^22.
    #[must_use]
    pub fn key_fingerprint(&self) -> Option<u128> {
        let fingerprint = || fingerprint(&self.key()?);
        *self.derived.key_fingerprint.get_or_init(fingerprint)
    }

    /// The row as a compact JSON object of the columns that have a value; [`from_json`](Self::from_json) reads it. A
    /// column that a later release adds does not change the text of a row without a value for it.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json().to_owned()
    }

    /// The [JSON](Self::to_json), which is computed once.
    pub(crate) fn json(&self) -> &str {
        let json = || serde_json::to_string(self).unwrap_or_default();
        self.derived.json.get_or_init(json)
    }

    /// The SHA-256 of the [JSON](Self::to_json).
    pub(crate) fn sha256(&self) -> &[u8; 32] {
        let hash = || Sha256::digest(self.json()).into();
        self.derived.sha256.get_or_init(hash)
    }

    /// Reads an object with the columns as fields: the output of [`to_json`](Self::to_json), or a line of NDJSON. A column
    /// that it lacks is null.
    ///
    /// # Errors
    ///
    /// Fails if the text is not an object, a field does not fit its column, or there is no column of its name. Then its kind is
    /// [`Unsupported`](io::ErrorKind::Unsupported).
    pub fn from_json(collection: &'static Collection, text: &str) -> io::Result<Self> {
        let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
        let columns = collection.columns.iter();
        let values = columns.map(|column| match fields.remove(column.name) {
            None => Ok(Value::Null),
            Some(raw) => read(column.kind, raw.get()).ok_or_else(|| {
                let message = format!("`{}` has no fitting value", column.name);
                io::Error::new(io::ErrorKind::InvalidData, message)
            }),
        });
        let values = values.collect::<io::Result<_>>()?;
        collection.positions(fields.keys().map(String::as_str))?;
        Ok(Self::new(collection, values))
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
        let mut map = serializer.serialize_map(None)?;
        let columns = self.collection.columns.iter().zip(&self.values);
        for (column, value) in columns.filter(|(_, value)| !value.is_null()) {
            map.serialize_entry(column.name, value)?;
        }
        map.end()
    }
}
