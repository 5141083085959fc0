//! Turns schemas of OpenAPI 3.0 into those of JSON Schema, which typify reads.
//!
//! Only keywords that decide the Rust type are kept. A type that checks its value fails the entire page over one undocumented
//! value, so patterns, lengths, bounds of numbers, sizes of arrays and objects, values of numbers that are no integers, and
//! undeclared properties are not checked. A default is not filled in: the service does that in a request, and a response
//! without a field says nothing about its value.

use std::collections::BTreeSet;

use schemars::schema::Schema;
use serde_json::{Map, Value, json};

use crate::{
    formats::{has_own_type, is_checked},
    openapi::IDENTIFIED_BY,
};

/// Keywords that describe a type without changing it.
const ANNOTATIONS: [&str; 2] = ["title", "description"];

/// Keywords of objects.
const OF_OBJECTS: [&str; 3] = ["properties", "required", "additionalProperties"];

/// Keywords with alternatives or parts.
const COMPOSED: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// A schema as JSON Schema. Returns the reason why there is none.
pub(crate) fn json_schema(schema: &Value) -> Result<Schema, String> {
    serde_json::from_value(converted(schema)).map_err(|error| error.to_string())
}

/// A schema of text that identifies something, in an `id` or in a path.
///
/// Identities are compared as text, and a blank one is not an error. So text with a checked format stays plain text.
pub(crate) fn identity_schema(schema: &Value) -> Result<Schema, String> {
    json_schema(&as_identity(schema))
}

fn as_identity(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if schema["format"].as_str().is_some_and(is_checked)
        && let Some(schema) = schema.as_object_mut()
    {
        schema.remove("format");
    }
    schema
}

fn converted(schema: &Value) -> Value {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    // Keywords next to a reference have no effect.
    if let Some(reference) = keywords.get("$ref") {
        return json!({ "$ref": reference });
    }
    let own_type = has_own_type(schema);
    let mut kept = Map::new();
    for (key, value) in keywords {
        let value = match key.as_str() {
            "type" | "description" => value.clone(),
            "format"
                if own_type || matches!(schema["type"].as_str(), Some("integer" | "number")) =>
            {
                value.clone()
            }
            // typify finds a type of our own by its type and its format alone.
            _ if own_type => continue,
            "title" => value.clone(),
            "items" => converted(value),
            "additionalProperties" if *value != false => converted(value),
            "properties" => properties(schema, value),
            "required" => required(schema, value),
            key if COMPOSED.contains(&key) => value
                .as_array()
                .into_iter()
                .flatten()
                .map(converted)
                .collect(),
            _ => continue,
        };
        kept.insert(key.clone(), value);
    }
    if !own_type {
        enumeration(schema, &mut kept);
    }
    if schema["nullable"] == true {
        kept = nullable(kept);
    }
    kept.into()
}

fn properties(schema: &Value, properties: &Value) -> Value {
    let identities = schema[IDENTIFIED_BY].as_array().into_iter().flatten();
    let identities: Vec<_> = identities.filter_map(Value::as_str).chain(["id"]).collect();
    let properties = properties.as_object().into_iter().flatten();
    let properties = properties.map(|(name, property)| {
        let property = if identities.contains(&name.as_str()) {
            converted(&as_identity(property))
        } else {
            converted(property)
        };
        (name.clone(), property)
    });
    Value::Object(properties.collect())
}

/// The required properties without those that only a request or only a response has: one type serves both.
fn required(schema: &Value, names: &Value) -> Value {
    let one_way = |name: &Value| {
        let property = name.as_str().map(|name| &schema["properties"][name]);
        property.is_some_and(|of| of["readOnly"] == true || of["writeOnly"] == true)
    };
    let names = names.as_array().into_iter().flatten();
    names.filter(|name| !one_way(name)).cloned().collect()
}

/// Mark for an integer in an `enum`, because typify makes enums of texts only. No document has a text with this mark.
const INTEGER: &str = "\u{e000}value ";

fn text_of(integer: i64) -> String {
    let sign = if integer < 0 { "minus " } else { "" };
    format!("{INTEGER}{sign}{}", integer.unsigned_abs())
}

/// The integer that a text in an `enum` stands for.
pub(crate) fn integer_of(text: &str) -> Option<i64> {
    text.strip_prefix(INTEGER)?
        .replace("minus ", "-")
        .parse()
        .ok()
}

/// Adds the listed values if they are texts or integers. Others are not checked.
fn enumeration(schema: &Value, kept: &mut Map<String, Value>) {
    let Some(values) = schema["enum"].as_array() else {
        return;
    };
    let values: Value = match schema["type"].as_str() {
        Some("string") => values.iter().cloned().collect(),
        None if values.iter().all(Value::is_string) => values.iter().cloned().collect(),
        Some("integer") if values.iter().all(Value::is_i64) => {
            let values: BTreeSet<_> = values.iter().filter_map(Value::as_i64).collect();
            kept.remove("format");
            values.into_iter().map(text_of).collect()
        }
        _ => return,
    };
    kept.extend([
        ("type".to_owned(), "string".into()),
        ("enum".to_owned(), values),
    ]);
}

/// Adds `null` to the values of a schema. One without a type and without alternatives has it already.
fn nullable(mut schema: Map<String, Value>) -> Map<String, Value> {
    let has = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
    let of_keywords = [("object", has(&OF_OBJECTS)), ("array", has(&["items"]))];
    let of_keywords = of_keywords
        .iter()
        .filter(|(_, has)| *has)
        .map(|(kind, _)| (*kind).into());
    let kinds: Vec<Value> = match schema.get("type") {
        Some(kind) => vec![kind.clone()],
        None => of_keywords.collect(),
    };
    if !kinds.is_empty() {
        let kinds = kinds.into_iter().chain(["null".into()]);
        schema.insert("type".to_owned(), kinds.collect());
    } else if has(&COMPOSED) {
        let (annotations, rest): (Map<_, _>, Map<_, _>) = schema
            .into_iter()
            .partition(|(key, _)| ANNOTATIONS.contains(&key.as_str()));
        schema = annotations;
        schema.insert("oneOf".to_owned(), json!([{ "type": "null" }, rest]));
    }
    schema
}
