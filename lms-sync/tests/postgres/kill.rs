//! Runs that are killed at random moments, and started again until they are done.

use std::{
    process::{Child, Command, Stdio},
    time::Instant,
};

use lms_ext::Lms;
use lms_sandbox::Sandbox;
use lms_sync::{Row, collection, sink::postgres};

use crate::server::{at, mirror, new_schema};

const ARGUMENTS: &str = "LMS_SYNC_TEST_TENANT";
const COLLECTIONS: [&str; 4] = ["learners", "tags", "enrolments", "course_completions"];

/// Not a test: what the other test runs in a process of its own.
#[tokio::test]
#[ignore = "a program for the other test"]
async fn child() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else {
        return;
    };
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let [url, id, secret, schema] = arguments[..] else {
        panic!("{arguments:?}");
    };
    let lms = Lms::builder(url)
        .client_credentials(id, secret)
        .build()
        .unwrap();
    let summary = mirror(&lms, &at(schema), &COLLECTIONS).await.unwrap();
    assert!(summary.is_complete(), "{summary:?}");
}

fn start(sandbox: &Sandbox, schema: &str) -> Child {
    let arguments = [
        sandbox.base_url(),
        sandbox.client_id(),
        sandbox.client_secret(),
        schema,
    ];
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "kill::child"])
        .env(ARGUMENTS, arguments.join(" "))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The rows of all tables, which are those of their completeness records.
fn content(schema: &str) -> Vec<Vec<String>> {
    for verified in postgres::verify(&at(schema)).unwrap() {
        assert_eq!(verified.problems, [""; 0], "{:?}", verified.record);
    }
    let rows = |name: &&str| {
        let mut rows = Vec::new();
        let known = collection(name).unwrap();
        postgres::visit_rows(&at(schema), known, &mut |row| rows.push(Row::to_json(&row))).unwrap();
        rows.sort_unstable();
        rows
    };
    COLLECTIONS.iter().map(rows).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_equal_after_kills() {
    let moments = std::env::var("LMS_SYNC_KILLS").map_or(8, |kills| kills.parse().unwrap());
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let (whole, _) = new_schema();
    let begin = Instant::now();
    assert!(start(&sandbox, &whole).wait().unwrap().success());
    let duration = begin.elapsed();
    let undisturbed = content(&whole);
    assert!(undisturbed.iter().all(|rows| !rows.is_empty()));

    let mut rng = fastrand::Rng::with_seed(7);
    let mut kills = 0;
    while kills < moments {
        let (schema, _) = new_schema();
        loop {
            let mut child = start(&sandbox, &schema);
            // How far the child gets depends on the machine; that it can be stopped anywhere is the point.
            let wait = duration.mul_f64(rng.f64());
            tokio::time::sleep(wait).await;
            let done = child.try_wait().unwrap();
            if done.is_some_and(|status| status.success()) {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            if kills >= moments {
                assert!(start(&sandbox, &schema).wait().unwrap().success());
                break;
            }
        }
        assert_eq!(content(&schema), undisturbed, "after {kills} kills");
    }
}
