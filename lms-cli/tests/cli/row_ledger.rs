//! `--from FILE` in the ledger: what a run has changed, what continues it, and undo.

use std::{fs, process::Stdio};

use lms_plan::Ledger;
use lms_sandbox::Operation;

use crate::program::{demo_program, fault};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_has_no_secrets() {
    let (_sandbox, program) = demo_program().await;
    program.write(
        "p.csv",
        "firstname,surname,email,password\nA,B,a@new.example,Secret-of-A-1\n",
    );
    program.run("learners add --from p.csv").exits(0);
    program.write("e.csv", "id,password\na@new.example,Secret-of-A-2\n");
    program.run("learners edit --from e.csv").exits(0);
    let steps = program.json("history --person B").to_string();
    let steps = steps + &program.json("history show").to_string();
    assert!(
        steps.contains("a@new.example") && !steps.contains("Secret-of"),
        "{steps}"
    );
    assert_eq!(program.json("history")[0]["sha256"], "");
    let folder = program.path().join(".local/state/lms");
    for file in fs::read_dir(folder).unwrap() {
        let content = fs::read(file.unwrap().path()).unwrap();
        assert!(!content.windows(9).any(|part| part == b"Secret-of"));
    }
}

/// Results, history and undo name the learner whom a killed run may have added, also if the row got its tag only now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_learner_whom_a_killed_run_may_have_added_is_named() {
    let (sandbox, program) = demo_program().await;
    program.write("p.csv", "firstname,surname,email\nA,B,a@new.example\n");
    fault(&sandbox, "addLearner: nth 1: delay 1h");
    let add = "learners add --from p.csv --generate-password --if-not-exists --add-tag new";
    let mut command = program.command(add);
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    while !program.sends(1) {
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    sandbox.faults().clear();
    // As if the request in doubt had been processed.
    let one = "learners add --firstname A --surname B --email a@new.example --generate-password";
    program.run(one).exits(0);
    let again = program.run(add).exits(0);
    again.assert_stderr("1 row may have been processed by an interrupted attempt");
    let results = program.read("p.learners-add.csv");
    assert!(results.contains(",tagged,"), "{results}");
    assert!(
        results.contains(",an interrupted attempt may have done this,"),
        "{results}"
    );
    let steps = program.json("history show 1");
    assert_eq!(
        steps[0]["reason"],
        "an interrupted attempt may have done this"
    );
    let undo = program.run("undo 1 --to undo.json -o table").exits(0);
    for part in [
        "tag  new → nothing",
        "? A B (line 2): an interrupted attempt may have done this;",
    ] {
        assert!(undo.stdout.contains(part), "{undo:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_a_killed_run_was_waiting_for_is_not_started_again() {
    let (sandbox, program) = demo_program().await;
    program.write("c.csv", "course,name\nc1,One\n");
    fault(&sandbox, "viewDuplicateCourse: nth 1: delay 1h");
    let copy = "courses duplicate --from c.csv --wait";
    let mut command = program.command(copy);
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let requests = |operation| sandbox.requests_to(operation).unwrap().len();
    while requests(Operation::ViewDuplicateCourse) == 0 {
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    sandbox.faults().clear();
    assert_eq!(program.json(copy)["added"], 1);
    assert_eq!(requests(Operation::AddDuplicateCourse), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_run_for_the_tenant_says_that_it_has_to_wait() {
    let (sandbox, program) = demo_program().await;
    program.write("a.csv", "id,surname\nl1,A\n");
    program.write("b.csv", "id,surname\nl2,B\n");
    let edit = |file: &str| format!("learners edit --from {file} --state tenant.ledger");
    program.run(&edit("a.csv")).exits(0);
    let first = Ledger::open(&program.path().join("tenant.ledger"), None).unwrap();
    let runs = program.json("history --state tenant.ledger");
    assert_eq!(runs.as_array().unwrap().len(), 1);
    let second = program.run(&edit("b.csv"));
    second.assert_failure(
        6,
        "one import or command with --from changes a tenant at a time",
    );
    drop(first);
    program.run(&edit("b.csv")).exits(0);
    assert_eq!(
        sandbox.requests_to(Operation::EditLearner).unwrap().len(),
        2
    );
}
