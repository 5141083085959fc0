//! `remind`, on the tenant of the reports.

use std::fs;

use lms_sandbox::{Sandbox, json};

use crate::{
    program::{Program, Ran},
    reports::{mirrored, tenant},
};

const COLUMNS: &str = "to,email,firstname,surname,learner,number,overdue,first_day,courses\n";

/// The tenant, with a custom field for the managers of two people, of which one is no address.
async fn with_managers() -> Sandbox {
    let sandbox = tenant().await;
    let seed = sandbox.seed();
    let field = seed.add_user_field(&json!({ "name": "Manager" })).unwrap();
    for (learner, value) in [
        ("l1", "Boss@acme.example "),
        ("l2", "boss@acme.example"),
        ("l4", "Kim"),
    ] {
        let record = json!({ "user": learner, "user_field": field, "value": value });
        seed.set_record(&record).unwrap();
    }
    sandbox
}

fn remind_from(
    program: &Program,
    database: &str,
    at: &str,
    more: &str,
    file: &str,
) -> (Ran, Option<String>) {
    let ran = program.run(&format!(
        "remind --rules rules.toml --before 30d,7d --after 1d,14d --at {at} --mirror {database} --to {file} {more}"
    ));
    let path = program.path().join(file);
    let written = path.exists().then(|| program.read(file));
    let _ = fs::remove_file(path);
    (ran, written)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_person_and_each_manager_gets_one_row_and_no_run_repeats_one() {
    let sandbox = with_managers().await;
    reminders(&mirrored(&sandbox, "sqlite:t.db"), "sqlite:t.db");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by .ci/postgres"]
async fn the_same_people_are_reminded_from_postgres() {
    let server = std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`");
    let database = format!("{server}?schema=remind");
    let sandbox = with_managers().await;
    reminders(&mirrored(&sandbox, &database), &database);
}

fn reminders(program: &Program, database: &str) {
    let run = |at: &str| {
        let more = "--managers manager --ics calendars";
        let (ran, file) = remind_from(program, database, at, more, "r.csv");
        (ran.exits(0), file)
    };
    let (_, first) = run("2026-04-20");
    let boss = "Ann Lee: Fire safety (2026-05-01); Ben Moss: Fire safety (2026-01-31); Data protection (2026-05-01)";
    assert_eq!(
        first.unwrap(),
        format!(
            "{COLUMNS}learner,ann@acme.example,Ann,Lee,l1,1,0,2026-05-01,Fire safety (2026-05-01)\n\
             learner,ben@acme.example,Ben,Moss,l2,2,1,2026-01-31,Fire safety (2026-01-31); Data protection (2026-05-01)\n\
             manager,boss@acme.example,,,,3,1,2026-01-31,{boss}\n"
        )
    );
    let calendar = program.read("calendars/l2.ics");
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 2, "{calendar}");
    assert!(calendar.contains("DTSTART;VALUE=DATE:20260131\r\n"));
    let (again, nothing) = run("2026-04-23");
    assert_eq!(nothing, None);
    again.assert_stderr("no reminders are due; no file was written");
    // 2026-04-24 in Berlin is the seventh day before.
    let (_, early) = run("2026-04-23T21:59:59Z");
    assert_eq!(early, None);
    let (_, seventh) = run("2026-04-23T22:00:00Z");
    assert_eq!(
        seventh.unwrap().lines().nth(2),
        Some("learner,ben@acme.example,Ben,Moss,l2,1,0,2026-05-01,Data protection (2026-05-01)")
    );
    // Of all nights that were missed, the last one counts.
    let (_, late) = run("2026-06-01");
    let late = late.unwrap();
    assert_eq!(late.lines().count(), 4, "{late}");
    assert_eq!(run("2026-06-02").1, None);
}
