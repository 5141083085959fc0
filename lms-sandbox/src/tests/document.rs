//! The sandbox reads the fields of request bodies that the OpenAPI document has.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Tenant;
use crate::api::fields::reads::{MARKER, READS};

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
