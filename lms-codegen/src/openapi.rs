//! Vocabulary of OpenAPI documents.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The methods of an OpenAPI path item, in the order in which operations are listed.
pub(crate) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

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

/// The JSON pointer to the schema of a successful response. All successful responses of an operation have the same.
pub(crate) fn content_pointer(root: &Value, path: &str, method: &str) -> Option<String> {
    let responses = root["paths"][path][method]["responses"].as_object()?;
    let (status, response) = responses
        .iter()
        .find(|(status, _)| status.starts_with('2'))?;
    let place = match reference(response) {
        Some(reference) => reference.to_owned(),
        None => format!("/paths/{}/{method}/responses/{status}", escaped(path)),
    };
    let (media, _) = json_content(root.pointer(&place)?)?;
    Some(format!("{place}/content/{}/schema", escaped(media)))
}

/// The JSON pointer of a reference.
pub(crate) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix('#')
}

/// A key as a part of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
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
            let new = reference(value).filter(|reference| references.insert(*reference));
            open.extend(new.and_then(|reference| root.pointer(reference)));
            found.push(value);
        }
    }
    found
}

/// The properties that identify an item which has no `id`. The first of them is never blank.
pub(crate) const IDENTIFIED_BY: &str = "x-identified-by";

/// The lists that an operation is called for: each with the path parameters that its items have the values of.
pub(crate) const FOR_EACH: &str = "x-for-each";
