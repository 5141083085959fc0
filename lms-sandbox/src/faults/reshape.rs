//! How does a good answer become one of a peculiar tenant?
//!
//! The body is parsed and written again by its schema, which says which fields could be there and which hold
//! moments. That is slow beside writing it once, and only tenants with quirks pay for it.

use serde_json::{Map, Value};

use super::Quirks;
use crate::json::Object;
use crate::schema::{Schema, Shape};

/// The same answer with the quirks.
pub(super) fn reshape(quirks: &Quirks, schema: &Schema, body: Vec<u8>) -> Vec<u8> {
    let Ok(Value::Object(fields)) = serde_json::from_slice(&body) else {
        return body;
    };
    let mut out = Vec::with_capacity(body.len() * 2);
    object(quirks, schema, fields, &mut out);
    out
}

fn object(quirks: &Quirks, schema: &Schema, mut fields: Map<String, Value>, out: &mut Vec<u8>) {
    let mut object_out = Object::open(out);
    for (name, shape) in schema.fields {
        match (fields.remove(*name), shape) {
            (None, _) if quirks.nulls => object_out.raw(name, "null"),
            (None, _) => {}
            (Some(Value::Object(inner)), Shape::One(schema)) => {
                object(quirks, schema, inner, object_out.key(name));
            }
            (Some(Value::Array(items)), Shape::Many(schema)) => {
                let out = object_out.key(name);
                out.push(b'[');
                for (index, item) in items.into_iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    match item {
                        Value::Object(inner) => object(quirks, schema, inner, out),
                        other => out.extend_from_slice(other.to_string().as_bytes()),
                    }
                }
                out.push(b']');
            }
            // Without any, the list itself is what is absent.
            (Some(Value::Array(items)), Shape::Texts) if quirks.nulls && items.is_empty() => {
                object_out.raw(name, "null");
            }
            (Some(Value::String(text)), Shape::Time) if quirks.zoneless_timestamps => {
                object_out.text(name, zoneless(&text));
            }
            (Some(Value::Number(number)), Shape::Int64) if quirks.expires_in_string => {
                object_out.text(name, &number.to_string());
            }
            (Some(value), _) => object_out.named(name, &value),
        }
    }
    if quirks.extra_fields {
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
