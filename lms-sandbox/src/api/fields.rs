//! The fields of a request body.
//!
//! A field of the wrong type is rejected with 422 and the field's name. `null` means that the field is absent.

use serde_json::{Map, Value};

use super::problem::{Problem, quote};
use super::schema::Schema;

/// The fields of a request body.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    map: Map<String, Value>,
}

impl Fields {
    /// Parses a body; 400 if it is not JSON, 422 if it is not an object.
    pub(crate) fn parse(body: &[u8]) -> Result<Self, Problem> {
        let value = serde_json::from_slice(body).map_err(|error| {
            Problem::malformed(
                "malformed_json",
                format!("the body is not valid JSON: {error}; send a JSON object"),
            )
        })?;
        match value {
            Value::Object(map) => Ok(Self { map }),
            other => {
                let message = format!("the body is {}; send a JSON object", noun(&other));
                Err(Problem::invalid("body", message))
            }
        }
    }

    /// The fields that are not in `schema`, including `null`s.
    pub(crate) fn unknown<'a>(
        &'a self,
        schema: &'a Schema,
    ) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.map
            .iter()
            .filter(|(name, _)| schema.field(name).is_none())
    }

    /// The value of a field; `None` if it is `null`.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        #[cfg(test)]
        reads::record(&self.map, name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// An optional text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(name, "a string", other)),
        }
    }

    /// An optional text; `None` if it is empty.
    pub(crate) fn filled_text(&self, name: &str) -> Result<Option<&str>, Problem> {
        Ok(self.text(name)?.filter(|text| !text.is_empty()))
    }

    /// A text that must be present and must not be blank.
    pub(crate) fn required_text(&self, name: &str) -> Result<&str, Problem> {
        match self.text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            found => {
                let state = found.map_or("missing", |_| "empty");
                let message = format!("{name} is {state}; it is required");
                Err(Problem::invalid(name, message))
            }
        }
    }

    /// An optional boolean.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(wrong_type(name, "true or false", other)),
        }
    }

    /// An optional array of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<&str>>, Problem> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    item.as_str()
                        .ok_or_else(|| wrong_type(&format!("{name}[{index}]"), "a string", item))
                })
                .collect::<Result<_, _>>()
                .map(Some),
            Some(other) => Err(wrong_type(name, "an array of strings", other)),
        }
    }
}

/// 422 for a value of the wrong type.
pub(crate) fn wrong_type(name: &str, wanted: &str, came: &Value) -> Problem {
    Problem::invalid(name, format!("{name} is {}; send {wanted}", noun(came)))
}

fn noun(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => format!("the boolean {flag}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {}", quote(text)),
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// The fields of bodies that are read, for the test that compares them with the document.
#[cfg(test)]
pub(crate) mod reads {
    use std::sync::Mutex;

    use serde_json::{Map, Value};

    /// The field of a body whose reads are recorded. Its value is the first part of each record.
    pub(crate) const MARKER: &str = "x-record-reads-of";

    /// The markers of bodies, each with the name of a field that was read.
    pub(crate) static READS: Mutex<Vec<(Value, String)>> = Mutex::new(Vec::new());

    pub(super) fn record(map: &Map<String, Value>, name: &str) {
        if let Some(marker) = map.get(MARKER) {
            let read = (marker.clone(), name.to_owned());
            READS.lock().unwrap().push(read);
        }
    }
}
