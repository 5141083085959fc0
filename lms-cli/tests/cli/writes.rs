//! Dry runs, confirmations, bodies and secrets.

use lms_sandbox::Operation;
use serde_json::{Value, json};

use crate::program::{Program, assert_members, demo, demo_program, fault};

/// A dry run of each kind of write shows the step with the names of its objects, and changes nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_changes_nothing() {
    let (sandbox, program) = demo_program().await;
    for (arguments, expected) in [
        (
            "courses add --name x --published",
            "added 1\n+ x\n    name  x\n    published  true\n",
        ),
        ("courses rm c1", "removed 1\n- Fire safety (c1)\n"),
        (
            "courses duplicate c1 --name y --published=false",
            "added 1\n+ y\n    course  Fire safety (c1)\n    name  y\n    published  false\n",
        ),
        (
            "learners edit l1 --surname Jones",
            "changed 1\n~ Mohammed Lindqvist (l1)\n    surname  Lindqvist → Jones\n",
        ),
        (
            "enrolments add --user l1 --course c2",
            "added 1\n~ Mohammed Lindqvist (l1)\n    course  Working at height (c2)\n",
        ),
        ("enrolments rm --user l1 --course c1", "absent 1\n"),
        (
            "enrolments rm --user l1",
            "removed 1\n- Mohammed Lindqvist (l1)\n    enrolments  2 → nothing\n",
        ),
        (
            "learners add --if-not-exists --generate-password --firstname Ann --surname Bell --email mohammed.lindqvist1@works.example --enrol c2 --add-tag new",
            "enrolled 1\n~ Ann Bell (l1)\n    tag  new\n    course  Working at height (c2)\n? Ann Bell: enrolled: kept: ",
        ),
        (
            "learners add --generate-password --firstname Ann --surname Bell --email ann@acme.example --tag x",
            "added 1\n+ Ann Bell\n    email  ann@acme.example\n    firstname  Ann\n    generate_password  true\n    surname  Bell\n    tag  x\n",
        ),
        ("learners edit l1 --surname Lindqvist", "unchanged 1\n"),
    ] {
        let shown = program.run(&format!("{arguments} --dry-run -o table"));
        let expected = format!("dry run: {expected}");
        assert!(shown.exits(0).stdout.starts_with(&expected), "{expected}");
    }
    let steps = program.json("courses rm c1 --dry-run");
    assert_members(
        &steps[0],
        &json!({ "name": "Fire safety", "action": "command", "command": "courses rm", "object": "c1" }),
    );
    let request = program.json("api DELETE /courses/c1 --dry-run");
    assert_members(&request, &json!({ "dry_run": true, "method": "DELETE" }));
    let writes = sandbox.requests().unwrap();
    let mut writes = writes.iter().filter(|request| {
        request.method != "GET" && request.operation != Some(Operation::GetToken)
    });
    assert!(writes.next().is_none());
    let plan = program.run("learners edit l1 --surname Jones --dry-run -o csv");
    plan.assert_stdout(",Mohammed Lindqvist,l1,named,edit,surname,Lindqvist,Jones\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_adds_to_a_list_and_removes_from_it() {
    let (_sandbox, program) = demo_program().await;
    let edit = |options: &str| program.json(&format!("learners edit l1 {options}"))["tags"].clone();
    assert_eq!(edit("--tag emea --tag remote"), json!(["emea", "remote"]));
    assert_eq!(
        edit("--add-tag emea --add-tag lead --remove-tag remote"),
        json!(["emea", "lead"])
    );
    assert_eq!(edit("--remove-tag unknown"), json!(["emea", "lead"]));
    assert_eq!(edit("--clear tags --add-tag new"), json!(["new"]));
    program.run("learners edit l1 --tag a --add-tag b").exits(2);
    let help = program.run("learners edit --help");
    help.assert_stdout("Replaces the list.");
}

/// An addition that is repeated, also after a lost response, adds one object.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_addition_if_not_exists_adds_once() {
    let (sandbox, program) = demo_program().await;
    let learner = "learners add --if-not-exists --firstname Ann --surname Bell --email ann@acme.example --generate-password";
    let planned = program.json(&format!("{learner} --dry-run"));
    assert_eq!(planned[0]["action"], "create");
    fault(&sandbox, "addLearner: first 1: drop after");
    let ann = program.json(&learner);
    sandbox.faults().clear();
    assert_eq!(program.json(&learner)["id"], ann["id"]);
    let planned = program.json(&format!("{learner} --dry-run"));
    assert_eq!(planned, json!([]));
    let kept = program.run(&learner.replace("Bell", "Belle"));
    assert_eq!(
        serde_json::from_str::<Value>(&kept.stdout).unwrap()["surname"],
        "Bell"
    );
    kept.assert_stderr("differs from the request: surname");

    let user = ann["id"].as_str().unwrap();
    let enrol = format!("enrolments add --course c1 --user {user}");
    let enrolled = program.json(&format!("{enrol} --if-not-exists"));
    let again = program.run(&format!("{enrol} --if-not-exists -o json"));
    assert_eq!(
        serde_json::from_str::<Value>(&again.stdout).unwrap(),
        enrolled
    );
    again.assert_stderr("nothing was added");
    program.run(&enrol).exits(5);
    assert_eq!(sandbox.requests_to(Operation::AddLearner).unwrap().len(), 1);
    let refused = program.run(&learner.replace("--if-not-exists ", ""));
    refused.assert_failure(
        5,
        "hint: if it exists already, --if-not-exists accepts that\n",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_addition_that_may_have_been_made_says_whether_it_can_be_repeated() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "addEnrolment: always: status 500");
    let add = "enrolments add --course c1 --user l1";
    let unclear = program.run(&add);
    unclear.assert_failure(7, "read the object before you run the command again");
    let unclear = program.run(&format!("{add} --if-not-exists"));
    unclear.assert_failure(
        7,
        "it may have been added, although a lookup did not find it",
    );
    let advice = "hint: the change may have been made; it is safe to run the same command again\n";
    assert!(unclear.stderr.ends_with(advice), "{unclear:?}");
}

/// Without a terminal, commands that delete require `--yes`; `/dev/null` is no terminal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delete_without_a_terminal_needs_yes() {
    let (sandbox, program) = demo_program().await;
    let deletes: [&str; 4] = [
        "courses rm c1",
        "learners rm l1",
        "enrolments rm --user l1",
        "api DELETE /courses/c1",
    ];
    for arguments in deletes {
        for stdin in ["", "y\n"] {
            program.run_with(arguments, stdin).exits(130);
        }
        program.run(arguments).exits(130);
    }
    let ran = program.run(deletes[2]);
    ran.assert_stderr("enrolments rm for 2 enrolments at 127.0.0.1:");
    ran.assert_stderr(": Mohammed Lindqvist (l1, mohammed.lindqvist1@works.example)?");
    assert!(
        sandbox
            .requests_to(Operation::DeleteCourse)
            .unwrap()
            .is_empty()
    );
    assert!(
        sandbox
            .requests_to(Operation::DeleteEnrolment)
            .unwrap()
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_comes_from_a_file_or_stdin_and_options_replace_its_fields() {
    let (_sandbox, program) = demo_program().await;
    program.write(
        "course.json",
        r#"{"name":"File","display_priority":1.50,"description":"d"}"#,
    );
    let course = program.json("courses add --body course.json --name Option");
    assert_members(&course, &json!({ "name": "Option", "description": "d" }));
    let shown = program.run("courses add --body course.json --dry-run -o ndjson");
    shown.assert_stdout(r#""field":"display_priority","from":"","to":"1.50""#);
    let ran = program.run_with("courses add --name -", "From stdin\n");
    ran.assert_stdout(r#""From stdin""#);
    let ran = program.run_with("courses add --body -", r#"{"name":"x","own_field":"1"}"#);
    ran.assert_stderr("own_field is not a documented field");
}

/// The new password is neither an argument nor printed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_read_from_stdin_and_not_printed() {
    let (_sandbox, program) = demo_program().await;
    let edit = "learners edit l1 --password -";
    for more in ["--dry-run", ""] {
        let ran = program
            .run_with(&format!("{edit} {more}"), "hunter2 hunter2\n")
            .exits(0);
        assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
    let add = "learners add --firstname a --surname b --email c@d.example --password - --dry-run";
    let ran = program.run_with(&add, "hunter2 hunter2\n").exits(0);
    assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
}

/// An edit keeps the fields that it does not name, and writes nothing if nothing changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_keeps_the_other_fields() {
    let (sandbox, program) = demo_program().await;
    let before = program.json("learners get l1");
    let after = program.json("learners edit l1 --surname Jones --clear phone-number");
    assert_eq!(after["surname"], "Jones");
    assert_eq!(after["firstname"], before["firstname"]);
    let names = |object: &Value| -> Vec<String> {
        let fields = object.as_object().unwrap().keys();
        // One was cleared, and an empty list is left out.
        let others = fields.filter(|name| !matches!(name.as_str(), "phone_number" | "tags"));
        others.cloned().collect()
    };
    assert_eq!(names(&after), names(&before), "in another order");
    assert!(
        before["phone_number"] != ""
            && after["phone_number"]
                .as_str()
                .unwrap_or_default()
                .is_empty()
    );
    let again = program.run("learners edit l1 --surname Jones");
    again.assert_stderr("nothing was written");
    assert_eq!(
        sandbox.requests_to(Operation::EditLearner).unwrap().len(),
        1
    );
}

/// Learners see a course as soon as it is published.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_may_be_published_at_once_is_not_without_a_word() {
    let (_sandbox, program) = demo_program().await;
    let line = "the service decides whether the copy is published at once; --published=false keeps it back\n";
    for (options, is_said) in [
        ("", true),
        ("--dry-run", true),
        ("--wait", true),
        ("--published=false", false),
        ("--published", false),
    ] {
        let ran = program
            .run(&format!("courses duplicate c1 {options}"))
            .exits(0);
        assert_eq!(ran.stderr.contains(line), is_said, "{options}: {ran:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_before_a_removal_names_the_people_and_the_profile() {
    let sandbox = demo().await;
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    let ids: String = (1..=7).map(|number| format!("l{number}\n")).collect();
    program.write("leavers.csv", format!("id\n{ids}"));
    let person = "Mohammed Lindqvist (l1, mohammed.lindqvist1@works.example)";
    for (command, question, end) in [
        ("learners rm l1", "learners rm at ", "?"),
        (
            "enrolments rm --user l1 --course c1",
            "enrolments rm for 0 enrolments at ",
            " in Fire safety (c1)?",
        ),
        (
            "learners rm --from leavers.csv",
            "learners rm for 7 rows of leavers.csv at ",
            ", ",
        ),
    ] {
        let asked = program.run(command).exits(130);
        asked.assert_stderr(&format!("not confirmed: {question}127.0.0.1:"));
        asked.assert_stderr(&format!(" (profile acme): {person}{end}"));
    }
    let asked = program.run("learners rm --from leavers.csv").exits(130);
    asked.assert_stderr(" and 2 more?");
    let planned = program.run("learners rm --from leavers.csv --dry-run");
    planned.exits(0).assert_stderr("dry run: removed 7\n");
    let deleted = sandbox.requests_to(Operation::DeleteLearner).unwrap();
    assert!(deleted.is_empty());
}
