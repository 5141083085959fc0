//! `--from FILE`: the results of a run that is stopped, how it continues, and the checks that are reported together.

use std::process::{Command, Stdio};

use lms_sandbox::Operation;
use serde_json::{Value, json};

use crate::program::{Arguments, Program, Ran, assert_members, demo, demo_program, fault};

/// Starts a command, and presses Ctrl-C when it sends a row.
#[cfg(unix)]
async fn stopped(program: &Program, arguments: &str, row: u32) -> Ran {
    let mut command = program.command(arguments);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !program.sends(row) {
        tokio::task::yield_now().await;
    }
    let id = child.id().to_string();
    let interrupted = Command::new("kill").args(["-INT", &id]).status();
    assert!(interrupted.unwrap().success());
    Ran::of(child.wait_with_output().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_without_rows_is_not_an_error() {
    let (sandbox, program) = demo_program().await;
    program.write("rows.csv", "id\n");
    let delete = ["courses", "rm", "--from", "rows.csv"];
    let ran = program.run(&[&delete[..], &["-o", "table"]].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "no rows\n"), "{ran:?}");
    let ran = program.run(&delete);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &summary["rows"]), (0, &json!(0)));
    assert!(sandbox.requests().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_is_told_without_the_requests_that_find_the_objects() {
    let (sandbox, program) = demo_program().await;
    program.write(
        "e.csv",
        "email,surname\na@b.example,A\nc@b.example,B\nd@b.example,C\n",
    );
    fault(&sandbox, "listLearners: always: status 503");
    let edit = "learners edit --from e.csv --map email=id --max-attempts 1";
    program
        .run(edit)
        .assert_failure(6, "could not look up what the rows name: 503");
}

/// The same command continues what is not finished, does nothing after that, and sends a changed file as a new run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_command_again_does_what_is_left() {
    let (sandbox, program) = demo_program().await;
    let edit = "learners edit --from e.csv";
    program.write("e.csv", "id,surname\nl1,A\nl2,B\n");
    fault(&sandbox, "editLearner: nth 2: status 400");
    program.run(edit).exits(8);
    sandbox.faults().clear();
    let sent = || sandbox.requests_to(Operation::EditLearner).unwrap().len();
    assert_eq!(sent(), 2);
    let continued = program.json(edit);
    assert_eq!(
        (&continued["changed"], &continued["earlier"], sent()),
        (&json!(2), &json!(1), 3)
    );
    let again = program.run(edit).exits(0);
    again.assert_stderr("nothing to do");
    assert_eq!(sent(), 3);
    // A new run sends every row, and keeps the earlier results.
    program.write("e.csv", "id,surname\nl1,A\nl2,C\n");
    let changed = program.run(edit).exits(0);
    changed.assert_stderr("the results of the earlier run are now in e.learners-edit.1.csv");
    changed.assert_stderr("changed 1, unchanged 1");
    assert!(
        program
            .read("e.learners-edit.1.csv")
            .contains("\nl2,B,changed,")
    );
    assert!(
        program
            .read("e.learners-edit.csv")
            .contains("\nl2,C,changed,")
    );

    // Courses would be added a second time.
    program.write("c.csv", "name\nA\n");
    program.run("courses add --from c.csv").exits(0);
    program.write("c.csv", "name\nA\nB\n");
    let refused = program.run("courses add --from c.csv");
    refused.assert_failure(2, "has the results of 1 row that would be sent again");
    program.run("courses add --from c.csv --resume").exits(0);
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 2);

    // A row that may have been sent keeps its result when it is removed from the file: a person may add it again.
    fault(&sandbox, "addCourse: nth 1: drop after");
    program.write("k.csv", "name\nK\nL\n");
    let add = "courses add --from k.csv --concurrency 1";
    program.run(add).exits(7);
    sandbox.faults().clear();
    program.write("k.csv", "name\nM\n");
    program.run(add).exits(0);
    let results = program.read("k.courses-add.csv");
    for kept in ["\nK,ambiguous,", "\nL,added,", "\nM,added,"] {
        assert!(results.contains(kept), "{results}");
    }
}

/// The email addresses of rows that succeeded lead to no learner any more.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removal_of_learners_by_email_address_continues_after_it_was_stopped() {
    let (sandbox, program) = demo_program().await;
    let learners = program.json("learners list --limit 3");
    let email = |index: usize| learners[index]["email"].as_str().unwrap().to_owned();
    let rows = format!("email\n{}\n{}\n{}\n", email(0), email(1), email(2));
    program.write("l.csv", rows);
    fault(&sandbox, "deleteLearner: nth 2: delay 1h");
    let delete = "learners rm --from l.csv --map email=id --yes --concurrency 1";
    let log = "l.learners-rm.csv";
    stopped(&program, delete, 2).await.exits(130);
    sandbox.faults().clear();
    // As if the request in doubt had been processed.
    program
        .run(&["learners", "rm", &email(1), "--yes"])
        .exits(0);

    let resumed = program.json(&format!("{delete} --resume"));
    assert_members(&resumed, &json!({ "removed": 3, "earlier": 1 }));
    let results = program.read(log);
    let first = format!(
        "\n{},removed,{},",
        email(0),
        learners[0]["id"].as_str().unwrap()
    );
    assert!(results.contains(&first), "{results}");
}

/// With other options, or at another tenant, each row would be sent a second time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_another_command_or_tenant_are_not_continued() {
    let (sandbox, other) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &sandbox, ""), ("globex", &other, "")]);
    program.write("c.csv", "name\nA\nB\n");
    let add = "courses add --from c.csv";
    program.run(add).exits(0);
    for more in ["--published", "--profile globex"] {
        let resumed = program.run(&format!("{add} {more} --resume"));
        resumed.assert_failure(2, "c.courses-add.csv has the results of another command: ");
    }
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 2);
    assert!(other.requests_to(Operation::AddCourse).unwrap().is_empty());

    // If the command changed nothing, it can be corrected.
    fault(&sandbox, "addCourse: always: status 400");
    let add = "courses add --from c.csv --results r.csv";
    program.run(add).exits(8);
    sandbox.faults().clear();
    let resumed = program.json(&format!("{add} --published --resume"));
    assert_eq!(resumed["added"], 2);
}

/// As on a full disk, while rows are sent.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_the_ledger_cannot_record_stops_and_continues_later() {
    let (sandbox, program) = demo_program().await;
    let mut rows = "name,description\n".to_owned();
    for number in 0..40 {
        rows += &format!("C{number},{}\n", "x".repeat(100));
    }
    program.write("c.csv", rows);
    let add = "courses add --from c.csv --concurrency 1";
    let mut limited = program.other("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_lms"))
        .args(add.words());
    let ran = Ran::of(limited.output().unwrap());
    ran.assert_stderr("did not end well: cannot write the ledger: ");
    assert!([7, 8].contains(&ran.code), "{ran:?}");
    let sent = sandbox.requests_to(Operation::AddCourse).unwrap().len();
    assert!((1..40).contains(&sent), "{sent}");

    let resumed = program.run(&format!("{add} --resume"));
    let summary: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let count = |name: &str| summary[name].as_u64().unwrap_or_default();
    assert_eq!(count("added") + count("ambiguous"), 40, "{resumed:?}");
    assert!(count("earlier") > 0, "{resumed:?}");
    let nowhere = program.run("courses add --from c.csv --state nowhere/ledger --results r.csv");
    nowhere.assert_failure(6, "nowhere/ledger");
    let courses = program.run("courses list --jq 'select(.name | test(\"^C[0-9]+$\")) | .name'");
    assert_eq!(courses.stdout.lines().count(), 40, "{courses:?}");
}

/// The ledger has what the results lack, and the run has not ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_not_sent_again_when_their_results_could_not_be_written() {
    let (sandbox, program) = demo_program().await;
    program.write("c.csv", "name\nA\n");
    // The name of the new file, which replaces it, would be too long.
    let name = "r".repeat(250);
    for earlier in [0, 1] {
        let ran = program.run(&format!("courses add --from c.csv --results {name}"));
        ran.assert_stderr("could not write rrrr");
        let ran = ran.exits(6);
        let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_members(&summary, &json!({ "added": 1, "earlier": earlier }));
    }
    assert_eq!(program.json("history")[0]["ended"], Value::Null);
    // Nothing is sent without a place for the results.
    let ran = program.run("courses add --from c.csv --results nowhere/r.csv");
    ran.assert_failure(6, "could not write nowhere/r.csv: ");
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 1);
}

/// After a kill, the ledger alone knows what was sent, also when the file has changed since.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_run_is_continued_with_a_corrected_file() {
    let (sandbox, program) = demo_program().await;
    let learner = &program.json("learners list --limit 1")[0];
    let email = learner["email"].as_str().unwrap();
    let rows = |surname: &str| {
        format!(
            "firstname,surname,email\nX,Y,{email}\nA,B,a@new.example\nC,{surname},c@new.example\n"
        )
    };
    program.write("p.csv", rows("D"));
    fault(&sandbox, "addLearner: nth 2: delay 1h");
    let add = "learners add --from p.csv --generate-password --if-not-exists --add-tag new --concurrency 1";
    let mut command = program.command(add);
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    while !program.sends(3) {
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(program.read("p.learners-add.csv"), "");
    sandbox.faults().clear();
    let other = program.run(&format!("{add} --add-tag other"));
    other.assert_failure(
        2,
        "p.learners-add.csv is for the results of another command",
    );
    program.write("p.csv", rows("E"));
    let continued = program.json(add);
    assert_members(
        &continued,
        &json!({ "added": 2, "tagged": 1, "earlier": 2 }),
    );
    let results = program.read("p.learners-add.csv");
    assert!(results.contains(",tagged,"), "{results}");
    assert!(results.contains("kept: firstname: "), "{results}");
    let again = program.run(add).exits(0);
    again.assert_stderr("nothing to do");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_shows_the_rows_that_are_not_valid_and_the_values_that_would_be_kept() {
    let (_sandbox, program) = demo_program().await;
    let tomas = "tomas.lopez5@example.org";
    let rows = format!(
        "firstname,surname,email\nA,B,a@b.example\n,C,c@b.example\nAnn,Bell,{tomas}\nA,B,A@b.example\n"
    );
    program.write("p.csv", rows);
    let add = "learners add --from p.csv --generate-password --if-not-exists --skip-invalid";
    let ran = program.run(&format!("{add} --dry-run")).exits(8);
    ran.assert_stderr("dry run: added 1, existed 2, invalid 1\n");
    ran.assert_stderr("1 of 4 rows would fail, for example: firstname: there is no value");
    let plans: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_members(
        &plans[1],
        &json!({ "line": 3, "reason": "invalid: firstname: there is no value" }),
    );
    let kept = "existed: kept: firstname: \"Tomás\" → \"Ann\"; surname: \"López\" → \"Bell\"";
    assert_eq!(plans[2]["reason"], kept);
    assert_members(
        &plans[0],
        &json!({ "line": 2, "name": "A B", "action": "create" }),
    );
    // The first row adds the learner of the last.
    assert_eq!(plans.as_array().unwrap().len(), 3);

    let ran = program.run(add).exits(8);
    ran.assert_stderr("1 row existed with other values, which were kept");
    let results = program.read("p.learners-add.csv");
    let existed = results
        .lines()
        .find(|line| line.contains(",existed,"))
        .unwrap();
    assert!(
        existed.contains("surname: \"\"López\"\" → \"\"Bell\"\""),
        "{results}"
    );
}
