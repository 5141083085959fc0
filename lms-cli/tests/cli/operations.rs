//! Arguments of generated commands, aliases, tokens, and requests by path. `schema.rs` runs every command.
use serde_json::json;

use crate::program::{Program, assert_members, demo_program};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_become_fields_and_filters() {
    let (_sandbox, program) = demo_program().await;
    let count = |list: &str| program.json(list).as_array().unwrap().len();
    let added = program.json("courses add --name Lifting --published=false --display-priority 1.5");
    assert_members(
        &added,
        &json!({ "published": false, "display_priority": 1.5 }),
    );
    let course = added["id"].as_str().unwrap();
    let edited = program.json(&format!("courses edit {course} --archived --pass-mark 80"));
    assert_members(&edited, &json!({ "archived": true, "pass_mark": "80" }));
    assert_eq!(count("courses list --archived"), 1 + 1);
    let learner = program.json(
        "learners add --firstname Jo --surname Smith --email jo@acme.example --tag emea --tag manager --generate-password --send-email=false",
    );
    assert_eq!(learner["tags"], serde_json::json!(["emea", "manager"]));
    assert!(count("learners list --tag emea") > 20);
    // Listed values are sent as the document writes them.
    assert!(count("learners list --order-direction desc") > 20);
    program.json(&format!(
        "enrolments add --course {course} --user jo@acme.example"
    ));
    assert_eq!(count(&format!("enrolments list --course {course}")), 1);
    let remove = format!("enrolments rm --course {course} --user jo@acme.example --yes");
    let removed = program.run(&remove).exits(0);
    assert_eq!(removed.stdout, "");
    removed.assert_stderr("1 enrolment of learner");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wait_for_a_copy_that_takes_too_long_names_the_command_that_waits_again() {
    let (_sandbox, program) = demo_program().await;
    let copy = program.json("courses duplicate c1 --name Copy");
    let wait = format!(
        "courses duplication {} --wait",
        copy["id"].as_str().unwrap()
    );
    program
        .run(&format!("{wait} --wait-timeout 1ms"))
        .assert_failure(6, &format!("to wait again: lms {wait}"));
    assert_eq!(program.json(&wait)["name"], "Copy");
}

/// People who know other programs try their verbs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_verbs_of_other_programs_work() {
    let (_sandbox, program) = demo_program().await;
    let runs: [(&str, &str); 5] = [
        ("tags ls", "tags list"),
        ("courses show c1", "courses get c1"),
        (
            "courses create --name x --dry-run",
            "courses add --name x --dry-run",
        ),
        (
            "courses update c1 --archived --dry-run",
            "courses edit c1 --archived --dry-run",
        ),
        ("courses delete c1 --dry-run", "courses rm c1 --dry-run"),
    ];
    for (theirs, ours) in runs {
        assert_eq!(program.json(theirs), program.json(ours), "{theirs:?}");
    }
}

/// One token serves all runs of a shell script.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_is_kept_for_the_next_run() {
    let (sandbox, program) = demo_program().await;
    for _ in 0..3 {
        program.json("me");
    }
    let tokens = sandbox
        .requests_to(lms_sandbox::Operation::GetToken)
        .unwrap();
    assert_eq!(tokens.len(), 1);
}

#[test]
fn the_embedded_sandbox_needs_no_settings() {
    let learners = Program::new().json("--sandbox learners list");
    assert_eq!(learners.as_array().unwrap().len(), 650);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_request_can_be_sent_by_path() {
    let (_sandbox, program) = demo_program().await;
    assert_eq!(program.json("api get /courses/c1")["id"], "c1");
    let page = program.json("api GET /learners --query limit=2 --query tags=emea");
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    let all = program.json("api GET /courses?limit=5 --paginate");
    assert_eq!(all.as_array().unwrap().len(), 12);
    let added = program.run_with("api POST /courses --body -", r#"{"name":"By path"}"#);
    added.assert_stdout("By path");
    let learner = program.run("api GET /learners/l1");
    assert!(!learner.stdout.contains("password"));
}
