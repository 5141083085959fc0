//! The parameters that an operation may have, and their encoding.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    node::{Node, names},
    schema::schema,
};
use crate::{error::Error, formats::SECRET, openapi::resolve, typify_names::field_name};

/// Names of the field and the methods that every builder has.
pub(crate) const RESERVED: [&str; 2] = ["client", "new"];

pub(super) fn parameters(path: &str, item: &Node<'_>, operation: &Node<'_>) -> Result<(), Error> {
    let placeholders = path.split('/');
    let mut placeholders =
        placeholders.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let lists = [item, operation]
        .into_iter()
        .filter_map(|of| of.get("parameters"));
    let mut all: BTreeMap<(&str, Option<&str>), Node<'_>> = BTreeMap::new();
    for list in lists {
        for parameter in list.elements()? {
            let parameter = parameter.resolved();
            parameter.entries()?;
            let Some(name) = parameter.text("name") else {
                return Err(parameter.error_at("name", "the parameter has no name; add one"));
            };
            let kind =
                parameter.require("schema", format!("`{name}` has no type; add a schema"))?;
            schema(&kind)?;
            parameter_schema(&parameter, &kind)?;
            style(&parameter)?;
            not_reserved(name, &parameter)?;
            all.insert((name, parameter.text("in")), parameter.clone());
            match parameter.text("in") {
                Some("query" | "header") => {}
                Some("path") => {
                    path_parameter(&parameter, &kind)?;
                    if !placeholders.clone().any(|known| known == name) {
                        let reason = "is not in the path; correct the name or the path";
                        return Err(parameter.error_at("name", format!("`{{{name}}}` {reason}")));
                    }
                }
                _ => {
                    return Err(parameter.error_at(
                        "in",
                        "unsupported location; write `path`, `query` or `header`",
                    ));
                }
            }
        }
    }
    let undeclared = placeholders.find(|name| !all.contains_key(&(*name, Some("path"))));
    let mut all: Vec<_> = all
        .into_iter()
        .map(|((name, _), node)| (name, node))
        .collect();
    // The body is also set by a method of the builder.
    all.extend(operation.get("requestBody").map(|body| ("body", body)));
    names(&all, "setter", field_name)?;
    match undeclared {
        None => Ok(()),
        Some(name) => Err(operation.error_at(
            "parameters",
            format!("`{{{name}}}` in the path is not declared; add a parameter `in: path`"),
        )),
    }
}

fn not_reserved(name: &str, parameter: &Node<'_>) -> Result<(), Error> {
    // progenitor and typify name it differently.
    if !name.starts_with(|c: char| c.is_alphabetic()) {
        let message = format!("`{name}` is no name in Rust; begin with a letter");
        return Err(parameter.error_at("name", message));
    }
    if RESERVED.contains(&&*field_name(name)) {
        let message = format!("the generated code uses `{name}` itself; leave this parameter out");
        return Err(parameter.error_at("name", message));
    }
    Ok(())
}

/// What holds for a parameter of the path, apart from its place in it.
fn path_parameter(parameter: &Node<'_>, kind: &Node<'_>) -> Result<(), Error> {
    if kind.clone().resolved().text("format") == Some(SECRET) {
        return Err(kind.error_at(
            "format",
            "a secret in a path ends up in logs; send it in the body, or leave out the format",
        ));
    }
    if parameter.value["required"] != Value::Bool(true) {
        return Err(parameter.error_at(
            "required",
            "a path parameter is always required: write `required: true`",
        ));
    }
    Ok(())
}

/// The types that fit into a path, a query or a header.
fn parameter_schema(parameter: &Node<'_>, node: &Node<'_>) -> Result<(), Error> {
    let resolved = node.clone().resolved();
    let kind = |schema: &Value| schema["type"].as_str().unwrap_or("object").to_owned();
    let items = resolve(node.root, &resolved.value["items"]).map(kind);
    match (kind(resolved.value).as_str(), items.as_deref()) {
        ("object", _) | ("array", None | Some("object" | "array")) => Err(node.error(
            "only text, numbers, booleans and lists of them can be sent here; choose one of these types",
        )),
        ("array", _) if parameter.text("in") != Some("query") => Err(node.error(
            "a list can only be sent in the query; choose another type or write `in: query`",
        )),
        _ => Ok(()),
    }
}

/// The only way in which the client writes a parameter.
fn style(parameter: &Node<'_>) -> Result<(), Error> {
    let supported = match parameter.text("in") {
        Some("query") => "form",
        _ => "simple",
    };
    if parameter
        .text("style")
        .is_some_and(|style| style != supported)
    {
        return Err(parameter.error_at(
            "style",
            format!("this style is not supported here; write `{supported}` or leave it out"),
        ));
    }
    let is_list = resolve(parameter.root, &parameter.value["schema"])
        .is_some_and(|schema| schema["type"] == "array");
    if is_list && parameter.value["explode"] == false {
        return Err(parameter.error_at(
            "explode",
            "a list is sent as one parameter for each value; describe values with commas as `type: string`",
        ));
    }
    Ok(())
}
