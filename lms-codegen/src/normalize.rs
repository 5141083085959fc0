//! The document as progenitor reads it: what no setting of progenitor can say is said here, and no code is changed afterwards.
//!
//! Only what decides a type is kept. A type that checks its value fails the entire page over one undocumented value, so
//! patterns, lengths, bounds, sizes and undeclared properties are not checked. A default is not filled in: the service does
//! that in a request, and a response without a field says nothing about its value.
//!
//! - Each operation has one successful response and no others: its method returns one type, and errors keep their body.
//! - Whatever becomes a Rust type with a name is a component, so that settings can name it.
//! - An `anyOf` is a `oneOf`, and a `oneOf` ends with an alternative `Unknown`, which is any JSON.

use serde_json::{Map, Value, json};

use crate::{
    document::{Document, Operation, ParameterLocation, Response},
    enums::OpenEnum,
    formats::{has_own_type, is_checked, is_id},
    openapi::{IDENTIFIED_BY, JSON, is_listed, resolve},
    typify_names::type_name,
};

/// A document for progenitor.
pub(crate) struct Normalized {
    pub(crate) document: Value,
    /// The enums that are ours, by the components that they replace.
    pub(crate) enums: Vec<OpenEnum>,
}

/// Everything that progenitor has to know about a document.
pub(crate) fn normalize(document: &Document) -> Normalized {
    let root = document.value();
    let declared = root["components"]["schemas"].as_object();
    let declared = declared.cloned().unwrap_or_default();
    let mut names = Names {
        schemas: declared.clone(),
        enums: Vec::new(),
    };
    for (name, schema) in &declared {
        let mut schema = essential(schema);
        let mut operations = document.operations().iter();
        if operations.any(|of| matches!(&of.response, Response::List { page, .. } if page == name))
        {
            require_items(&mut schema);
        }
        names.inside(&mut schema, name);
        names.add(name, schema);
    }
    let mut paths = Map::new();
    for operation in document.operations() {
        let method = operation.method.to_lowercase();
        let operation = names.operation(root, operation);
        paths
            .entry(operation.0)
            .or_insert_with(|| json!({}))
            .as_object_mut()
            .map(|item| item.insert(method, operation.1));
    }
    Normalized {
        document: json!({
            "openapi": "3.0.3",
            "info": { "title": root["info"]["title"], "version": root["info"]["version"] },
            "paths": paths,
            "components": { "schemas": names.schemas },
        }),
        enums: names.enums,
    }
}

/// Lets a page without `items` fail, which would otherwise be read as an empty list: `{}`, or the error of a proxy.
fn require_items(page: &mut Value) {
    let mut required = page["required"].as_array().cloned().unwrap_or_default();
    if !required.contains(&json!("items")) {
        required.push("items".into());
    }
    page["required"] = required.into();
}

/// The components, to which schemas in other places are moved.
struct Names {
    schemas: Map<String, Value>,
    enums: Vec<OpenEnum>,
}

impl Names {
    /// The path of an operation, and the operation with its parameters, its body and its response.
    fn operation(&mut self, root: &Value, operation: &Operation) -> (String, Value) {
        let mut placed = |mut schema: Value, part: &str| {
            self.place(&mut schema, &format!("{}-{part}", operation.id));
            schema
        };
        let parameters = operation.parameters.iter().map(|parameter| {
            let mut schema = essential(&parameter.schema);
            let of = resolve(root, &parameter.schema);
            let format = of.and_then(|of| of["format"].as_str());
            // A text in a path is an `&str`, also one that a type would read otherwise.
            if parameter.location == ParameterLocation::Path
                && format.is_some_and(|format| is_id(format) || is_checked(format))
            {
                schema = json!({ "type": "string" });
            }
            let mut described = json!({
                "name": parameter.name,
                "in": parameter.location,
                "required": parameter.required,
                "schema": placed(schema, &parameter.name),
            });
            if !parameter.description.is_empty() {
                described["description"] = parameter.description.as_str().into();
            }
            described
        });
        let parameters: Vec<_> = parameters.collect();
        let mut described = json!({
            // progenitor and typify name an id differently that begins with a digit.
            "operationId": operation.method_name(),
            "summary": operation.summary,
            "description": operation.description,
            "parameters": parameters,
            "responses": { "2XX": { "description": "Success." } },
        });
        let content = |schema: Value| json!({ JSON: { "schema": schema } });
        if let Some(body) = &operation.body {
            let schema = placed(essential(&body.media["schema"]), "body");
            described["requestBody"] = json!({ "required": true, "content": content(schema) });
        }
        if let Some(schema) = &operation.content {
            let schema = placed(essential(schema), "response");
            described["responses"]["2XX"]["content"] = content(schema);
        }
        (operation.path.clone(), described)
    }

    /// Moves a schema into the components if it becomes a type with a name.
    fn place(&mut self, schema: &mut Value, name: &str) {
        if !has_name(schema) {
            return self.inside(schema, name);
        }
        let name = free(&self.schemas, type_name(name));
        // The name is taken before those of the parts are chosen.
        self.schemas.insert(name.clone(), Value::Null);
        let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
        let mut whole = schema.take();
        let nullable = whole.as_object_mut().and_then(|of| of.remove("nullable"));
        self.inside(&mut whole, &name);
        self.add(&name, whole);
        *schema = match nullable {
            Some(nullable) if nullable == true => {
                json!({ "nullable": true, "allOf": [reference] })
            }
            _ => reference,
        };
    }

    /// Moves what has a name of its own within a schema.
    fn inside(&mut self, schema: &mut Value, name: &str) {
        let Some(keywords) = schema.as_object_mut() else {
            return;
        };
        for (key, value) in keywords {
            match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (property, schema) in properties {
                        self.place(schema, &format!("{name}-{property}"));
                    }
                }
                ("items", items) => self.place(items, &format!("{name}-item")),
                ("additionalProperties", values) => self.place(values, &format!("{name}-value")),
                ("allOf", Value::Array(parts)) => {
                    parts.iter_mut().for_each(|part| self.inside(part, name));
                }
                ("oneOf", Value::Array(alternatives)) => {
                    for (index, schema) in alternatives.iter_mut().enumerate() {
                        let variant = format!("Variant{index}");
                        self.place(schema, &format!("{name}-{variant}"));
                        // Variants are named after references and titles, if each has one.
                        if let Some(schema) = schema.as_object_mut()
                            && !schema.contains_key("$ref")
                        {
                            schema.entry("title").or_insert_with(|| variant.into());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &str, schema: Value) {
        self.enums.extend(OpenEnum::of(name, &schema));
        self.schemas.insert(name.to_owned(), schema);
    }
}

/// A name that no schema has.
fn free(schemas: &Map<String, Value>, name: String) -> String {
    let taken = |name: &str| schemas.keys().any(|known| type_name(known) == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or(name)
}

/// Returns `true` if a schema becomes a Rust type with a name wherever it is.
fn has_name(schema: &Value) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| schema.get(key).is_some());
    let parts = schema["allOf"].as_array().map_or(0, Vec::len);
    has(&["enum", "oneOf", "properties"]) || parts > 1
}

/// The keywords of a schema that decide its type.
fn essential(schema: &Value) -> Value {
    let Some(keywords) = schema.as_object() else {
        return schema.clone();
    };
    // Keywords next to a reference have no effect.
    if let Some(reference) = keywords.get("$ref") {
        return json!({ "$ref": reference });
    }
    let own_type = has_own_type(schema);
    let number = matches!(schema["type"].as_str(), Some("integer" | "number"));
    let mut kept = Map::new();
    for (key, value) in keywords {
        let (key, value) = match key.as_str() {
            "type" | "description" | "nullable" => (key.as_str(), value.clone()),
            "format" if own_type || number => ("format", value.clone()),
            // A conversion finds its type by these alone.
            _ if own_type => continue,
            "enum" if is_listed(schema) => {
                kept.entry("type").or_insert_with(|| "string".into());
                ("enum", value.clone())
            }
            "items" => ("items", essential(value)),
            "additionalProperties" if *value != false => ("additionalProperties", essential(value)),
            "properties" => ("properties", properties(schema, value)),
            "required" => ("required", required(schema, value)),
            "allOf" => ("allOf", each(value).collect()),
            "oneOf" | "anyOf" => {
                let unknown = json!({ "title": "Unknown" });
                ("oneOf", each(value).chain([unknown]).collect())
            }
            _ => continue,
        };
        kept.insert(key.to_owned(), value);
    }
    kept.into()
}

fn each(schemas: &Value) -> impl Iterator<Item = Value> {
    let schemas = schemas.as_array().into_iter().flatten();
    schemas.map(essential)
}

/// Properties, of which those that identify the object are text: identities are compared as text, and a blank one is no error.
fn properties(schema: &Value, properties: &Value) -> Value {
    let identities = schema[IDENTIFIED_BY].as_array().into_iter().flatten();
    let identities: Vec<_> = identities.filter_map(Value::as_str).chain(["id"]).collect();
    let properties = properties.as_object().into_iter().flatten();
    let properties = properties.map(|(name, property)| {
        let checked = property["format"].as_str().is_some_and(is_checked);
        let mut property = essential(property);
        if checked && identities.contains(&name.as_str()) {
            property.as_object_mut().map(|of| of.remove("format"));
        }
        (name.clone(), property)
    });
    Value::Object(properties.collect())
}

/// The required properties without those that only a request or only a response has, because one type serves both, and
/// without those that are not declared.
fn required(schema: &Value, names: &Value) -> Value {
    let left_out = |name: &Value| {
        let property = name
            .as_str()
            .and_then(|name| schema["properties"].get(name));
        property.is_none_or(|of| of["readOnly"] == true || of["writeOnly"] == true)
    };
    let names = names.as_array().into_iter().flatten();
    names.filter(|name| !left_out(name)).cloned().collect()
}
