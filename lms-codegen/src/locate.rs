//! Finds the place in a document that progenitor's errors do not name.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::openapi::{METHODS, schema_name};

/// The location of the smallest part of a document for which `fails` is true: a schema or an operation.
///
/// Empty when only the whole document fails.
pub(crate) fn locate(document: &Value, fails: impl Fn(&Value) -> bool) -> String {
    let mut schemas_only = document.clone();
    schemas_only["paths"] = Map::new().into();
    if fails(&schemas_only) {
        let names = document["components"]["schemas"].as_object();
        let mut parts: Vec<_> = names
            .into_iter()
            .flatten()
            .map(|(name, _)| (name, with_references(document, name)))
            .collect();
        parts.sort_by_key(|(_, names)| names.len());
        let failing = parts.into_iter().find(|(_, names)| {
            let mut part = schemas_only.clone();
            if let Some(schemas) = part["components"]["schemas"].as_object_mut() {
                schemas.retain(|name, _| names.contains(name.as_str()));
            }
            fails(&part)
        });
        return failing.map_or_else(String::new, |(name, _)| {
            format!("components.schemas.{name}")
        });
    }
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS.iter().filter(|method| item.get(method).is_some()) {
            let mut item = item.clone();
            if let Some(item) = item.as_object_mut() {
                item.retain(|key, _| key == method || !METHODS.contains(&key.as_str()));
            }
            let mut part = document.clone();
            part["paths"] = Map::from_iter([(path.clone(), item)]).into();
            if fails(&part) {
                return format!("paths.{path}.{method}");
            }
        }
    }
    String::new()
}

/// The names of a schema and of all schemas that it refers to.
fn with_references<'a>(document: &'a Value, name: &'a str) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    let mut open = vec![name];
    while let Some(name) = open.pop() {
        if names.insert(name) {
            references(&document["components"]["schemas"][name], &mut open);
        }
    }
    names
}

fn references<'a>(value: &'a Value, names: &mut Vec<&'a str>) {
    names.extend(schema_name(value));
    match value {
        Value::Object(map) => map.values().for_each(|value| references(value, names)),
        Value::Array(list) => list.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}
