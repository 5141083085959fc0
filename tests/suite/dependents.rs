//! Programs that depend on these crates, with their own features and their own OpenAPI document.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};

/// A cargo without the settings of the cargo that runs this test.
fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        cargo.env_remove(variable);
    }
    cargo
}

fn workspace() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .canonicalize()
        .unwrap()
}

/// Builds a program called `name` with `LMS_CLIENT_DOCUMENT` set to `document`, and runs it. In `dependencies`, `WORKSPACE`
/// stands for the path of this workspace.
fn run(name: &str, dependencies: &str, main: &str, document: &Path) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let workspace = workspace();
    let dependencies = dependencies.replace("WORKSPACE", workspace.to_str().unwrap());
    fs::create_dir(path.join("src")).unwrap();
    fs::write(path.join("src/main.rs"), main).unwrap();
    fs::copy(workspace.join("Cargo.lock"), path.join("Cargo.lock")).unwrap();
    let manifest = format!(
        r#"
        [package]
        name = "{name}"
        edition = "2024"

        [dependencies]
        {dependencies}

        # As in the workspace, so that its compiled dependencies are reused.
        [profile.dev]
        debug = "line-tables-only"
        [profile.dev.build-override]
        debug = "line-tables-only"

        [workspace]
        "#
    );
    fs::write(path.join("Cargo.toml"), manifest).unwrap();
    cargo()
        .current_dir(path)
        .args(["run", "--quiet", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .env("LMS_CLIENT_DOCUMENT", document)
        .output()
        .unwrap()
}

/// The standard output of a program that succeeded.
fn stdout(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The crates that a dependent of `package` builds, one per line.
pub fn dependency_tree(package: &str, features: &str) -> String {
    let output = cargo()
        .current_dir(workspace())
        .args(["tree", "--locked", "--edges", "normal,build"])
        .args(["--prefix", "none", "--package", package])
        .args(["--features", features])
        .output()
        .unwrap();
    stdout(output)
}

#[test]
#[ignore = "resolves the dependencies of the generator; .ci/run runs it"]
fn the_generator_is_a_dependency_only_with_tenant_document() {
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

/// The OpenAPI document with one more field and one more operation.
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
                "description": "The learner with badges.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Learner"}}}
            }}
        }
    });
    document
}

/// A program that uses that field and that operation.
const PROGRAM: &str = r#"
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
fn a_client_of_a_custom_document_has_its_field_and_its_operation() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("tenant.json");
    fs::write(&document, tenant_document().to_string()).unwrap();
    let dependencies =
        r#"lms-client = { path = "WORKSPACE/lms-client", features = ["tenant-document"] }"#;
    let run = |document: &Path| run("own-document", dependencies, PROGRAM, document);

    assert_eq!(
        stdout(run(&document)),
        "https://tenant.example/api/v1/learners/l1/badges\nSome(43)\n"
    );

    let output = run(&folder.path().join("missing.json"));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        text.contains("cannot read") && text.contains("LMS_CLIENT_DOCUMENT"),
        "{text}"
    );
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn without_tls_an_https_url_is_refused_before_anything_is_sent() {
    let said = stdout(run(
        "without-tls",
        r#"lms-ext = { path = "WORKSPACE/lms-ext", default-features = false }"#,
        r#"
        use lms_ext::prelude::*;

        fn main() {
            for address in ["https://acme.example", "http://127.0.0.1:1"] {
                match Lms::builder(address).token("token").build() {
                    Ok(_) => println!("built"),
                    Err(error) => println!("{:?}: {error}", error.kind()),
                }
            }
        }
        "#,
        Path::new(""),
    ));
    let lines: Vec<_> = said.lines().collect();
    assert!(
        lines[0].starts_with("Usage: this program is built without TLS"),
        "{said}"
    );
    assert_eq!(lines[1..], ["built"]);
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn without_a_provider_build_returns_an_error() {
    let said = stdout(run(
        "without-provider",
        r#"
        lms-ext = { path = "WORKSPACE/lms-ext", default-features = false, features = ["rustls-no-provider"] }
        rustls = { version = "0.23", default-features = false, features = ["ring", "std"] }
        "#,
        r#"
        use std::sync::Arc;

        use lms_ext::{LmsBuilder, prelude::*};
        use rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};

        fn say(case: &str, configure: impl FnOnce(LmsBuilder) -> LmsBuilder) {
            let builder = Lms::builder("https://acme.example").token("token");
            match configure(builder).build() {
                Ok(_) => println!("{case}: built"),
                Err(error) => println!("{case}: {:?}: {error}", error.kind()),
            }
        }

        fn main() {
            let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth();
            say("none", |lms| lms);
            say("settings", |lms| lms.configure_http(|http| http.no_proxy()));
            say("other fault", |lms| lms.configure_http(|http| http.user_agent("a\nb")));
            say("its own", |lms| lms.configure_http(|http| http.tls_backend_preconfigured(config)));
            default_provider().install_default().unwrap();
            say("installed", |lms| lms);
        }
        "#,
        Path::new(""),
    ));
    let lines: Vec<_> = said.lines().collect();
    for (line, expected) in lines.iter().zip([
        "none: Usage: no crypto provider is installed",
        "settings: Usage: no crypto provider is installed",
        "other fault: Usage: the HTTP settings are not valid",
        "its own: built",
        "installed: built",
    ]) {
        assert!(line.starts_with(expected), "{said}");
    }
    assert_eq!(lines.len(), 5, "{said}");
}
