//! `--from FILE` in the ledger: what a run has changed, what continues it, and undo.

use std::fs;

use lms_plan::Ledger;
use lms_sandbox::Operation;
use serde_json::{Value, json};

use crate::program::{assert_members, demo_program, fault};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
async fn history_has_the_old_and_new_values_of_rows_and_undo_brings_them_back() {
    let (_sandbox, program) = demo_program().await;
    let before = program.json("learners get l1");
    program.write(
        "e.csv",
        "id,surname,add-tag\nl1,Kim-Wagner,moved\nl999,X,\n",
    );
    program.run("learners edit --from e.csv").exits(2);
    assert_eq!(program.json("history"), json!([]));
    program.write("e.csv", "id,surname,add-tag\nl1,Kim-Wagner,moved\n");
    program.run("learners edit --from e.csv").exits(0);

    let runs = program.json("history");
    let run = &runs[0];
    assert_members(
        run,
        &json!({ "purpose": "command", "input": "learners edit --from e.csv", "steps": { "done": 1 } }),
    );
    assert!(run["ended"].is_string() && run["sha256"].as_str().unwrap().len() == 64);
    let step = &program.json("history show 1")[0];
    let change = json!([{ "field": "surname", "from": before["surname"], "to": "Kim-Wagner" }]);
    assert_members(
        step,
        &json!({ "fields": change, "add_tags": ["moved"], "learner": "l1" }),
    );
    assert_eq!(program.json("history --person l1"), json!([step]));

    let (course, learner) = ("c3", "l1");
    program.write("n.csv", format!("user,course\n{learner},{course}\n"));
    program.run("enrolments rm --from n.csv --yes").exits(0);
    program
        .run("enrolments add --from n.csv --if-not-exists")
        .exits(0);
    let table = program.run("history show 1 -o table").exits(0);
    let (head, first) = table.stdout.split_once('\n').unwrap();
    assert!(
        head.starts_with("RUN  NAME") && head.contains("  LEARNER  ACTION"),
        "{head}"
    );
    let [name, surname] = ["firstname", "surname"].map(|field| before[field].as_str().unwrap());
    let name = format!("{name} {surname}");
    assert!(first.starts_with(&format!("1    {name}  l1 ")), "{first}");
    let course_name = program.json("courses get c3")["name"].clone();
    let course_name = course_name.as_str().unwrap();
    let renamed = name.replace(surname, "Kim-Wagner");
    let runs = program.run("history -o table").exits(0);
    let times = format!("{table:?}{runs:?}");
    let mut fractions = times.split('.').skip(1);
    assert!(
        !fractions.any(|after| after.starts_with(|c: char| c.is_ascii_digit())),
        "{times}"
    );
    for (run, shown) in [
        (
            "3",
            format!(
                "\n~ {renamed} (line 2, l1)\n    course  {course_name} (c3) → nothing\n? {renamed} (line 2): the progress"
            ),
        ),
        (
            "1",
            format!("\n~ {name} (line 2, l1)\n    surname  Kim-Wagner → {surname}"),
        ),
    ] {
        let undo = program.run(&format!("undo {run} --to undo.json -o table"));
        undo.exits(0).assert_stdout(&shown);
        program.json("import apply undo.json --yes");
    }
    let after = program.json("learners get l1");
    assert_members(
        &after,
        &json!({ "surname": before["surname"], "tags": before["tags"] }),
    );
    let enrolled = program.json(&format!(
        "enrolments list --user {learner} --course {course}"
    ));
    assert_eq!(enrolled, json!([]));
}

/// A row whose object a later run has changed is sent again by the same command, and the others are not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_later_runs_have_undone_is_done_again() {
    let (sandbox, program) = demo_program().await;
    let before = program.json("learners get l1")["surname"].clone();
    program.write("e.csv", "id,surname\nl1,A\nl2,B\n");
    let edit = "learners edit --from e.csv";
    program.run(edit).exits(0);
    program.json("undo 1 --to undo.json");
    program.json("import apply undo.json --yes");
    assert_eq!(program.json("learners get l1")["surname"], before);
    let again = program.run(edit).exits(0);
    again.assert_stderr("2 rows to send again: later runs have undone or changed");
    again.assert_stderr("changed 2\n");
    assert_eq!(program.json("learners get l1")["surname"], "A");
    program
        .run(edit)
        .exits(0)
        .assert_stderr("(results in e.learners-edit.csv; remove that file to send the rows again)");

    // A run that has not ended, and of which a row was changed by another file.
    program.write("f.csv", "id,surname\nl1,C\nl3,D\n");
    let other = "learners edit --from f.csv --concurrency 1";
    fault(&sandbox, "editLearner: nth 2: status 400");
    program.run(other).exits(8);
    sandbox.faults().clear();
    assert_members(&program.json(edit), &json!({ "changed": 2, "earlier": 1 }));
    assert_members(&program.json(other), &json!({ "changed": 2, "earlier": 0 }));
    assert_eq!(program.json("learners get l1")["surname"], "C");

    // Additions, whose objects another command has deleted.
    program.write("c.csv", "name\nA\nB\n");
    let add = "courses add --from c.csv";
    program.run(add).exits(0);
    let results = program.read("c.courses-add.csv");
    let id = results.lines().nth(1).unwrap().split(',').nth(2).unwrap();
    program.write("d.csv", format!("id\n{id}\n"));
    program.run("courses rm --from d.csv --yes").exits(0);
    // As an earlier version recorded it.
    let state = fs::read_dir(program.path().join(".local/state/lms")).unwrap();
    let mut paths = state.map(|file| file.unwrap().path());
    let ledger = paths.find(|path| path.extension().is_some_and(|ending| ending == "ledger"));
    let ledger = rusqlite::Connection::open(ledger.unwrap()).unwrap();
    let earlier = "UPDATE steps SET step = json_set(json_remove(step, '$.command'), '$.name', 'courses delete') WHERE step ->> 'command' = 'courses rm'";
    assert_eq!(ledger.execute(earlier, []).unwrap(), 1);
    let planned = program.run(&format!("{add} --dry-run")).exits(0);
    planned.assert_stderr("dry run: added 2; 1 of them in an earlier run\n");
    assert_members(&program.json(add), &json!({ "added": 2, "earlier": 1 }));
    program.run(add).exits(0).assert_stderr("nothing to do");
    let planned = program.run(&format!("{add} --dry-run")).exits(0);
    planned.assert_stderr("nothing to do");
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 3);
}

/// Edits of courses, and what `--enrol` and `--add-tag` give to learners who exist. A password does not come back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undo_brings_back_courses_and_ends_enrolments_of_learners_who_existed() {
    let (_sandbox, program) = demo_program().await;
    let learner = program.json("learners get l1");
    let [first, last, email] =
        ["firstname", "surname", "email"].map(|field| learner[field].as_str().unwrap());
    for (command, rows, undone, object) in [
        (
            "courses edit",
            "id,name,published,display-priority,description\nc1,Fires,false,2.5,\nc3,,true,1,New\n"
                .to_owned(),
            "\n    name  Fires → ",
            "courses get c1 --columns name,published,description; courses get c3 --columns name,published,description",
        ),
        (
            "learners add --if-not-exists --generate-password",
            format!("firstname,surname,email,enrol,add-tag\n{first},{last},{email},c12,lead\n"),
            "\n    tag  lead → nothing\n",
            "learners get l1 --columns surname,tags; enrolments list --user l1 --columns course",
        ),
        (
            "learners edit",
            "id,phone-number,password\nl1,123,Secret-1\n".to_owned(),
            "(line 2): the new password stays: the old one is not known",
            "learners get l1 --columns phone_number",
        ),
    ] {
        let state = || -> Vec<Value> { object.split("; ").map(|of| program.json(of)).collect() };
        let before = state();
        program.write("r.csv", rows);
        let ran = program.json(&format!("{command} --from r.csv"));
        assert_eq!(ran["earlier"], 0);
        assert_ne!(state(), before, "{command}");
        let run = program.json("history")[0]["run"].clone();
        let undo = program.run(&format!("undo {run} --to undo.json -o table"));
        undo.exits(0).assert_stdout(undone);
        program.json("import apply undo.json --yes");
        assert_eq!(state(), before, "{command}");
        // An undo is a run like any other.
        let run = program.json("history")[0]["run"].clone();
        program.json(&format!("undo {run} --to again.json"));
        program.json("import apply again.json --yes");
        assert_ne!(state(), before, "{command}");
        fs::remove_file(program.path().join("r.csv")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_undo_of_additions_is_empty_and_names_the_command_that_deletes_them() {
    let (_sandbox, program) = demo_program().await;
    program.write("p.csv", "firstname,surname,email\nA,B,a@new.example\n");
    let add = "learners add --from p.csv --generate-password";
    program.run(add).exits(0);
    let undo = program.run("undo 1 --to undo.json").exits(0);
    undo.assert_stderr("nothing of run 1 can be undone: the plan is empty\n");
    let list = "history show 1 --jq 'select(.action == \"create\" and .status == \"done\") | {id: .learner}'";
    undo.assert_stderr(&format!(
        "lms {list} | lms learners rm --from - --dry-run\n"
    ));
    let added = program.run(list).exits(0);
    let delete = "learners rm --from - --yes";
    program.run_with(delete, &added.stdout).exits(0);
    program.run("learners get a@new.example").exits(3);
    let applied = program.run("import apply undo.json --yes -o table");
    applied
        .exits(0)
        .assert_stdout("nothing to do: the plan is empty\n");
    assert_members(&program.json(add), &json!({ "added": 1, "earlier": 0 }));
}

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

/// As after a power cut: the results are gone, and the ledger is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_without_its_results_is_continued_by_the_ledger() {
    let (sandbox, program) = demo_program().await;
    program.write("c.csv", "name\nA\nB\nC\n");
    fault(&sandbox, "addCourse: nth 2: status 400");
    let add = "courses add --from c.csv";
    program.run(add).exits(8);
    sandbox.faults().clear();
    fs::remove_file(program.path().join("c.courses-add.csv")).unwrap();
    let continued = program.json(add);
    assert_members(&continued, &json!({ "added": 3, "earlier": 2 }));
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 4);
    assert!(program.read("c.courses-add.csv").contains("\nA,added,"));

    // Rows of stdin have no results at all.
    let rows = "name\nD\nE\n";
    fault(&sandbox, "addCourse: nth 2: drop after");
    let add = "courses add --from -";
    program.run_with(add, rows).exits(7);
    sandbox.faults().clear();
    let sent = || sandbox.requests_to(Operation::AddCourse).unwrap().len();
    let before = sent();
    let again = program.run_with(add, rows).exits(7);
    again.assert_stderr("an earlier run may have sent it");
    assert_eq!(sent(), before);
    let runs = program.json("history");
    assert_eq!(
        (runs.as_array().unwrap().len(), &runs[0]["ended"]),
        (2, &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_run_for_the_tenant_says_that_it_has_to_wait() {
    let (sandbox, program) = demo_program().await;
    program.write("a.csv", "id,surname\nl1,A\n");
    program.write("b.csv", "id,surname\nl2,B\n");
    let edit = |file: &str| format!("learners edit --from {file} --state tenant.ledger");
    program.run(&edit("a.csv")).exits(0);
    let first = Ledger::open_for_commands(&program.path().join("tenant.ledger")).unwrap();
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

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_that_is_a_pipe_is_refused() {
    let (_sandbox, program) = demo_program().await;
    program.write("a.csv", "id,surname\nl1,A\n");
    let pipe = program.path().join("t.ledger");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.unwrap().success());
    for command in ["learners edit --from a.csv", "history"] {
        let ran = program.run(&format!("{command} --state t.ledger"));
        ran.assert_failure(6, "a pipe or a device, and not a file");
    }
}
