//! The sandbox and the OpenAPI document have the same operations, parameters and fields.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Tenant;
use crate::api::fields::reads::{MARKER, READS};
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};

/// The document of the service. Checks name the difference: `courses.items.colour`.
fn document() -> Value {
    serde_json::from_str(include_str!("../../../spec/openapi.json")).unwrap()
}

/// The value behind a `$ref`.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    value["$ref"].as_str().map_or(value, |reference| {
        document
            .pointer(&reference[1..])
            .unwrap_or_else(|| panic!("{reference} is not in the document"))
    })
}

fn content<'a>(document: &'a Value, holder: &'a Value) -> Option<&'a Value> {
    let schema = holder["content"]["application/json"].get("schema")?;
    Some(resolve(document, schema))
}

/// Each operation of the document, by its id.
fn operations(document: &Value) -> BTreeMap<&str, (&str, &str, &Value)> {
    let mut operations = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if let Some(id) = operation["operationId"].as_str() {
                operations.insert(id, (path.as_str(), method.as_str(), operation));
            }
        }
    }
    operations
}

/// The type of `shape` in the document, and the format of integers.
fn declared(shape: Shape) -> (&'static str, Option<&'static str>) {
    match shape {
        Shape::Id(_) | Shape::Text | Shape::Time => ("string", None),
        Shape::Int64 => ("string", Some("int64")),
        Shape::Flag => ("boolean", None),
        Shape::Number => ("number", None),
        Shape::Texts | Shape::Many(_) => ("array", None),
        Shape::One(_) => ("object", None),
    }
}

/// Adds the differences between a schema of the document and ours.
fn compare(document: &Value, schema: &Value, ours: &Schema, at: &str, wrong: &mut Vec<String>) {
    let properties = schema["properties"].as_object().unwrap();
    for name in properties.keys() {
        if ours.field(name).is_none() {
            wrong.push(format!(
                "{at}.{name} is not in lms-sandbox/src/api/schema.rs"
            ));
        }
    }
    for (name, shape) in ours.fields {
        let at = format!("{at}.{name}");
        let Some(property) = properties.get(*name) else {
            wrong.push(format!("{at} is not in the document"));
            continue;
        };
        let property = resolve(document, property);
        let (kind, format) = declared(*shape);
        let int64 = Some("int64").filter(|int64| property["format"] == *int64);
        if property["type"] != kind || int64 != format {
            wrong.push(format!("{at} has another type in the document"));
        }
        match shape {
            Shape::One(ours) => compare(document, property, ours, &at, wrong),
            Shape::Many(ours) => {
                let items = resolve(document, &property["items"]);
                compare(document, items, ours, &at, wrong);
            }
            _ => {}
        }
    }
}

#[test]
fn operations_and_query_parameters_are_those_of_the_document() {
    let document = document();
    let mut documented = operations(&document);
    for operation in Operation::ALL {
        let Some((path, method, found)) = documented.remove(operation.id()) else {
            panic!("{} is not in the document", operation.id());
        };
        assert_eq!(path, operation.path());
        assert_eq!(method, operation.method().as_str().to_lowercase());
        let parameters = found["parameters"].as_array().into_iter().flatten();
        let mut query: Vec<&str> = parameters
            .map(|parameter| resolve(&document, parameter))
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let mut ours = operation.query().to_vec();
        query.sort_unstable();
        ours.sort_unstable();
        assert_eq!(ours, query, "query parameters of {}", operation.id());
    }
    let missing: Vec<_> = documented.keys().collect();
    assert!(
        missing.is_empty(),
        "{missing:?} are not in lms-sandbox/src/api/operation.rs"
    );
}

#[test]
fn the_fields_of_responses_are_those_of_the_document() {
    let document = document();
    let documented = operations(&document);
    let mut wrong = Vec::new();
    for operation in Operation::ALL {
        let (_, _, found) = documented[operation.id()];
        let schema = content(&document, &found["responses"]["200"]);
        match (schema, operation.response()) {
            (Some(schema), Some(ours)) => {
                compare(&document, schema, ours, operation.id(), &mut wrong);
            }
            (None, None) => {}
            _ => wrong.push(format!("{} has a body only on one side", operation.id())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A field that the sandbox reads is refused when its type is wrong, and it reads no other.
#[test]
fn the_fields_of_requests_are_those_of_the_document() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("First", 1);
    let learner = tenant.learner("a");
    let document = document();
    let mut wrong = Vec::new();
    for (id, (path, method, operation)) in operations(&document) {
        let Some(schema) = content(&document, &operation["requestBody"]) else {
            continue;
        };
        let path = match path {
            "/courses/{id}" => format!("/courses/{course}"),
            "/learners/{id}" => format!("/learners/{learner}"),
            other => other.to_owned(),
        };
        let send = |name: &str, value: Value| {
            let mut body = json!({
                "grant_type": "client_credentials", "client_id": "a", "client_secret": "b",
                "name": "Second", "course": course, "user": learner,
                "firstname": "A", "surname": "B", "email": "a@example.com",
            });
            body[name] = value;
            tenant.with_body(&method.to_uppercase(), &path, body.to_string())
        };
        let properties = schema["properties"].as_object().unwrap();
        for name in properties.keys() {
            let response = send(name, json!({"not": "expected"}));
            if response.status != 422 || response.field() != *name {
                wrong.push(format!(
                    "{id} does not read {name}: {} {}",
                    response.status, response.text
                ));
            }
        }
        send(MARKER, id.into());
        let reads = READS.lock().unwrap();
        let read = reads.iter().filter(|(marker, _)| marker == id);
        let read: BTreeSet<&String> = read.map(|(_, name)| name).collect();
        assert!(!read.is_empty(), "{id} reads nothing");
        for name in read.iter().filter(|name| !properties.contains_key(**name)) {
            wrong.push(format!("{id} reads {name}, which is not in the document"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
