//! What generating costs a dependent: nothing, unless it asks for a client of its own document.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    // As a dependent would run it, not as a test of this workspace.
    for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        cargo.env_remove(variable);
    }
    cargo
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

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
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
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
    let captured = lms_client::transport::capture(client.get_badges().id("l1").send()).unwrap();
    println!("{}", captured.request.url());
    let learner = Learner { shoe_size: Some(Int64::from(43)), ..Learner::default() };
    println!("{:?}", learner.shoe_size.map(Int64::get));
}
"#;

#[test]
fn a_client_of_a_tenants_own_document_has_its_field_and_its_operation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("tenant.json"), tenant_document().to_string()).unwrap();
    fs::create_dir(path.join("src")).unwrap();
    fs::write(path.join("src/main.rs"), DEPENDENT).unwrap();
    let lms_client = workspace().canonicalize().unwrap().join("lms-client");
    fs::write(
        path.join("Cargo.toml"),
        format!(
            r#"
            [package]
            name = "dependent"
            edition = "2024"

            [dependencies]
            lms-client = {{ path = {lms_client:?}, features = ["tenant-document"] }}

            # As in the workspace, whose compiled dependencies are then used again.
            [profile.dev]
            debug = "line-tables-only"
            [profile.dev.build-override]
            debug = "line-tables-only"

            [workspace]
            "#
        ),
    )
    .unwrap();
    fs::copy(workspace().join("Cargo.lock"), path.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let run = |document: &str| {
        cargo()
            .current_dir(path)
            .args(["run", "--quiet", "--target-dir"])
            .arg(target)
            .env("LMS_CLIENT_DOCUMENT", path.join(document))
            .output()
            .unwrap()
    };

    let output = run("tenant.json");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
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
