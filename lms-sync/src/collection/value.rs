//! A value of a row.

use jiff::{civil::DateTime, fmt::temporal::DateTimeParser, tz::TimeZone};
use serde::{Serialize, ser::Serializer};
use serde_json::value::RawValue;

use super::{ColumnKind, json};
use crate::error::Error;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A value of a row. Its kind is that of its [column](super::Column::kind), or [`Null`](Self::Null).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value: the service sent `null`, or nothing, or something that does not fit the column.
    Null,
    /// Text. The reader makes none that contains the character U+0000, which databases and many programs cannot hold.
    Text(String),
    /// A signed 64-bit integer.
    Integer(i64),
    /// A finite number. The reader makes none that was rounded, and no negative zero.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A point in time, in microseconds since 1970-01-01T00:00:00Z.
    Utc(i64),
    /// The compact text of a JSON array or object.
    Json(String),
}

impl Value {
    /// Returns `true` if there is no value.
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// A UTC value as text such as `2024-03-16T08:20:10Z`, with a fraction if it has one. `None` for other values, and for
    /// years before 1 and after 9999, of which the reader makes no value.
    #[must_use]
    pub fn utc_text(&self) -> Option<String> {
        let Self::Utc(micros) = self else {
            return None;
        };
        // jiff's timestamps end a day before the year 9999 does.
        let time = EPOCH.checked_add(jiff::SignedDuration::from_micros(*micros));
        let time = time.ok().filter(|time| time.year() >= 1)?;
        Some(format!("{time}Z"))
    }

    /// A UTC value of these microseconds; null if it cannot be written as [text](Self::utc_text).
    pub(super) fn utc(micros: i64) -> Self {
        Some(Self::Utc(micros))
            .filter(|utc| utc.utc_text().is_some())
            .unwrap_or(Self::Null)
    }

    /// Reads a [text](Self::utc_text) of a UTC value.
    pub(crate) fn from_utc_text(text: &str) -> Option<Self> {
        let time: DateTime = text.strip_suffix('Z')?.parse().ok()?;
        let micros = time.duration_since(EPOCH).as_micros();
        Some(Self::Utc(i64::try_from(micros).ok()?))
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

/// A JSON value as a value of this kind; `None` when it does not fit: it would not be written again as it was received.
pub(super) fn read(kind: ColumnKind, json: &str) -> Option<Value> {
    if json == "null" {
        return Some(Value::Null);
    }
    match kind {
        ColumnKind::Utc => Value::from_utc_text(&json::text(json)?),
        // A Unix timestamp.
        ColumnKind::Timestamp if json.parse::<f64>().is_ok() => Some(Value::Text(json.to_owned())),
        ColumnKind::Text | ColumnKind::Timestamp => {
            json::text(json).map(|text| Value::Text(text.into_owned()))
        }
        ColumnKind::Integer => {
            // A number may be sent as a string.
            let text = json.trim_matches('"');
            let integer: i64 = text.parse().ok()?;
            (integer.to_string() == text).then_some(Value::Integer(integer))
        }
        ColumnKind::Float => json::exact_float(json.trim_matches('"')).map(Value::Float),
        ColumnKind::Boolean => json.parse().ok().map(Value::Boolean),
        ColumnKind::Json if json.starts_with(['[', '{']) => json::container(json).map(Value::Json),
        ColumnKind::Json => None,
    }
}

/// A time zone by its name or its offset.
pub(crate) fn time_zone(name: &str) -> Result<TimeZone, Error> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_time_zone(name).map_err(|error| {
        let message = format!(
            "cannot use the time zone {name:?}; write a name such as Europe/Berlin, which needs the system's list of time zones, or an offset such as +02:00"
        );
        Error::usage(message).with_source(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_has_a_text_from_year_1_to_9999() {
        for (text, expected) in [
            ("0001-01-01T00:00:00Z", true),
            ("1970-01-01T00:00:00Z", true),
            ("2024-03-16T08:20:10.25Z", true),
            ("9999-12-31T23:59:59.999999Z", true),
            ("0000-12-31T23:59:59Z", false),
        ] {
            let utc = Value::from_utc_text(text).unwrap();
            assert_eq!(utc.utc_text().as_deref(), expected.then_some(text));
        }
        for micros in [i64::MIN, i64::MAX] {
            assert_eq!(Value::utc(micros), Value::Null);
        }
    }
}
