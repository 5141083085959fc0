//! Rules for the secrets of every type.

#![cfg(not(feature = "tenant-document"))]
#![allow(clippy::unwrap_used, reason = "a failing test stops here")]

#[macro_use]
mod common;

use common::schemas;
use lms_client::{types, wire::expose_secrets};
use serde_json::{Map, Value, json};

/// A value of a required property. All of them are text or booleans.
fn value(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => json!("x"),
    }
}

/// `true` for a property that is never shown.
fn is_secret(schema: &Value) -> bool {
    schema["format"] == "password"
}

struct Type {
    name: &'static str,
    /// Reads JSON, compares the value with its clone, and writes it again.
    rewrite: fn(Value) -> serde_json::Result<Value>,
}

impl Type {
    /// The properties, and an object with the required ones.
    fn base(&self, schemas: &Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
        let schema = &schemas[self.name];
        let required: Vec<_> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        let properties = schema["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        // The document does not require `items`, but a response without them is not read as an empty list.
        let is_required = |name: &str| name == "items" || required.iter().any(|of| *of == name);
        let base = properties.iter().filter(|(name, _)| is_required(name));
        let base = base.map(|(name, schema)| (name.clone(), value(schema)));
        (properties.clone(), base.collect())
    }

    fn written(&self, object: &Map<String, Value>) -> Result<Value, String> {
        (self.rewrite)(object.clone().into()).map_err(|error| error.to_string())
    }
}

/// The schemas, and the type of each.
fn types() -> (Map<String, Value>, Vec<Type>) {
    let schemas = schemas();
    let mut types = Vec::new();
    macro_rules! add {
        ($($name:ident),* $(,)?) => {
            $(types.push(Type {
                name: stringify!($name),
                rewrite: |value| {
                    let read: types::$name = serde_json::from_value(value)?;
                    assert_eq!(read, read.clone());
                    serde_json::to_value(read)
                },
            });)*
        };
    }
    with_all_types!(add);
    (schemas, types)
}

#[test]
fn a_secret_is_written_only_where_secrets_are_exposed() {
    let (schemas, types) = types();
    let mut secrets = 0;
    for of in types {
        let (properties, base) = of.base(&schemas);
        for (property, _) in properties.iter().filter(|(_, schema)| is_secret(schema)) {
            let mut object = base.clone();
            object.insert(property.clone(), json!("s3cr3t"));
            let shown = expose_secrets(|| of.written(&object));
            assert_eq!(shown, Ok(json!(object)), "{}.{property}", of.name);
            let written = of.written(&object).unwrap();
            assert_eq!(written[property], "<hidden>", "{}.{property}", of.name);
            // The placeholder is not sent instead of the secret.
            let error = expose_secrets(|| (of.rewrite)(written)).unwrap_err();
            assert!(error.to_string().contains("set it again"), "{error}");
            secrets += 1;
        }
    }
    assert!(secrets > 4, "{secrets}");
}
