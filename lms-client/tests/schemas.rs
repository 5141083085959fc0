//! The JSON Schema of every type is that of the document.

#![cfg(not(feature = "tenant-document"))]
#![allow(clippy::unwrap_used, reason = "a failing test stops here")]

#[macro_use]
mod common;

use std::collections::BTreeMap;

use common::schemas;
use lms_client::{types, wire::expose_secrets};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of each type, by its name.
fn derived() -> BTreeMap<String, Value> {
    let mut generator = SchemaSettings::default().into_generator();
    macro_rules! add {
        ($($name:ident),* $(,)?) => {
            $(generator.subschema_for::<types::$name>();)*
        };
    }
    with_all_types!(add);
    generator.take_definitions(true).into_iter().collect()
}

/// The compared attributes of a property. Every property may be `null`, which is read as absence.
fn essence(schema: &Value) -> Value {
    let named = |schema: &Value| {
        let name = schema["$ref"].as_str()?.rsplit('/').next()?;
        Some(json!({ "ref": name }))
    };
    if let Some(named) =
        named(schema).or_else(|| schema["anyOf"].as_array()?.iter().find_map(named))
    {
        return named;
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").unwrap().clone(),
        kind => kind.clone(),
    };
    let format = match schema["format"].as_str() {
        Some("date-time") => Some("timestamp"),
        format => format,
    };
    let items = schema.get("items").map(essence);
    json!({ "type": kind, "format": format, "items": items })
}

/// The properties with their compared parts, and whether they are required.
fn properties(schema: &Value) -> BTreeMap<String, (Value, bool)> {
    let required = schema["required"].as_array();
    let required = |name: &str| required.is_some_and(|list| list.iter().any(|known| known == name));
    let all = schema["properties"].as_object().into_iter().flatten();
    all.map(|(name, schema)| (name.clone(), (essence(schema), required(name))))
        .collect()
}

#[test]
fn the_schema_of_every_type_is_that_of_the_document() {
    let (derived, document) = (derived(), schemas());
    assert!(
        derived
            .keys()
            .eq(document.keys().collect::<std::collections::BTreeSet<_>>())
    );
    for (name, schema) in &document {
        let mut expected = properties(schema);
        // The document does not require `items`, but a response without them is not read as an empty list.
        if let Some((_, required)) = expected.get_mut("items") {
            *required = true;
        }
        assert_eq!(properties(&derived[name]), expected, "{name}");
    }
    assert!(properties(&document["Course"]).len() > 30);
}

/// An object with the required properties, of which all are text, booleans or lists, and with this one.
fn object(schema: &Value, secret: &str) -> Value {
    let required = properties(schema).into_iter().filter(|(_, (_, is))| *is);
    let value = |kind: &Value| match kind.as_str() {
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => json!("x"),
    };
    let mut object: Map<_, _> = required
        .map(|(name, (essence, _))| (name, value(&essence["type"])))
        .collect();
    object.insert(secret.to_owned(), json!("s3cr3t"));
    object.into()
}

#[test]
fn a_secret_is_written_only_where_secrets_are_exposed() {
    let (document, mut secrets) = (schemas(), 0);
    macro_rules! check {
        ($($name:ident),* $(,)?) => {$(
            let schema = &document[stringify!($name)];
            for (secret, (essence, _)) in properties(schema) {
                if essence["format"] == "password" {
                    let object = object(schema, &secret);
                    let read: types::$name = serde_json::from_value(object.clone()).unwrap();
                    assert_eq!(json!(read)[&secret], "<hidden>", "{}", stringify!($name));
                    assert_eq!(expose_secrets(|| json!(read)), object, "{}", stringify!($name));
                    secrets += 1;
                }
            }
        )*};
    }
    with_all_types!(check);
    assert!(secrets > 4, "{secrets}");
}
