//! How does a good answer become one of a peculiar tenant?
//!
//! The body is parsed and written again by its schema, which says which fields could be there and which hold
//! moments. That is slow beside writing it once, and only requests that a rule has chosen for it pay for it.

use serde_json::{Map, Value};

use super::effect::Effect;
use super::verdict::Verdict;
use crate::json::Object;
use crate::operations::Operation;
use crate::schema::{Schema, Shape};

/// In what a body differs.
#[derive(Clone, Copy, Debug)]
struct Peculiar {
    nulls: bool,
    extra_fields: bool,
    numbers: bool,
    zoneless: bool,
    expires_in_string: bool,
}

impl Verdict {
    /// The body to send in place of a good answer's.
    pub(crate) fn reshape(&self, operation: Operation, body: Vec<u8>) -> Vec<u8> {
        let reshapes = self.holds_any(|effect| {
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
        let peculiar = Peculiar {
            nulls: self.does(&Effect::Nulls),
            extra_fields: self.does(&Effect::ExtraFields),
            numbers: self.does(&Effect::Numbers),
            zoneless: self.does(&Effect::ZonelessTimestamps),
            expires_in_string: self.does(&Effect::ExpiresInString),
        };
        let mut out = Vec::with_capacity(body.len() * 2);
        object(peculiar, schema, fields, &mut out);
        out
    }
}

fn object(peculiar: Peculiar, schema: &Schema, mut fields: Map<String, Value>, out: &mut Vec<u8>) {
    let mut object_out = Object::open(out);
    for (name, shape) in schema.fields {
        match (fields.remove(*name), shape) {
            (None, _) if peculiar.nulls => object_out.raw(name, "null"),
            (None, _) => {}
            (Some(Value::Object(inner)), Shape::One(schema)) => {
                object(peculiar, schema, inner, object_out.key(name));
            }
            (Some(Value::Array(items)), Shape::Many(schema)) => {
                let out = object_out.key(name);
                out.push(b'[');
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    match item {
                        Value::Object(inner) => object(peculiar, schema, inner, out),
                        other => out.extend_from_slice(other.to_string().as_bytes()),
                    }
                }
                out.push(b']');
            }
            // Without any, the list itself is what is absent.
            (Some(Value::Array(items)), Shape::Texts) if peculiar.nulls && items.is_empty() => {
                object_out.raw(name, "null");
            }
            (Some(Value::String(text)), Shape::Time) if peculiar.zoneless => {
                object_out.text(name, zoneless(&text));
            }
            (Some(Value::Number(number)), Shape::Int64) if peculiar.expires_in_string => {
                object_out.text(name, &number.to_string());
            }
            (Some(Value::String(text)), Shape::Int64)
                if peculiar.numbers && text.parse::<i64>().is_ok() =>
            {
                object_out.raw(name, &text);
            }
            (Some(value), _) => object_out.named(name, &value),
        }
    }
    if peculiar.extra_fields {
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
        Some(rest) if crate::timestamp::parse(text).is_some() => rest,
        _ => text,
    }
}
