//! Names of objects in place of ids: resolved or refused, everywhere.

use lms_sandbox::Sandbox;
use serde_json::json;

use crate::program::{Program, demo, demo_program};

/// Requests for one object or a list of objects since the last call.
fn lookups(sandbox: &Sandbox) -> Vec<String> {
    let requests = sandbox.take_requests().unwrap();
    let requests = requests
        .iter()
        .filter(|request| !request.path.contains("oauth"));
    requests
        .map(|request| format!("{} {}", request.method, request.path))
        .collect()
}

/// Each name of a file is looked up once, and a file with many costs the list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_column_of_names_costs_one_list() {
    let (sandbox, program) = demo_program().await;
    let mut rows = "course,user\n".to_owned();
    for number in 1..=40 {
        let course = ["Fire safety", "c2", "First aid at work", "fire  SAFETY"][number % 4];
        rows += &format!("{course},l{number}\n");
    }
    program.write("rows.csv", &rows);
    program.run("me").exits(0);
    lookups(&sandbox);
    let command = "enrolments add --if-not-exists --from rows.csv -o json";
    let ran = program.run(command).exits(0);
    ran.assert_stderr("course Fire safety is c1\n");
    let lookups = lookups(&sandbox);
    let of = |start: &str| {
        lookups
            .iter()
            .filter(|line| line.starts_with(start))
            .count()
    };
    assert_eq!(
        (of("GET /api/v1/courses"), of("GET /api/v1/learners")),
        (1, 4),
        "{lookups:?}"
    );
    program.write("rows.csv", rows.replace("c2,l1\n", "c22,l1\n"));
    let ran = program.run("enrolments add --if-not-exists --results r.csv --from rows.csv");
    ran.assert_failure(2, "line 2, there is no course c22");
}

/// The first pages of a list are not the list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_found_behind_the_first_pages() {
    let sandbox = demo().await;
    let mut ids = Vec::new();
    for number in 0..700 {
        let learner = json!({
            "firstname": format!("First{number}"), "surname": format!("Last{number}"),
            "email": format!("person{number}@acme.example"), "username": format!("user{number}"),
        });
        ids.push(sandbox.seed().add_learner(&learner).unwrap());
    }
    let program = Program::of(&sandbox);
    let found = program.json("learners get 'first699 LAST699'");
    assert_eq!(found["id"], ids[699].as_str());
    program.write(
        "rows.csv",
        "course,user\nc1,user697\nc1,user698\nc1,user699\n",
    );
    let ran = program
        .run("enrolments add --from rows.csv --dry-run -o ndjson")
        .exits(0);
    for id in &ids[697..] {
        ran.assert_stdout(id.as_str());
    }
}
