//! Vocabulary of OpenAPI documents.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The methods of an OpenAPI path item, in the order in which operations are listed.
pub(crate) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// A text; empty when there is none.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The value behind a `$ref`, or the value itself. `None` when the reference does not resolve.
pub(crate) fn resolve<'a>(root: &'a Value, value: &'a Value) -> Option<&'a Value> {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?),
        None => Some(value),
    }
}

/// The JSON in a request body or a response, of which there may be other representations: its key and the media type.
pub(crate) fn json_content(holder: &Value) -> Option<(&str, &Value)> {
    let content = holder["content"].as_object()?;
    content
        .iter()
        .find(|(name, _)| name.split(';').next() == Some(JSON))
        .map(|(name, media)| (name.as_str(), media))
}

/// The schema of a successful response. All successful responses of an operation have the same.
pub(crate) fn content<'a>(root: &'a Value, operation: &'a Value) -> Option<&'a Value> {
    let mut responses = operation["responses"].as_object()?.iter();
    let (_, response) = responses.find(|(status, _)| status.starts_with('2'))?;
    let (_, media) = json_content(resolve(root, response)?)?;
    media.get("schema")
}

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// `Course` of `{ $ref: "#/components/schemas/Course" }`.
pub(crate) fn schema_name(schema: &Value) -> Option<&str> {
    schema
        .get("$ref")?
        .as_str()?
        .strip_prefix("#/components/schemas/")
}

/// Returns `true` if the values of an `enum` become those of a Rust enum: texts. Others are not checked.
pub(crate) fn is_listed(schema: &Value) -> bool {
    let mut values = schema["enum"].as_array().into_iter().flatten();
    match schema["type"].as_str() {
        Some(kind) => kind == "string",
        None => values.all(Value::is_string),
    }
}

/// A value and all values within it.
pub(crate) fn within(value: &Value) -> Vec<&Value> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        found.push(value);
        open.extend(value.as_array().into_iter().flatten());
        open.extend(value.as_object().into_iter().flat_map(Map::values));
    }
    found
}

/// A value and all values within it, also behind references.
pub(crate) fn reached<'a>(root: &'a Value, value: &'a Value) -> Vec<&'a Value> {
    let (mut found, mut open, mut references) = (Vec::new(), vec![value], BTreeSet::new());
    while let Some(value) = open.pop() {
        for value in within(value) {
            let new = value["$ref"].as_str().filter(|of| references.insert(*of));
            open.extend(new.and_then(|_| resolve(root, value)));
            found.push(value);
        }
    }
    found
}

/// The properties that identify an item which has no `id`. The first of them is never blank.
pub(crate) const IDENTIFIED_BY: &str = "x-identified-by";

/// The lists that an operation is called for: each with the path parameters that its items have the values of.
pub(crate) const FOR_EACH: &str = "x-for-each";
