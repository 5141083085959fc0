//! Removes from a document all that has no effect on the client.
//!
//! A type that checks its value fails the entire page over one undocumented value. Therefore patterns, lengths,
//! bounds of numbers, sizes of arrays and objects, values of numbers that are no integers, and undeclared properties are not
//! checked. A default is not filled in: the service does that in a request, and a response without a field says nothing
//! about its value. The client sends and accepts JSON, so other representations of a body are left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::openapi::{JSON, json_content};

/// Keywords with a number, a boolean or a text.
const CONSTRAINTS: [&str; 13] = [
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Normalizes a document, or a part of one.
pub(crate) fn normalize(value: &mut Value) {
    let json = json_content(value).map(|(_, media)| media.clone());
    match value {
        Value::Object(map) => {
            if let Some(media) = json {
                let content = Map::from_iter([(JSON.to_owned(), media)]);
                map.insert("content".to_owned(), content.into());
            }
            remove_default(map);
            remove_constraints(map);
            require_both_directions(map);
            map.values_mut().for_each(normalize);
        }
        Value::Array(list) => list.iter_mut().for_each(normalize),
        _ => {}
    }
}

/// Removes the default of a schema. A property, and a variable of a server, may have that name.
fn remove_default(map: &mut Map<String, Value>) {
    let has = |key: &str| map.get(key).is_some_and(|value| !value.is_object());
    if ["type", "$ref", "allOf", "anyOf", "oneOf"]
        .into_iter()
        .any(has)
    {
        map.remove("default");
    }
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

fn remove_constraints(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = schema.get("enum") {
        let text = values.iter().all(Value::is_string);
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => {}
            Some("integer") if values.iter().all(Value::is_i64) => {
                let values: BTreeSet<_> = values.iter().filter_map(Value::as_i64).collect();
                let values: Value = values.into_iter().map(text_of).collect();
                schema.extend([
                    ("type".to_owned(), "string".into()),
                    ("enum".to_owned(), values),
                ]);
                schema.remove("format");
            }
            None if text => {
                schema.insert("type".to_owned(), "string".into());
            }
            _ => {
                schema.remove("enum");
            }
        }
    }
    schema.retain(|key, value| match key.as_str() {
        // A property may have such a name; its schema is a mapping.
        key if CONSTRAINTS.contains(&key) => value.is_object(),
        "additionalProperties" => *value != false,
        _ => true,
    });
}

/// Makes properties optional that only a request or only a response has: one type serves both.
fn require_both_directions(schema: &mut Map<String, Value>) {
    let one_way: Vec<_> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(_, property)| property["readOnly"] == true || property["writeOnly"] == true)
        .map(|(name, _)| name.clone())
        .collect();
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !one_way.iter().any(|one_way| name == one_way));
    }
}
