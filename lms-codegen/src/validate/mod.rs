//! Validates a document before code is generated from it.
//!
//! progenitor panics, or reports an error without a location, on a reference that does not resolve or an unknown type. The rules
//! here cover everything that progenitor and our own generators rely on, so that every error names its location in the
//! document and a valid replacement.

mod bodies;
mod node;
mod operations;
mod parameters;
mod schema;

use serde_json::Value;

pub(crate) use self::parameters::RESERVED;
use self::{
    node::{Node, names},
    operations::paths,
    schema::schema,
};
use crate::{
    error::Error,
    openapi::{resolve, schema_name},
    typify_names::type_name,
};

/// Returns the first fault of a document.
pub(crate) fn validate(root: &Value) -> Result<(), Error> {
    let node = Node {
        root,
        value: root,
        location: String::new(),
    };
    node.entries()?;
    version(&node)?;
    references(&node)?;
    node.require("info", "missing; add `info` with a `title` and a `version`")?;
    if let Some(components) = node.get("components")
        && let Some(schemas) = components.get("schemas")
    {
        let schemas = schemas.entries()?;
        names(&schemas, "type", type_name)?;
        for (_, value) in schemas {
            schema(&value)?;
            // typify would give the alternatives and their `Option` the same name.
            if value.value["nullable"] == true
                && ["oneOf", "anyOf"]
                    .iter()
                    .any(|key| value.get(key).is_some())
            {
                return Err(value.error(
                    "a schema with a name and alternatives cannot be `null`; allow `null` where it is referred to",
                ));
            }
        }
    }
    paths(&node.require("paths", "missing; add the `paths` of the API")?)?;
    // Values of a wrong type, which no rule above finds.
    serde_path_to_error::deserialize::<_, openapiv3::OpenAPI>(root)
        .map_err(|error| Error::at(error.path().to_string(), error.inner().to_string()))?;
    Ok(())
}

fn version(root: &Node<'_>) -> Result<(), Error> {
    let reason = match root.text("openapi") {
        Some(version) if version.starts_with("3.0.") => return Ok(()),
        Some(version) if version.starts_with("3.1.") => format!(
            "version {version} is not supported; convert the document to 3.0 first, for example with the npm package @apiture/openapi-down-convert"
        ),
        Some(version) => {
            format!("version {version} is not supported; write the document in OpenAPI 3.0")
        }
        None => "the version is missing; start the document with `openapi: 3.0.3`".to_owned(),
    };
    Err(root.error_at("openapi", reason))
}

/// Every `$ref` must resolve within the document.
fn references(node: &Node<'_>) -> Result<(), Error> {
    match node.value {
        Value::Object(_) => {
            if let Some(reference) = node.text("$ref") {
                let fault = if resolve(node.root, node.value).is_none() {
                    "is not in this document; add it or correct the reference"
                } else if schema_name(node.value).is_some_and(|name| name.contains('/')) {
                    "is a part of a schema; move the part to a schema of its own"
                } else {
                    ""
                };
                if !fault.is_empty() {
                    return Err(node.error_at("$ref", format!("`{reference}` {fault}")));
                }
            }
            node.entries()?
                .iter()
                // An example or an extension may hold anything, also a `$ref`.
                .filter(|(key, _)| {
                    !matches!(*key, "example" | "examples" | "default") && !key.starts_with("x-")
                })
                .try_for_each(|(_, child)| references(child))
        }
        Value::Array(_) => node.elements()?.iter().try_for_each(references),
        _ => Ok(()),
    }
}
