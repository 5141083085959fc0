//! Faults that change the JSON of a successful response.
//!
//! The body is parsed and written again by its schema, which lists all possible fields and the timestamps among them.
//! Only requests with such a fault need this time.

use serde_json::{Map, Value, json};

use super::chosen::ChosenFaults;
use super::effect::Effect;
use crate::api::json::{self, Parts};
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};
use crate::api::timestamp;

/// The changes to make.
#[derive(Clone, Copy, Debug)]
struct Changes {
    nulls: bool,
    extra_fields: bool,
    numbers: bool,
    zoneless: bool,
    expires_in_string: bool,
}

impl ChosenFaults {
    /// The body with the chosen changes.
    pub(crate) fn reshape(&self, operation: Operation, body: Vec<u8>) -> Vec<u8> {
        let reshapes = self.any(|effect| {
            matches!(
                effect,
                Effect::Nulls
                    | Effect::ExtraFields
                    | Effect::Numbers
                    | Effect::ZonelessTimestamps
                    | Effect::ExpiresInString
            )
        });
        let Some(schema) = operation.response().filter(|_| reshapes) else {
            return body;
        };
        let Ok(Value::Object(fields)) = serde_json::from_slice(&body) else {
            return body;
        };
        let changes = Changes {
            nulls: self.apply(&Effect::Nulls),
            extra_fields: self.apply(&Effect::ExtraFields),
            numbers: self.apply(&Effect::Numbers),
            zoneless: self.apply(&Effect::ZonelessTimestamps),
            expires_in_string: self.apply(&Effect::ExpiresInString),
        };
        let mut out = Vec::with_capacity(body.len() * 2);
        object(changes, schema, fields, &mut out);
        out
    }
}

fn object(changes: Changes, schema: &Schema, mut fields: Map<String, Value>, out: &mut Vec<u8>) {
    let mut object_out = Parts::object(out);
    for (name, shape) in schema.fields {
        let value = match (fields.remove(*name), shape) {
            (None, _) if changes.nulls => Value::Null,
            (None, _) => continue,
            (Some(Value::Object(inner)), Shape::One(schema)) => {
                object(changes, schema, inner, object_out.key(name));
                continue;
            }
            (Some(Value::Array(items)), Shape::Many(schema)) => {
                let mut array = Parts::array(object_out.key(name));
                for item in items {
                    match item {
                        Value::Object(inner) => object(changes, schema, inner, array.item()),
                        other => json::write(array.item(), &other),
                    }
                }
                array.close();
                continue;
            }
            // An empty array counts as absent.
            (Some(Value::Array(items)), Shape::Texts) if changes.nulls && items.is_empty() => {
                Value::Null
            }
            (Some(Value::String(text)), Shape::Time | Shape::DateTime) if changes.zoneless => {
                without_zone(&text).into()
            }
            (Some(Value::Number(number)), Shape::Int64) if changes.expires_in_string => {
                number.to_string().into()
            }
            (Some(Value::String(text)), Shape::Int64) if changes.numbers => text
                .parse::<i64>()
                .map_or_else(|_| text.as_str().into(), Value::from),
            (Some(value), _) => value,
        };
        json::write(object_out.key(name), &value);
    }
    if changes.extra_fields {
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
