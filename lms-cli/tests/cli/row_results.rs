//! `--from FILE`: the results of a run that is stopped, a file without rows, and the checks that are reported together.

use std::{
    fs,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::program::{Program, Ran, demo, fault};

/// Ctrl-C during the request of a row, after another one has ended.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_stopped_leaves_a_line_for_each_row_that_was_sent() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    fault(&sandbox, "addCourse: nth 2: delay 1h");
    fs::write(program.path().join("c.csv"), "name\nA\nB\nC\n").unwrap();
    let add = ["courses", "add", "--from", "c.csv", "--concurrency", "1"];
    let mut command = program.command(&add);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let results = program.path().join("c.courses-add.csv");
    while !fs::read_to_string(&results).is_ok_and(|log| log.contains("\nB,sent,")) {
        tokio::task::yield_now().await;
    }
    let id = child.id().to_string();
    let interrupted = Command::new("kill").args(["-INT", &id]).status();
    assert!(interrupted.unwrap().success());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{ran:?}");
    let results = fs::read_to_string(&results).unwrap();
    let rows: Vec<_> = results.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{results}");
    assert!(rows[0].starts_with("A,added,"), "{results}");
    assert!(rows[1].starts_with("B,ambiguous,"), "{results}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_without_rows_is_not_an_error() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    fs::write(program.path().join("rows.csv"), "id\n").unwrap();
    let delete = ["courses", "delete", "--from", "rows.csv"];
    let ran = program.run(&[&delete[..], &["-o", "table"]].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "no rows\n"), "{ran:?}");
    let ran = program.run(&delete);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &summary["rows"]), (0, &json!(0)));
    assert!(sandbox.requests().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_mistakes_that_no_request_is_needed_for_are_reported_together() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let rows = "firstname,surname,email\na,b,a@b.example\nc,d,a@b.example\n,e,e@b.example\n";
    fs::write(program.path().join("rows.csv"), rows).unwrap();
    let add = [
        "learners",
        "add",
        "--generate-password",
        "--from",
        "rows.csv",
    ];
    let ran = program.run(&add);
    ran.assert_failure(
        2,
        "line 3, the same learner as in line 2\n  line 4, firstname",
    );
    assert!(sandbox.requests().unwrap().is_empty());
}
