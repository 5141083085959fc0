//! Programs that depend on these crates, with their own features and their own OpenAPI document.

pub(crate) mod program;

use std::{
    env::consts::EXE_SUFFIX,
    fs,
    path::{Path, PathBuf},
};

use program::{cargo, run, stdout, target, workspace};
use serde_json::{Value, json};

/// The crates that a dependent of `package` builds, one per line.
fn dependency_tree(package: &str, features: &str) -> String {
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
        for generator in ["lms-codegen ", "typify ", "openapiv3 "] {
            let there = tree.lines().any(|line| line.starts_with(generator));
            assert_eq!(
                there,
                !features.is_empty(),
                "{generator}in {package} with {features:?}"
            );
        }
    }
}

/// The OpenAPI document with the additions of a tenant: a field in six schemas, a required field, a value of an enum, an
/// operation, and two lists.
fn tenant_document() -> Value {
    let text = fs::read_to_string(workspace().join("spec/openapi.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let content = |name: &str| {
        let schema = json!({"$ref": format!("#/components/schemas/{name}")});
        json!({"200": {"description": "OK", "content": {"application/json": {"schema": schema}}}})
    };
    let schemas = &mut document["components"]["schemas"];
    for name in "Learner EditLearner AddLearner Course AddDuplicateCourse Enrolment".split(' ') {
        schemas[name]["properties"]["cost_centre"] = json!({"type": "string"});
    }
    schemas["AddCourse"]["properties"]["faculty"] = json!({"type": "string"});
    let required = schemas["AddCourse"]["required"].as_array_mut().unwrap();
    required.push("faculty".into());
    schemas["Badge"] = badge();
    schemas["BadgeList"] = json!({"type": "object", "properties": {
        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Badge"}},
        "more": {"type": "boolean"},
        "next_cursor": {"type": "string"},
    }});
    schemas["BadgeKinds"] = json!({"type": "object", "properties": {
        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
    }});
    let paths = &mut document["paths"];
    let parameters = paths["/learners"]["get"]["parameters"].as_array_mut();
    let direction = parameters
        .into_iter()
        .flatten()
        .find(|parameter| parameter["name"] == "order_direction")
        .unwrap();
    let values = direction["schema"]["enum"].as_array_mut().unwrap();
    values.push("random".into());
    paths["/badges/{id}"] = json!({"get": {
        "operationId": "getBadge",
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": content("Badge"),
    }});
    paths["/badges"] = json!({"get": {
        "operationId": "listBadges",
        "parameters": [{"name": "cursor", "in": "query", "schema": {"type": "string"}}],
        "responses": content("BadgeList"),
    }});
    paths["/badge_kinds"] = json!({"get": {
        "operationId": "listBadgeKinds",
        "responses": content("BadgeKinds"),
    }});
    document
}

/// The schema of the items of one of the lists.
fn badge() -> Value {
    json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "string"},
        "earned": {"type": "string", "format": "date-time"},
        "expires": {"type": "string", "format": "date"},
        "claim_code": {"type": "string", "format": "password"},
        "more": {"type": "object", "properties": {"pins": {
            "type": "array", "items": {"type": "string", "format": "password"},
        }}},
    }})
}

/// A program that uses all additions, with its own server in place of the tenant.
const PROGRAM: &str = r#"
use axum::{Json, Router, http::{Method, StatusCode, Uri}};
use lms_ext::{OPERATIONS, RetryPolicy, prelude::*};
use lms_sync::Extract;
use serde_json::{Value, json};
use std::process::Command;

async fn respond(method: Method, uri: Uri, body: String) -> (StatusCode, Json<Value>) {
    let learner = |notes: &str| json!({
        "id": "l1", "email": "a@b.example", "firstname": "Ann", "surname": "Bell", "cost_centre": "cc-7", "notes": notes,
    });
    let second = uri.query().is_some_and(|query| query.contains("cursor=c2"));
    let response = match (method.as_str(), uri.path()) {
        ("POST", "/api/v1/oauth/token") => json!({"access_token": "t"}),
        ("GET", "/api/v1/oauth/me") => json!({"tid": "t1"}),
        ("GET", "/api/v1/badges/b1") => json!({"id": "b1", "expires": "soon"}),
        ("GET", "/api/v1/badges") if second => json!({"items": [{"id": "b2"}], "more": false}),
        ("GET", "/api/v1/badges") => json!({
            "items": [{"id": "b1", "claim_code": "hunter1", "more": {"pins": ["hunter2"]}, "new": {"Claim_Code": "hunter3"}}],
            "more": true, "next_cursor": "c2",
        }),
        ("GET", "/api/v1/badge_kinds") => json!({"items": [{"id": "t1", "name": "safety"}]}),
        ("GET", "/api/v1/learners/l1") => learner("old"),
        // An edit keeps the field that only this document has.
        ("PUT", "/api/v1/learners/l1") if body.parse::<Value>().ok() == Some(learner("new")) => learner("new"),
        _ => return (StatusCode::BAD_REQUEST, Json(json!({"message": format!("{method} {uri} {body}")}))),
    };
    (StatusCode::OK, Json(response))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let base_url = format!("http://{}", listener.local_addr()?);
    let _server = tokio::spawn(async { axum::serve(listener, Router::new().fallback(respond)).await });

    let lms = Lms::builder(&base_url).token("t").retry(RetryPolicy::disabled()).build()?;
    let badge = lms.get_badge("b1").call().await?;
    // Without the feature `checked-formats`.
    assert_eq!(badge.expires.as_deref(), Some("soon"));
    println!("{}", badge.id);
    let mut items = lms.list_badges().items().dedup();
    while let Some(badge) = items.try_next().await? {
        println!("{}", badge.id);
    }
    println!("{}", lms.list_badge_kinds().collect_all().await?.len());
    for (name, key) in [("badges", "id"), ("badge_kinds", "id"), ("learners", "cost_centre")] {
        let collection = lms_sync::collection(name).unwrap();
        assert!(collection.column(key).is_some(), "{collection:?}");
    }
    let mut extract = Extract::new(&lms, lms_sync::collection("badges").unwrap());
    while let Some(batch) = extract.next_batch().await? {
        for row in &batch.rows {
            println!("row {:?}", row.get("id").unwrap());
            // The values of secrets.
            assert!(!row.to_json().contains("hunter"), "{row:?}");
        }
    }
    assert!(extract.record().is_complete());
    let edited = lms.update_learner("l1", |learner| learner.notes = Some("new".to_owned())).await?;
    assert!(edited.was_written());
    println!("{}", lms.get_badge("..").call().await.unwrap_err());
    println!("{}", OPERATIONS.iter().any(|operation| operation.path == "/badges/{id}"));
    println!("{:?}", types::ListLearnersOrderDirection::Random);
    let course: Result<types::AddCourse, _> = types::AddCourse::builder("Fire", "science").try_into();
    println!("{}", course?.faculty);

    let caches = std::env::temp_dir().join(format!("own-document-{}", std::process::id()));
    for arguments in ["badges get b1 --jq .id", "badges list --jq .id", "badges list -o json", "learners edit --help"] {
        let mut command = Command::new("LMS_PROGRAM");
        command.args(arguments.split(' ')).env("XDG_CACHE_HOME", &caches).env("XDG_CONFIG_HOME", &caches);
        command.env("LMS_BASE_URL", &base_url);
        command.env("LMS_CLIENT_ID", "1").env("LMS_CLIENT_SECRET", "s");
        let output = command.output()?;
        assert!(output.status.success(), "{output:?}");
        print!("{}", String::from_utf8(output.stdout)?);
    }
    std::fs::remove_dir_all(caches)?;
    Ok(())
}
"#;

/// The dependencies of the programs without TLS, which thus share the compiled ones.
pub(crate) const WITHOUT_TLS: &str = r#"
axum = { version = "0.8", default-features = false, features = ["http1", "json", "tokio"] }
futures-util = "0.3"
lms-client = { path = "WORKSPACE/lms-client", default-features = false }
lms-ext = { path = "WORKSPACE/lms-ext", default-features = false }
lms-sandbox = { path = "WORKSPACE/lms-sandbox", default-features = false }
lms-sync = { path = "WORKSPACE/lms-sync", default-features = false, features = ["sqlite"] }
serde_json = "1"
sqlx = { version = "0.9", default-features = false, features = ["runtime-tokio", "sqlite"] }
tempfile = "3"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
"#;

/// The features with which they have the operations of a tenant's document.
const TENANT_DOCUMENT: &str = r#"
[features]
default = ["lms-client/tenant-document", "lms-sync/tenant-document"]
"#;

/// Builds `lms` for a tenant's own document, and returns where it is.
fn build_lms(document: &Path) -> PathBuf {
    let built = cargo()
        .current_dir(workspace())
        // With the compiled dependencies of the workspace. No example: the document may require other arguments.
        .args("build --quiet --locked --workspace --bin lms".split(' '))
        .args(["--features", "lms-cli/tenant-document"])
        .arg("--target-dir")
        .arg(target())
        .env("LMS_CLIENT_DOCUMENT", document)
        .output()
        .unwrap();
    stdout(built);
    // The next build of the workspace replaces the program at this path.
    let built = target().join(format!("debug/lms{EXE_SUFFIX}"));
    let lms = target().join(format!("tmp/lms-of-a-tenant{EXE_SUFFIX}"));
    fs::copy(built, &lms).unwrap();
    lms
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn all_crates_work_with_what_a_custom_document_adds() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("tenant.json");
    fs::write(&document, tenant_document().to_string()).unwrap();
    let lms = build_lms(&document);
    let program = PROGRAM.replace("LMS_PROGRAM", lms.to_str().unwrap());
    let dependencies = [WITHOUT_TLS, TENANT_DOCUMENT].concat();
    let run = |document: &Path| run("own-document", &dependencies, &program, document);

    let said = stdout(run(&document));
    let lines: Vec<_> = said.lines().collect();
    let rows = ["row Text(\"b1\")", "row Text(\"b2\")"];
    assert_eq!(lines[..4], ["b1", "b1", "b2", "1"], "{said}");
    assert_eq!(lines[4..6], rows, "{said}");
    assert!(
        lines[6].starts_with("get_badge: id is a dot segment"),
        "{said}"
    );
    assert_eq!(lines[7..9], ["true", "Random"], "{said}");
    assert_eq!(lines[9], "science");
    assert_eq!(lines[10..13], ["b1", "b1", "b2"], "{said}");
    assert!(said.contains("--cost-centre <TEXT>"), "{said}");
    assert!(!said.contains("hunter"), "{said}");

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
        WITHOUT_TLS,
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
        lines[0].starts_with("Usage: lms-ext is built without TLS"),
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
            say("its own", |lms| lms.configure_http(|http| http.tls_backend_preconfigured(config)));
            default_provider().install_default().unwrap();
            say("other fault", |lms| lms.configure_http(|http| http.user_agent("a\nb")));
            say("installed", |lms| lms);
        }
        "#,
        Path::new(""),
    ));
    let lines: Vec<_> = said.lines().collect();
    for (line, expected) in lines.iter().zip([
        "none: Usage: no crypto provider is installed",
        "its own: built",
        "other fault: Usage: the HTTP settings are not valid",
        "installed: built",
    ]) {
        assert!(line.starts_with(expected), "{said}");
    }
    assert_eq!(lines.len(), 4, "{said}");
}

/// A program contains one SQLite, so the sandbox and the mirror have to accept the version of other crates.
#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn the_sandbox_and_mirrors_work_with_the_sqlite_of_sqlx() {
    let said = stdout(run(
        "with-sqlx",
        WITHOUT_TLS,
        r#"
        use lms_ext::prelude::*;
        use lms_sandbox::Sandbox;
        use lms_sync::{Export, collections, sink::sqlite::SqliteSink};

        #[tokio::main(flavor = "current_thread")]
        async fn main() -> Result<(), Box<dyn std::error::Error>> {
            let sandbox = Sandbox::builder().demo().start().await?;
            let lms = Lms::builder(sandbox.base_url())
                .client_credentials(sandbox.client_id(), sandbox.client_secret())
                .build()?;
            let path = std::env::temp_dir().join(format!("with-sqlx-{}.db", std::process::id()));
            let export = Export::new(&lms).collections([collections::LEARNERS])?;
            assert!(export.run(SqliteSink::new(&path)).await?.is_complete());
            let pool = sqlx::SqlitePool::connect(path.to_str().unwrap()).await?;
            let learners: i64 = sqlx::query_scalar("SELECT count(*) FROM learners").fetch_one(&pool).await?;
            println!("{learners}");
            std::fs::remove_file(path)?;
            Ok(())
        }
        "#,
        Path::new(""),
    ));
    assert_eq!(said, "650\n");
}

/// Runs the guide's export, with a stop after each of its statements, until it has been stopped after every one. Each time it is
/// then run again, without a stop.
const EXPORTS: &str = r#"
use std::{cell::Cell, panic::{self, AssertUnwindSafe}};
use futures_util::FutureExt as _;
use lms_sandbox::{Sandbox, json};

thread_local! {
    static STATEMENTS_LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// The effect of a kill on files that are not buffered: nothing more is written.
fn stop() {
    let left = STATEMENTS_LEFT.get() - 1;
    STATEMENTS_LEFT.set(left);
    assert!(left > 0);
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    panic::set_hook(Box::new(|_| {}));
    let folder = tempfile::tempdir()?;
    std::env::set_current_dir(folder.path())?;
    let empty = Sandbox::builder().start().await?;
    let sandbox = Sandbox::builder().start().await?;
    let course = sandbox.seed().add_course("Fire safety")?;
    for name in ["ann", "ben", "cay", "dan", "eve"] {
        let learner = sandbox.seed().add_learner(&json!({
            "firstname": name, "surname": "Bell", "email": format!("{name}@acme.example"),
        }))?;
        sandbox.seed().enrol(&learner, &course)?;
        sandbox.seed().complete_course(&learner, &course)?;
    }
    sandbox.faults().add("lists: always: max-page 2")?;
    let client = |sandbox: &Sandbox| {
        Lms::builder(sandbox.base_url())
            .client_credentials(sandbox.client_id(), sandbox.client_secret())
            .build()
    };
    let (lms, lms_of_empty) = (client(&sandbox)?, client(&empty)?);
    export(&lms).await?;
    let whole = fs::read("completions.csv")?;
    assert_eq!(whole.iter().filter(|byte| **byte == b'\n').count(), 5);
    for statements in 1.. {
        fs::remove_file("completions.csv")?;
        STATEMENTS_LEFT.set(statements);
        let killed = AssertUnwindSafe(export(&lms)).catch_unwind().await.is_err();
        STATEMENTS_LEFT.set(usize::MAX);
        if killed {
            export(&lms).await?;
        }
        assert!(fs::read("completions.csv")? == whole, "killed after statement {statements}");
        assert!(!fs::exists("completions.checkpoint")?, "killed after statement {statements}");
        if !killed {
            println!("{statements}");
            break;
        }
    }
    export(&lms_of_empty).await?;
    assert!(fs::read("completions.csv")?.is_empty());
    Ok(())
}
"#;

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn the_export_of_the_guide_survives_a_kill_after_every_statement() {
    let page = workspace().join("docs/guide/read-lists.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```rust,no_run\n").skip(1);
    let mut blocks = blocks.map(|block| block.split("```").next().unwrap());
    let export = blocks
        .find(|block| block.contains("completions.checkpoint"))
        .unwrap();
    let (uses, body) = export.split_at(export.find("async fn").unwrap());
    let body: String = body
        .lines()
        .map(|line| match line.ends_with(';') {
            true => format!("{line} stop();\n"),
            false => format!("{line}\n"),
        })
        .collect();
    let output = run(
        "guide-export",
        WITHOUT_TLS,
        &format!("{uses}{body}{EXPORTS}"),
        Path::new(""),
    );
    let statements: usize = stdout(output).trim().parse().unwrap();
    assert!(statements > 30, "{statements}");
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn the_first_program_of_the_guide_needs_only_the_dependencies_of_its_page() {
    let page = workspace().join("docs/guide/first-rust-program.md");
    let page = fs::read_to_string(page).unwrap();
    let block = |start: &str| {
        let (_, block) = page.split_once(start).unwrap();
        block.split_once("```").unwrap().0
    };
    let dependencies = block("```toml\n[dependencies]\n").replace('…', "WORKSPACE");
    let program = block("```rust,no_run\n");
    let output = run("first-program", &dependencies, program, Path::new(""));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("LMS_BASE_URL"), "{said}");
}
