//! Every construct of the OpenAPI 3.0 specification: each either generates code that compiles and keeps its values, or gets an error with its location, the reason and a replacement.
//!
//! The constructs are in the text files next to this one. A line has the construct, `=>`, and the result:
//! `same`, `value JSON`, `request CALLS -> REQUEST` or `refused LOCATION: REASON`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test stops here"
)]

#[path = "../../../tests/suite/dependents/program.rs"]
mod program;

use std::{fmt::Write as _, fs};

use lms_codegen::{Document, facade, raw_client};
use serde_json::{Value as Json, json};

/// The fate of a construct.
enum Expected {
    /// The code that there is without it.
    Same,
    /// A type that reads this JSON and writes it again.
    Value(&'static str),
    /// A builder with these calls makes this request.
    Request(&'static str, &'static str),
    /// An error at this location below the construct, with these words in its reason.
    Refused(&'static str, &'static str),
}

/// A document with one construct. `c0` and `C0` stand for its own name.
struct Construct {
    /// As it is written in its file.
    source: &'static str,
    /// The part that is merged into [`base`].
    added: Json,
    /// The location of `source` in the document.
    location: &'static str,
    expected: Expected,
}

fn yaml(text: &str) -> Json {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The document that constructs are added to.
fn base() -> Json {
    yaml(
        r##"
openapi: 3.0.3
info: { title: Constructs, version: "1" }
servers: [{ url: "https://tenant.example/api" }]
paths: {}
components:
  schemas:
    Inner: { type: object, properties: { id: { type: string } } }
    Stay: { type: object, properties: { until: { type: string, format: date } } }
    Cat: { type: object, required: [purrs], properties: { kind: { type: string }, purrs: { type: boolean } } }
    Dog: { type: object, required: [barks], properties: { kind: { type: string }, barks: { type: boolean } } }
    Tree: { type: object, properties: { branches: { type: array, items: { $ref: "#/components/schemas/Tree" } } } }
    1st list: { type: object, properties: { items: { type: array, items: { $ref: "#/components/schemas/Inner" } } } }
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
  requestBodies:
    Inner: { content: { application/json: { schema: { $ref: "#/components/schemas/Inner" } } } }
  responses:
    Inner: { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Inner" } } } }
"##,
    )
}

/// `GET /c0/{id}` with more parameters.
fn read(parameters: &[Json]) -> Json {
    let id = yaml("{ name: id, in: path, required: true, schema: { type: string } }");
    json!({"parameters": [id], "get": {
        "operationId": "c0Read",
        "parameters": parameters,
        "responses": {"200": {"description": "OK", "content": inner()}},
    }})
}

fn inner() -> Json {
    yaml(r##"{ application/json: { schema: { $ref: "#/components/schemas/Inner" } } }"##)
}

/// The constructs of a file, each with the result.
fn table(text: &'static str) -> impl Iterator<Item = (&'static str, Expected)> {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let cells = line.split_once(" => ").and_then(|(source, outcome)| {
            let (word, rest) = outcome.split_once(' ').unwrap_or((outcome, ""));
            let expected = match word {
                "same" => Expected::Same,
                "value" => Expected::Value(rest),
                "request" => {
                    let (calls, request) = rest.split_once("-> ")?;
                    Expected::Request(calls.trim_end(), request)
                }
                "refused" => {
                    let (location, reason) = rest.split_once(": ")?;
                    Expected::Refused(location, reason)
                }
                _ => return None,
            };
            Some((source, expected))
        });
        cells.unwrap_or_else(|| panic!("{line}"))
    })
}

/// All constructs of all files.
fn constructs() -> Vec<Construct> {
    let construct = |(source, expected), location, added| Construct {
        source,
        added,
        location,
        expected,
    };
    let schemas = table(include_str!("schemas.txt")).map(|row| {
        let schema = yaml(row.0);
        let content = |name: &str| json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{name}")}}});
        let added = json!({
            "components": {"schemas": {
                "C0": {"type": "object", "properties": {"value": schema}},
                "C0Alone": schema,
            }},
            "paths": {"/c0": {"put": {
                "operationId": "c0Write",
                "requestBody": {"content": content("C0Alone")},
                "responses": {"200": {"description": "OK", "content": content("C0")}},
            }}},
        });
        construct(row, "components.schemas.C0.properties.value", added)
    });
    let parameters = table(include_str!("parameters.txt")).map(|row| {
        let added = json!({"paths": {"/c0/{id}": read(&[yaml(row.0)])}});
        construct(row, "paths./c0/{id}.get.parameters[0]", added)
    });
    let operations = table(include_str!("operations.txt")).map(|row| {
        let mut item = read(&[]);
        merge(
            &mut item,
            yaml(&row.0.replace("INNER", &inner().to_string())),
        );
        construct(row, "paths./c0/{id}", json!({"paths": {"/c0/{id}": item}}))
    });
    let documents = table(include_str!("documents.txt")).map(|row| {
        let added = yaml(row.0);
        construct(row, "", added)
    });
    schemas
        .chain(parameters)
        .chain(operations)
        .chain(documents)
        .collect()
}

/// Adds entries of mappings, and removes those that are `null`. Everything else is replaced.
fn merge(into: &mut Json, added: Json) {
    match (into, added) {
        (Json::Object(into), Json::Object(added)) => {
            for (key, value) in added {
                if value.is_null() {
                    into.remove(&key);
                } else {
                    merge(into.entry(key).or_insert(Json::Null), value);
                }
            }
        }
        (into, added) => *into = added,
    }
}

/// The code of a client.
fn generate(document: &Json) -> Result<String, lms_codegen::Error> {
    let document = Document::parse(&document.to_string())?;
    Ok(raw_client(&document, "x")? + &facade(&document, "x")?)
}

/// Code without its documentation.
fn statements(code: &str) -> String {
    let blocks = code.split("/**").enumerate();
    let without_blocks = blocks.filter_map(|(index, part)| match index {
        0 => Some(part),
        _ => Some(part.split_once("*/")?.1),
    });
    let lines = without_blocks.flat_map(str::lines);
    lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect()
}

#[test]
fn each_construct_is_generated_or_refused_with_its_location() {
    let mut wrong = Vec::new();
    let mut plain = base();
    merge(&mut plain, json!({"paths": {"/c0/{id}": read(&[])}}));
    let without = [&base(), &plain].map(|document| statements(&generate(document).unwrap()));
    for construct in constructs() {
        let mut document = base();
        merge(&mut document, construct.added);
        let fault = match (generate(&document), construct.expected) {
            (Ok(code), Expected::Same) if without.contains(&statements(&code)) => continue,
            (Ok(_), Expected::Same) => "it changes the code".to_owned(),
            (Ok(_), Expected::Value(_) | Expected::Request(..)) => continue,
            (Ok(_), Expected::Refused(..)) => "it was accepted".to_owned(),
            (Err(error), Expected::Refused(at, reason)) => {
                let location = match (at, construct.location) {
                    (at, "") => at.to_owned(),
                    ("", above) => above.to_owned(),
                    (at, _) if at.starts_with("components.") || at.starts_with("paths.") => {
                        at.to_owned()
                    }
                    (at, above) => format!("{above}.{at}"),
                };
                if error.location() == location && error.reason().contains(reason) {
                    continue;
                }
                format!("refused with: {error}")
            }
            (Err(error), _) => format!("refused: {error}"),
        };
        wrong.push(format!("{}\n    {fault}", construct.source));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The program that uses them, up to the first of them.
const BEGIN: &str = r##"
use lms_client::{Client, Operations, operation::{Operation, PreparedRequest}, types};
use serde_json::{Value, from_str, to_value};

fn main() {
    assert!(from_str::<types::Stay>(r#"{"until": "30 February"}"#).is_err());
    let client = Operations::new(Client::new("https://tenant.example/api"), ());
"##;

/// One program for all of them, with a type and an operation for each.
#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn what_is_generated_compiles_and_keeps_values_and_requests() {
    let mut document = base();
    let mut main = BEGIN.to_owned();
    let mut requests = Vec::new();
    for (index, construct) in constructs().into_iter().enumerate() {
        let named = |text: &str| {
            text.replace("C0", &format!("C{index}"))
                .replace("c0", &format!("c{index}"))
        };
        match construct.expected {
            Expected::Value(value) => {
                let whole = format!("{{\"value\": {value}}}");
                for (name, value) in [("C0", &*whole), ("C0Alone", value)] {
                    let name = named(name);
                    let _ = writeln!(
                        main,
                        "let text = r#\"{value}\"#;
                         let value: types::{name} = from_str(text).expect(\"{name}\");
                         let written = lms_client::wire::expose_secrets(|| to_value(&value));\n\
                         assert_eq!(written.unwrap(), from_str::<Value>(text).unwrap());"
                    );
                }
            }
            Expected::Request(calls, request) => {
                let calls = if calls.starts_with("client") {
                    calls.to_owned()
                } else {
                    format!("client.c0_read(\"i1\"){calls}")
                };
                let _ = writeln!(main, "say({}.prepare());", named(&calls));
                requests.push(named(request));
            }
            Expected::Same | Expected::Refused(..) => continue,
        }
        merge(&mut document, yaml(&named(&construct.added.to_string())));
    }
    main += r#"
}
fn say(prepared: Result<PreparedRequest, lms_client::Error>) {
    let request = match prepared {
        Ok(prepared) => prepared.request,
        Err(error) => return println!("{error}"),
    };
    let path = request.url().as_str().strip_prefix("https://tenant.example/api").unwrap();
    let traces = request.headers().get("x-trace").into_iter();
    let traces: String = traces.map(|value| format!(" x-trace: {}", value.to_str().unwrap())).collect();
    let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
    let body = if body.is_empty() { String::new() } else { format!(" {}", str::from_utf8(body).unwrap()) };
    println!("{} {path}{traces}{body}", request.method());
}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("constructs.json");
    fs::write(&path, document.to_string()).unwrap();
    let dependencies = r#"
    lms-client = { path = "WORKSPACE/lms-client", default-features = false, features = ["checked-formats", "tenant-document"] }
    serde_json = "1"
    "#;
    let said = program::stdout(program::run("constructs", dependencies, &main, &path));
    assert_eq!(said.lines().collect::<Vec<_>>(), requests);
}
