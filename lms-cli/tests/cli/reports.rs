//! Reports, on a tenant that is small enough to know every row.

use std::{
    fs,
    time::{Duration, UNIX_EPOCH},
};

use lms_sandbox::{Clock, Sandbox, json};

use crate::program::{Arguments as _, Program, demo, demo_program, fault, table};

const DAY: Duration = Duration::from_secs(86_400);

/// 2026-01-01, since 1970.
const START: Duration = Duration::from_secs(1_767_225_600);

/// Every collection that a report needs.
const COLLECTIONS: &str =
    "learners,courses,topics,enrolments,topic_progress,course_completions,user_fields,records";

/// The arguments of each report, and the rows of its output as CSV.
const REPORTS: &str = r#"
status --at 2026-04-20 --where course_name='FIRE safety' --where 'state= Expires_soon' --where tag=EMEA --columns email
ann@acme.example

status --at 2026-04-20 --where 'first aid= b-12' --where percent=50 --where course_name='Fire  safety' --where surname=mOSS --columns email
ben@acme.example

status --at 2026-04-20 --where tag= --where email='ben@ACME.example ' --where 'first aid=' --columns email

overdue --at 2026-04-20 --for 109d --where surname=moss

status --at 2026-04-20 --where percent=51

required --rules rules.toml --at 2026-04-20 --where email=lee@acme.example --columns state,course
not_enrolled,c2
not_enrolled,c1

required --rules rules.toml --at 2026-04-20 --where surname=Moss --where 'First aid=B-12' --group-by requirement --columns requirement,overdue
Everyone,1
First aiders,0

required --rules rules.toml --at 2026-04-20 --columns state,due_at,email,course_name,requirement,since,evidence
not_enrolled,,lee@acme.example,Data protection,L,2026-01-31T00:00:00Z,
not_enrolled,,lee@acme.example,Fire safety,Everyone,2026-01-31T00:00:00Z,
not_started,2027-01-01T23:00:00Z,ann@acme.example,Data protection,Europe,2026-01-01T00:00:00Z,enrolments e2
done,2026-10-28T23:00:00Z,ann@acme.example,Data protection,First aiders,,records r2
expires_soon,2026-05-01T00:00:00Z,ann@acme.example,Fire safety,Everyone,2026-01-21T00:00:00Z,course_completions cc1
expires_soon,2026-05-01T22:00:00Z,ben@acme.example,Data protection,First aiders,,records r1
overdue,2026-01-31T23:00:00Z,ben@acme.example,Fire safety,Everyone,2026-01-31T23:00:00Z,enrolments e3

required --rules rules.toml --at 2026-04-20 --summary
Europe,Data protection,1,1,0,1,0,0,0,0,0
Everyone,Fire safety,3,3,1,0,0,1,1,0,33
First aiders,Data protection,2,2,0,0,0,0,1,1,100
L,Data protection,1,1,1,0,0,0,0,0,0

required --rules rules.toml --at 2026-04-20 --group-by 'first AID' --group-by tag
,,2,1,2,0,0,0,0,0,0
B-12,,2,1,0,0,0,1,1,0,50
B-12,emea,3,1,0,1,0,0,1,1,66

completions --group-by completed_at,learner_deleted
2026-01,false,2,2

required --rules rules.toml --at 2026-05-02 --course 'fire safety' --state overdue --columns email
ann@acme.example
ben@acme.example

completions --columns completed_at,email,course_name
2026-01-21T00:00:00Z,ann@acme.example,Fire safety
2026-01-31T00:00:00Z,cho@acme.example,Fire safety

completions --since 2026-01-21 --until 2026-01-31T00:00:00Z --columns email
ann@acme.example

completions --tag emea --course c1 --columns email
ann@acme.example

completions --course 'Data protection' --columns email

status --at 2026-04-20 --columns email,course_name,state,percent,since,due_at
ann@acme.example,Data protection,not_started,0,2026-01-01T00:00:00Z,
ann@acme.example,Fire safety,expires_soon,100,2026-01-21T00:00:00Z,2026-05-01T00:00:00Z
ben@acme.example,Fire safety,in_progress,50,2026-01-11T00:00:00Z,

status --at 2026-05-02 --learner ANN@acme.example --course c1 --columns state,percent,since,evidence
overdue,100,2026-05-01T00:00:00Z,course_completions cc1

status --at 2026-02-20 --archived --course c1 --columns email,state
ann@acme.example,done
ben@acme.example,in_progress
cho@acme.example,done

status --at 2026-04-20 --archived --state in_progress --columns email
ben@acme.example

status --at 2026-04-20 --group-by tag --columns tag,people,expires_soon,percent_done
,1,0,0
emea,1,1,50

overdue --at 2026-04-20 --columns days_overdue,email,course_name,enrolled_at
79,ann@acme.example,Data protection,2026-01-01T00:00:00Z
79,ben@acme.example,Fire safety,2026-01-01T00:00:00Z

status --at 2026-04-20 --learner ' BEN' --course 'fire SAFETY ' --columns email
ben@acme.example

overdue --at 2026-04-20 --for 109d

overdue --at 2026-04-20 --tag emea --columns course
c2

completions --learner ANN@acme.example --columns email,course
ann@acme.example,c1

expiring --at 2026-04-20 --columns expires_at,expired,email,completed_at
2026-05-01T00:00:00Z,false,ann@acme.example,2026-01-21T00:00:00Z

expiring --at 2026-05-02 --within 7d --expired --columns expired,email
true,ann@acme.example

expiring-records --at 2026-04-20 --columns expires_at,email,field_name,value
2026-05-01T00:00:00Z,ben@acme.example,First aid,B-12

inactive --at 2026-04-20 --columns days_inactive,email,undecided
109,ann@acme.example,
,ben@acme.example,no login is recorded

duplicates --columns reason,matched,email,archived
name and phone,"ann lee, 00491234",ann@acme.example,false
name and phone,"ann lee, 00491234",lee@acme.example,false
sso_id,u-7,ben@acme.example,false
sso_id,u-7,cho@acme.example,true

leavers --against people.csv --columns email,undecided
lee@acme.example,

leavers --against sso.ndjson --columns email,undecided
lee@acme.example,the learner has no value in the columns of the file
ann@acme.example,the learner has no value in the columns of the file
"#;

/// Everybody, everybody whose address matches or with a tag, and those with a value of a custom field.
const RULES: &str = r#"
timezone = "Europe/Berlin"
[[required]]
name = "Everyone"
courses = ["Fire safety"]
within = "30d"
[[required]]
name = "Europe"
who = { tag = "EMEA" }
within = "365d"
courses = ["c2"]
[[required]]
name = "L"
who = { email = "L*@ACME.*" }
courses = ["data protection"]
within = "365d"
[[required]]
name = "First aiders"
who = { field = "First aid", value = " B-12" }
courses = ["c2"]
certificate = "First aid"
"#;

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
    let renewal = "courses edit c1 --renewal-days 100";
    program.json(&renewal);
    program.json(&["mirror", COLLECTIONS, "--to", database]);
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
        let ran = program.run(&format!("report --file own.sql --mirror {database} -o csv"));
        assert!(ran.exits(0).stdout.lines().count() > 1, "{query}");
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

/// The enrolments of a learner who was deleted are listed until the service stops to list them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_a_deleted_learner_or_course_are_left_out_and_counted() {
    let (_sandbox, program) = mirrored_tenant().await;
    let database = |sql: &str| program.sql("t.db", sql);
    let report = |name: &str| {
        let report = format!("report {name} --at 2026-04-20 --mirror sqlite:t.db");
        program.json(&report)
    };
    let (all, records) = (report("status"), report("expiring-records --within 999d"));
    assert_eq!((rows(&all), rows(&records)), (3, 2));
    assert_eq!(
        left_out(&all),
        ["1 people who are not enrolled, so that nothing is known about them here"]
    );
    assert_eq!(left_out(&records), [""; 0]);
    database(
        "UPDATE learners SET _deleted_at = '2026-04-01T00:00:00Z' WHERE email = 'ben@acme.example'",
    );
    let deleted = "1 rows whose learner was deleted, or is not in the list of all";
    for name in ["status", "overdue", "expiring-records --within 999d"] {
        let one = report(name);
        assert!(
            left_out(&one).contains(&deleted.to_owned()),
            "{name}: {one}"
        );
        assert!(!one["rows"].to_string().contains("ben@"), "{name}: {one}");
    }
    let only = program.json("report status --columns email --mirror sqlite:t.db");
    assert_eq!(rows(&only), 2);
    database("DELETE FROM courses WHERE id = 'c1'");
    let one = report("status");
    assert_eq!(rows(&one), 1);
    assert!(
        left_out(&one)
            .contains(&"1 rows whose course was deleted, or is not in the list of all".to_owned()),
        "{one}"
    );
    // A completion is a fact, whoever made it.
    let completions = report("completions");
    assert_eq!(rows(&completions), 2);
    assert_eq!(completions["rows"][0]["course_deleted"], true);
    assert_eq!(left_out(&completions), [""; 0]);
    let text = program
        .run("report status --at 2026-04-20 --mirror sqlite:t.db -o csv")
        .exits(0);
    text.assert_stderr(&format!("left out: {}: 1\n", &deleted[2..]));
}

/// A page is passed on: it needs nothing else, runs nothing else, and has no names unless they are asked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_required_training_is_one_file_that_names_nobody() {
    let sandbox = tenant().await;
    let program = Program::of(&sandbox);
    program
        .run("courses edit c1 --name '<script>alert(1)</script>'")
        .exits(0);
    program.write("rules.toml", RULES.replace("Fire safety", "c1"));
    program.json(&["mirror", COLLECTIONS, "--to", "sqlite:t.db"]);
    let page = "report page --rules rules.toml --mirror sqlite:t.db --at 2026-04-20 --to";
    program.run(&format!("{page} page.html")).exits(0);
    let html = program.read("page.html");
    assert!(
        html.contains("default-src 'none'; style-src 'sha256-"),
        "{html}"
    );
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"),
        "{html}"
    );
    assert!(!html.contains("<script>alert"), "{html}");
    assert!(html.contains("every collection is complete"), "{html}");
    let row = "<td class=\"n\">3</td><td class=\"n\">1</td><td class=\"n\">0</td><td class=\"n\">0</td><td class=\"n\">1</td>";
    assert!(html.contains(row), "{html}");
    for text in [
        "Moss",
        "acme.example\"",
        "src=",
        "href=",
        "http-equiv=\"refresh",
    ] {
        assert!(!html.contains(text), "{text}: {html}");
    }
    program.run(&format!("{page} names.html --names")).exits(0);
    assert!(program.read("names.html").contains("Ben Moss"));
    let sql = "UPDATE _lms_records SET record = json_set(record, '$.completeness', 'changed', '$.because', \
               json('[\"the list changed\"]')) WHERE collection = 'course_completions'";
    program.sql("t.db", sql);
    let ran = program.run(&format!("{page} page.html"));
    ran.assert_failure(8, "incomplete collections");
    let warning = "<p class=\"warning\">incomplete: course_completions (the list changed)</p>";
    assert!(program.read("page.html").contains(warning));
}

/// A person who was never enrolled is in no list of enrolments.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_who_are_not_enrolled_are_counted() {
    let (_sandbox, program) = mirrored_tenant().await;
    program.assert_failures(
        2,
        "report status --mirror sqlite:t.db --where surname => write NAME=VALUE
         report status --mirror sqlite:t.db --where since=2026-01-01 => name one of email, state, percent, ",
    );
    let unknown = "report status --mirror sqlite:t.db --where Nothing=x";
    program
        .run(unknown)
        .assert_failure(3, "there is no user field Nothing");
    for (report, expected) in [
        ("status", 1),
        ("overdue", 1),
        ("overdue --course c1", 1),
        ("overdue --course c2", 2),
        ("status --tag emea --course c2", 0),
        ("status --learner ben --course c2", 1),
    ] {
        let one = program.json(&format!("report {report} --mirror sqlite:t.db"));
        let counted: Vec<_> = left_out(&one);
        let expected = match expected {
            0 => Vec::new(),
            people => vec![format!(
                "{people} people who are not enrolled, so that nothing is known about them here"
            )],
        };
        assert_eq!(counted, expected, "{report}");
    }
}

/// No rows would say that nothing expires soon.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_has_no_answer_is_refused() {
    let (_sandbox, program) = mirrored_tenant().await;
    let expiring = "report expiring --mirror sqlite:t.db --course";
    program
        .run(&format!("{expiring} 'Data protection'"))
        .assert_failure(2, "the course has neither renewal days nor a renewal date");
    program.run(&format!("{expiring} c1")).exits(0);
    let database = |sql: &str| program.sql("t.db", sql);
    database("UPDATE courses SET renewal_type = 'none' WHERE id = 'c1'");
    program
        .run(&format!("{expiring} c1"))
        .assert_failure(2, "its completions do not expire");
    database(
        "UPDATE courses SET renewal_type = NULL, renewal_days = NULL, renewal_date = '2026-05-01T00:00:00' WHERE id = 'c1'",
    );
    program
        .run(&format!("{expiring} c1"))
        .assert_failure(2, "the renewal date of the course has no time zone");
    // Only rules have a time zone.
    database("UPDATE enrolments SET created = '2026-01-01T00:00:00', created_utc = NULL");
    for (report, is_decided) in [
        ("status --course c1 --learner ann@acme.example", false),
        (
            "required --rules rules.toml --where email=ben@acme.example --course c1",
            true,
        ),
    ] {
        let ran = program.run(&format!(
            "report {report} --mirror sqlite:t.db --jq .undecided"
        ));
        let decided = ran.exits(0).stdout.trim() == "null";
        assert_eq!(decided, is_decided, "{report}");
    }
}

fn rows(report: &serde_json::Value) -> usize {
    report["rows"].as_array().unwrap().len()
}

/// What a report says that it does not have.
fn left_out(report: &serde_json::Value) -> Vec<String> {
    let left_out = report["left_out"].as_array().unwrap().iter();
    left_out
        .map(|of| format!("{} {}", of["rows"], of["because"].as_str().unwrap()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_format_says_what_a_report_rests_on() {
    let (sandbox, program) = mirrored_tenant().await;
    let report = "report completions --mirror sqlite:t.db --course c1 --at 2026-04-20";
    let run = |more: &str| program.run(&format!("{report} {more}")).exits(0);
    let sentence = format!(
        "completions of {}/api/v1, mirrored at 20",
        sandbox.base_url()
    );
    for format in ["table", "csv", "ndjson"] {
        let ran = run(&format!("-o {format}"));
        assert!(ran.stderr.starts_with(&sentence), "{}", ran.stderr);
        ran.assert_stderr("every collection is complete");
        assert!(!ran.stdout.contains("complete\""), "{}", ran.stdout);
    }
    let filtered = run("--jq .email");
    assert!(
        filtered.stderr.starts_with(&sentence),
        "{}",
        filtered.stderr
    );
    assert_eq!(filtered.stdout, "ann@acme.example\ncho@acme.example\n");
    let csv = run("-o csv --with-header").stdout;
    assert!(csv.starts_with(&format!("# {sentence}")), "{csv}");
    let ndjson = run("-o ndjson --with-header").stdout;
    let lines: Vec<serde_json::Value> = ndjson
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((lines.len(), &lines[0]["complete"]), (3, &true.into()));
    let excel = run("-o csv --with-header --bom").stdout;
    assert_eq!(excel, format!("\u{feff}{csv}"));
    let json = program.json(report);
    assert_eq!(json["at"], "2026-04-20T00:00:00Z");
    assert_eq!(json["parameters"], serde_json::json!({ "course": "c1" }));
    assert_eq!(json["collections"].as_array().unwrap().len(), 3);
    assert_eq!(json["rows"][0]["course"], "c1");
    let none = program.json(&format!("{report} --until 2020-01-01"));
    assert_eq!(none["rows"], serde_json::json!([]));
}

/// A list that changed while it was read may lack rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_on_an_incomplete_collection_says_so_first_and_ends_with_8() {
    let (_sandbox, program) = mirrored_tenant().await;
    let sql = "UPDATE _lms_records SET record = json_set(record, '$.completeness', 'changed', '$.because', \
               json_array('the list changed')) WHERE collection = 'course_completions'";
    assert_eq!(program.sql("t.db", sql), 1);
    let report = "report completions --mirror sqlite:t.db";
    let ran = program.run(&format!("{report} -o table")).exits(8);
    let first = "incomplete: course_completions (the list changed)\n";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
    ran.assert_stdout("ann@acme.example");
    let ran = program.run(&format!("{report} -o csv --with-header"));
    assert!(
        ran.stdout.starts_with(&format!("# {first}")),
        "{}",
        ran.stdout
    );
    let ran = program.run(&format!("{report} -o json"));
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &json["complete"]), (8, &false.into()));
    let inactive = program.json("report inactive --mirror sqlite:t.db -o json");
    assert_eq!(inactive["complete"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_says_that_the_last_run_of_a_collection_failed() {
    let (sandbox, program) = demo_program().await;
    let mirror = "mirror learners,courses,enrolments,course_completions --to sqlite:t.db";
    program.run(&mirror).exits(0);
    let report = "report completions --mirror sqlite:t.db -o json";
    let before = program.json(&report);
    assert_eq!(before["failed"], serde_json::json!([]));
    fault(&sandbox, "listCourseCompletions: always: status 400");
    program.run(&mirror).exits(8);
    let ran = program.run(&report).exits(0);
    let after: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(after["rows"], before["rows"]);
    assert_eq!(after["failed"][0]["collection"], "course_completions");
    let table = program.run("report completions --mirror sqlite:t.db -o table");
    table.assert_stderr("course_completions: the last run failed at ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_of_a_file_is_a_query_with_declared_parameters() {
    let (_sandbox, program) = demo_program().await;
    program.json("mirror tags,courses --to sqlite:t.db");
    let header = "-- title: Courses with a name\n-- needs: courses\n-- parameter: name text: The name\n\
                  -- parameter: old ago = 1d\n-- columns: id, published boolean\n";
    let run = |sql: &str, settings: &[&str]| {
        program.write("own.sql", format!("{header}{sql}"));
        let mut own = "report --file own.sql --mirror sqlite:t.db -o csv -q".words();
        own.extend(
            settings
                .iter()
                .flat_map(|setting| ["--set".to_owned(), (*setting).to_owned()]),
        );
        program.run(&own)
    };
    let query = "SELECT published, id -- not :this\nFROM courses WHERE name = :name AND ':name' <> \"name\";\n";
    for (value, rows) in [
        ("Fire safety", "c1,true\n"),
        ("' OR 1=1 --", ""),
        ("Fire safety' --", ""),
    ] {
        let ran = run(query, &[&format!("name={value}")]).exits(0);
        assert_eq!(ran.stdout, format!("id,published\n{rows}"));
    }
    for (setting, sentence) in [
        (
            "nam=x",
            "unexpected argument '--set nam' found\nhint: the parameters of the report: name, old",
        ),
        (
            "old=soon",
            "invalid value 'soon' for '--set old <DURATION>': write a duration",
        ),
    ] {
        run(query, &[setting]).assert_failure(2, sentence);
    }
    run("SELECT id FROM courses", &[]).assert_failure(2, "no such column: report.published");
    run("SELECT * FROM courses WHERE id = :id", &[]).assert_failure(2, ":id that is not declared");
    for sql in [
        "DELETE FROM courses RETURNING id, published",
        "VACUUM INTO 'copy.db'",
        "ATTACH 'other.db' AS other",
        "SELECT id, published FROM courses) AS x; DELETE FROM courses; --",
        "PRAGMA query_only = 0",
    ] {
        run(sql, &[]).assert_failure(2, "cannot run the query");
    }
    program.run("verify sqlite:t.db").exits(0);
    for file in ["copy.db", "other.db"] {
        assert!(!program.path().join(file).exists(), "{file}");
    }
}

#[test]
fn a_type_that_does_not_exist_is_refused_with_those_that_do() {
    let program = Program::new();
    let header = "-- title: T\n-- needs: courses\n-- parameter: name word\n";
    program.write("own.sql", header);
    program.run("report --file own.sql").assert_failure(
        2,
        "line 3: there is no type word; there are text, integer, time, ago, ahead, flag, people, learner, course, tag, field, profile, signup_page",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_past_its_due_date_is_overdue_however_short_the_enrolment() {
    let (_sandbox, program) = mirrored_tenant().await;
    let sql =
        "UPDATE courses SET auto_due_type = 'days', auto_due_seconds = 100 * 86400 WHERE id = 'c1'";
    program.sql("t.db", sql);
    let report = "report overdue --mirror sqlite:t.db -o csv --for";
    let columns = "--columns due_at,reason,days_overdue,email";
    for (days, at, expected) in [
        ("200d", "2026-04-11", ""),
        (
            "200d",
            "2026-04-12",
            "2026-04-11T00:00:00Z,past the due date,1,ben@acme.example\n",
        ),
        (
            "30d",
            "2026-03-01",
            ",enrolled for long,29,ann@acme.example\n2026-04-11T00:00:00Z,enrolled for long,29,ben@acme.example\n",
        ),
    ] {
        let ran = program.run(&format!("{report} {days} --at {at} {columns}"));
        let (_, rows) = ran.stdout.split_once('\n').unwrap();
        assert_eq!(rows, expected, "{at}: {}", ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_of_a_report_has_the_answer_in_80_columns_and_names_the_others() {
    let sandbox = tenant().await;
    let program = mirrored(&sandbox, "sqlite:t.db").with("COLUMNS", "80");
    for (report, answer) in [
        (
            "completions",
            "COMPLETED_AT          EMAIL             COURSE_NAME  ",
        ),
        (
            "status",
            "EMAIL             STATE         PERCENT  COURSE_NAME ",
        ),
        (
            "overdue",
            "DAYS_OVERDUE  EMAIL             COURSE_NAME      REASON ",
        ),
    ] {
        let table = "--mirror sqlite:t.db -o table --at 2026-04-20";
        let ran = program.run(&format!("report {report} {table}"));
        assert!(ran.stdout.starts_with(answer), "{}", ran.stdout);
        assert!(
            ran.stdout.lines().all(|line| line.len() <= 80),
            "{}",
            ran.stdout
        );
        ran.assert_stderr("columns left out: ");
    }
    let ran = program.run("report completions --mirror sqlite:t.db -o table --course c2");
    assert_eq!((ran.code, &*ran.stdout), (0, ""));
    assert!(ran.stderr.ends_with("no rows\n"), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_or_wrong_is_named() {
    let (_sandbox, program) = demo_program().await;
    program.json("mirror learners,courses --to sqlite:t.db");
    program.write("empty.csv", "email\n");
    let cases = r#"
        report overdue --mirror sqlite:t.db => does not have enrolments, course_completions, which overdue needs
        report overdue --mirror sqlite:t.db => lms mirror enrolments,course_completions --to sqlite:t.db
        report expiring-records --mirror sqlite:t.db => records takes a request for each combination of learners and user_fields; for fewer
        report inactive --for long --mirror sqlite:t.db => 'long' for '--for <DURATION>': write a duration such as 30d
        report inactive --at 2026-13-01 --mirror sqlite:t.db => '2026-13-01' for '--at <TIME>': write a day
        report inactive --columns id --mirror sqlite:t.db => there is no field id
        report duplicates --reason name --mirror sqlite:t.db => possible values: email, "name and phone", sso_id
        report leavers --mirror sqlite:t.db => were not provided:\n  --against <FILE>
        report leavers --against none.csv --mirror sqlite:t.db => 'none.csv' for '--against <FILE>': 
        report leavers --against empty.csv --mirror sqlite:t.db => the file has no person
        report completions --since 2026-02-01 --until 2026-01-01 --mirror sqlite:t.db => --since is not before --until
        report inactive --mirror sqlite:none.db => there is no mirror in none.db
    "#;
    program.assert_failures(2, cases);
    // A mirror of the fields alone shows that there is none of this name.
    program.json("mirror user_fields --to sqlite:t.db");
    program
        .run("report overdue --mirror sqlite:t.db --where dept=Sales")
        .assert_failure(3, "there is no user field dept");
}

/// A person who is misread would be listed as a leaver.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_people_that_could_be_misread_is_refused() {
    let (_sandbox, program) = demo_program().await;
    program.json("mirror learners --to sqlite:t.db");
    let cases = r#"
        email,E-Mail\na@b.example,c@b.example\n => line 1: email and E-Mail are the same column
        email,Private mail\na@b.example,c@b.example\n => line 1: whether Private mail identifies people cannot be told
        email,name\na@b.example,A\n,B\n => line 3, it has no value that identifies the person
        email\nann\u{200b}@acme.example\n => line 2, email: the cell has the invisible character U+200B
        {"id": {"value": "l1"}}\n => line 1, id: the value is a list or an object
        email\na@b.example,x\n => line 2, it has 2 cells, and the header has 1
        id,email\n1,a@b.example\n => nobody in the file is a learner here
    "#;
    for [text, sentence] in table(cases) {
        program.write("p.csv", &text);
        program
            .run("report leavers --mirror sqlite:t.db --against p.csv")
            .assert_failure(2, &sentence);
    }
    // Ids as numbers are ids.
    program.write("p.json", "[{\"sso_id\": 17}, {\"id\": \"l1\"}]");
    program
        .run("report leavers --mirror sqlite:t.db --against p.json")
        .exits(0);
}

/// An empty report would read as if nothing was overdue.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_with_a_name_that_no_object_has_is_not_an_empty_report() {
    let (_sandbox, program) = mirrored_tenant().await;
    let cases = r"
        report completions --course 'Fire and safety' --mirror sqlite:t.db => there is no course Fire and safety
        report overdue --course c0 --mirror sqlite:t.db => there is no course c0
        report status --learner nobody@x.de --mirror sqlite:t.db => there is no learner nobody@x.de
        report inactive --tag nosuch --mirror sqlite:t.db => there is no tag nosuch
        report expiring-records --field nosuch --mirror sqlite:t.db => there is no user field nosuch
        report overdue --where course='Fire and safety' --mirror sqlite:t.db => there is no course Fire and safety
        report status --where learner=nobody@x.de --mirror sqlite:t.db => there is no learner nobody@x.de
        report status --where 'First aid=B-21' --mirror sqlite:t.db => there is no First aid B-21; the nearest is B-12
        report status --where state=done1 --mirror sqlite:t.db => there is no state done1; the nearest is done
        report status --where surname=Mos --mirror sqlite:t.db => there is no surname Mos; the nearest is Moss
        report overdue --where email=cho@acme.exampel --where reason=nosuch --mirror sqlite:t.db => there is no email cho@acme.exampel; the nearest are cho@acme.example,
        report overdue --where reason='no time' --at 2026-04-20 --group-by reason --mirror sqlite:t.db => there is no reason no time
        report overdue --where course_name=Fire --mirror sqlite:t.db => there is no course name Fire; the nearest is Fire safety
        report required --rules rules.toml --where requirement=Everybody --mirror sqlite:t.db => there is no requirement Everybody; the nearest is Everyone
    ";
    program.assert_failures(3, cases);
    for (more, line) in [
        (
            "status --where course='fire SAFETY'",
            "course fire SAFETY is c1\n",
        ),
        (
            "required --rules nobody.toml",
            "left out: requirements of nobody; check their `who`: 1\n",
        ),
    ] {
        let rules = RULES.replace("L*@ACME.*", "*@acme_example");
        program.write("nobody.toml", rules);
        let ran = program.run(&format!("report {more} --mirror sqlite:t.db -o csv"));
        ran.exits(0).assert_stderr(line);
    }
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completions_of_a_deleted_learner_have_the_names_that_the_mirror_keeps() {
    let (_sandbox, program) = mirrored_tenant().await;
    let report = "report completions --mirror sqlite:t.db -o csv";
    let columns = "--columns email,firstname,learner_deleted";
    // With --deletes mark, and without.
    for (deletion, row) in [
        (
            "UPDATE learners SET _deleted_at = '2026-04-01T00:00:00Z' WHERE id = 'l1'",
            "ann@acme.example,Ann,true",
        ),
        ("DELETE FROM learners WHERE id = 'l1'", ",,true"),
    ] {
        assert_eq!(program.sql("t.db", deletion), 1);
        let ran = program.run(&format!("{report} {columns}"));
        let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
        assert_eq!(rows, [row, "cho@acme.example,Cho,false"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_on_some_records_is_complete_if_it_asks_for_them_alone() {
    let sandbox = tenant().await;
    let program = Program::of(&sandbox);
    sandbox.clear_requests();
    program.json("mirror learners,user_fields,records --to sqlite:r.db --filter records.user_field=f1 --filter records.tags=emea");
    let requests = sandbox.requests().unwrap();
    let records = requests
        .iter()
        .filter(|request| request.path.ends_with("/record"));
    assert_eq!(records.count(), 1);
    let report = "report expiring-records --mirror sqlite:r.db --at 2026-10-20";
    let run = |more: &str| program.run(&format!("{report} -o json {more}"));
    let ran = run("--field 'first AID' --tag emea").exits(0);
    ran.assert_stdout("ann@acme.example");
    let ran = run("--field 'First aid'").exits(8);
    let sentence = "records (only rows with tags=emea were read)";
    ran.assert_stderr(sentence);
}

/// A mirror refuses this share of deletes unless an option allows it. A cache has no such limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cache_of_a_report_follows_a_tenant_that_deleted_most_rows() {
    let sandbox = tenant().await;
    let program = Program::of(&sandbox);
    let mut ids = "id\n".to_owned();
    for index in 0..40 {
        let learner = json!({ "email": format!("{index}@acme.example") });
        ids += &sandbox.seed().add_learner(&learner).unwrap();
        ids += "\n";
    }
    program.write("ids.csv", ids);
    let report = "report inactive --for 0s";
    let rows = || program.json(report)["rows"].as_array().unwrap().len();
    assert_eq!(rows(), 43);
    program.json("learners rm --from ids.csv --yes");
    assert_eq!(rows(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_has_its_name_only_when_it_is_whole() {
    let (_sandbox, program) = mirrored_tenant().await;
    let report = "report status --mirror sqlite:t.db --to";
    for (file, magic) in [("a.xlsx", "PK"), ("a.parquet", "PAR1")] {
        let ran = program.run(&format!("{report} {file}"));
        assert_eq!((ran.code, &*ran.stdout), (0, ""), "{}", ran.stderr);
        ran.assert_stderr(&format!("wrote 3 rows to {file}"));
        let bytes = fs::read(program.path().join(file)).unwrap();
        assert!(bytes.starts_with(magic.as_bytes()));
    }
    for file in ["rules.toml/a.xlsx", "rules.toml/a.parquet"] {
        let ran = program.run(&format!("{report} {file}"));
        ran.assert_failure(6, file);
    }
    let header = "-- title: T\n-- needs: courses\n-- columns: id\nSELECT name FROM courses";
    program.write("own.sql", header);
    for file in ["b.xlsx", "b.parquet"] {
        program
            .run(&format!(
                "report --file own.sql --mirror sqlite:t.db --to {file}"
            ))
            .assert_failure(2, "no such column");
        let part = format!("{file}.part");
        assert!(
            [file, &part]
                .iter()
                .all(|name| !program.path().join(name).exists())
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_on_a_mirror_of_an_earlier_version_names_the_command_that_updates_it() {
    let (_sandbox, program) = mirrored_tenant().await;
    let sql = "ALTER TABLE learners DROP COLUMN notes";
    program.sql("t.db", sql);
    let mirror = "sqlite:t.db";
    let ran = program
        .run(&["report", "dossier", "l1", "--to", "d", "--mirror", mirror])
        .exits(2);
    let command = "lms mirror learners --to sqlite:t.db";
    ran.assert_stderr(command);
    // Other reports do not need the column.
    program
        .run(&["report", "completions", "--mirror", mirror])
        .exits(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
async fn a_dossier_has_everything_on_one_person_and_deletes_nothing() {
    let (sandbox, program) = mirrored_tenant().await;
    let dossier = |to: &str, learner: &str| {
        let dossier = format!("report dossier {learner} --to {to} --mirror sqlite:t.db --erase");
        program.run(&dossier)
    };
    let lacking = dossier("lacking", "l2").exits(8);
    let advice = "lms mirror course_progress,user_field_permissions --to sqlite:t.db";
    lacking.assert_stderr(advice);
    program.json("mirror all --to sqlite:t.db");
    dossier("out", "BEN@acme.example").exits(0);
    let file = |name: &str| fs::read_to_string(program.path().join("out").join(name)).unwrap();
    let learners: serde_json::Value = serde_json::from_str(&file("learners.json")).unwrap();
    assert_eq!(
        (learners.as_array().unwrap().len(), &learners[0]["email"]),
        (1, &"ben@acme.example".into())
    );
    let enrolments = file("enrolments.csv");
    assert!(
        enrolments.starts_with("id,course,user,created,created_utc,_extra,course_name\n"),
        "{enrolments}"
    );
    assert!(
        enrolments.contains(",c1,l2,") && enrolments.ends_with(",Fire safety\n"),
        "{enrolments}"
    );
    assert_eq!(enrolments.lines().count(), 2);
    assert!(file("records.json").contains("B-12"));
    let page = file("index.html");
    // The description of the API is for developers.
    assert!(!page.contains("The service explains"), "{page}");
    assert!(
        page.contains(">course name</th>") && !page.contains("_extra"),
        "{page}"
    );
    assert!(
        page.contains("&lt;b&gt;left &amp; right&lt;&#x2f;b&gt;") && page.contains("Fire safety"),
        "{page}"
    );
    for other in ["ann@acme.example", "cho@acme.example"] {
        assert!(!page.contains(other));
    }
    assert_eq!(
        (&*file("erase-enrolments.csv"), &*file("erase-learners.csv")),
        (
            "user,course\nben@acme.example,c1\n",
            "id\nben@acme.example\n"
        )
    );
    let other = demo().await;
    let of_other = Program::of(&other);
    let url = format!("--base-url {}", sandbox.base_url());
    assert_eq!(file("erase.txt").matches(&url).count(), 2);
    sandbox.clear_requests();
    for command in file("erase.txt")
        .lines()
        .filter_map(|line| line.strip_prefix("  lms "))
    {
        let command: Vec<&str> = command.split(' ').collect();
        // Another tenant has another person with this id.
        let at_other = command.iter().filter(|part| !url.contains(*part));
        let ran = of_other.run(&at_other.copied().collect::<Vec<_>>());
        assert_ne!(ran.code, 0, "{command:?}: {}", ran.stdout);
        ran.assert_stderr("ben@acme.example");
        let ran = program.run(&command).exits(0);
        ran.assert_stdout("l2");
    }
    assert!(
        sandbox
            .requests()
            .unwrap()
            .iter()
            .all(|request| request.method == "GET" || request.path.ends_with("token"))
    );
    dossier("out", "l2").assert_failure(2, "the folder is not empty");
    dossier("none", "nobody").assert_failure(3, "there is no learner nobody");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_plan_of_a_dossier_names_the_profile_of_the_mirror_and_quotes_its_path() {
    let sandbox = tenant().await;
    let program = Program::of(&sandbox);
    program.json("mirror learners,enrolments --to sqlite:t.db");
    for (name, url) in [
        ("other", "https://other.example"),
        ("acme", sandbox.base_url()),
    ] {
        let options = format!("--base-url {url} --client-id 1 --credential-command true");
        program
            .run(&format!("profile add {name} {options}"))
            .exits(0);
    }
    let mut dossier = "report dossier l2 --mirror sqlite:t.db --erase --to".words();
    dossier.push("Ben's data".to_owned());
    program.run(&dossier).exits(8);
    let folder = program.path().join("Ben's data");
    let plan = fs::read_to_string(folder.join("erase.txt")).unwrap();
    let quoted = folder.join("erase-learners.csv").display().to_string();
    let quoted = quoted.replace('\'', r"'\''");
    let command = format!("lms learners rm --from '{quoted}' --profile acme --dry-run\n");
    assert!(plan.contains(&command), "{plan}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_user_can_read_a_dossier_and_the_cache_of_reports() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = tenant().await;
    let program = Program::of(&sandbox);
    program.run("report dossier l2 --to out --erase");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let out = program.path().join("out");
    let cache = program.path().join(".cache/lms");
    assert_eq!([mode(&out), mode(&cache)], [0o700; 2]);
    let files = |folder: &std::path::Path| {
        fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
    };
    let mirrors =
        files(&cache).filter(|file| file.extension().is_some_and(|ending| ending == "db"));
    let files: Vec<_> = files(&out).chain(mirrors).collect();
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}
