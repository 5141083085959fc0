//! The exit code and the error object of each kind of failure.

use lms_sandbox::Sandbox;
use serde_json::{Value, json};

use crate::program::{Program, assert_members, fault, table};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_failure_has_its_exit_code() {
    let cases = r"
         => courses get nope => 3 => not_found
        getCourse: always: status 401 => courses get c1 => 4 => unauthenticated
        getCourse: always: status 403 => courses get c1 => 4 => forbidden
        addCourse: always: status 409 => courses add --name x => 5 => conflict
        addCourse: always: status 422 => courses add --name x => 5 => rejected
        getCourse: always: status 500 => courses get c1 => 6 => server
        addCourse: always: status 500 => courses add --name x => 7 => ambiguous
        addCourse: always: drop after => courses add --name x => 7 => ambiguous
        listTags: always: bad-json garbage => tags list => 6 => not_json
        getToken: always: status 401 => courses get c1 => 4 => unauthenticated
    ";
    for [rule, arguments, code, kind] in table(cases) {
        let code: i32 = code.parse().unwrap();
        let sandbox = Sandbox::builder().start().await.unwrap();
        if !rule.is_empty() {
            fault(&sandbox, &rule);
        }
        let program = Program::of(&sandbox);
        let ran = program.run(&format!("{arguments} -o json"));
        ran.assert_failure(code, "");
        let error: Value = serde_json::from_str(&ran.stderr).unwrap();
        assert_members(&error, &json!({ "kind": kind.clone(), "exit_code": code }));
        assert_eq!(error["ambiguous"], code == 7);
        assert_eq!(error["retryable"], code == 6);
        for member in [
            "message",
            "operation",
            "status",
            "attempts",
            "request_id",
            "advice",
        ] {
            assert!(error.get(member).is_some(), "{member}");
        }
        let text = program.run(&arguments);
        assert!(text.stderr.starts_with("error: "), "{}", text.stderr);
    }
}

/// A failure that neither the arguments nor the service caused.
#[test]
fn a_file_that_cannot_be_written_is_a_fault() {
    let program = Program::new();
    program.write("taken", "");
    let ran = program.run("man --to taken -o json");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{}", ran.stderr);
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_members(
        &error,
        &json!({ "kind": "fault", "exit_code": 1, "retryable": false }),
    );
}

/// The advice names the command that shows the object.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_found_is_looked_up_by_a_command_that_exists() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let program = Program::of(&sandbox);
    let cases = r"
        learners get nobody => hint: check the id or the email address, username or full name; `lms learners list` shows what there is
        learners get nobody@acme.example => hint: check the id or the email address, username or full name; `lms learners list` shows what there is
        learners find nobody@acme.example => hint: check the id or the email address, username or full name; `lms learners list` shows what there is
        courses get nope => hint: check the id or the name; `lms courses list` shows what there is
        topic-progress get nope t1 => hint: check the id or the email address, username or full name
        course-progress get nope l1 => hint: check the id or the name
        api GET /nope => hint: check the path\n
    ";
    program.assert_failures(3, cases);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_timeout_names_the_option_that_sets_it() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    fault(&sandbox, "getCourse: always: delay 10min");
    let ran = Program::of(&sandbox).run("courses get c1 --timeout 300ms --max-attempts 1");
    ran.assert_failure(6, "or with a longer --timeout");
}
