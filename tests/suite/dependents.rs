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
    for name in [
        "Learner",
        "EditLearner",
        "AddLearner",
        "Course",
        "AddDuplicateCourse",
        "Enrolment",
    ] {
        schemas[name]["properties"]["cost_centre"] = json!({"type": "string"});
    }
    schemas["AddCourse"]["properties"]["faculty"] = json!({"type": "string"});
    let required = schemas["AddCourse"]["required"].as_array_mut().unwrap();
    required.push("faculty".into());
    schemas["Badge"] = json!({"type": "object", "required": ["id"], "properties": {
        "id": {"type": "string"},
        "earned": {"type": "string", "format": "date-time"},
    }});
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

/// A program that uses all additions, with mocks in place of the tenant.
const PROGRAM: &str = r#"
use lms_client::mocks::{MockServerExt, httpmock::MockServer};
use lms_ext::{OPERATIONS, RetryPolicy, prelude::*};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = MockServer::start_async().await;
    let badge: types::Badge = types::Badge::builder().id("b1").try_into()?;
    let badges = |id: &str, next: Option<&str>| -> types::BadgeList {
        let badge: types::Badge = types::Badge::builder().id(id).try_into().unwrap();
        let page = types::BadgeList::builder().items(vec![badge]).more(next.is_some());
        page.next_cursor(next.map(str::to_owned)).try_into().unwrap()
    };
    let (first, second) = (badges("b1", Some("c2")), badges("b2", None));
    server.get_badge(|when, then| {
        when.id("b1");
        then.ok(&badge);
    });
    server.list_badges(|when, then| {
        when.cursor(None);
        then.ok(&first);
    });
    server.list_badges(|when, then| {
        when.cursor("c2");
        then.ok(&second);
    });
    let tag: types::Tag = types::Tag::builder().id("t1".to_owned()).name("safety").try_into()?;
    let kinds: types::BadgeKinds = types::BadgeKinds::builder().items(vec![tag]).try_into()?;
    server.list_badge_kinds(|_, then| {
        then.ok(&kinds);
    });
    let learner = |notes: &str| -> types::Learner {
        let learner = types::Learner::builder().id("l1".to_owned()).email("a@b.example".to_owned());
        let learner = learner.firstname("Ann".to_owned()).surname("Bell".to_owned());
        learner.cost_centre("cc-7".to_owned()).notes(notes.to_owned()).try_into().unwrap()
    };
    let (before, after) = (learner("old"), learner("new"));
    let body: types::EditLearner = types::EditLearner::builder()
        .id("l1".to_owned())
        .email("a@b.example")
        .firstname("Ann")
        .surname("Bell")
        .cost_centre("cc-7".to_owned())
        .notes("new".to_owned())
        .try_into()?;
    server.get_learner_by_id(|_, then| {
        then.ok(&before);
    });
    let put = server.edit_learner(|when, then| {
        when.body(&body);
        then.ok(&after);
    });

    let lms = Lms::builder(server.base_url()).token("t").retry(RetryPolicy::disabled()).build()?;
    println!("{}", lms.get_badge().id("b1").call().await?.id);
    let mut items = lms.list_badges().items().dedup();
    while let Some(badge) = items.try_next().await? {
        println!("{}", badge.id);
    }
    println!("{}", lms.list_badge_kinds().collect_all().await?.len());
    // An edit keeps the field that only this document has.
    lms.update_learner("l1", |learner| learner.notes = Some("new".to_owned())).await?;
    put.assert();
    println!("{}", lms.get_badge().id("..").call().await.unwrap_err());
    println!("{}", OPERATIONS.iter().any(|operation| operation.path == "/badges/{id}"));
    println!("{:?}", types::ListLearnersOrderDirection::Random);
    let course: Result<types::AddCourse, _> = types::AddCourse::builder().name("Fire").try_into();
    println!("{}", course.unwrap_err());
    Ok(())
}
"#;

const WITH_TENANT_DOCUMENT: &str = r#"
lms-client = { path = "WORKSPACE/lms-client", default-features = false, features = ["mocks", "tenant-document"] }
lms-ext = { path = "WORKSPACE/lms-ext", default-features = false }
tokio = { version = "1", features = ["macros", "rt"] }
"#;

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn lms_ext_works_with_all_that_a_custom_document_adds() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("tenant.json");
    fs::write(&document, tenant_document().to_string()).unwrap();
    let run = |document: &Path| run("own-document", WITH_TENANT_DOCUMENT, PROGRAM, document);

    let said = stdout(run(&document));
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[..4], ["b1", "b1", "b2", "1"], "{said}");
    assert!(
        lines[4].starts_with("get_badge: id is a dot segment"),
        "{said}"
    );
    assert_eq!(lines[5..7], ["true", "Random"], "{said}");
    assert!(lines[7].contains("faculty"), "{said}");

    let output = run(&folder.path().join("missing.json"));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        text.contains("cannot read") && text.contains("LMS_CLIENT_DOCUMENT"),
        "{text}"
    );
}

/// Schemas that a document may have, each with a value of it.
fn constructs() -> Vec<(Value, Value)> {
    let text = |more: Value| {
        let mut schema = json!({"type": "string"});
        let more = more.as_object().unwrap().clone();
        schema.as_object_mut().unwrap().extend(more);
        schema
    };
    let learner = json!({"$ref": "#/components/schemas/Inner"});
    vec![
        (json!({}), json!({"any": [1, null]})),
        (json!({"type": "object"}), json!({"a": 1, "b": {"c": []}})),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            json!({"a": 1}),
        ),
        (
            json!({"type": "object", "additionalProperties": true}),
            json!({"a": "b"}),
        ),
        (json!({"type": "array", "items": {}}), json!([1, "two"])),
        (
            json!({"type": "array", "items": learner}),
            json!([{"id": "i1"}]),
        ),
        (
            json!({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
            json!([[1.5]]),
        ),
        (text(json!({})), json!("text")),
        (text(json!({"format": "date"})), json!("2026-11-22")),
        (text(json!({"format": "uuid"})), json!("not a uuid")),
        (text(json!({"format": "email"})), json!("a@b.example")),
        (text(json!({"format": "ipv4"})), json!("127.0.0.1")),
        (text(json!({"format": "binary"})), json!("bytes")),
        (
            text(json!({"format": "date-time"})),
            json!("2026-11-22T02:00:00Z"),
        ),
        (text(json!({"format": "int64"})), json!("7")),
        (text(json!({"pattern": "^[a-z]+$"})), json!("NOT MATCHED")),
        (
            text(json!({"minLength": 2, "maxLength": 3})),
            json!("longer"),
        ),
        (
            text(json!({"enum": ["one", "two words", "3rd"]})),
            json!("two words"),
        ),
        (text(json!({"nullable": true})), json!("text")),
        (json!({"type": "integer"}), json!(-3)),
        (json!({"type": "integer", "format": "int32"}), json!(3)),
        (json!({"type": "integer", "minimum": 1}), json!(3)),
        (json!({"type": "integer", "enum": [1, 2]}), json!(3)),
        (json!({"type": "number", "format": "float"}), json!(1.5)),
        (json!({"type": "number", "enum": [0.5, 1]}), json!(0.5)),
        (json!({"type": "boolean", "enum": [true]}), json!(false)),
        (learner.clone(), json!({"id": "i1"})),
        (
            json!({"allOf": [learner, {"type": "object", "properties": {"more": {"type": "boolean"}}}]}),
            json!({"id": "i1", "more": true}),
        ),
        (
            json!({"oneOf": [learner, {"type": "string"}]}),
            json!("text"),
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!(5),
        ),
        (
            json!({"type": "object", "properties": {"type": {"type": "string"}, "a-b": {"type": "integer"}, "pattern": learner}}),
            json!({"type": "t", "a-b": 1, "pattern": {"id": "i1"}}),
        ),
        (
            json!({"type": "object", "properties": {"default": {"type": "integer", "default": 5}}}),
            json!({"default": 6}),
        ),
    ]
}

/// Each construct as a property, and each unusual kind of operation.
fn document_of_constructs() -> Value {
    let content = |schema: Value| json!({"description": "-", "content": {"application/json": {"schema": schema}}});
    let of = |name: &str| content(json!({"$ref": format!("#/components/schemas/{name}")}));
    let parameter = |name: &str, place: &str, schema: Value| json!({"name": name, "in": place, "required": place == "path", "schema": schema});
    let mut schemas = json!({
        "Inner": {"type": "object", "properties": {"id": {"type": "string"}}},
        "Tree": {"type": "object", "properties": {
            "branches": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        }},
        "Free": {"type": "object"},
        "Problem": {"type": "object", "properties": {"code": {"type": "integer"}}},
    });
    for (index, (schema, _)) in constructs().into_iter().enumerate() {
        schemas[format!("Construct{index}")] =
            json!({"type": "object", "properties": {"value": schema}});
    }
    let text = json!({"type": "string"});
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Constructs", "version": "1"},
        "servers": [{"url": "https://tenant.example/api"}],
        "paths": {
            "/things/{thing_id}": {
                "parameters": [parameter("thing_id", "path", text.clone())],
                "get": {"operationId": "getThing", "responses": {
                    "200": of("Inner"), "201": of("Inner"), "404": of("Problem"), "409": of("Free"),
                    "4XX": {"description": "no content"}, "default": content(json!({"type": "string"})),
                }},
                "put": {"operationId": "putThing",
                    "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
                        "properties": {"inline": {"type": "string"}}}}}},
                    "responses": {"204": {"description": "done"}}},
                "head": {"operationId": "headThing", "responses": {"200": {"description": "there"}}},
                "patch": {"operationId": "patchThing", "responses": {"2XX": of("Tree")}},
            },
            "/things": {"get": {"operationId": "list-things".replace('-', "_"),
                "parameters": [
                    parameter("since", "query", json!({"type": "string", "format": "date"})),
                    parameter("ids", "query", json!({"type": "array", "items": {"type": "integer"}})),
                    parameter("X-Trace", "header", text),
                    parameter("type", "query", json!({"type": "string", "enum": ["a", "b"]})),
                ],
                "responses": {"200": of("Free")}}},
        },
        "components": {"schemas": schemas},
    })
}

#[test]
#[ignore = "builds a program; .ci/run runs it"]
fn every_supported_construct_compiles_and_keeps_its_value() {
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("constructs.json");
    fs::write(&document, document_of_constructs().to_string()).unwrap();
    let dependencies = r#"
    lms-client = { path = "WORKSPACE/lms-client", default-features = false, features = ["mocks", "tenant-document"] }
    serde_json = "1"
    "#;
    let mut main = "use lms_client::{Client, transport::Plain, types};\nfn main() {\n".to_owned();
    for (index, (_, value)) in constructs().into_iter().enumerate() {
        let value = json!({"value": value}).to_string();
        main += &format!(
            "let value: types::Construct{index} = serde_json::from_str(r#\"{value}\"#).unwrap();
            assert_eq!(serde_json::to_value(&value).unwrap(), serde_json::from_str::<serde_json::Value>(r#\"{value}\"#).unwrap());\n"
        );
    }
    main += r#"
        let client = Client::new("https://tenant.example/api", Plain.into());
        let get = client.get_thing().thing_id("t1").prepare().unwrap();
        println!("{}", get.request.url());
        let list = client.list_things().since("2026-11-22").ids(vec![1, 2]).x_trace("x");
        println!("{}", list.prepare().unwrap().request.url());
    }"#;
    assert_eq!(
        stdout(run("constructs", dependencies, &main, &document)),
        "https://tenant.example/api/things/t1\nhttps://tenant.example/api/things?ids=1&ids=2&since=2026-11-22\n"
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
