//! Limits of requests from options and profiles, and the output of `--verbose` and `--debug`.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use lms_sandbox::Operation;
use serde_json::json;

use crate::program::{Program, demo, demo_program, fault};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_option_is_stronger_than_the_setting_of_a_profile_or_a_tap() {
    let sandbox = demo().await;
    fault(&sandbox, "listTags: always: status 500");
    let program = Program::with_profiles(&[("acme", &sandbox, "max_attempts = 2")]);
    let config = json!({
        "base_url": sandbox.base_url(),
        "client_id": sandbox.client_id(),
        "client_secret": sandbox.client_secret(),
        "max_attempts": 2,
    });
    program.write("tap.json", config.to_string());
    let catalog = program.json("tap singer --config tap.json --discover");
    let streams = catalog["streams"].as_array().unwrap().iter();
    let tags: Vec<_> = streams.filter(|it| it["tap_stream_id"] == "tags").collect();
    let catalog = json!({ "streams": tags }).to_string();
    program.write("tags.json", catalog);
    let tap = "tap singer --config tap.json --catalog tags.json";
    for command in ["tags list", tap] {
        for (more, attempts) in [("", 2), ("--max-attempts 1", 1)] {
            sandbox.clear_requests();
            let ran = program.run(&format!("{command} {more}"));
            assert_ne!(ran.code, 0, "{}", ran.stderr);
            let sent = sandbox.requests_to(Operation::ListTags).unwrap().len();
            assert_eq!(sent, attempts, "{command:?} {more:?}: {}", ran.stderr);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_profile_is_added_with_its_limits() {
    let sandbox = demo().await;
    let program = Program::with_profiles(&[("acme", &sandbox, "max_attempts = 2 # as agreed")]);
    let add = format!(
        "profile add acme --base-url {} --client-id 1 --credential-command true --max-per-second 7.5 --concurrency 4 --timeout 90s --yes",
        sandbox.base_url()
    );
    program.run(&add).exits(0);
    let text = program.read(".config/lms/config.toml");
    for line in [
        "max_attempts = 2 # as agreed",
        "max_per_second = 7.5",
        "concurrency = 4",
        "timeout = \"1m 30s\"",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_that_are_not_valid_are_refused_before_a_request() {
    let sandbox = demo().await;
    for (setting, name) in [
        ("max_per_second = 0", "max_per_second"),
        ("timeout = 30", "timeout"),
        ("concurrency = -1", "concurrency"),
    ] {
        let ran = Program::with_profiles(&[("acme", &sandbox, setting)]).run("tags list");
        ran.assert_failure(4, &format!("{name} of the profile acme is not valid"));
    }
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    for option in ["--timeout 0s", "--max-per-second 0"] {
        let (name, _) = option.split_once(' ').unwrap();
        program
            .run(&format!("tags list {option}"))
            .assert_failure(2, name);
    }
    assert!(sandbox.requests_to(Operation::ListTags).unwrap().is_empty());
}

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
async fn a_table_says_which_columns_it_leaves_out() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox).with("COLUMNS", "80");
    let list = "learners list --limit 3 -o table";
    let ran = program.run(&list).exits(0);
    assert!(
        ran.stderr.starts_with("columns left out: ")
            && ran.stderr.contains("(empty in the first rows)")
            && ran.stderr.contains("(beyond the width of the terminal)"),
        "{}",
        ran.stderr
    );
    let chosen = program.run(&format!("{list} --columns id,notes"));
    assert_eq!(chosen.stderr, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_for_a_spreadsheet_has_a_mark_and_parts() {
    let (_sandbox, program) = demo_program().await;
    program
        .run("export learners --to out --bom --rows-per-part 300")
        .exits(0);
    let mut parts: Vec<_> = fs::read_dir(program.path().join("out/learners"))
        .unwrap()
        .map(|part| part.unwrap().path())
        .collect();
    parts.sort();
    assert_eq!(parts.len(), 3, "{parts:?}");
    for part in parts {
        assert!(fs::read(part).unwrap().starts_with(b"\xef\xbb\xbf"));
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
