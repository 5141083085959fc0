//! Faults that change the JSON of a successful response.
//!
//! The body is parsed and written again by its schema, which lists all possible fields and the timestamps among them.

use serde_json::{Map, Value, json};

use super::chosen::ChosenFaults;
use super::effect::Effect;
use crate::api::json::{self, Parts};
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};
use crate::api::timestamp;

impl ChosenFaults {
    /// The body with the chosen changes.
    pub(crate) fn reshape(&self, operation: Operation, body: Vec<u8>) -> Vec<u8> {
        let Some(schema) = operation.response() else {
            return body;
        };
        let Ok(Value::Object(fields)) = serde_json::from_slice(&body) else {
            return body;
        };
        let mut out = Vec::with_capacity(body.len() * 2);
        object(self, schema, fields, &mut out);
        out
    }
}

fn object(
    faults: &ChosenFaults,
    schema: &Schema,
    mut fields: Map<String, Value>,
    out: &mut Vec<u8>,
) {
    let mut object_out = Parts::object(out);
    for (name, shape) in schema.fields {
        let value = match (fields.remove(*name), shape) {
            (None, _) if faults.apply(&Effect::Nulls) => Value::Null,
            (None, _) => continue,
            (Some(Value::Object(inner)), Shape::One(schema)) => {
                object(faults, schema, inner, object_out.key(name));
                continue;
            }
            (Some(Value::Array(items)), Shape::Many(schema)) => {
                let mut array = Parts::array(object_out.key(name));
                for item in items {
                    match item {
                        Value::Object(inner) => object(faults, schema, inner, array.item()),
                        other => json::write(array.item(), &other),
                    }
                }
                array.close();
                continue;
            }
            // An empty array counts as absent.
            (Some(Value::Array(items)), Shape::Texts)
                if items.is_empty() && faults.apply(&Effect::Nulls) =>
            {
                Value::Null
            }
            (Some(Value::String(text)), Shape::Time | Shape::DateTime)
                if faults.apply(&Effect::ZonelessTimestamps) =>
            {
                without_zone(&text).into()
            }
            (Some(Value::Number(number)), Shape::Int64)
                if faults.apply(&Effect::ExpiresInString) =>
            {
                number.to_string().into()
            }
            (Some(Value::String(text)), Shape::Int64) if faults.apply(&Effect::Numbers) => text
                .parse::<i64>()
                .map_or_else(|_| text.as_str().into(), Value::from),
            (Some(value), _) => value,
        };
        json::write(object_out.key(name), &value);
    }
    if faults.apply(&Effect::ExtraFields) {
        fields.insert("x_revision".into(), 7.into());
        fields.insert(
            "x_origin".into(),
            json!({ "system": "legacy", "notes": [] }),
        );
    }
    for (name, value) in fields {
        object_out.field(&name, &value);
    }
    object_out.close();
}

fn without_zone(text: &str) -> &str {
    match text.strip_suffix('Z') {
        Some(rest) if timestamp::parse(text).is_some() => rest,
        _ => text,
    }
}
