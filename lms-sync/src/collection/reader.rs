//! Reads the items of a list into rows.
//!
//! An item is read from its JSON text directly into its columns. Reading is lenient, so that no value of the service
//! fails a run: a value that does not fit its column goes into `_extra` as it was received, with the fields that have
//! no column. A field that occurs twice has no value in its column; `_extra` has both values.

use jiff::{civil::DateTime, tz::TimeZone};
use lms_ext::{Moment, Timestamp};

use super::{
    Collection, Column, ColumnKind, json,
    json::{is_declared, is_secret},
    row::Row,
    value::{Value, read},
};

/// Reads the items of a collection.
#[derive(Debug)]
pub(crate) struct RowReader {
    collection: &'static Collection,
    /// The columns that items have fields for, each with its index among all columns.
    fields: Vec<(&'static str, usize)>,
    /// The zone of times that have none.
    zone: Option<TimeZone>,
}

impl RowReader {
    pub(crate) fn new(collection: &'static Collection, zone: Option<TimeZone>) -> Self {
        let columns = collection.columns.iter().enumerate();
        let fields = columns.filter(|(_, column)| {
            let has_field = column.kind != ColumnKind::Utc && column.name != Column::EXTRA_NAME;
            // The columns may be of another document than the client.
            let of_client = cfg!(feature = "tenant-document");
            has_field && (of_client || !is_declared(column.name))
        });
        Self {
            collection,
            fields: fields.map(|(index, column)| (column.name, index)).collect(),
            zone,
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

    /// The row of an item, and the columns whose value could not be read as their type: a timestamp without a zone adds its
    /// column in UTC. `None` if the item is not a JSON object. `key` has values of the key for an item that lacks them; an item
    /// with a value that does not fit the column has no key.
    pub(crate) fn read(
        &self,
        item: &str,
        key: &[(&'static str, String)],
    ) -> Option<(Row, Vec<&'static str>)> {
        let mut unreadable = Vec::new();
        let mut values = vec![Value::Null; self.collection.columns.len()];
        let mut received = vec![Received::Nothing; self.fields.len()];
        let mut extra = Vec::new();
        let field = |raw_name: &str, json: &str| format!("{raw_name}:{}", json::kept(json));
        let mut expected = 0;
        for (raw_name, json) in json::fields(item)? {
            let name = json::name(raw_name);
            let Some(position) = self.find(&name, expected) else {
                if !is_secret(&name) {
                    extra.push(field(raw_name, json));
                }
                continue;
            };
            expected = (position + 1) % self.fields.len();
            let index = self.fields[position].1;
            match received[position] {
                Received::Nothing if self.set(&mut values, index, json) => {
                    received[position] = Received::Value(json);
                    continue;
                }
                Received::Value(first) => {
                    self.set(&mut values, index, "null");
                    extra.push(field(raw_name, first));
                }
                Received::Nothing => unreadable.push(self.fields[position].0),
                Received::Extra => {}
            }
            received[position] = Received::Extra;
            extra.push(field(raw_name, json));
        }
        for (column, text) in key {
            if let Some(position) = self.find(column, 0)
                && matches!(
                    received[position],
                    Received::Nothing | Received::Value("null")
                )
            {
                values[self.fields[position].1] = Value::Text(text.clone());
            }
        }
        for (column, pair) in self.collection.columns[1..].iter().zip(values.windows(2)) {
            if let (ColumnKind::Utc, [Value::Text(text), Value::Null]) = (column.kind, pair)
                && !text.trim().is_empty()
            {
                unreadable.push(column.name);
            }
        }
        if let (false, Some(last)) = (extra.is_empty(), values.last_mut()) {
            *last = Value::Json(format!("{{{}}}", extra.join(",")));
        }
        Some((Row::new(self.collection, values), unreadable))
    }

    /// Sets the value of a column; false if the JSON does not fit.
    fn set(&self, values: &mut [Value], index: usize, json: &str) -> bool {
        let kind = self.collection.columns[index].kind;
        let Some(value) = read(kind, json) else {
            return false;
        };
        if kind == ColumnKind::Timestamp {
            values[index + 1] = match &value {
                Value::Text(text) => twin(&Timestamp::new(text.clone()), self.zone.as_ref()),
                _ => Value::Null,
            };
        }
        values[index] = value;
        true
    }
}

/// The received value of a column.
#[derive(Clone, Copy)]
enum Received<'a> {
    Nothing,
    /// The JSON of its value.
    Value(&'a str),
    /// The value is in `_extra`.
    Extra,
}

/// The twin of a timestamp in UTC. Of two instants with the same local time, the earlier one.
fn twin(timestamp: &Timestamp, zone: Option<&TimeZone>) -> Value {
    let in_zone = |zone: &TimeZone| {
        let Ok(Moment::Local(local)) = timestamp.parse() else {
            return None;
        };
        let local: DateTime = local.to_string().parse().ok()?;
        let zoned = local.to_zoned(zone.clone()).ok()?;
        Some(zoned.timestamp().as_nanosecond())
    };
    let nanos = timestamp.to_unix_nanos().or_else(|| in_zone(zone?));
    let micros = nanos.and_then(|nanos| i64::try_from(nanos.div_euclid(1000)).ok());
    micros.map_or(Value::Null, Value::utc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::{collection, time_zone};

    fn read_learner(text: &str) -> Row {
        RowReader::new(collection("learners").unwrap(), None)
            .read(text, &[])
            .unwrap()
            .0
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
        assert!(!row.to_json().contains(r#""x""#), "{row:?}");
    }

    #[test]
    fn an_id_that_is_no_text_is_no_key() {
        for id in [
            r#""\ud800""#,
            r#""a\u0000""#,
            "7",
            "null",
            r#"" ""#,
            r#""a", "id": "a""#,
        ] {
            assert_eq!(
                read_learner(&format!(r#"{{"id": {id}}}"#)).key(),
                None,
                "{id}"
            );
        }
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
    fn times_without_a_zone_are_taken_for_those_of_a_zone_that_was_given() {
        let zone = |name| time_zone(name).unwrap();
        for (text, name, expected) in [
            ("2024-03-16T08:20:10", "+02:00", "2024-03-16T06:20:10Z"),
            ("2024-03-16 08:20", "Europe/Berlin", "2024-03-16T07:20:00Z"),
            (
                "2024-07-16T08:20:10",
                "Europe/Berlin",
                "2024-07-16T06:20:10Z",
            ),
            // Twice, and never: when clocks go back and forward.
            (
                "2024-10-27T02:30:00",
                "Europe/Berlin",
                "2024-10-27T00:30:00Z",
            ),
            (
                "2024-03-31T02:30:00",
                "Europe/Berlin",
                "2024-03-31T01:30:00Z",
            ),
            ("2024-03-16T08:20:10Z", "+02:00", "2024-03-16T08:20:10Z"),
        ] {
            let item = format!(r#"{{"created": "{text}"}}"#);
            let reader = RowReader::new(collection("learners").unwrap(), Some(zone(name)));
            let (row, _) = reader.read(&item, &[]).unwrap();
            let utc = row.get("created_utc").and_then(Value::utc_text);
            assert_eq!(utc.as_deref(), Some(expected), "{text} in {name}");
        }
        assert!(time_zone("Mars/Olympus").is_err());
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
            ("\"007\"", Value::Null),
            ("-0", Value::Null),
        ] {
            let item = format!(r#"{{"id": "c1", "pass_mark": {text}}}"#);
            let (row, _) = RowReader::new(of, None).read(&item, &[]).unwrap();
            assert_eq!(row.get("pass_mark"), Some(&expected), "{text}");
        }
    }

    #[test]
    fn a_key_is_filled_only_where_the_service_left_it_out() {
        let reader = RowReader::new(collection("records").unwrap(), None);
        for (user, filled) in [
            ("", Some("u1")),
            (r#""user": null"#, Some("u1")),
            (r#""user": "u2""#, Some("u2")),
            (r#""user": 1"#, None),
            (r#""user": {"id": "u1"}"#, None),
            (r#""user": "u1", "user": "u1""#, None),
        ] {
            let key = [("user", "u1".to_owned())];
            let (row, _) = reader.read(&format!("{{{user}}}"), &key).unwrap();
            let filled = filled.map_or(Value::Null, |user| Value::Text(user.to_owned()));
            assert_eq!(row.get("user"), Some(&filled), "{user}");
        }
    }
}
