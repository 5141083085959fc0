//! Accepts constructs that other tools accept, if their meaning is clear: operations without an id or a successful
//! response, required properties that are not declared, references to parts of schemas, and lists in one value.
//! Operations whose body has no JSON are left out.

use heck::ToLowerCamelCase as _;
use serde_json::{Value, json};

use crate::openapi::{METHODS, json_content, resolve};

/// Keywords with values, in which nothing is a schema.
const VALUES: [&str; 4] = ["default", "enum", "example", "examples"];

/// Changes a document so that the generator accepts it. Returns the changes that a reader of the document would not expect,
/// one sentence each.
pub(crate) fn accept(document: &mut Value) -> Vec<String> {
    let mut notes = Vec::new();
    let root = document.clone();
    insert_parts(&root, document, 0);
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        let Some(item) = item.as_object_mut() else {
            continue;
        };
        item.retain(|method, operation| {
            let kept = !METHODS.contains(&method.as_str()) || has_json(&root, operation);
            if !kept {
                notes.push(format!(
                    "paths.{path}.{method}.requestBody: the body has no JSON, so the client does not have this operation"
                ));
            }
            kept
        });
        for (method, operation) in item {
            if METHODS.contains(&method.as_str()) {
                complete(path, method, operation, &mut notes);
            }
        }
    }
    drop_undeclared(document, "", &mut notes);
    notes
}

/// Maximum number of references in the parts that references are replaced by: a part may refer to itself.
const MAX_DEPTH: usize = 16;

/// Replaces each reference to a part of a schema by the part, because the generator knows whole schemas only. Makes text of
/// each list that is sent as one value: `a,b`.
fn insert_parts(root: &Value, value: &mut Value, depth: usize) {
    let is_part = |reference: &str| {
        let schema = reference.strip_prefix("#/components/schemas/");
        schema.is_some_and(|schema| schema.contains('/'))
    };
    if value
        .get("$ref")
        .and_then(Value::as_str)
        .is_some_and(is_part)
        && depth < MAX_DEPTH
        && let Some(part) = resolve(root, value)
    {
        *value = part.clone();
        return insert_parts(root, value, depth + 1);
    }
    let schema = resolve(root, &value["schema"]);
    if value["in"] == "query"
        && value["explode"] == false
        && schema.is_some_and(|schema| schema["type"] == "array")
    {
        value["schema"] = json!({ "type": "string" });
    }
    match value {
        Value::Object(map) => map
            .values_mut()
            .for_each(|value| insert_parts(root, value, depth)),
        Value::Array(list) => list
            .iter_mut()
            .for_each(|value| insert_parts(root, value, depth)),
        _ => {}
    }
}

/// Returns `false` if an operation has a body, and it is not described as JSON.
fn has_json(root: &Value, operation: &Value) -> bool {
    let body = resolve(root, &operation["requestBody"]);
    let described =
        body.filter(|body| body["content"].as_object().is_some_and(|of| !of.is_empty()));
    described.is_none_or(|body| json_content(body).is_some())
}

/// Adds to an operation an id and a successful response, if it has none.
fn complete(path: &str, method: &str, operation: &mut Value, notes: &mut Vec<String>) {
    let Some(operation) = operation.as_object_mut() else {
        return;
    };
    operation
        .entry("operationId")
        .or_insert_with(|| operation_id(method, path).into());
    if let Some(Value::Object(responses)) = operation.get_mut("responses")
        && !responses.keys().any(|status| status.starts_with('2'))
    {
        responses.insert("2XX".to_owned(), json!({ "description": "Success." }));
        notes.push(format!(
            "paths.{path}.{method}.responses: no successful response is declared, so the body of one is not read"
        ));
    }
}

/// Leaves out of each `required` the names of properties that its schema does not declare.
fn drop_undeclared(value: &mut Value, location: &str, notes: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let properties = map.get("properties").cloned().unwrap_or_default();
            // Elsewhere, `required` is a boolean.
            if let Some(Value::Array(required)) = map.get_mut("required") {
                required.retain(|name| {
                    let declared = name
                        .as_str()
                        .is_none_or(|name| properties.get(name).is_some());
                    if !declared {
                        notes.push(format!(
                            "{location}: {name} is required and not declared, so the client does not have it"
                        ));
                    }
                    declared
                });
            }
            for (key, value) in map {
                if !VALUES.contains(&key.as_str()) && !key.starts_with("x-") {
                    let separator = if location.is_empty() { "" } else { "." };
                    drop_undeclared(value, &format!("{location}{separator}{key}"), notes);
                }
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter_mut().enumerate() {
                drop_undeclared(value, &format!("{location}[{index}]"), notes);
            }
        }
        _ => {}
    }
}

/// An id that is made of a method and a path: `getCoursesById` for `GET /courses/{id}`.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.split('/').map(|segment| {
        segment
            .strip_prefix('{')
            .map_or_else(|| segment.to_owned(), |parameter| format!("by {parameter}"))
    });
    let words: Vec<_> = std::iter::once(method.to_owned()).chain(words).collect();
    words.join(" ").to_lower_camel_case()
}

#[cfg(test)]
mod tests {
    use super::operation_id;

    #[test]
    fn an_operation_id_has_the_method_and_the_path() {
        for (method, path, id) in [
            ("get", "/courses", "getCourses"),
            ("get", "/courses/{id}", "getCoursesById"),
            (
                "put",
                "/users/{user}/user_fields/{user_field}/record",
                "putUsersByUserUserFieldsByUserFieldRecord",
            ),
            ("post", "/oauth/token", "postOauthToken"),
            ("get", "/", "get"),
            ("get", "/files/{name}.json", "getFilesByNameJson"),
        ] {
            assert_eq!(operation_id(method, path), id);
        }
    }
}
