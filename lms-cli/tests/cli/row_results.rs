//! `--from FILE`: a file without rows, and the checks that are reported together.

use serde_json::{Value, json};

use crate::program::{Program, demo};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_without_rows_is_not_an_error() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    program.write("rows.csv", "id\n");
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
    program.write("rows.csv", rows);
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
