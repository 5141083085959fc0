//! Finds the schema that typify cannot make a type of: its errors do not name it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::openapi::schema_name;

/// The location of the schema with the fewest references for which `fails` is true. Empty when only all of them fail.
pub(crate) fn locate(
    schemas: &Map<String, Value>,
    fails: impl Fn(&Map<String, Value>) -> bool,
) -> String {
    let mut parts: Vec<_> = schemas
        .keys()
        .map(|name| (name, with_references(schemas, name)))
        .collect();
    parts.sort_by_key(|(_, names)| names.len());
    let failing = parts.into_iter().find(|(_, names)| {
        let part = schemas
            .iter()
            .filter(|(name, _)| names.contains(name.as_str()));
        fails(
            &part
                .map(|(name, schema)| (name.clone(), schema.clone()))
                .collect(),
        )
    });
    failing.map_or_else(String::new, |(name, _)| {
        format!("components.schemas.{name}")
    })
}

/// The names of a schema and of all schemas that it refers to.
fn with_references<'a>(schemas: &'a Map<String, Value>, name: &'a str) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    let mut open = vec![name];
    while let Some(name) = open.pop() {
        if names.insert(name) {
            open.extend(schemas.get(name).into_iter().flat_map(references));
        }
    }
    names
}

fn references(value: &Value) -> Vec<&str> {
    let below: Vec<&Value> = match value {
        Value::Object(map) => map.values().collect(),
        Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    schema_name(value)
        .into_iter()
        .chain(below.into_iter().flat_map(references))
        .collect()
}
