//! What generating costs a dependent: nothing, unless it asks for a client of its own document.

use std::fs;

use serde_json::{Value, json};

use crate::dependent::{cargo, dependent, said, target, workspace};

/// The crates that a dependent on `package` builds, one on a line.
pub fn dependency_tree(package: &str, features: &str) -> String {
    let output = cargo()
        .current_dir(workspace())
        .args([
            "tree",
            "--locked",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
        ])
        .args(["--package", package, "--features", features])
        .output()
        .unwrap();
    said(output)
}

#[test]
#[ignore = "resolves the dependencies of the generator; .ci/run runs it"]
fn no_generator_is_in_the_dependency_tree_of_a_dependent() {
    for (package, features) in [
        ("lms-client", ""),
        ("lms-ext", ""),
        ("lms-client", "tenant-document"),
    ] {
        let tree = dependency_tree(package, features);
        for generator in [
            "lms-codegen ",
            "progenitor ",
            "progenitor-impl ",
            "typify ",
            "openapiv3 ",
        ] {
            let there = tree.lines().any(|line| line.starts_with(generator));
            assert_eq!(
                there,
                !features.is_empty(),
                "{generator}in {package} with {features:?}"
            );
        }
    }
}

/// Our document with one field and one operation more.
fn tenant_document() -> Value {
    let text = fs::read_to_string(workspace().join("spec/openapi.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["components"]["schemas"]["Learner"]["properties"]["shoe_size"] =
        json!({"type": "string", "format": "int64"});
    document["paths"]["/learners/{id}/badges"] = json!({
        "get": {
            "operationId": "getBadges",
            "summary": "Get a learner's badges",
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
            "responses": {"200": {
                "description": "The learner, badges and all.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Learner"}}}
            }}
        }
    });
    document
}

/// A crate that uses what only the tenant's own document has.
const DEPENDENT: &str = r#"
use lms_client::{Client, transport::Plain, types::Learner, wire::Int64};

fn main() {
    let client = Client::new("https://tenant.example/api/v1", Plain.into());
    let prepared = client.get_badges().id("l1").prepare().unwrap();
    println!("{}", prepared.request.url());
    let learner = Learner { shoe_size: Some(Int64::from(43)), ..Learner::default() };
    println!("{:?}", learner.shoe_size.map(Int64::get));
}
"#;

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn a_client_of_a_tenants_own_document_has_its_field_and_its_operation() {
    let folder = dependent(
        r#"lms-client = { path = "WORKSPACE/lms-client", features = ["tenant-document"] }"#,
        DEPENDENT,
    );
    let path = folder.path();
    fs::write(path.join("tenant.json"), tenant_document().to_string()).unwrap();
    let run = |document: &str| {
        cargo()
            .current_dir(path)
            .args(["run", "--quiet", "--target-dir"])
            .arg(target())
            .env("LMS_CLIENT_DOCUMENT", path.join(document))
            .output()
            .unwrap()
    };

    assert_eq!(
        said(run("tenant.json")),
        "https://tenant.example/api/v1/learners/l1/badges\nSome(43)\n"
    );

    let output = run("missing.json");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        text.contains("cannot read") && text.contains("LMS_CLIENT_DOCUMENT"),
        "{text}"
    );
}
