//! The fields of a request body, and of an object that [`Seed`](crate::Seed) adds.
//!
//! They are checked against the document: a field of the wrong type is rejected with 422 and the field's name. `null` means
//! that the field is absent.

use serde_json::{Map, Value};

use super::problem::{Problem, quote};
use super::schema::{Schema, Shape};
use super::timestamp;

/// The fields of an object that came from outside, with the types of its schema.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    map: Map<String, Value>,
}

impl Fields {
    /// Parses a body; 400 if it is not JSON, 422 if a field is missing or has the wrong type. Unknown fields are kept.
    pub(crate) fn parse(body: &[u8], schema: &Schema) -> Result<Self, Problem> {
        let value = serde_json::from_slice(body).map_err(|error| {
            Problem::malformed(
                "malformed_json",
                format!("the body is not valid JSON: {error}; send a JSON object"),
            )
        })?;
        let fields = Self::from_object(value)?;
        for (name, shape) in schema.fields {
            fields.check(name, *shape)?;
        }
        for name in schema.required {
            if fields.required(name).trim().is_empty() {
                let state = fields.text(name).map_or("missing", |_| "empty");
                let message = format!("{name} is {state}; it is required");
                return Err(Problem::invalid(name, message));
            }
        }
        Ok(fields)
    }

    /// The fields of an object to add; 422 if one is in none of the schemas, or has the wrong type.
    pub(crate) fn to_add(object: &Value, schemas: &[&Schema]) -> Result<Self, Problem> {
        let mut fields = Self::from_object(object.clone())?;
        fields.map.retain(|_, value| !value.is_null());
        for (name, value) in &fields.map {
            let shape = schemas.iter().find_map(|schema| schema.field(name));
            let Some(shape) = shape else {
                let known = schemas.iter().flat_map(|schema| schema.fields);
                let known: Vec<_> = known.map(|(name, _)| *name).collect();
                let message = format!("there is no field {name}; use {}", known.join(", "));
                return Err(Problem::invalid(name, message));
            };
            fields.check(name, shape)?;
            match (shape, value) {
                (Shape::One(inner), value) => drop(Self::to_add(value, &[inner])?),
                (Shape::Many(inner), Value::Array(items)) => {
                    for item in items {
                        Self::to_add(item, &[inner])?;
                    }
                }
                _ => {}
            }
        }
        Ok(fields)
    }

    fn from_object(value: Value) -> Result<Self, Problem> {
        match value {
            Value::Object(map) => Ok(Self { map }),
            other => {
                let message = format!("the body is {}; send a JSON object", noun(&other));
                Err(Problem::invalid("body", message))
            }
        }
    }

    fn check(&self, name: &str, shape: Shape) -> Result<(), Problem> {
        match self.value(name) {
            Some(value) if !shape.accepts(value) => Err(wrong_type(name, shape, value)),
            _ => Ok(()),
        }
    }

    /// The fields, including `null`s.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.map.iter()
    }

    /// The fields as the fields of JSON.
    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.map
    }

    /// Keeps the fields whose names `is_kept` accepts.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.map.retain(|name, _| is_kept(name));
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.map.insert(name.to_owned(), value.into());
    }

    /// Sets a field that is absent.
    pub(crate) fn set_default(&mut self, name: &str, value: impl Into<Value>) {
        if self.value(name).is_none() {
            self.set(name, value);
        }
    }

    /// The value of a field; `None` if it is `null`.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// A text; `None` if it is absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    /// A text; `None` if it is absent or empty.
    pub(crate) fn filled_text(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| !text.is_empty())
    }

    /// A text that is required in its schema.
    pub(crate) fn required(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    /// A time in seconds since 1970; `None` if it is absent, 422 if it is not RFC 3339.
    pub(crate) fn time(&self, name: &str) -> Result<Option<i64>, Problem> {
        let time = |value: &Value| {
            let seconds = value.as_str().and_then(timestamp::parse);
            seconds.ok_or_else(|| wrong_type(name, Shape::DateTime, value))
        };
        self.value(name).map(time).transpose()
    }

    /// A boolean; `None` if it is absent.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    /// An array of texts, which is empty if it is absent.
    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        let items = self.value(name).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }
}

/// 422 for a value of the wrong type.
pub(crate) fn wrong_type(name: &str, shape: Shape, found: &Value) -> Problem {
    let (found, wanted) = (noun(found), shape.wanted());
    Problem::invalid(name, format!("{name} is {found}; send {wanted}"))
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
