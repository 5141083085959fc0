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
use serde_json::Value as Json;

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

/// The texts in place of `READ` and `INNER`.
const READ: &str = r##"{ parameters: [{ name: id, in: path, required: true, schema: { type: string } }], get: { operationId: c0Read, responses: { "200": { description: OK, content: INNER } } } }"##;
const INNER: &str = r##"{ application/json: { schema: { $ref: "#/components/schemas/Inner" } } }"##;

fn yaml(text: &str) -> Json {
    let text = text.replace("READ", READ).replace("INNER", INNER);
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The document that constructs are added to.
fn base() -> Json {
    yaml(include_str!("base.yaml"))
}

/// A line of a file: a construct and the result.
fn row(line: &'static str) -> Option<(&'static str, Expected)> {
    let (source, outcome) = line.split_once(" => ")?;
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
}

/// The constructs of a file, which begins with their location and with what they add to the document.
fn table(text: &'static str) -> Vec<Construct> {
    let lines = text.lines();
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let location = lines.next().and_then(|line| line.strip_prefix("at "));
    let (templates, rows): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with("add "));
    let construct = |line| {
        let (source, expected) = row(line).unwrap_or_else(|| panic!("{line}"));
        let templates = templates.iter().map(|template| {
            let text = template["add ".len()..].replace("CONSTRUCT", source);
            yaml(&text)
        });
        let added = templates.reduce(|mut whole, part| {
            merge(&mut whole, part);
            whole
        });
        Construct {
            source,
            added: added.unwrap(),
            location: location.unwrap(),
            expected,
        }
    };
    rows.into_iter().map(construct).collect()
}

/// All constructs of all files.
fn constructs() -> Vec<Construct> {
    let files = [
        include_str!("schemas.txt"),
        include_str!("parameters.txt"),
        include_str!("operations.txt"),
        include_str!("documents.txt"),
    ];
    files.into_iter().flat_map(table).collect()
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
    merge(&mut plain, yaml(r#"{ paths: { "/c0/{id}": READ } }"#));
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
                    (at, "the document") => at.to_owned(),
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
