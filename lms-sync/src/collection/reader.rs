//! Reads the items of a list into rows.
//!
//! An item is read from its JSON text straight into its columns. Reading is lenient: a value that does not fit its column
//! goes into `_extra` with everything that has no column, so no value of the service fails a run.

use std::fmt;

use lms_ext::Timestamp;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    Collection, Column, ColumnKind,
    row::Row,
    secret::{is_secret, without_secrets},
    value::{Value, read},
};

/// Reads the items of a collection.
#[derive(Debug)]
pub(crate) struct RowReader {
    collection: &'static Collection,
    /// The columns that items have fields for, each with its index among all columns.
    fields: Vec<(&'static str, usize)>,
    keep_extra: bool,
}

impl RowReader {
    pub(crate) fn new(collection: &'static Collection, keep_extra: bool) -> Self {
        let columns = collection.columns.iter().enumerate();
        let fields = columns.filter(|(_, column)| {
            column.kind != ColumnKind::Utc && column.name != Column::EXTRA_NAME
        });
        Self {
            collection,
            fields: fields.map(|(index, column)| (column.name, index)).collect(),
            keep_extra,
        }
    }

    /// The position of a field. Items have most of their fields in the order of the columns, so the one that is expected next
    /// is looked at first.
    fn find(&self, name: &str, expected: usize) -> Option<usize> {
        let (before, after) = self.fields.split_at(expected);
        let offset = after
            .iter()
            .chain(before)
            .position(|(known, _)| *known == name)?;
        Some((expected + offset) % self.fields.len())
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

/// The name of a field.
struct FieldName<'a> {
    reader: &'a RowReader,
    expected: usize,
}

/// A field of an item.
enum Field {
    /// One that has a column, by its position in the fields of the reader.
    Known(usize),
    Unknown(String),
}

impl<'de> DeserializeSeed<'de> for FieldName<'_> {
    type Value = Field;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Field, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for FieldName<'_> {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
        let known = self.reader.find(name, self.expected);
        Ok(known.map_or_else(|| Field::Unknown(name.to_owned()), Field::Known))
    }
}

impl<'de> Visitor<'de> for &RowReader {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object, an item of {}", self.collection.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        let mut values = vec![Value::Null; self.collection.columns.len()];
        let mut extra = serde_json::Map::new();
        let mut expected = 0;
        while let Some(field) = map.next_key_seed(FieldName {
            reader: self,
            expected,
        })? {
            let position = match field {
                Field::Known(position) => position,
                Field::Unknown(name) if self.keep_extra && !is_secret(&name) => {
                    let value: serde_json::Value = map.next_value()?;
                    extra.insert(name, without_secrets(value));
                    continue;
                }
                Field::Unknown(_) => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            expected = position + 1;
            let (name, index) = self.fields[position];
            let raw: &RawValue = map.next_value()?;
            let kind = self.collection.columns[index].kind;
            match read(kind, raw.get()) {
                Some(Value::Text(text)) if kind == ColumnKind::Timestamp => {
                    let timestamp = Timestamp::new(text);
                    values[index + 1] = twin(&timestamp);
                    values[index] = Value::Text(timestamp.into_string());
                }
                Some(value) => values[index] = value,
                None if self.keep_extra => {
                    if let Ok(value) = serde_json::from_str(raw.get()) {
                        extra.insert(name.to_owned(), without_secrets(value));
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
        Ok(Row::new(self.collection, values))
    }
}

/// The twin of a timestamp in UTC.
fn twin(timestamp: &Timestamp) -> Value {
    let nanos = timestamp.to_unix_nanos();
    let micros = nanos.and_then(|nanos| i64::try_from(nanos.div_euclid(1000)).ok());
    micros.map_or(Value::Null, Value::Utc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::collection;

    fn read_learner(text: &str) -> Row {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        RowReader::new(collection("learners").unwrap(), true)
            .read(raw)
            .unwrap()
    }

    #[test]
    fn secrets_are_dropped_at_any_depth() {
        let row = read_learner(
            r#"{"id": "l1", "password": "x", "api_token": "x", "more": {"ClientSecret": "x", "kept": 1},
                "tags": [{"password": "x"}]}"#,
        );
        assert_eq!(
            row.get("_extra"),
            Some(&Value::Json(r#"{"more":{"kept":1}}"#.into()))
        );
        assert_eq!(row.get("tags"), Some(&Value::Json("[{}]".into())));
        assert!(!row.to_json().contains('x'), "{row:?}");
    }

    #[test]
    fn what_does_not_fit_its_column_is_kept_as_extra() {
        let row =
            read_learner(r#"{"id": "l1", "archived": "perhaps", "surname": 7, "created": "soon"}"#);
        for column in ["archived", "surname", "created_utc"] {
            assert_eq!(row.get(column), Some(&Value::Null), "{column}");
        }
        assert_eq!(row.get("created"), Some(&Value::Text("soon".into())));
        assert_eq!(
            row.get("_extra"),
            Some(&Value::Json(r#"{"archived":"perhaps","surname":7}"#.into()))
        );
    }

    #[test]
    fn timestamps_have_a_twin_in_utc_where_they_have_a_zone() {
        for (text, micros) in [
            (
                r#""2024-03-16T10:20:10.25+02:00""#,
                Some(1_710_577_210_250_000),
            ),
            ("1710577210", Some(1_710_577_210_000_000)),
            (r#""2024-03-16T08:20:10""#, None),
            (r#""""#, None),
            ("null", None),
        ] {
            let row = read_learner(&format!(r#"{{"created": {text}}}"#));
            let expected = micros.map_or(Value::Null, Value::Utc);
            assert_eq!(row.get("created_utc"), Some(&expected), "{text}");
        }
    }

    #[test]
    fn integers_are_read_from_text_and_numbers_with_all_digits() {
        let of = collection("courses").unwrap();
        for (text, expected) in [
            (r#""9223372036854775807""#, Value::Integer(i64::MAX)),
            ("-9223372036854775808", Value::Integer(i64::MIN)),
            (r#""""#, Value::Null),
            (r#""9223372036854775808""#, Value::Null),
            ("1.5", Value::Null),
        ] {
            let item = format!(r#"{{"id": "c1", "pass_mark": {text}}}"#);
            let raw: &RawValue = serde_json::from_str(&item).unwrap();
            let row = RowReader::new(of, false).read(raw).unwrap();
            assert_eq!(row.get("pass_mark"), Some(&expected), "{text}");
        }
    }
}
