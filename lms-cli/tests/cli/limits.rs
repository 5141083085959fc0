//! Limits of requests from options and profiles, profiles without the keyring, and the output of `--verbose` and `--debug`.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use crate::program::{Program, demo, demo_program, fault};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verbose_writes_requests_and_retries_and_debug_headers_without_secrets() {
    let sandbox = demo().await;
    fault(&sandbox, "listTags: nth 1: status 503");
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    let ran = program.run("tags list --verbose").exits(0);
    for line in [
        "POST /oauth/token: 200, ",
        "GET /tags: 503, ",
        "waiting before the next attempt (wait_s ",
        "GET /tags: 200, ",
        ", retry 1\n",
    ] {
        ran.assert_stderr(line);
    }
    assert!(!ran.stderr.contains("headers"), "{}", ran.stderr);

    let token = program.read(".cache/lms/tokens.json");
    let token: serde_json::Value = serde_json::from_str(&token).unwrap();
    let tokens: Vec<String> = texts(&token);
    fs::remove_file(program.path().join(".cache/lms/tokens.json")).unwrap();
    for arguments in ["tags list", "profile check", "export tags --to out"] {
        let ran = program.run(&format!("{arguments} --debug")).exits(0);
        ran.assert_stderr("\"content-type\"");
        let now = program.read(".cache/lms/tokens.json");
        let now: serde_json::Value = serde_json::from_str(&now).unwrap();
        let secrets = tokens.iter().cloned().chain(texts(&now));
        let secrets = secrets.chain([sandbox.client_secret().to_owned()]);
        for secret in secrets.filter(|text| text.len() > 12 && !text.contains("http")) {
            assert!(!ran.stderr.contains(&secret), "{}", ran.stderr);
        }
    }
}

/// All texts in a JSON value.
fn texts(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(values) => values.iter().flat_map(texts).collect(),
        serde_json::Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_says_what_it_waits_for_and_until_when() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "listTags: always: rate-limited seconds 40s");
    let mut waiting = program
        .command("tags list")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap());
    lines.read_line(&mut line).unwrap();
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    assert!(line.starts_with("waiting for 40 s, until "), "{line}");
    assert!(line.ends_with(" UTC: throttled by the server\n"), "{line}");
}

/// The keyring is a feature: without it, nothing is written, and the message says why.
#[cfg(not(feature = "keyring"))]
#[test]
fn a_program_without_the_keyring_says_so() {
    let program = Program::new();
    let add = "profile add acme --base-url https://acme.example --client-id 1 --keyring";
    let added = program.run_with(add, "hunter2\n").exits(4);
    added.assert_stderr("without the feature `keyring`");
    assert!(!added.stderr.contains("hunter2"), "{added:?}");
    let folder = program.path().join(".config/lms");
    assert!(!folder.exists());
    fs::create_dir_all(folder).unwrap();
    let text =
        "[profiles.acme]\nbase_url = \"https://acme.example\"\nclient_id = \"1\"\nkeyring = true\n";
    program.write(".config/lms/config.toml", text);
    let listed = program.json("profile list");
    assert_eq!(listed[0]["secret"], "keyring");
    program
        .run("me --profile acme")
        .assert_failure(4, "in the keyring");
}
