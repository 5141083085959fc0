//! What the generators take for granted, checked first.
//!
//! progenitor trusts its input: a reference that leads nowhere, a parameter without a schema or an
//! unknown type name ends in a panic or in an error without a place. Everything it relies on is looked
//! at here, so that a maintainer is told where in the document to look.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use serde_json::{Map, Value};

use crate::{
    Error,
    document::{METHODS, resolve},
};

/// Checks a whole document; the first fault is the error.
pub(crate) fn check(root: &Value) -> Result<(), Error> {
    object(root, "")?;
    version(root)?;
    references(root, root, "")?;
    schemas(root)?;
    paths(root)?;
    // Last, the reader that progenitor itself uses: whatever the checks above do not know.
    serde_path_to_error::deserialize::<_, openapiv3::OpenAPI>(root)
        .map_err(|error| Error::at(error.path().to_string(), error.inner().to_string()))?;
    Ok(())
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, Error> {
    value
        .as_object()
        .ok_or_else(|| Error::at(place, format!("expected a mapping, found {}", kind(value))))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

fn join(place: &str, key: &str) -> String {
    if place.is_empty() {
        key.to_owned()
    } else {
        format!("{place}.{key}")
    }
}

fn version(root: &Value) -> Result<(), Error> {
    match root.get("openapi").map(|version| version.as_str()) {
        Some(Some(version)) if version.starts_with("3.0.") => Ok(()),
        Some(Some(version)) => Err(Error::at(
            "openapi",
            format!("version {version} is not supported; write the document in OpenAPI 3.0.3"),
        )),
        _ => Err(Error::at(
            "openapi",
            "the version is missing; a document starts with `openapi: 3.0.3`",
        )),
    }
}

/// Every `$ref` stays in the document and leads somewhere.
fn references(root: &Value, value: &Value, place: &str) -> Result<(), Error> {
    match value {
        Value::Object(map) => {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                let target = reference
                    .strip_prefix('#')
                    .and_then(|pointer| root.pointer(pointer));
                if target.is_none() {
                    return Err(Error::at(
                        join(place, "$ref"),
                        format!("`{reference}` leads nowhere in this document"),
                    ));
                }
            }
            for (key, value) in map {
                // An example may hold anything, a `$ref` of its own included.
                if key != "example" && key != "examples" {
                    references(root, value, &join(place, key))?;
                }
            }
            Ok(())
        }
        Value::Array(list) => list
            .iter()
            .enumerate()
            .try_for_each(|(index, value)| references(root, value, &format!("{place}[{index}]"))),
        _ => Ok(()),
    }
}

fn schemas(root: &Value) -> Result<(), Error> {
    let Some(schemas) = root.pointer("/components/schemas") else {
        return Ok(());
    };
    for (name, value) in object(schemas, "components.schemas")? {
        schema(value, &format!("components.schemas.{name}"))?;
    }
    Ok(())
}

fn schema(value: &Value, place: &str) -> Result<(), Error> {
    let map = object(value, place)?;
    if map.contains_key("$ref") {
        return Ok(());
    }
    if let Some(kind) = map.get("type") {
        let known = ["string", "number", "integer", "boolean", "array", "object"];
        if !kind.as_str().is_some_and(|kind| known.contains(&kind)) {
            return Err(Error::at(
                join(place, "type"),
                format!("{kind} is no type; one of {} is", known.join(", ")),
            ));
        }
        if kind == "array" {
            let items = join(place, "items");
            match map.get("items") {
                Some(value) => schema(value, &items)?,
                None => return Err(Error::at(items, "an array must say what its items are")),
            }
        }
    }
    if let Some(properties) = map.get("properties") {
        let place = join(place, "properties");
        for (name, value) in object(properties, &place)? {
            schema(value, &join(&place, name))?;
        }
    }
    for (index, name) in map
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let known = name
            .as_str()
            .is_some_and(|name| value["properties"].get(name).is_some());
        if !known {
            return Err(Error::at(
                format!("{place}.required[{index}]"),
                format!("{name} is no property of this schema"),
            ));
        }
    }
    Ok(())
}

fn paths(root: &Value) -> Result<(), Error> {
    let mut seen = BTreeMap::new();
    let paths = root
        .get("paths")
        .ok_or_else(|| Error::at("paths", "there is none; a client needs operations"))?;
    for (path, item) in object(paths, "paths")? {
        let place = format!("paths.{path}");
        if !path.starts_with('/') {
            return Err(Error::at(place, "a path starts with `/`"));
        }
        object(item, &place)?;
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                let place = format!("{place}.{method}");
                object(operation, &place)?;
                let name = operation_name(operation, &place)?;
                if let Some(other) = seen.insert(name.clone(), place.clone()) {
                    return Err(Error::at(
                        join(&place, "operationId"),
                        format!("the method would be called `{name}`, as that of {other}"),
                    ));
                }
                parameters(root, path, item, operation, &place)?;
                body(root, operation, &place)?;
                responses(root, operation, &place)?;
            }
        }
    }
    Ok(())
}

fn operation_name(operation: &Value, place: &str) -> Result<String, Error> {
    let place = join(place, "operationId");
    let Some(id) = operation.get("operationId").and_then(Value::as_str) else {
        return Err(Error::at(
            place,
            "there is none; it names the Rust method, so every operation has one",
        ));
    };
    let plain = id.starts_with(|c: char| c.is_ascii_alphabetic())
        && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !plain {
        return Err(Error::at(
            place,
            format!("`{id}` makes no Rust name; use letters and digits, a letter first"),
        ));
    }
    Ok(id.to_snake_case())
}

fn parameters(
    root: &Value,
    path: &str,
    item: &Value,
    operation: &Value,
    place: &str,
) -> Result<(), Error> {
    let mut in_path: Vec<&str> = path
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .collect();
    let own = join(place, "parameters");
    let shared = format!("paths.{path}.parameters");
    let lists = [
        (&shared, item.get("parameters")),
        (&own, operation.get("parameters")),
    ];
    for (place, list) in lists {
        let list = match list {
            None => continue,
            Some(list) => list
                .as_array()
                .ok_or_else(|| Error::at(place, "expected a list of parameters"))?,
        };
        for (index, parameter) in list.iter().enumerate() {
            let place = format!("{place}[{index}]");
            let parameter = resolve(root, parameter).unwrap_or(parameter);
            object(parameter, &place)?;
            let Some(name) = parameter.get("name").and_then(Value::as_str) else {
                return Err(Error::at(join(&place, "name"), "the parameter has no name"));
            };
            match parameter.get("schema") {
                Some(value) => schema(value, &join(&place, "schema"))?,
                None => {
                    return Err(Error::at(
                        join(&place, "schema"),
                        format!("`{name}` must say what type it has"),
                    ));
                }
            }
            match parameter.get("in").and_then(Value::as_str) {
                Some("query" | "header") => {}
                Some("path") => {
                    let Some(found) = in_path.iter().position(|known| *known == name) else {
                        return Err(Error::at(
                            join(&place, "name"),
                            format!("`{{{name}}}` does not stand in the path"),
                        ));
                    };
                    in_path.swap_remove(found);
                    if parameter.get("required") != Some(&Value::Bool(true)) {
                        return Err(Error::at(
                            join(&place, "required"),
                            "a path parameter is always required: write `required: true`",
                        ));
                    }
                }
                _ => {
                    return Err(Error::at(
                        join(&place, "in"),
                        "a parameter is in `path`, in `query` or in `header`",
                    ));
                }
            }
        }
    }
    match in_path.first() {
        None => Ok(()),
        Some(name) => Err(Error::at(
            own,
            format!("`{{{name}}}` stands in the path and is not declared"),
        )),
    }
}

fn body(root: &Value, operation: &Value, place: &str) -> Result<(), Error> {
    let Some(body) = operation.get("requestBody") else {
        return Ok(());
    };
    let place = join(place, "requestBody");
    let body = resolve(root, body).unwrap_or(body);
    content(body, &place, "a request body must be `application/json`")
}

fn responses(root: &Value, operation: &Value, place: &str) -> Result<(), Error> {
    let place = join(place, "responses");
    let Some(responses) = operation.get("responses") else {
        return Err(Error::at(place, "there are none"));
    };
    for (status, response) in object(responses, &place)? {
        let place = join(&place, status);
        let plain = status == "default"
            || (status.len() == 3 && status.starts_with(|c: char| ('1'..='5').contains(&c)));
        if !plain {
            return Err(Error::at(place, "no HTTP status"));
        }
        let response = resolve(root, response).unwrap_or(response);
        if response.get("content").is_some() {
            content(response, &place, "an answer must be `application/json`")?;
        }
    }
    Ok(())
}

fn content(holder: &Value, place: &str, reason: &str) -> Result<(), Error> {
    let place = join(place, "content");
    let content = object(&holder["content"], &place)?;
    let only_json = content.len() == 1 && content.contains_key("application/json");
    if !only_json {
        return Err(Error::at(place, reason));
    }
    let place = format!("{place}.application/json.schema");
    match holder["content"]["application/json"].get("schema") {
        Some(value) => schema(value, &place),
        None => Err(Error::at(place, "there is none; the type must be known")),
    }
}
