//! Removes constraints that would make a response unreadable.
//!
//! A type that checks its value fails the whole page over one value that is not as documented. So bounds of numbers,
//! sizes of arrays and objects, values of numbers, and undeclared properties are not checked.

use serde_json::{Map, Value};

/// Keywords with a number or a boolean.
const CONSTRAINTS: [&str; 10] = [
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

/// Removes the constraints of all schemas in a document.
pub(crate) fn remove_constraints(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let checked = map.get("type").is_none_or(|kind| kind == "string");
            map.retain(|key, value| match key.as_str() {
                "enum" => checked,
                // A property may have such a name; its schema is a mapping.
                key if CONSTRAINTS.contains(&key) => value.is_object(),
                "additionalProperties" => *value != false,
                _ => true,
            });
            require_both_directions(map);
            for (key, value) in map {
                // A default is a value, not a schema.
                if key != "default" {
                    remove_constraints(value);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(remove_constraints),
        _ => {}
    }
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
