//! A value of a row.

use serde::{Serialize, ser::Serializer};
use serde_json::value::RawValue;

use super::{ColumnKind, secret::without_secrets};

/// A value of a row. Its kind is that of its [column](super::Column::kind), or [`Null`](Self::Null).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// No value: the service sent `null`, or nothing, or something that does not fit the column.
    Null,
    /// Text. The reader replaces the character U+0000, which databases and many programs cannot hold, with U+FFFD.
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

/// A JSON value as a value of this kind; `None` when it does not fit.
pub(super) fn read(kind: ColumnKind, json: &str) -> Option<Value> {
    if json == "null" {
        return Some(Value::Null);
    }
    match kind {
        ColumnKind::Utc => utc(json),
        ColumnKind::Text | ColumnKind::Timestamp if json.starts_with('"') => {
            text(json).map(Value::Text)
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

/// The text of a JSON string, without U+0000, which is always escaped.
fn text(json: &str) -> Option<String> {
    let quoted = json.strip_prefix('"')?.strip_suffix('"')?;
    if quoted.contains('\\') {
        serde_json::from_str(json).ok().map(without_nul)
    } else {
        Some(quoted.to_owned())
    }
}

fn without_nul(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text
    }
}

/// Reads the JSON of a UTC value.
fn utc(json: &str) -> Option<Value> {
    let text: String = serde_json::from_str(json).ok()?;
    let instant: jiff::Timestamp = text.parse().ok()?;
    Some(Value::Utc(instant.as_microsecond()))
}
