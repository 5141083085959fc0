//! Names of objects in place of ids: resolved or refused, everywhere.

use serde_json::json;

use crate::program::{Program, demo};

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
