//! The program: arguments, exit codes and output.

#![allow(
    clippy::unwrap_used,
    reason = "a test that goes wrong is to stop where it does"
)]

use std::{
    fs,
    process::{Command, Output},
};

use lms_sandbox::Sandbox;
use tempfile::TempDir;

const SECRET: &str = "a-secret-to-redact";

async fn sandbox() -> Sandbox {
    let sandbox = Sandbox::builder().client_secret(SECRET).demo();
    sandbox.start().await.unwrap()
}

fn command(sandbox: &Sandbox, folder: &TempDir, people: &str, arguments: &[&str]) -> Command {
    fs::write(folder.path().join("people.csv"), people).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nightly-sync"));
    command
        .current_dir(folder)
        .arg("people.csv")
        .args(arguments)
        .env("LMS_BASE_URL", sandbox.base_url())
        .env("LMS_CLIENT_ID", sandbox.client_id())
        .env("LMS_CLIENT_SECRET", SECRET);
    command
}

fn run(sandbox: &Sandbox, folder: &TempDir, people: &str, arguments: &[&str]) -> Output {
    command(sandbox, folder, people, arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8(text).unwrap()
}

// The sandbox must run while a test waits for the program.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_prints_its_result_and_exits_with_0() {
    let (sandbox, folder) = (sandbox().await, tempfile::tempdir().unwrap());
    let people = include_str!("../people.csv");

    let dry = run(&sandbox, &folder, people, &["--dry-run"]);
    assert_eq!(dry.status.code(), Some(0), "{}", text(&dry));
    assert!(text(&dry).contains("would have added 3 learners, renamed 0, enrolled 3; 0 problems"));
    assert!(!folder.path().join("completions.csv").exists());

    let first = run(&sandbox, &folder, people, &[]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    assert!(text(&first).contains("\nwritten "), "{}", text(&first));
    let written = fs::read_to_string(folder.path().join("completions.csv")).unwrap();
    // More than one page.
    assert!(written.lines().count() > 200);

    let second = run(&sandbox, &folder, people, &[]);
    let expected = "added 0 learners, renamed 0, enrolled 0; 0 problems\n\
                    written 0 new completions to completions.csv\n";
    assert_eq!(text(&second), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_with_problems_prints_their_lines_and_exits_with_3() {
    let (sandbox, folder) = (sandbox().await, tempfile::tempdir().unwrap());
    let people = "firstname,surname,email,courses\nAnn,Jones,ann.at.acme,c1\n";
    let output = run(&sandbox, &folder, people, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(
        text(&output).contains("people.csv:2: add_learner: 422"),
        "{}",
        text(&output)
    );
    assert!(!text(&output).contains(SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_start_prints_the_reason_and_exits_with_1() {
    let (sandbox, folder) = (sandbox().await, tempfile::tempdir().unwrap());
    let output = run(&sandbox, &folder, "name\nAnn\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("cannot read people.csv: there is no column firstname"));

    let people = include_str!("../people.csv");
    let output = run(&sandbox, &folder, people, &["--client-id", "another"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("stopped before the end of the export"),
        "{}",
        text(&output)
    );
    assert!(!text(&output).contains(SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_secret_is_read_from_a_file_or_from_the_environment() {
    let (sandbox, folder) = (sandbox().await, tempfile::tempdir().unwrap());
    fs::write(folder.path().join("secret"), format!("{SECRET}\n")).unwrap();
    for (arguments, code, expected) in [
        (
            &["--dry-run", "--client-secret-file", "secret"][..],
            0,
            "added 3",
        ),
        (
            &["--client-secret-file", "missing"],
            1,
            "cannot read the client secret from missing",
        ),
        (
            &[],
            1,
            "LMS_CLIENT_SECRET (the client secret of the integration)",
        ),
    ] {
        let mut command = command(&sandbox, &folder, include_str!("../people.csv"), arguments);
        let output = command.env_remove("LMS_CLIENT_SECRET").output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        assert!(text(&output).contains(expected), "{}", text(&output));
        assert!(!text(&output).contains(SECRET));
    }
}
