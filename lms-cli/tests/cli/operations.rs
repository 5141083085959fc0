//! Every generated command against the sandbox.

use std::collections::BTreeSet;

use crate::program::{Program, demo};

/// The last assertion compares the requests with the table of all operations, so a new operation needs a call here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
async fn every_command_sends_its_operation() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let json = |arguments: &str| program.json(arguments);
    let id = |value: &serde_json::Value| value["id"].as_str().unwrap().to_owned();

    assert!(json("test")["tid"].is_string());
    assert!(json("me")["domain"].is_string());
    let course = id(&json(
        "courses add --name Lifting --published=false --display-priority 1.5",
    ));
    let added = json(&format!("courses get {course}"));
    assert_eq!(
        (&added["published"], &added["display_priority"]),
        (&false.into(), &1.5.into())
    );
    let edited = json(&format!("courses edit {course} --archived --pass-mark 80"));
    assert_eq!(
        (&edited["archived"], &edited["pass_mark"]),
        (&true.into(), &"80".into())
    );
    assert_eq!(
        json("courses list --archived").as_array().unwrap().len(),
        1 + 1
    );
    let learner = id(&json(
        "learners add --firstname Jo --surname Smith --email jo@acme.example --tag emea --tag manager --generate-password --send-email=false",
    ));
    assert_eq!(id(&json("learners find jo@acme.example")), learner);
    let edited = json(&format!("learners edit {learner} --surname Jones --tag ''"));
    assert_eq!(edited["surname"], "Jones");
    assert_eq!(json(&format!("learners get {learner}"))["firstname"], "Jo");
    assert!(json("learners list --tag emea").as_array().unwrap().len() > 20);
    assert_eq!(
        json(&format!(
            "enrolments add --course {course} --user {learner}"
        ))["user"],
        learner
    );
    assert_eq!(
        json(&format!("enrolments list --course {course}"))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let removed = program.run(&format!(
        "enrolments remove --course {course} --user {learner} --yes"
    ));
    assert_eq!((removed.code, removed.stdout.as_str()), (0, ""));
    removed.assert_stderr("1 enrolment of learner");

    let progress = json("topic-progress list --limit 1 --completed");
    let (user, topic) = (
        progress[0]["user"].as_str().unwrap(),
        progress[0]["topic"].as_str().unwrap(),
    );
    assert_eq!(
        json(&format!("topic-progress get {user} {topic}"))["topic"],
        topic
    );
    let of = progress[0]["course"].as_str().unwrap();
    assert_eq!(
        json(&format!("course-progress get {of} {user}"))["user"],
        user
    );
    assert_eq!(json(&format!("topics get {topic}"))["id"], topic);
    assert!(
        !json(&format!("topics list --course {of}"))
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert!(
        !json("completions list --page-size 50")
            .as_array()
            .unwrap()
            .is_empty()
    );
    let permissions = json(&format!("user-fields permissions {user}"));
    assert!(permissions.is_array());
    let field = id(&json("user-fields list --limit 1")[0]);
    assert_eq!(id(&json(&format!("user-fields get {field}"))), field);
    let record = program.run(&format!("user-fields record {user} {field}"));
    assert!(matches!(record.code, 0 | 3), "{}", record.stderr);
    for list in ["profiles", "signup-pages", "tags"] {
        assert!(!json(&format!("{list} list")).as_array().unwrap().is_empty());
    }

    let copy = json(&format!("courses duplicate {of} --name Copy"));
    assert_eq!(
        json(&format!("courses duplication {}", id(&copy)))["old_course"],
        of
    );
    let task = id(&copy);
    let wait = format!("courses duplication {task} --wait");
    program
        .run(&format!("{wait} --wait-timeout 1ms"))
        .assert_failure(
            6,
            &format!("to wait again: lms courses duplication {task} --wait"),
        );
    let new = json(&wait);
    assert_eq!(new["name"], "Copy");
    for (resource, id) in [("courses", &course), ("learners", &learner)] {
        let deleted = program.run(&[resource, "delete", id, "--yes"]);
        assert_eq!((deleted.code, deleted.stdout.as_str()), (0, ""));
    }

    let seen: BTreeSet<_> = sandbox
        .requests()
        .unwrap()
        .iter()
        .filter_map(|request| request.operation)
        .map(|operation| operation.id().to_lowercase())
        .collect();
    let all: BTreeSet<_> = lms_ext::OPERATIONS
        .iter()
        .map(|operation| operation.id.replace('_', ""))
        .collect();
    assert_eq!(seen, all, "an operation is not called in this test");
}

/// People who know other programs try their verbs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_verbs_of_other_programs_work() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
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
        ("courses rm c1 --dry-run", "courses delete c1 --dry-run"),
    ];
    for (theirs, ours) in runs {
        assert_eq!(program.json(theirs), program.json(ours), "{theirs:?}");
    }
}

/// One token serves all runs of a shell script.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_is_kept_for_the_next_run() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
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
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    assert_eq!(program.json("api get /courses/c1")["id"], "c1");
    let page = program.json("api GET /learners --query limit=2 --query tags=emea");
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    let all = program.json("api GET /courses?limit=5 --paginate");
    assert_eq!(all.as_array().unwrap().len(), 12);
    let added = program.run_with("api POST /courses --body -", r#"{"name":"By path"}"#);
    assert!(added.stdout.contains("By path"), "{}", added.stderr);
    let learner = program.run("api GET /learners/l1");
    assert!(!learner.stdout.contains("password"));
}
