//! Gives the page of each list a name, and its items if they are objects: the tables of collections and of commands are about
//! schemas with a name, and a response may describe both in place.

use serde_json::{Map, Value, json};

use crate::{
    openapi::{METHODS, content_pointer, reference, resolve},
    typify_names::type_name,
};

/// Moves the schemas of all pages and items into the components.
pub(crate) fn name_lists(document: &mut Value) {
    for (operation, page) in responses(document) {
        let is_list = |document: &Value, page: &Value| {
            let items = resolve(document, &page["properties"]["items"]);
            items.is_some_and(|items| items["type"] == "array")
        };
        move_schema(document, &page, format!("{operation}Response"), is_list);
        let items = format!("{}/properties/items", behind(document, page));
        let item = format!("{}/items", behind(document, items));
        let is_object = |_: &Value, item: &Value| item.get("properties").is_some();
        move_schema(document, &item, format!("{operation}Item"), is_object);
    }
}

/// The name of each operation, and where the schema of its successful response is.
fn responses(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            if let Some(id) = item[method]["operationId"].as_str() {
                let place = content_pointer(document, path, method);
                found.extend(place.map(|place| (type_name(id), place)));
            }
        }
    }
    found
}

/// The place of a schema, or of the one that it refers to.
fn behind(document: &Value, place: String) -> String {
    let target = document.pointer(&place).and_then(reference);
    target.map_or(place, str::to_owned)
}

/// Replaces a schema by a reference to a new component.
fn move_schema(
    document: &mut Value,
    at: &str,
    name: String,
    is_moved: impl Fn(&Value, &Value) -> bool,
) {
    let schema = document.pointer(at);
    let Some(schema) = schema.filter(|schema| is_moved(document, schema)).cloned() else {
        return;
    };
    let schemas = document["components"]["schemas"].as_object();
    let name = schemas.map_or(name.clone(), |schemas| free(schemas, name));
    if let Some(place) = document.pointer_mut(at) {
        *place = json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    document["components"]["schemas"][&name] = schema;
}

/// A name that no schema has.
pub(crate) fn free(schemas: &Map<String, Value>, name: String) -> String {
    let taken = |name: &str| schemas.keys().any(|known| type_name(known) == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or(name)
}
