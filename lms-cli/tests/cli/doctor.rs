//! `doctor` names what is wrong, and its report of a bug has nothing of the tenant.

use std::{fs, os::unix::fs::PermissionsExt as _, sync::Arc};

use lms_sandbox::Sandbox;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    },
};

use crate::program::{Program, demo, demo_program, fault, table};

/// Runs `doctor`, and returns the findings.
fn findings(program: &Program, code: i32, more: &str) -> Vec<Value> {
    let ran = program.run(&format!("doctor -o json {more}")).exits(code);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Fails unless exactly this check has this state among those that are not well, and says this.
fn assert_found(program: &Program, check: &str, state: &str, sentence: &str) {
    let code = if state == "error" { 2 } else { 1 };
    let found = findings(program, code, "");
    let is_well = |found: &&Value| !matches!(found["state"].as_str(), Some("ok" | "skipped"));
    let unwell: Vec<_> = found.iter().filter(is_well).collect();
    assert_eq!(unwell.len(), 1, "{unwell:#?}");
    let text = unwell[0].to_string();
    assert!(
        unwell[0]["check"] == check && unwell[0]["state"] == state && text.contains(sentence),
        "{check}: {sentence}: {text}"
    );
    assert!(unwell[0]["remedy"].is_string(), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_good_set_up_is_well() {
    let sandbox = demo().await;
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    let found = findings(&program, 0, "");
    for check in [
        "version", "config", "files", "home", "disk", "settings", "dns", "tcp", "service", "clock",
        "token", "me", "latency", "limits",
    ] {
        let mut states = found.iter().filter(|found| found["check"] == check);
        assert_eq!(states.next().unwrap()["state"], "ok", "{check}");
    }
    let permissions = found.iter().filter(|found| found["check"] == "permission");
    let lists = lms_sync::collections().iter();
    let lists = lists.filter(|known| !known.is_derived());
    assert_eq!(permissions.count(), lists.count());
    let settings = found.iter().find(|found| found["check"] == "settings");
    let settings = settings.unwrap()["result"].as_str().unwrap();
    assert!(
        settings.contains("secret (credential_command); the profile is acme"),
        "{settings}"
    );
    program.run("--sandbox doctor -o table").exits(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_set_up_that_cannot_connect_is_named() {
    let sandbox = demo().await;
    let url = |url: &str| Program::of(&sandbox).with("LMS_BASE_URL", url);
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let none = url(&format!("http://127.0.0.1:{port}"));
    assert_found(&none, "tcp", "error", "Connection refused");
    let new = url(&format!("http://[::1]:{port}"));
    assert_found(&new, "tcp", "error", "the service has only IPv6");
    assert_found(
        &url("https://acme.invalid"),
        "dns",
        "error",
        "acme.invalid was not resolved",
    );
    let (expired, roots) = expired().await;
    let expired = url(&expired).with("SSL_CERT_FILE", roots);
    assert_found(&expired, "tls", "error", "certificate expired");
    assert_found(&url("acme.example"), "settings", "error", "acme.example");
    let plain = sandbox.base_url().replace("http://", "https://");
    assert_found(&url(&plain), "tls", "error", "does not speak TLS");
    let proxied =
        url("https://acme.invalid").with("HTTPS_PROXY", &format!("http://u:pw@127.0.0.1:{port}"));
    let found = findings(&proxied, 2, "");
    let is_proxy = |found: &&Value| found["check"] == "proxy" && found["state"] == "error";
    let proxy = found.iter().find(is_proxy).unwrap().to_string();
    assert!(
        proxy.contains("NO_PROXY") && !proxy.contains("u:pw"),
        "{proxy}"
    );
}

/// A server whose certificate has expired, and the file of an authority for it.
async fn expired() -> (String, &'static str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/suite/tls");
    let certificate = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/suite/tls/expired.pem"
    );
    let key = PrivateKeyDer::from_pem_file(format!("{folder}/key.pem")).unwrap();
    let chain = vec![CertificateDer::from_pem_file(certificate).unwrap()];
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            // The client refuses the certificate.
            let _ = acceptor.accept(socket).await;
        }
    });
    (format!("https://localhost:{port}"), certificate)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_and_permissions_are_tried_now() {
    let (sandbox, program) = demo_program().await;
    // The token of this run is kept.
    program.run("me").exits(0);
    fault(&sandbox, "getToken: always: status 401");
    program.run("me").exits(0);
    assert_found(&program, "token", "error", "lms profile add");
    let cases = r#"
        me: always: status 401 => me => error => rejected
        test: always: status 404 => service => error => check the base URL
        test: always: status 503 => service => error => 503
        test: first 1: status 503 => service => warning => only after 2 attempts
        listTags: always: status 403 => permission => warning => "tags"
        listTags: always: status 500 => permission => error => "tags"
        listTags: first 1: status 429 => limits => warning => --max-per-second
    "#;
    for [rule, check, state, sentence] in table(cases) {
        sandbox.faults().clear();
        fault(&sandbox, &rule);
        assert_found(&program, &check, &state, &sentence);
    }
}

/// A server whose clock is wrong.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_skewed_clock_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 4096]).await;
            let response = "HTTP/1.1 200 OK\r\ndate: Fri, 01 Jan 2021 00:00:00 GMT\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{\"tid\":\"1\"}";
            let _ = socket.write_all(response.as_bytes()).await;
        }
    });
    let program = Program::new()
        .with("LMS_BASE_URL", &url)
        .with("LMS_CLIENT_ID", "1")
        .with("LMS_CLIENT_SECRET", "x");
    let found = findings(&program, 2, "");
    let clock = found
        .iter()
        .find(|found| found["check"] == "clock")
        .unwrap();
    assert_eq!(clock["state"], "warning", "{clock}");
    assert!(
        clock["result"].as_str().unwrap().contains("ahead of"),
        "{clock}"
    );
}

/// The set-up of a profile, whose configuration is `$C`, after a command of the shell.
async fn changed(change: &str) -> (Sandbox, Program) {
    let sandbox = demo().await;
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    let script = format!("C=.config/lms/config.toml; {change}");
    assert!(program.shell(&script), "{change}");
    (sandbox, program)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_files_are_named() {
    let cases = r#"
        rm $C; mkfifo $C => a folder, a pipe or a device
        chmod 666 $C => chmod go-w
        echo '[profiles' > $C => line 1
    "#;
    for [change, sentence] in table(cases) {
        let (_sandbox, program) = changed(&change).await;
        let found = findings(&program, 2, "")[1].to_string();
        assert!(found.contains(&sentence), "{found}");
    }
    let cases = r#"
        lms me > me; chmod 644 .cache/lms/tokens.json => files => chmod 600
        chmod 600 $C; printf '[profiles.half]\nclient_id = "1"\n' >> $C => config => half
        chmod 600 $C; touch .cache => home => XDG_CACHE_HOME
    "#;
    for [change, check, sentence] in table(cases) {
        let (_sandbox, program) = changed(&change).await;
        assert_found(&program, &check, "warning", &sentence);
    }

    // As on a full disk, which takes no byte.
    let (_sandbox, program) = changed("true").await;
    let mut limited = program.other("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 0; exec lms doctor -o ndjson"]);
    let output = limited.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = String::from_utf8(output.stdout).unwrap();
    let home = found
        .lines()
        .find(|line| line.contains("\"home\""))
        .unwrap();
    assert!(home.contains("File too large"), "{home}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_mirror_is_named() {
    let (sandbox, program) = demo_program().await;
    program.write("other.db", "not of this program");
    let mirror = "mirror tags,learners --to sqlite:tenant.db --max-attempts 1";
    fault(&sandbox, "listLearners: always: status 500");
    program.run(mirror);
    sandbox.faults().clear();
    assert_found(&program, "mirror", "warning", "sqlite:tenant.db");
    assert!(
        findings(&program, 1, "--mirror sqlite:tenant.db")
            .iter()
            .any(|found| found["check"] == "mirror")
    );
    program.run(mirror).exits(0);
    // That of another tenant is named, and not judged.
    fs::copy(
        program.path().join("tenant.db"),
        program.path().join("other.db"),
    )
    .unwrap();
    let other = rusqlite::Connection::open(program.path().join("other.db")).unwrap();
    let records = "UPDATE _lms_records SET record = json_set(record, '$.tenant', 'https://other.example/api/v1', '$.completeness', 'changed')";
    other.execute(records, ()).unwrap();
    drop(other);
    let found = findings(&program, 0, "");
    let mirrors: Vec<_> = found.iter().filter(|of| of["check"] == "mirror").collect();
    let states = mirrors.iter().map(|of| of["state"].as_str().unwrap());
    assert_eq!(states.collect::<Vec<_>>(), ["ok", "skipped"]);
    let result = "of other tenants, and not checked: other.db";
    assert_eq!(mirrors[1]["result"], result);
    findings(&program, 0, "");
    let missing = program
        .run("doctor --mirror sqlite:none.db -o table")
        .exits(2);
    missing.assert_stdout("there is no mirror in none.db");
}

/// A report of a bug is read by strangers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_has_no_name_address_token_or_secret() {
    let sandbox = demo().await;
    let program = Program::with_profiles(&[("acme-profile", &sandbox, "")]);
    program.json("mirror all --to sqlite:people-of-acme.db");
    fault(&sandbox, "listTags: always: status 403");
    program.run("doctor --bundle report.json").exits(1);
    let bundle = program.read("report.json");
    let parsed: Value = serde_json::from_str(&bundle).unwrap();
    assert!(parsed["checks"].as_array().unwrap().len() > 20, "{bundle}");
    let learners = program.json("learners list");
    let names = learners.as_array().unwrap().iter().flat_map(|learner| {
        ["id", "firstname", "surname", "email", "username", "mobile"]
            .map(|field| learner[field].as_str().unwrap_or_default().to_owned())
    });
    let tokens = program.read(".cache/lms/tokens.json");
    let tokens: Vec<&str> = tokens.split('"').filter(|text| text.len() > 20).collect();
    assert!(!tokens.is_empty());
    let others = [
        sandbox.base_url(),
        sandbox.client_id(),
        sandbox.client_secret(),
        "127.0.0.1",
        "acme",
        program.path().to_str().unwrap(),
    ];
    let secrets = names.chain(others.iter().chain(&tokens).map(|text| (*text).to_owned()));
    for secret in secrets.filter(|text| text.len() > 2) {
        let quoted = format!("\"{secret}\"");
        let is_in = bundle.contains(&quoted) || secret.len() > 5 && bundle.contains(&secret);
        assert!(!is_in, "{secret}: {bundle}");
    }
    let mode = fs::metadata(program.path().join("report.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
