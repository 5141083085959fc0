//! The contents that a schema may have.

use super::node::{Node, names};
use crate::{
    error::Error,
    formats::is_readable_text,
    openapi::{IDENTIFIED_BY, is_listed},
    typify_names::{field_name, type_name},
};

const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

pub(super) fn schema(node: &Node<'_>) -> Result<(), Error> {
    node.entries()?;
    if node.get("$ref").is_some() {
        return Ok(());
    }
    if let Some(kind) = node.get("type") {
        if !kind
            .value
            .as_str()
            .is_some_and(|kind| TYPES.contains(&kind))
        {
            let reason = format!("{} is not a type; use {}", kind.value, TYPES.join(", "));
            return Err(kind.error(reason));
        }
        if kind.value == "array" {
            schema(&node.require("items", "the array has no item type; add `items`")?)?;
        }
    }
    if let Some(properties) = node.get("properties") {
        let properties = properties.entries()?;
        names(&properties, "field", field_name)?;
        for (_, property) in properties {
            schema(&property)?;
        }
    }
    if let Some(values) = node.get("enum") {
        enumeration(node, &values)?;
    }
    for list in ["oneOf", "anyOf", "allOf"] {
        if let Some(list) = node.get(list) {
            let schemas = list.elements()?;
            if schemas.is_empty() {
                return Err(list.error("no alternative is listed; add a schema"));
            }
            schemas.iter().try_for_each(schema)?;
        }
    }
    if let Some(not) = node.get("not") {
        return Err(not.error("no Rust type excludes values; describe what is allowed"));
    }
    if let Some(values) = node
        .get("additionalProperties")
        .filter(|of| !of.value.is_boolean())
    {
        schema(&values)?;
    }
    if let Some(properties) = node.get(IDENTIFIED_BY) {
        for name in properties.elements()? {
            let text = name
                .value
                .as_str()
                .is_some_and(|name| is_readable_text(&node.value["properties"][name]));
            if !text {
                return Err(name.error(format!(
                    "{} is not a property with text; name properties of `type: string`",
                    name.value
                )));
            }
        }
    }
    Ok(())
}

/// The values of an `enum` become the variants of a Rust enum if they are text.
fn enumeration(node: &Node<'_>, values: &Node<'_>) -> Result<(), Error> {
    let values = values.elements()?;
    if !is_listed(node.value) {
        return Ok(());
    }
    if values.is_empty() {
        return Err(node.error_at("enum", "no value is allowed; add one"));
    }
    let mut texts = Vec::new();
    for value in values {
        match value.value.as_str() {
            Some("") => {
                return Err(value.error("an empty text has no Rust name; leave out the `enum`"));
            }
            Some(text) => texts.push((text, value)),
            None if value.value.is_null() => {
                return Err(value.error("`null` is not a text; write `nullable: true` instead"));
            }
            None => {
                return Err(value.error(format!("{} is not a text; put it in quotes", value.value)));
            }
        }
    }
    names(&texts, "variant", type_name)
}
