//! Faults that change the JSON of a successful response.
//!
//! The body is parsed and written again by its schema, which says what fields it could have and which of them are
//! timestamps. Only requests with such a fault pay for that.

use serde_json::{Map, Value};

use super::chosen::ChosenFaults;
use super::effect::Effect;
use crate::api::json::Object;
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};

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
    let mut object_out = Object::open(out);
    for (name, shape) in schema.fields {
        match (fields.remove(*name), shape) {
            (None, _) if changes.nulls => object_out.raw(name, "null"),
            (None, _) => {}
            (Some(Value::Object(inner)), Shape::One(schema)) => {
                object(changes, schema, inner, object_out.key(name));
            }
            (Some(Value::Array(items)), Shape::Many(schema)) => {
                let out = object_out.key(name);
                out.push(b'[');
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    match item {
                        Value::Object(inner) => object(changes, schema, inner, out),
                        other => out.extend_from_slice(other.to_string().as_bytes()),
                    }
                }
                out.push(b']');
            }
            // An empty array counts as absent.
            (Some(Value::Array(items)), Shape::Texts) if changes.nulls && items.is_empty() => {
                object_out.raw(name, "null");
            }
            (Some(Value::String(text)), Shape::Time) if changes.zoneless => {
                object_out.text(name, zoneless(&text));
            }
            (Some(Value::Number(number)), Shape::Int64) if changes.expires_in_string => {
                object_out.text(name, &number.to_string());
            }
            (Some(Value::String(text)), Shape::Int64)
                if changes.numbers && text.parse::<i64>().is_ok() =>
            {
                object_out.raw(name, &text);
            }
            (Some(value), _) => object_out.named(name, &value),
        }
    }
    if changes.extra_fields {
        fields.insert("x_revision".into(), 7.into());
        fields.insert(
            "x_origin".into(),
            serde_json::json!({ "system": "legacy", "notes": [] }),
        );
    }
    for (name, value) in fields {
        object_out.named(&name, &value);
    }
    object_out.close();
}

fn zoneless(text: &str) -> &str {
    match text.strip_suffix('Z') {
        Some(rest) if crate::api::timestamp::parse(text).is_some() => rest,
        _ => text,
    }
}
