//! `remind`, on the tenant of the reports.

use std::fs;

use lms_sandbox::{Sandbox, json};
use serde_json::Value;

use crate::{
    program::{Program, Ran, assert_members, table},
    reports::{mirrored, mirrored_tenant, tenant},
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

/// The result of a run at a time, and the file that it wrote, if any.
fn remind(program: &Program, at: &str, more: &str, file: &str) -> (Ran, Option<String>) {
    remind_from(program, "sqlite:t.db", at, more, file)
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_get_details_and_spreadsheets_a_workbook() {
    let (_sandbox, program) = mirrored_tenant().await;
    let (ran, file) = remind(&program, "2026-04-20", "--state own.ledger", "r.ndjson");
    ran.exits(0);
    let file = file.unwrap();
    let rows: Vec<Value> = file
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    let details = rows[1]["details"].as_array().unwrap();
    assert_members(
        &details[0],
        &json!({ "state": "overdue", "days_since": 79 }),
    );
    // Another ledger knows nothing of them.
    let line =
        "remind --rules rules.toml --after 1d --at 2026-04-20 --mirror sqlite:t.db --to r.xlsx";
    program.run(line).exits(0);
    assert!(
        fs::read(program.path().join("r.xlsx"))
            .unwrap()
            .starts_with(b"PK")
    );
    program.run(line).assert_failure(
        2,
        "the file exists, and its reminders are not written again",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_has_the_managers_of_people_by_any_of_their_names() {
    let (_sandbox, program) = mirrored_tenant().await;
    let cases = r"
        Id;E-Mail;Manager\nl1;gone@acme.example;Boss@acme.example\n;ben@acme.example;boss@acme.example => 0 => manager,boss@acme.example,,,,3,1,2026-01-31,
        email,manager,Manager email\nann@acme.example,Kim,kim@acme.example\nnew@acme.example,,kim@acme.example => 0 => manager,kim@acme.example,,,,1,0,2026-05-01,Ann Lee:
        email,manager\nann@acme.example,Ben Moss => 0 => manager,ben@acme.example,,,,1,0,2026-05-01,Ann Lee:
        email,manager\nnew@acme.example,boss@acme.example => 0 => m.csv, line 2: no learner has these values
        email,manager\nann@acme.example,Nobody => 0 => people without an address in m.csv: 2\nm.csv, line 2: the manager has no address
        email,manager\nann@acme.example,a@x.example\nANN@acme.example,A@x.example\nAnn@acme.example,b@x.example => 2 => m.csv: line 4: another line has another manager of the learner l1
        id,email,manager\nl1,ben@acme.example,a@x.example => 2 => m.csv: line 2: it names the learners l1 and l2
        email,manager\nb\u{ad}en@acme.example,boss@acme.example => 2 => m.csv: line 2, email: the cell has the invisible character
        email,name\nann@acme.example,Ann => 2 => m.csv: the file needs a column manager_email or manager, and one of id, email, username, sso_id
    ";
    for [file, code, expected] in table(cases) {
        program.write("m.csv", &file);
        let _ = fs::remove_file(program.path().join("own.ledger"));
        let more = "--managers m.csv --state own.ledger";
        let (ran, written) = remind(&program, "2026-04-20", more, "r.csv");
        let shown = format!("{}{}", written.unwrap_or_default(), ran.stderr);
        ran.exits(code.parse().unwrap());
        assert!(shown.contains(&expected), "{file}: {shown}");
    }
}

/// Without a row of the course, somebody would be reminded of what they have done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incomplete_or_old_data_reminds_nobody() {
    let (_sandbox, program) = mirrored_tenant().await;
    let read = |began: &str| {
        let set = format!("json_set(record, '$.began', '{began}')");
        program.sql("t.db", &format!("UPDATE _lms_records SET record = {set}"));
    };
    read("2020-01-01T00:00:00Z");
    let (ran, file) = remind(&program, "2026-04-20", "", "r.csv");
    ran.assert_failure(8, "longer than --max-age 2days");
    assert_eq!(file, None);
    let (ran, _) = remind(
        &program,
        "2026-04-20",
        "--max-age 100y --state o.ledger",
        "o.csv",
    );
    ran.exits(0);
    read("2999-01-01T00:00:00Z");
    // The tenant is not known, and then it is.
    for id in ["NULL", "'t1'"] {
        let sql = format!("UPDATE _lms_records SET record = json_set(record, '$.tenant_id', {id})");
        program.sql("t.db", &sql);
        let (ran, _) = remind(&program, "2026-04-01", "--state id.ledger", "i.csv");
        ran.exits(0);
    }
    for (completeness, code, lines) in [("changed", 8, None), ("complete", 0, Some(3))] {
        let set = format!("json_set(record, '$.completeness', '{completeness}')");
        let of = "WHERE collection = 'course_completions'";
        program.sql(
            "t.db",
            &format!("UPDATE _lms_records SET record = {set} {of}"),
        );
        let (ran, file) = remind(&program, "2026-04-20", "--ics calendars", "r.csv");
        ran.exits(code);
        assert_eq!(file.map(|text| text.lines().count()), lines);
        assert_eq!(program.path().join("calendars").exists(), code == 0);
    }
    // A reminder without an address is due once there is one.
    for (email, lines) in [("", 2), ("ben@acme.example", 2)] {
        let of = format!("UPDATE learners SET email = '{email}' WHERE id = 'l2'");
        program.sql("t.db", &of);
        let file = format!("m{}.csv", email.len());
        let (ran, found) = remind(&program, "2026-04-20", "--state m.ledger", &file);
        if email.is_empty() {
            ran.assert_stderr("not reminded, because the person has no email address: 2 rows");
        }
        assert_eq!(
            found.map(|text| text.lines().count()),
            Some(lines),
            "{email}"
        );
    }
}

#[test]
fn days_and_files_are_checked_before_anything_is_read() {
    let program = Program::new();
    program.write(
        "rules.toml",
        "[[required]]\nname = \"n\"\ncourses = [\"c\"]\n",
    );
    for (more, sentence) in [
        ("--before 30 --to r.csv", "is not a number of days"),
        (
            "--before 30d --to r.html",
            "name a file that ends with .csv, .ndjson or .xlsx",
        ),
        ("--to r.csv", "--before"),
    ] {
        let ran = program.run(&format!(
            "remind --rules rules.toml --mirror sqlite:t.db {more}"
        ));
        ran.assert_failure(2, sentence);
    }
}
