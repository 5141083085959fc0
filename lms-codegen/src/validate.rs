//! Validates a document before code is generated from it.
//!
//! progenitor panics, or reports an error without a location, on a reference that does not resolve, a parameter without
//! a schema or an unknown type. The rules here cover everything that progenitor and our own generators rely on, so that
//! every error names its location in the document and what to write there.

use std::collections::BTreeMap;

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::Value;

use crate::{
    error::Error,
    formats::{SECRET, is_readable_text},
    openapi::{IDENTIFIED_BY, JSON, METHODS, json_content, resolve},
};

const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

/// Variables of progenitor's code that our changes refer to.
const RESERVED: [&str; 5] = ["client", "info", "request", "result", "url"];

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
        names(&schemas, "type", ToPascalCase::to_pascal_case)?;
        for (_, value) in schemas {
            schema(&value)?;
        }
    }
    paths(&node.require("paths", "missing; add the `paths` of the API")?)?;
    // progenitor's own parser reports all other faults.
    serde_path_to_error::deserialize::<_, openapiv3::OpenAPI>(root)
        .map_err(|error| Error::at(error.path().to_string(), error.inner().to_string()))?;
    Ok(())
}

/// A value of the document and where it is.
#[derive(Clone)]
struct Node<'a> {
    root: &'a Value,
    value: &'a Value,
    location: String,
}

impl<'a> Node<'a> {
    fn error(&self, reason: impl Into<String>) -> Error {
        Error::at(&self.location, reason)
    }

    fn location_of(&self, key: &str) -> String {
        if self.location.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.location)
        }
    }

    fn error_at(&self, key: &str, reason: impl Into<String>) -> Error {
        Error::at(self.location_of(key), reason)
    }

    fn child(&self, value: &'a Value, location: String) -> Self {
        Self {
            root: self.root,
            value,
            location,
        }
    }

    fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        Some(self.child(value, self.location_of(key)))
    }

    fn require(&self, key: &str, reason: impl Into<String>) -> Result<Self, Error> {
        self.get(key).ok_or_else(|| self.error_at(key, reason))
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    /// The entries of a mapping.
    fn entries(&self) -> Result<Vec<(&'a str, Self)>, Error> {
        let map = self
            .value
            .as_object()
            .ok_or_else(|| self.unexpected("mapping"))?;
        Ok(map
            .iter()
            .map(|(key, value)| (key.as_str(), self.child(value, self.location_of(key))))
            .collect())
    }

    /// The elements of a list.
    fn elements(&self) -> Result<Vec<Self>, Error> {
        let list = self
            .value
            .as_array()
            .ok_or_else(|| self.unexpected("list"))?;
        Ok(list
            .iter()
            .enumerate()
            .map(|(index, value)| self.child(value, format!("{}[{index}]", self.location)))
            .collect())
    }

    /// The value behind a `$ref`, at the location of the reference.
    fn resolved(mut self) -> Self {
        self.value = resolve(self.root, self.value).unwrap_or(self.value);
        self
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "a mapping",
        };
        self.error(format!("expected a {expected}, found {found}"))
    }
}

fn version(root: &Node<'_>) -> Result<(), Error> {
    let reason = match root.text("openapi") {
        Some(version) if version.starts_with("3.0.") => return Ok(()),
        Some(version) => {
            format!("version {version} is not supported; write the document in OpenAPI 3.0.3")
        }
        None => "the version is missing; start the document with `openapi: 3.0.3`".to_owned(),
    };
    Err(root.error_at("openapi", reason))
}

/// Every `$ref` must resolve within the document.
fn references(node: &Node<'_>) -> Result<(), Error> {
    match node.value {
        Value::Object(_) => {
            if let Some(reference) = node.text("$ref")
                && resolve(node.root, node.value).is_none()
            {
                return Err(node.error_at(
                    "$ref",
                    format!(
                        "`{reference}` is not in this document; add it or correct the reference"
                    ),
                ));
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

fn schema(node: &Node<'_>) -> Result<(), Error> {
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
        names(&properties, "field", ToSnakeCase::to_snake_case)?;
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
    if let Some(required) = node.get("required") {
        for name in required.elements()? {
            let property = name
                .value
                .as_str()
                .and_then(|name| node.value["properties"].get(name));
            if property.is_none() {
                return Err(name.error(format!(
                    "{} is not a property of this schema; add it or correct the name",
                    name.value
                )));
            }
        }
    }
    Ok(())
}

/// The values of an `enum` become the variants of a Rust enum if they are text. Others are not checked.
fn enumeration(node: &Node<'_>, values: &Node<'_>) -> Result<(), Error> {
    let values = values.elements()?;
    let text = match node.text("type") {
        Some(kind) => kind == "string",
        None => values.iter().all(|value| value.value.is_string()),
    };
    if !text {
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
    names(&texts, "variant", ToPascalCase::to_pascal_case)
}

/// Different names in the document must be different names in Rust.
fn names(
    entries: &[(&str, Node<'_>)],
    what: &str,
    rust: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let mut known = BTreeMap::new();
    for (name, node) in entries {
        if let Some(other) = known.insert(rust(name), name) {
            return Err(node.error(format!(
                "the {what} `{}` would have the same name as that of `{other}`; rename one of them",
                rust(name)
            )));
        }
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
    let list = parameter
        .clone()
        .get("schema")
        .is_some_and(|schema| schema.resolved().value["type"] == "array");
    if list && parameter.value["explode"] == false {
        return Err(parameter.error_at(
            "explode",
            "a list is sent as one parameter for each value; write `explode: true` or leave it out",
        ));
    }
    Ok(())
}

fn paths(paths: &Node<'_>) -> Result<(), Error> {
    let mut methods = BTreeMap::new();
    for (path, item) in paths.entries()? {
        if !path.starts_with('/') {
            return Err(item.error(format!("a path starts with `/`: write `/{path}`")));
        }
        if path.contains(['?', '#']) {
            return Err(
                item.error("a path has no `?` or `#`; declare query parameters under `parameters`")
            );
        }
        item.entries()?;
        if let Some(reference) = item.get("$ref") {
            return Err(reference.error("a path cannot be a reference; write the operations here"));
        }
        own_servers(&item)?;
        if let Some(operation) = ["options", "trace"]
            .iter()
            .find_map(|method| item.get(method))
        {
            return Err(operation.error("the client does not send this method; leave it out"));
        }
        for operation in METHODS.iter().filter_map(|method| item.get(method)) {
            operation.entries()?;
            own_servers(&operation)?;
            let name = method_name(&operation)?;
            if let Some(other) = methods.insert(name.clone(), operation.location.clone()) {
                return Err(operation.error_at(
                    "operationId",
                    format!("the method `{name}` would have the same name as that of {other}; choose another id"),
                ));
            }
            parameters(path, &item, &operation)?;
            if let Some(body) = operation.get("requestBody") {
                content(&body.resolved(), "request body")?;
            }
            responses(&operation)?;
        }
    }
    Ok(())
}

/// A client has one base URL.
fn own_servers(of: &Node<'_>) -> Result<(), Error> {
    match of.get("servers") {
        Some(servers) if of.root.get("servers") != Some(servers.value) => Err(servers.error(
            "all requests go to one base URL; leave the servers out, and write another document for another server",
        )),
        _ => Ok(()),
    }
}

fn method_name(operation: &Node<'_>) -> Result<String, Error> {
    let Some(id) = operation.text("operationId") else {
        return Err(operation.error_at(
            "operationId",
            "missing; add an id, which becomes the name of the Rust method",
        ));
    };
    let name = id.to_snake_case();
    if syn::parse_str::<syn::Ident>(&name).is_err() {
        return Err(operation.error_at(
            "operationId",
            format!(
                "`{id}` cannot be a Rust name; use letters and digits, starting with a letter, and no keyword"
            ),
        ));
    }
    Ok(name)
}

fn parameters(path: &str, item: &Node<'_>, operation: &Node<'_>) -> Result<(), Error> {
    let mut undeclared: Vec<&str> = path
        .split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .collect();
    let lists = [item, operation]
        .into_iter()
        .filter_map(|of| of.get("parameters"));
    let mut declared: Vec<&str> = Vec::new();
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
            if RESERVED.contains(&&*name.to_snake_case()) {
                return Err(parameter.error_at(
                    "name",
                    format!("the generated code uses `{name}` itself; leave this parameter out"),
                ));
            }
            all.insert((name, parameter.text("in")), parameter.clone());
            match parameter.text("in") {
                Some("query" | "header") => {}
                Some("path") if syn::parse_str::<syn::Ident>(&name.to_snake_case()).is_err() => {
                    return Err(parameter.error_at(
                        "name",
                        format!("`{name}` is not a Rust name; rename it here and in the path"),
                    ));
                }
                Some("path") if kind.clone().resolved().text("format") == Some(SECRET) => {
                    return Err(kind.error_at(
                        "format",
                        "a secret in a path ends up in logs; send it in the body, or leave out the format",
                    ));
                }
                Some("path") => {
                    if let Some(found) = undeclared.iter().position(|known| *known == name) {
                        declared.push(undeclared.swap_remove(found));
                    } else if !declared.contains(&name) {
                        return Err(parameter.error_at(
                            "name",
                            format!(
                                "`{{{name}}}` is not in the path; correct the name or the path"
                            ),
                        ));
                    }
                    if parameter.value["required"] != Value::Bool(true) {
                        return Err(parameter.error_at(
                            "required",
                            "a path parameter is always required: write `required: true`",
                        ));
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
    let mut all: Vec<_> = all
        .into_iter()
        .map(|((name, _), node)| (name, node))
        .collect();
    // The body is set by a method of the builder too.
    all.extend(operation.get("requestBody").map(|body| ("body", body)));
    names(&all, "setter", ToSnakeCase::to_snake_case)?;
    match undeclared.first() {
        None => Ok(()),
        Some(name) => Err(operation.error_at(
            "parameters",
            format!("`{{{name}}}` in the path is not declared; add a parameter `in: path`"),
        )),
    }
}

fn responses(operation: &Node<'_>) -> Result<(), Error> {
    let responses = operation.require(
        "responses",
        "missing; add a successful response such as \"200\"",
    )?;
    let mut first = None;
    for (status, response) in responses.entries()? {
        let valid = status == "default"
            || (status.len() == 3 && status.starts_with(|c: char| ('1'..='5').contains(&c)));
        if !valid {
            return Err(response.error("not an HTTP status; write one such as \"200\""));
        }
        if !status.starts_with('2') {
            continue;
        }
        let response = response.resolved();
        if response.get("content").is_some() {
            content(&response, "response")?;
        }
        let found = json_content(response.value).map(|(_, media)| &media["schema"]);
        match first {
            None => first = Some((status, found)),
            Some((_, known)) if known == found => {}
            Some((other, _)) => {
                return Err(response.error(format!(
                    "a method returns one type, and this content differs from that of {other}; declare one of them"
                )));
            }
        }
    }
    Ok(())
}

fn content(holder: &Node<'_>, what: &str) -> Result<(), Error> {
    let reason = format!("the content of a {what} must be `{JSON}`; add it");
    let content = holder.require("content", &*reason)?;
    content.entries()?;
    let Some(media) = json_content(holder.value).and_then(|(name, _)| content.get(name)) else {
        return Err(content.error(reason));
    };
    if let Some(encoding) = media.get("encoding") {
        return Err(encoding.error("JSON has no encoding of its parts; leave it out"));
    }
    schema(&media.require("schema", format!("the {what} has no type; add a schema"))?)
}
