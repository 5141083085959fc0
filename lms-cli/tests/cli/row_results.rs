//! `--from FILE`: the results of a run that is stopped, how it continues, and the checks that are reported together.

use std::process::{Command, Stdio};

use lms_sandbox::Operation;
use serde_json::{Value, json};

use crate::program::{Program, Ran, assert_members, demo_program, fault, words};

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

/// A dry run changes neither the results of a run that was stopped nor its steps.
#[cfg(unix)]
fn shows_and_keeps(program: &Program, arguments: &str, log: &str) {
    let (results, steps) = (program.read(log), program.json("history show 1"));
    let shown = program.run(&format!("{arguments} --dry-run"));
    shown.assert_stderr("dry run: ");
    assert_eq!(program.read(log), results);
    assert_eq!(program.json("history show 1"), steps);
    assert_eq!(program.json("history")[0]["ended"], Value::Null);
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
    shows_and_keeps(&program, delete, log);
    // As if the request in doubt had been processed.
    program
        .run(&format!("learners rm {} --yes", email(1)))
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
        .args(words(add));
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
    shows_and_keeps(&program, add, "p.learners-add.csv");
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
