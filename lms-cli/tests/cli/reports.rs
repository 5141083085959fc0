//! Reports, on a tenant that is small enough to know every row.

use std::{
    fs,
    time::{Duration, UNIX_EPOCH},
};

use lms_sandbox::{Clock, Sandbox, json};

use crate::program::{Program, fault};

const DAY: Duration = Duration::from_secs(86_400);

/// 2026-01-01, since 1970.
const START: Duration = Duration::from_secs(1_767_225_600);

/// Every collection that a report needs.
const COLLECTIONS: &str =
    "learners,courses,topics,enrolments,topic_progress,course_completions,user_fields,records";

/// The arguments of each report, and the rows of its output as CSV.
const REPORTS: &str = include_str!("reports.txt");

/// Everybody, everybody whose address matches or with a tag, and those with a value of a custom field.
const RULES: &str = include_str!("rules.toml");

pub(crate) async fn tenant() -> Sandbox {
    let clock = Clock::stopped_at(UNIX_EPOCH + START);
    let builder = Sandbox::builder().clock(clock.clone());
    let sandbox = builder.start().await.unwrap();
    let seed = sandbox.seed();
    let fire = seed.add_course("Fire safety").unwrap();
    let data = seed.add_course("Data protection").unwrap();
    let topics = ["Exits", "Alarms"].map(|name| {
        let topic = json!({ "course": fire, "name": name });
        seed.add_topic(&topic).unwrap()
    });
    let [ann, ben, cho] = [
        json!({
            "firstname": "Ann", "surname": "Lee", "email": "ann@acme.example", "courses": [fire, data],
            "tags": ["emea"], "phone_number": "+49 12-34", "last_logged_in": "2026-01-01T00:00:00Z",
        }),
        json!({
            "firstname": "Ben", "surname": "Moss", "email": "ben@acme.example", "courses": [fire],
            "username": "ben", "sso_id": "u-7", "notes": "<b>left & right</b>",
        }),
        json!({
            "firstname": "Cho", "surname": "Park", "email": "cho@acme.example", "courses": [fire],
            "sso_id": "u-7", "archived": true,
        }),
    ]
    .map(|learner| seed.add_learner(&learner).unwrap());
    clock.advance(10 * DAY);
    seed.complete_topic(&ben, &topics[0]).unwrap();
    clock.advance(10 * DAY);
    seed.complete_course(&ann, &fire).unwrap();
    clock.advance(10 * DAY);
    seed.complete_course(&cho, &fire).unwrap();
    let lee = json!({
        "firstname": "ann", "surname": "LEE ", "email": "lee@acme.example", "phone_number": "0049/1234",
        "last_logged_in": "2026-03-02T00:00:00Z",
    });
    seed.add_learner(&lee).unwrap();
    let field = seed
        .add_user_field(&json!({ "name": "First aid" }))
        .unwrap();
    for (learner, expires_on) in [
        (&ben, "2026-05-01T00:00:00Z"),
        (&ann, "2026-10-28T00:00:00Z"),
    ] {
        let record = json!({ "user": learner, "user_field": field, "value": "B-12", "expires_on": expires_on });
        seed.set_record(&record).unwrap();
    }
    sandbox
}

/// A program for the tenant, which is mirrored into a database.
pub(crate) fn mirrored(sandbox: &Sandbox, database: &str) -> Program {
    let program = Program::of(sandbox);
    program.json("courses edit c1 --renewal-days 100");
    program.json(&format!("mirror {COLLECTIONS} --to {database}"));
    let people = "\u{feff}E-Mail;Name\nANN@acme.example;Ann\nben@acme.example;Ben\n";
    program.write("people.csv", people);
    program.write("sso.ndjson", "{\"sso_id\":\"U-7\"}\n");
    program.write("rules.toml", RULES);
    program
}

/// The tenant, and a program for it with a mirror.
pub(crate) async fn mirrored_tenant() -> (Sandbox, Program) {
    let sandbox = tenant().await;
    let program = mirrored(&sandbox, "sqlite:t.db");
    (sandbox, program)
}

fn reports_have_these_rows(program: &Program, database: &str) {
    for report in REPORTS.trim().split("\n\n") {
        let (arguments, expected) = report.split_once('\n').unwrap_or((report, ""));
        let ran = program
            .run(&format!("report {arguments} --mirror {database} -o csv"))
            .exits(0);
        let (_, rows) = ran.stdout.split_once('\n').unwrap();
        assert_eq!(rows.trim_end(), expected, "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_report_has_these_rows() {
    let (_sandbox, program) = mirrored_tenant().await;
    reports_have_these_rows(&program, "sqlite:t.db");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by .ci/postgres"]
async fn each_report_has_the_same_rows_in_postgres() {
    let server = std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`");
    let database = format!("{server}?schema=reports");
    let sandbox = tenant().await;
    let program = mirrored(&sandbox, &database);
    reports_have_these_rows(&program, &database);
    // The queries for tools with dashboards.
    let page = include_str!("../../../docs/guide/required-training.md");
    let queries = page.split("```sql\n").skip(1);
    let columns = [
        "course_name, enrolled integer, completed integer, overdue integer",
        "email, course_name, status, due_at time, expires_at time, overdue boolean",
        "time time, completions integer",
    ];
    assert_eq!(queries.clone().count(), columns.len());
    for (query, columns) in queries.zip(columns) {
        let query = query.split("```").next().unwrap();
        let report = format!("-- title: T\n-- needs: courses\n-- columns: {columns}\n{query}");
        program.write("own.sql", report);
        let ran = program.json(&format!("report --file own.sql --mirror {database}"));
        assert_ne!(ran["rows"], json!([]), "{query}");
        let read = ran["collections"].as_array().unwrap().len();
        assert!(read > 1, "{query}: {ran}");
    }
    let header = "-- title: T\n-- needs: tags\n-- columns: id\n";
    program.write(
        "own.sql",
        format!("{header}DELETE FROM learners RETURNING id"),
    );
    program.json(&format!("mirror tags --to {database}"));
    let own = format!("report --file own.sql --mirror {database}");
    program.run(&own).assert_failure(2, "syntax error");
    program.write(
        "own.sql",
        "-- title: T\n-- needs: tags\n-- columns: n integer\nWITH RECURSIVE numbers (n) AS \
         (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000) SELECT n FROM numbers",
    );
    let many = program.run(&format!("{own} -o csv"));
    assert_eq!(many.stdout.lines().count(), 2001, "{}", many.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_without_a_mirror_reads_the_collections_that_it_needs_into_one_cache_of_the_tenant()
 {
    let sandbox = tenant().await;
    let program = Program::with_profiles(&[("acme", &sandbox, "")]);
    let report = "report completions --columns email -o csv";
    let ran = program.run(report).exits(0);
    assert_eq!(ran.stdout, "email\nann@acme.example\ncho@acme.example\n");
    ran.assert_stderr("(3 of 3) course_completions: 2 rows\n");
    sandbox.seed().enrol("l1", "c2").unwrap_err();
    sandbox.seed().complete_course("l1", "c2").unwrap();
    let ran = program.run(&format!("{report} --profile acme")).exits(0);
    assert_eq!(ran.stdout.matches("ann@acme.example").count(), 2);
    let folder = program.path().join(".cache/lms");
    let mirrors = fs::read_dir(&folder).unwrap().filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_str().unwrap().ends_with(".db")
    });
    assert_eq!(mirrors.count(), 1);
    let ran = program.run("report expiring-records");
    ran.assert_failure(
        2,
        "records takes a request for each combination of learners and user_fields",
    );
    ran.assert_failure(
        2,
        "`lms mirror learners,user_fields,records --to sqlite:FILE`",
    );
    let ran = program.run("report completions --to report.pdf");
    ran.assert_failure(2, "ends with .xlsx or .parquet");
    fault(&sandbox, "listLearners: always: status 400");
    program.run(report).assert_failure(8, "");
}
