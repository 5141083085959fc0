//! Rows: the items of a list as values in columns.
//!
//! An item is read from its JSON text straight into its columns. Reading is lenient: a value that does not fit its column
//! goes into `_extra` with everything that has no column, so no value of the service fails a run.

use std::{collections::HashMap, fmt};

use lms_ext::Timestamp;
use serde::{
    Serialize,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess},
    ser::{SerializeSeq, Serializer},
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::{Collection, ColumnKind, secret::is_secret};

/// A value of a row. Its kind is that of its [column](super::Column::kind), or [`Null`](Self::Null).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value: the service sent `null`, or nothing, or something that does not fit the column.
    Null,
    /// Text.
    Text(String),
    /// A signed 64-bit integer.
    Integer(i64),
    /// A finite number.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A point in time, in microseconds since 1970-01-01T00:00:00Z.
    Utc(i64),
    /// The compact text of a JSON array or object.
    Json(String),
}

impl Value {
    /// Whether there is no value.
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// A UTC value as text such as `2024-03-16T08:20:10Z`, with a fraction if it has one. `None` for other values, and for
    /// years that have more than four digits.
    #[must_use]
    pub fn utc_text(&self) -> Option<String> {
        let Self::Utc(micros) = self else {
            return None;
        };
        let instant = jiff::Timestamp::from_microsecond(*micros).ok()?;
        Some(instant.to_string())
    }
}

/// Writes JSON: a UTC value as [text](Self::utc_text), and a JSON value as it is.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Integer(integer) => serializer.serialize_i64(*integer),
            Self::Float(float) => serializer.serialize_f64(*float),
            Self::Boolean(boolean) => serializer.serialize_bool(*boolean),
            Self::Utc(_) => match self.utc_text() {
                Some(text) => serializer.serialize_str(&text),
                None => serializer.serialize_none(),
            },
            Self::Json(json) => match serde_json::from_str::<&RawValue>(json) {
                Ok(raw) => raw.serialize(serializer),
                Err(error) => Err(serde::ser::Error::custom(error)),
            },
        }
    }
}

/// One value for each column of a collection.
#[derive(Clone, PartialEq)]
pub struct Row {
    collection: &'static Collection,
    values: Vec<Value>,
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
        Self { collection, values }
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

    /// What identifies the row: the text of the key's columns, joined by a line feed. `None` when the first of them is null
    /// or blank; such a row cannot be told apart from others.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        let mut key = String::new();
        for (index, name) in self.collection.key.iter().enumerate() {
            let text = match self.get(name) {
                Some(Value::Text(text)) => text.as_str(),
                _ => "",
            };
            if index == 0 {
                if text.trim().is_empty() {
                    return None;
                }
            } else {
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
        let hash = Sha256::digest(self.key()?);
        let (head, _) = hash.split_first_chunk::<16>()?;
        Some(u128::from_be_bytes(*head))
    }

    /// The row as a compact JSON array of its values; [`from_json`](Self::from_json) reads it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// When the text is not an array with one fitting value for each column.
    pub fn from_json(
        collection: &'static Collection,
        text: &str,
    ) -> Result<Self, serde_json::Error> {
        let raw: Vec<&RawValue> = serde_json::from_str(text)?;
        if raw.len() != collection.columns.len() {
            return Err(de::Error::invalid_length(
                raw.len(),
                &"one value for each column",
            ));
        }
        let values = collection.columns.iter().zip(raw).map(|(column, raw)| {
            let read = match column.kind {
                ColumnKind::Utc => utc(raw.get()),
                kind => read(kind, raw.get()),
            };
            read.ok_or_else(|| de::Error::custom(format!("`{}` has no fitting value", column.name)))
        });
        Ok(Self {
            collection,
            values: values.collect::<Result<_, _>>()?,
        })
    }

    /// Reads an object with the columns as fields, such as a line of NDJSON. A column that it lacks is null.
    ///
    /// # Errors
    ///
    /// When the text is not an object, or a field does not fit its column.
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

    /// Sets a value of the key that the service left out.
    pub(crate) fn fill(&mut self, column: &str, text: &str) {
        let index = self
            .collection
            .columns
            .iter()
            .position(|known| known.name == column);
        if let Some(value) = index.and_then(|index| self.values.get_mut(index))
            && value.is_null()
        {
            *value = Value::Text(text.to_owned());
        }
    }
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

/// Reads the items of a collection.
#[derive(Debug)]
pub(crate) struct RowReader {
    collection: &'static Collection,
    columns: HashMap<&'static str, usize>,
    keep_extra: bool,
}

impl RowReader {
    pub(crate) fn new(collection: &'static Collection, keep_extra: bool) -> Self {
        let columns = collection.columns.iter().enumerate();
        let fields = columns.filter(|(_, column)| {
            column.kind != ColumnKind::Utc && column.name != super::Column::EXTRA_NAME
        });
        Self {
            collection,
            columns: fields.map(|(index, column)| (column.name, index)).collect(),
            keep_extra,
        }
    }

    /// The row of an item.
    ///
    /// # Errors
    ///
    /// When the item is not a JSON object.
    pub(crate) fn read(&self, item: &RawValue) -> Result<Row, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(item.get());
        self.deserialize(&mut deserializer)
    }
}

impl<'de> DeserializeSeed<'de> for &RowReader {
    type Value = Row;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Row, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> de::Visitor<'de> for &RowReader {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object, an item of {}", self.collection.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        let mut values = vec![Value::Null; self.collection.columns.len()];
        let mut extra = serde_json::Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let Some(&index) = self.columns.get(name.as_str()) else {
                if self.keep_extra && !is_secret(&name) {
                    let value: serde_json::Value = map.next_value()?;
                    extra.insert(name, without_secrets(value));
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
                continue;
            };
            let raw: &RawValue = map.next_value()?;
            let kind = self.collection.columns[index].kind;
            match read(kind, raw.get()) {
                Some(value) => {
                    if kind == ColumnKind::Timestamp {
                        values[index + 1] = twin(&value);
                    }
                    values[index] = value;
                }
                None if self.keep_extra => {
                    if let Ok(value) = serde_json::from_str(raw.get()) {
                        extra.insert(name, without_secrets(value));
                    }
                }
                None => {}
            }
        }
        if !extra.is_empty()
            && let Some(last) = values.last_mut()
        {
            *last = Value::Json(serde_json::Value::Object(extra).to_string());
        }
        Ok(Row {
            collection: self.collection,
            values,
        })
    }
}

/// A JSON value as a value of this kind; `None` when it does not fit.
fn read(kind: ColumnKind, json: &str) -> Option<Value> {
    if json == "null" {
        return Some(Value::Null);
    }
    match kind {
        ColumnKind::Text | ColumnKind::Timestamp if json.starts_with('"') => {
            serde_json::from_str(json).ok().map(Value::Text)
        }
        // A Unix timestamp.
        ColumnKind::Timestamp if json.parse::<f64>().is_ok() => Some(Value::Text(json.to_owned())),
        ColumnKind::Integer if json == "\"\"" => Some(Value::Null),
        ColumnKind::Integer => {
            let text = json.trim_matches('"');
            text.parse().ok().map(Value::Integer)
        }
        ColumnKind::Float => json
            .trim_matches('"')
            .parse()
            .ok()
            .filter(|float: &f64| float.is_finite())
            .map(Value::Float),
        ColumnKind::Boolean => json.parse().ok().map(Value::Boolean),
        ColumnKind::Json if json.starts_with(['[', '{']) => {
            let value: serde_json::Value = serde_json::from_str(json).ok()?;
            Some(Value::Json(without_secrets(value).to_string()))
        }
        _ => None,
    }
}

/// The twin of a timestamp in UTC.
fn twin(timestamp: &Value) -> Value {
    let Value::Text(text) = timestamp else {
        return Value::Null;
    };
    let nanos = Timestamp::new(text.as_str()).to_unix_nanos();
    let micros = nanos.and_then(|nanos| i64::try_from(nanos.div_euclid(1000)).ok());
    micros.map_or(Value::Null, Value::Utc)
}

/// Reads the JSON of a UTC value.
fn utc(json: &str) -> Option<Value> {
    if json == "null" {
        return Some(Value::Null);
    }
    let text: String = serde_json::from_str(json).ok()?;
    let instant: jiff::Timestamp = text.parse().ok()?;
    Some(Value::Utc(instant.as_microsecond()))
}

/// Removes fields that hold secrets, at any depth.
fn without_secrets(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(fields) => fields
            .into_iter()
            .filter(|(name, _)| !is_secret(name))
            .map(|(name, value)| (name, without_secrets(value)))
            .collect(),
        serde_json::Value::Array(items) => items.into_iter().map(without_secrets).collect(),
        other => other,
    }
}
