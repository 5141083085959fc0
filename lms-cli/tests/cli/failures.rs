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
