//! Lowers an OpenAPI 3.1 document to OpenAPI 3.0, the version that the generators read.
//!
//! Version 3.1 uses JSON Schema 2020-12. Most of its additions have another spelling in 3.0, and the constraints that have
//! none are not checked by the generated code anyway. Schemas whose shape cannot be written in 3.0 are refused with their
//! location.

use serde_json::{Map, Value, json};

use crate::{error::Error, openapi::resolve};

/// The version that a lowered document declares.
const LOWERED: &str = "3.0.3";

/// Mappings from names to objects: their keys are not keywords.
const NAMED: [&str; 9] = [
    "callbacks",
    "content",
    "encoding",
    "examples",
    "headers",
    "links",
    "parameters",
    "requestBodies",
    "responses",
];

/// Keywords that change which values a schema has in a way that 3.0 cannot express.
const REFUSED: [(&str, &str); 11] = [
    ("$defs", "move these schemas to `components.schemas`"),
    ("$dynamicRef", "name the schema with `$ref`"),
    ("dependentSchemas", "declare the properties as optional"),
    ("else", "describe the alternatives with `oneOf`"),
    ("if", "describe the alternatives with `oneOf`"),
    ("patternProperties", "write `additionalProperties`"),
    ("prefixItems", "write one schema under `items`"),
    ("then", "describe the alternatives with `oneOf`"),
    ("unevaluatedItems", "describe the items under `items`"),
    (
        "unevaluatedProperties",
        "write `additionalProperties`, or leave it out",
    ),
    ("$recursiveRef", "name the schema with `$ref`"),
];

/// Keywords that 3.0 lacks or writes differently, and that only restrict, comment or identify.
const DROPPED: [&str; 15] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$id",
    "$schema",
    "$vocabulary",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "dependentRequired",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxContains",
    "minContains",
];

/// Keywords of one type. An alternative of another type does not get them.
const OF_ONE_TYPE: [(&str, &str); 6] = [
    ("additionalProperties", "object"),
    ("format", "string"),
    ("items", "array"),
    ("pattern", "string"),
    ("properties", "object"),
    ("required", "object"),
];

/// Lowers a document of version 3.1. Leaves other versions as they are. Returns what was left out that a reader of the
/// document may expect in the client, one sentence each.
///
/// # Errors
///
/// The location of the first construct that has no counterpart in 3.0, and a replacement.
pub(crate) fn lower(document: &mut Value) -> Result<Vec<String>, Error> {
    let version = document["openapi"].as_str().unwrap_or_default();
    if !version.starts_with("3.1.") {
        return Ok(Vec::new());
    }
    inline_path_items(document);
    let Some(root) = document.as_object_mut() else {
        return Ok(Vec::new());
    };
    root.insert("openapi".to_owned(), LOWERED.into());
    root.remove("jsonSchemaDialect");
    let mut notes = Vec::new();
    if let Some(webhooks) = root.remove("webhooks") {
        let names = webhooks.as_object().into_iter().flat_map(Map::keys);
        let names: Vec<_> = names.map(String::as_str).collect();
        notes.push(format!(
            "the client does not have the webhooks, which are requests of the service: {}",
            names.join(", ")
        ));
    }
    if let Some(info) = root.get_mut("info").and_then(Value::as_object_mut) {
        info.remove("summary");
        if let Some(license) = info.get_mut("license").and_then(Value::as_object_mut) {
            license.remove("identifier");
        }
    }
    for (key, value) in root.iter_mut() {
        outside_schemas(key, value, key)?;
    }
    Ok(notes)
}

/// Replaces each path that is a reference by the path item that it names.
fn inline_path_items(document: &mut Value) {
    let whole = document.clone();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for item in paths.into_iter().flat_map(Map::values_mut) {
        if let Some(Value::Object(named)) = resolve(&whole, item) {
            let mut merged = named.clone();
            merged.extend(item.as_object().cloned().unwrap_or_default());
            merged.remove("$ref");
            *item = merged.into();
        }
    }
    let components = document.get_mut("components");
    if let Some(components) = components.and_then(Value::as_object_mut) {
        components.remove("pathItems");
    }
}

/// Finds the schemas below a value that is not a schema. `key` is the keyword that leads to it.
fn outside_schemas(key: &str, value: &mut Value, location: &str) -> Result<(), Error> {
    if key.starts_with("x-") || matches!(key, "example" | "value" | "default") {
        return Ok(());
    }
    match value {
        Value::Array(list) => {
            for (index, value) in list.iter_mut().enumerate() {
                outside_schemas("", value, &format!("{location}[{index}]"))?;
            }
        }
        Value::Object(map) if key == "schemas" => {
            for (name, value) in map {
                schema(value, &format!("{location}.{name}"))?;
            }
        }
        Value::Object(map) if key == "securitySchemes" => {
            map.retain(|_, scheme| scheme["type"] != "mutualTLS");
        }
        Value::Object(map) => {
            if map.contains_key("$ref") {
                // The text next to a reference is for readers of the document.
                map.retain(|key, _| key == "$ref");
            }
            for (child, value) in map {
                let location = format!("{location}.{child}");
                if NAMED.contains(&key) {
                    outside_schemas("", value, &location)?;
                } else if child == "schema" {
                    schema(value, &location)?;
                } else {
                    outside_schemas(child, value, &location)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Lowers a schema and the schemas in it.
fn schema(value: &mut Value, location: &str) -> Result<(), Error> {
    match value {
        Value::Bool(true) => *value = json!({}),
        Value::Bool(false) => {
            return Err(Error::at(
                location,
                "no value matches the schema `false`; describe what is allowed, or leave it out",
            ));
        }
        _ => {}
    }
    // Other values that are no mapping are refused by the validation.
    let Some(map) = value.as_object_mut() else {
        return Ok(());
    };
    // One pattern for all names says no more than a schema for all properties.
    if let Some(Value::Object(patterns)) = map.get_mut("patternProperties")
        && patterns.len() == 1
        && let Some((_, of_all)) = std::mem::take(patterns).into_iter().next()
    {
        map.remove("patternProperties");
        map.insert("additionalProperties".to_owned(), of_all);
    }
    for (keyword, instead) in REFUSED {
        if map.contains_key(keyword) {
            let reason = format!("OpenAPI 3.0 cannot express `{keyword}`; {instead}");
            return Err(Error::at(format!("{location}.{keyword}"), reason));
        }
    }
    children(map, location)?;
    encoded_text(map);
    constant(map);
    map.retain(|key, _| !DROPPED.contains(&key.as_str()));
    if let Some(Value::Array(examples)) = map.remove("examples") {
        let first = examples.into_iter().next();
        map.extend(first.map(|first| ("example".to_owned(), first)));
    }
    null_alternative(map);
    types(map);
    if map.len() > 1
        && let Some(reference) = map.remove("$ref")
    {
        let all = map.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.insert(0, json!({ "$ref": reference }));
        }
    }
    Ok(())
}

/// Lowers the schemas below a schema.
fn children(map: &mut Map<String, Value>, location: &str) -> Result<(), Error> {
    for (key, value) in map {
        let location = format!("{location}.{key}");
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                // Such a property must not occur.
                properties.retain(|_, property| *property != false);
                for (name, property) in properties {
                    schema(property, &format!("{location}.{name}"))?;
                }
            }
            ("oneOf" | "anyOf" | "allOf", Value::Array(list)) => {
                for (index, alternative) in list.iter_mut().enumerate() {
                    schema(alternative, &format!("{location}[{index}]"))?;
                }
            }
            // A boolean means the same in 3.0.
            ("additionalProperties", Value::Bool(_)) => {}
            ("items" | "not" | "additionalProperties", value) => schema(value, &location)?,
            _ => {}
        }
    }
    Ok(())
}

/// Bytes in text have a format in 3.0, except in the alphabet for URLs.
fn encoded_text(map: &mut Map<String, Value>) {
    let format = match map.get("contentEncoding").and_then(Value::as_str) {
        Some("base64") => Some("byte"),
        Some("base64url") => None,
        None if map.get("contentMediaType") == Some(&"application/octet-stream".into()) => {
            Some("binary")
        }
        _ => return,
    };
    map.entry("type").or_insert_with(|| "string".into());
    if let Some(format) = format {
        map.entry("format").or_insert_with(|| format.into());
    }
}

/// A constant is an `enum` of one value.
fn constant(map: &mut Map<String, Value>) {
    let Some(value) = map.remove("const") else {
        return;
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(ref number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    map.entry("type").or_insert_with(|| kind.into());
    map.insert("enum".to_owned(), json!([value]));
}

/// Removes `type: null` from alternatives, which makes the schema nullable.
fn null_alternative(map: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(list)) = map.get_mut(keyword) else {
            continue;
        };
        let before = list.len();
        list.retain(|alternative| !is_null(alternative));
        if list.len() == before {
            continue;
        }
        if let [only] = list.as_slice() {
            let only = only.clone();
            map.remove(keyword);
            map.insert("allOf".to_owned(), json!([only]));
        }
        map.insert("nullable".to_owned(), true.into());
    }
}

/// Returns `true` if a lowered schema has the value `null` alone.
fn is_null(schema: &Value) -> bool {
    schema["nullable"] == true && schema["enum"] == json!([null])
}

/// A list of types becomes one type, or one alternative for each type. `null` becomes `nullable`.
fn types(map: &mut Map<String, Value>) {
    let kinds = match map.remove("type") {
        Some(Value::Array(kinds)) => kinds,
        Some(kind) => vec![kind],
        None => return,
    };
    let (nulls, mut kinds): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|kind| kind == "null");
    // Every integer is a number.
    if kinds.contains(&"number".into()) {
        kinds.retain(|kind| kind != "integer");
    }
    if !nulls.is_empty() {
        map.insert("nullable".to_owned(), true.into());
        match map.get_mut("enum").and_then(Value::as_array_mut) {
            Some(values) if !kinds.is_empty() => values.retain(|value| !value.is_null()),
            _ => {}
        }
    }
    match kinds.as_slice() {
        // As in `is_null`.
        [] => {
            map.insert("enum".to_owned(), json!([null]));
        }
        [kind] => {
            map.insert("type".to_owned(), kind.clone());
            add_items(map);
        }
        _ => alternatives(map, &kinds),
    }
}

/// Makes an alternative of each type, with the keywords of that type.
fn alternatives(map: &mut Map<String, Value>, kinds: &[Value]) {
    let own: Vec<_> = OF_ONE_TYPE
        .into_iter()
        .filter_map(|(keyword, kind)| Some((keyword, kind, map.remove(keyword)?)))
        .collect();
    let list = kinds.iter().map(|kind| {
        let mut alternative = Map::from_iter([("type".to_owned(), kind.clone())]);
        let own = own.iter().filter(|(_, of, _)| kind == of);
        alternative.extend(own.map(|(keyword, _, value)| ((*keyword).to_owned(), value.clone())));
        add_items(&mut alternative);
        Value::Object(alternative)
    });
    let list: Vec<_> = list.collect();
    map.insert("anyOf".to_owned(), list.into());
}

/// An array without `items` has items of any type; 3.0 wants that said.
fn add_items(map: &mut Map<String, Value>) {
    if map.get("type").is_some_and(|kind| kind == "array") {
        map.entry("items").or_insert_with(|| json!({}));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Not among the constructs, because openapi-down-convert, which checks them, refuses this encoding.
    #[test]
    fn text_in_the_base64_alphabet_for_urls_has_no_format() {
        let mut schema = json!({"contentEncoding": "base64url"});
        encoded_text(schema.as_object_mut().unwrap());
        assert_eq!(schema["type"], "string");
        assert_eq!(schema.get("format"), None);
    }
}
