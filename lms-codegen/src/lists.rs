//! Gives each list one form: a page with a name, and items with a name if they are objects.
//!
//! A response may describe its page in place, or put it together with `allOf`. typify makes the same struct of all forms;
//! the tables of collections and of commands read the document.

use serde_json::{Map, Value, json};

use crate::{
    openapi::{METHODS, content_pointer, escaped, reference, schema_name},
    typify_names::type_name,
};

/// Maximum number of references and `allOf`s below each other; a document may refer to itself.
const MAX_DEPTH: usize = 16;

/// Changes all responses that are lists.
pub(crate) fn name_lists(document: &mut Value) {
    for (operation, response) in responses(document) {
        let Some(schema) = document.pointer(&response).cloned() else {
            continue;
        };
        let Some(page) = merged(document, &schema, 0).filter(|page| is_list(document, page)) else {
            continue;
        };
        let name = format!("{}Response", type_name(&operation));
        let page = name_schema(document, &response, &schema, name, page);
        let items = format!("/components/schemas/{}/properties/items", escaped(&page));
        let items = match document.pointer(&items).and_then(reference) {
            Some(reference) => format!("{reference}/items"),
            None => format!("{items}/items"),
        };
        let Some(schema) = document.pointer(&items).cloned() else {
            continue;
        };
        if let Some(item) =
            merged(document, &schema, 0).filter(|item| item.get("properties").is_some())
        {
            let name = format!("{}Item", type_name(&operation));
            name_schema(document, &items, &schema, name, item);
        }
    }
}

/// The id of each operation, and where the schema of its successful response is.
fn responses(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            if let Some(id) = item[method]["operationId"].as_str() {
                let place = content_pointer(document, path, method);
                found.extend(place.map(|place| (id.to_owned(), place)));
            }
        }
    }
    found
}

/// Stores a schema under its name, or under a new one if it was in another schema. Returns the name.
fn name_schema(document: &mut Value, at: &str, was: &Value, name: String, schema: Value) -> String {
    if let Some(known) = schema_name(was) {
        document["components"]["schemas"][known] = schema;
        return known.to_owned();
    }
    let schemas = document["components"]["schemas"].as_object();
    let name = schemas.map_or(name.clone(), |schemas| free(schemas, name));
    if let Some(place) = document.pointer_mut(at) {
        *place = json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    document["components"]["schemas"][&name] = schema;
    name
}

/// A name that no schema has.
pub(crate) fn free(schemas: &Map<String, Value>, name: String) -> String {
    let taken = |name: &str| schemas.keys().any(|known| type_name(known) == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or(name)
}

/// A schema without references and `allOf` at its top. `None` if it is more than an object with properties.
fn merged(document: &Value, schema: &Value, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(reference) = reference(schema) {
        return merged(document, document.pointer(reference)?, depth + 1);
    }
    let mut whole = schema.as_object()?.clone();
    let Some(parts) = whole.remove("allOf") else {
        return Some(whole.into());
    };
    for part in parts.as_array()? {
        let part = merged(document, part, depth + 1)?;
        for (key, value) in part.as_object()? {
            match key.as_str() {
                "properties" => {
                    let properties = whole.entry(key).or_insert_with(|| json!({}));
                    properties
                        .as_object_mut()?
                        .extend(value.as_object()?.clone());
                }
                "required" => {
                    let names = whole.entry(key).or_insert_with(|| json!([]));
                    names.as_array_mut()?.extend(value.as_array()?.clone());
                }
                "type" | "description" | "example" | "title" => {
                    whole.entry(key).or_insert_with(|| value.clone());
                }
                "additionalProperties" if value.is_boolean() => {}
                key if key.starts_with("x-") => {}
                _ => return None,
            }
        }
    }
    Some(whole.into())
}

fn is_list(document: &Value, page: &Value) -> bool {
    let items = &page["properties"]["items"];
    let items = reference(items).map_or(Some(items), |items| document.pointer(items));
    items.is_some_and(|items| items["type"] == "array")
}
