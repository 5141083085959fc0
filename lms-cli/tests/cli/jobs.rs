//! Jobs: exports into files, and their verification.

use std::fs;

use lms_sandbox::Operation;

use crate::program::{Program, demo, fault};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_writes_a_file_for_each_collection_and_verifies() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let export = [
        "export",
        "course_completions,learners",
        "--to",
        "out",
        "--format",
        "ndjson",
        "-o",
        "ndjson",
    ];
    let ran = program.run(&export);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stdout.matches(r#""complete":true"#).count(),
        2,
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("(2 of 2) learners: "), "{}", ran.stderr);
    let learners = fs::read_to_string(program.path().join("out/learners.ndjson")).unwrap();
    assert_eq!(learners.lines().count(), 650);
    assert!(!learners.contains("password"));
    let verified = program.run(&["verify", "out", "-o", "table"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);

    let cut: String = learners
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(program.path().join("out/learners.ndjson"), cut).unwrap();
    let verified = program.run(&["verify", "out", "-o", "ndjson"]);
    assert_eq!(verified.code, 8, "{}", verified.stdout);
    assert!(
        verified.stderr.contains("1 of 2 collections"),
        "{}",
        verified.stderr
    );
}

/// A failure leaves a run that goes on when it is started again, without reading the first pages once more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_goes_on_when_it_is_run_again() {
    let sandbox = demo().await;
    fault(&sandbox, "listLearners: nth 3: status 400");
    let program = Program::of(&sandbox);
    let export = [
        "export",
        "learners",
        "--to",
        "out",
        "--page-size",
        "100",
        "-o",
        "json",
    ];
    let failed = program.run(&export);
    assert_eq!(failed.code, 8, "{}", failed.stderr);
    assert!(
        failed
            .stderr
            .contains("run the same command again to go on"),
        "{}",
        failed.stderr
    );
    let verified = program.run(&["verify", "out"]);
    assert_eq!(verified.code, 8, "{}", verified.stdout);
    sandbox.faults().clear();
    sandbox.clear_requests();
    let again = program.json(&export);
    assert_eq!(
        (&again[0]["complete"], &again[0]["rows"]),
        (&true.into(), &650.into())
    );
    assert!(sandbox.requests_to(Operation::ListLearners).unwrap().len() <= 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mistake_in_an_export_is_explained() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let cases: [(&[&str], i32, &str); 5] = [
        (
            &["export", "learner", "--to", "out"],
            2,
            "invalid value 'learner'",
        ),
        (&["export", "learners"], 2, "--to <DIR>"),
        (
            &["export", "learners", "--to", "out", "--filter", "x"],
            2,
            "write COLLECTION.FILTER=VALUE",
        ),
        (
            &[
                "export",
                "learners",
                "--to",
                "out",
                "--filter",
                "learners.x=1",
            ],
            2,
            "x",
        ),
        (&["verify", "nothing"], 2, "there is no export in nothing"),
    ];
    for (arguments, code, sentence) in cases {
        let ran = program.run(arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (code, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(sentence),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    assert!(sandbox.requests().unwrap().is_empty());
}

fn tap_config(program: &Program, sandbox: &lms_sandbox::Sandbox) {
    let config = serde_json::json!({
        "base_url": sandbox.base_url(),
        "client_id": sandbox.client_id(),
        "client_secret": sandbox.client_secret(),
    });
    fs::write(program.path().join("config.json"), config.to_string()).unwrap();
}

/// A loader deletes what a complete stream did not have, so a tap that fails must not exit with 0.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tap_writes_messages_and_fails_unless_every_stream_is_complete() {
    let sandbox = demo().await;
    let program = Program::new();
    tap_config(&program, &sandbox);
    let found = program.run(&["tap", "singer", "--config", "config.json", "--discover"]);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let catalog: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        catalog["streams"].as_array().unwrap().len(),
        lms_sync::collections().len()
    );
    let ran = program.run(&["tap", "singer", "--config", "config.json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("learners: complete, 650 rows"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stdout.matches(r#""type":"ACTIVATE_VERSION""#).count(),
        10
    );

    fault(&sandbox, "listTags: always: status 403");
    let ran = program.run(&["tap", "singer", "--config", "config.json"]);
    assert_eq!(ran.code, 8, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 of 10 streams are not complete"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stdout.matches(r#""type":"ACTIVATE_VERSION""#).count(),
        9
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_airbyte_source_says_what_is_wrong_in_its_protocol() {
    let sandbox = demo().await;
    let program = Program::new();
    tap_config(&program, &sandbox);
    let spec = program.run(&["tap", "airbyte", "spec"]);
    assert_eq!(spec.code, 0, "{}", spec.stderr);
    assert!(
        spec.stdout.starts_with(r#"{"type":"SPEC""#),
        "{}",
        spec.stdout
    );
    let checked = program.run(&["tap", "airbyte", "check", "--config", "config.json"]);
    assert!(checked.stdout.contains("SUCCEEDED"), "{}", checked.stdout);
    fs::write(program.path().join("empty.json"), "{}").unwrap();
    let checked = program.run(&["tap", "airbyte", "check", "--config", "empty.json"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(
        checked.stdout.contains("`base_url` is missing"),
        "{}",
        checked.stdout
    );
    let read = program.run(&[
        "tap",
        "airbyte",
        "read",
        "--config",
        "empty.json",
        "--catalog",
        "empty.json",
    ]);
    assert_eq!(read.code, 2, "{}", read.stderr);
    assert!(
        read.stdout.contains(r#""failure_type":"config_error""#),
        "{}",
        read.stdout
    );
}
