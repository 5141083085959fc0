//! Jobs: exports into files and their verification, mirrors and their changes, taps.

use std::{
    fs,
    io::{BufRead, BufReader, Read as _, Write as _},
    net::TcpListener,
    process::{Command, Stdio},
    thread::{self, JoinHandle},
};

use lms_sandbox::Operation;
use serde_json::{Value, json};

use crate::program::{Program, assert_members, demo, demo_program, fault, table};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_writes_a_file_for_each_collection_and_verifies() {
    let (_sandbox, program) = demo_program().await;
    let export = "export course_completions,learners --to out --format ndjson -o ndjson";
    let ran = program.run(&export).exits(0);
    assert_eq!(
        ran.stdout.matches(r#""complete":true"#).count(),
        2,
        "{}",
        ran.stdout
    );
    // A rate follows if it took a second.
    ran.assert_stderr("(1 of 2) course_completions: 740 rows");
    ran.assert_stderr("(2 of 2) learners: 650 of 650 rows (100 %)");
    let learners = program.read("out/learners.ndjson");
    assert_eq!(learners.lines().count(), 650);
    assert!(!learners.contains("password"));
    program.run("verify out -o table").exits(0);

    let cut: String = learners
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    program.write("out/learners.ndjson", cut);
    let verified = program.run("verify out -o table").exits(8);
    verified.assert_stderr("1 of 2 collections");
    // No sentence is truncated.
    let problems = verified
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  problems: "));
    let lengths = problems.map(str::len);
    assert!(lengths.max() > Some(80), "{}", verified.stdout);
}

/// A mistake in a filter would replace a file by an empty one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_that_selects_nothing_replaces_no_file() {
    let (sandbox, program) = demo_program().await;
    let export = |filter: &str, more: &str| {
        let export = format!("export enrolments --to out --filter {filter}");
        program.run(&format!("{export} {more}"))
    };
    export("enrolments.course=c1", "--quiet").exits(0);
    let file = program.path().join("out/enrolments.csv");
    let rows = fs::read_to_string(&file).unwrap();
    sandbox.seed().add_course("Without anybody").unwrap();
    for (filter, sentence) in [
        ("enrolments.course=typo", "there is no course typo"),
        (
            "enrolments.course=c13",
            "no rows of enrolments match enrolments.course=c13; nothing was written",
        ),
    ] {
        export(filter, "").assert_failure(3, sentence);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), rows);
    export("enrolments.course=typo", "--allow-empty").exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1);
}

/// A service may lack `GET /oauth/me`, or not allow it. The base URL is the tenant's identity then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_that_does_not_state_its_identity_is_exported() {
    let (sandbox, program) = demo_program().await;
    for status in [403, 404] {
        sandbox.faults().clear();
        fault(&sandbox, &format!("me: always: status {status}"));
        let ran = program.run("profile check").exits(0);
        ran.assert_stdout(sandbox.base_url());
        program
            .run(&["export", "tags", "--to", &format!("out-{status}")])
            .exits(0);
    }
}

/// The rows of an export have about the same age: old ones are read again, and an unfinished run can be discarded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resumed_export_reads_old_collections_again_and_can_be_discarded() {
    let (sandbox, program) = demo_program().await;
    let export = "export tags,learners --to out --format ndjson";
    let run = |more: &str| program.run(&format!("{export} {more}"));
    let tags_are_read = |more: &str| {
        fault(&sandbox, "listLearners: always: status 400");
        run("")
            .exits(8)
            .assert_stderr("run the same command again to resume");
        program.run("verify out").exits(8);
        sandbox.faults().clear();
        sandbox.clear_requests();
        run(more).exits(0);
        program.run("verify out").exits(0);
        assert!(!program.path().join("out/.lms-sync/run.json").exists());
        !sandbox.requests_to(Operation::ListTags).unwrap().is_empty()
    };
    assert!(!tags_are_read(""));
    assert!(tags_are_read("--max-resume-age 0s"));
    assert!(tags_are_read("--discard-unfinished"));
    fault(&sandbox, "listLearners: always: status 400");
    run("").exits(8);
    sandbox.faults().clear();
    run("--page-size 50").assert_failure(2, "--discard-unfinished");
    run("--page-size 50 --discard-unfinished").exits(0);
}

/// Some tenants send times without a time zone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_zone_of_a_tenant_is_an_option_and_part_of_a_profile() {
    let sandbox = demo().await;
    fault(&sandbox, "all: always: zoneless-timestamps");
    let program = Program::new();
    let (url, id) = (sandbox.base_url(), sandbox.client_id());
    let add = format!("profile add acme --base-url {url} --client-id {id} --time-zone +02:00");
    program.run_with(&add, sandbox.client_secret()).exits(0);
    let created = |options: &str| {
        let mirror = "mirror enrolments --to sqlite:tenant.db";
        program.run(&format!("{mirror} {options}")).exits(0);
        let mirror = rusqlite::Connection::open(program.path().join("tenant.db")).unwrap();
        let sql = "SELECT substr(created, 12, 2) - substr(created_utc, 12, 2) FROM enrolments WHERE created LIKE '%T1%' LIMIT 1";
        mirror
            .query_row(sql, [], |row| row.get::<_, Option<i64>>(0))
            .unwrap()
    };
    assert_eq!(created(""), Some(2));
    assert_eq!(created("--time-zone +01:00"), Some(1));
    let ran = program.run("mirror tags --to sqlite:x.db --time-zone Mars/Olympus");
    ran.assert_failure(2, "cannot use the time zone");
}

/// The three attempts of other commands are not enough for a job that nobody watches.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_outlasts_a_short_outage() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "listTags: first 3: status 503");
    let exported = program.json("export tags --to out");
    assert_eq!(exported[0]["complete"], true);
    let listed = sandbox.requests_to(Operation::ListTags).unwrap();
    assert!(listed.len() > 3, "{listed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_with_wrong_credentials_ends_at_once() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox).with("LMS_CLIENT_SECRET", "wrong");
    for job in [
        ["export", "all", "--to", "out"],
        ["mirror", "all", "--to", "sqlite:x.db"],
    ] {
        program.run(&job).assert_failure(4, "token request: 401");
    }
    let sent = sandbox.requests().unwrap();
    assert!(
        sent.iter()
            .all(|request| request.operation == Some(Operation::GetToken))
    );
}

/// Retries of several minutes, for each collection, are for a tenant that was reached before.
#[test]
fn a_job_without_a_connection_ends_at_once() {
    let program = Program::new()
        .with("LMS_BASE_URL", "http://127.0.0.1:1")
        .with("LMS_CLIENT_ID", "1")
        .with("LMS_CLIENT_SECRET", "x");
    for job in [
        ["export", "all", "--to", "out"],
        ["mirror", "all", "--to", "sqlite:x.db"],
    ] {
        program
            .run(&job)
            .assert_failure(6, "could not connect to 127.0.0.1:1");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mistake_in_an_export_is_explained() {
    let (sandbox, program) = demo_program().await;
    program.write("tenant.db", "");
    let cases = r"
        export learners --to sqlite:tenant.db => `lms mirror --to` writes into a database
        verify tenant.db => for a mirror in SQLite, write sqlite:tenant.db
        export learner --to out => invalid value 'learner'
        export learners => --to <DIR|URL>
        export learners --to out --filter x => write COLLECTION.FILTER=VALUE
        export learners --to out --filter learners.x=1 => x
        export enrolments --to out --partition enrolments.colour => it can be read in parts by course
        verify nothing => there is no export in nothing
        verify ftp://host/folder => its scheme belongs to no object storage
        export learners --to ftp://host/folder => write s3://BUCKET/PREFIX
    ";
    program.assert_failures(2, cases);
    assert!(sandbox.requests().unwrap().is_empty());
}

/// A loader deletes rows that a complete stream lacks, so a tap that fails must not exit with 0.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tap_writes_messages_and_fails_unless_every_stream_is_complete() {
    let sandbox = demo().await;
    let program = Program::new();
    program.write_tap_config(&sandbox);
    let found = program
        .run("tap singer --config config.json --discover")
        .exits(0);
    let catalog: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        catalog["streams"].as_array().unwrap().len(),
        lms_sync::collections().len()
    );
    let ran = program.run("tap singer --config config.json").exits(0);
    ran.assert_stderr("learners: complete, 650 rows");
    assert_eq!(
        ran.stdout.matches(r#""type":"ACTIVATE_VERSION""#).count(),
        0
    );

    fault(&sandbox, "listTags: always: status 403");
    let ran = program.run("tap singer --config config.json").exits(8);
    let lists = lms_sync::collections().iter();
    let count = lists.filter(|known| !known.is_derived()).count();
    let incomplete = format!("1 of {count} streams are not complete");
    ran.assert_stderr(&incomplete);
    assert_eq!(
        ran.stdout.matches(r#""type":"ACTIVATE_VERSION""#).count(),
        0
    );

    // Nothing was read, so there is no state to resume from.
    let config = program.read("config.json");
    let wrong = config.replace(sandbox.client_secret(), "wrong");
    program.write("config.json", wrong);
    let ran = program.run("tap singer --config config.json").exits(4);
    assert!(!ran.stderr.contains("the last state"), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_airbyte_source_says_what_is_wrong_in_its_protocol() {
    let sandbox = demo().await;
    let program = Program::new();
    program.write_tap_config(&sandbox);
    let spec = program.run("tap airbyte spec").exits(0);
    assert!(
        spec.stdout.starts_with(r#"{"type":"SPEC""#),
        "{}",
        spec.stdout
    );
    let checked = program.run("tap airbyte check --config config.json");
    checked.assert_stdout("SUCCEEDED");
    program.write("empty.json", "{}");
    let checked = program
        .run("tap airbyte check --config empty.json")
        .exits(0);
    checked.assert_stdout("`base_url` is missing");
    let read = program
        .run("tap airbyte read --config empty.json --catalog empty.json")
        .exits(2);
    read.assert_stdout(r#""failure_type":"config_error""#);
}

const MIRROR: &str = "mirror learners,courses --to sqlite:tenant.db --page-size 100";

/// The events of the mirror, as NDJSON.
fn changes(program: &Program, since: &str) -> String {
    let mirror = "sqlite:tenant.db";
    let ran = program
        .run(&format!(
            "changes --mirror {mirror} --since {since} -o ndjson"
        ))
        .exits(0);
    ran.stdout
}

fn mirrored_learners(program: &Program) -> usize {
    let mut rows = 0;
    let path = program.path().join("tenant.db");
    let learners = lms_sync::collection("learners").unwrap();
    lms_sync::mirror::Mirror::sqlite(path)
        .visit_rows(learners, &mut |_| {
            rows += 1;
        })
        .unwrap();
    rows
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_writes_only_what_differs_and_tells_its_changes() {
    let (_sandbox, program) = demo_program().await;
    let first = program.json(MIRROR);
    assert_members(&first[0], &json!({ "complete": true, "inserted": 650 }));
    assert_eq!(changes(&program, "0"), "");
    let second = program.json(MIRROR);
    for count in ["inserted", "updated", "deleted"] {
        assert_eq!(second[0][count], 0, "{second}");
        assert_eq!(second[1][count], 0, "{second}");
    }
    assert_eq!(second[0]["unchanged"], 650);
    program.run("verify sqlite:tenant.db").exits(0);

    let follow = "changes --mirror sqlite:tenant.db --follow --interval 1";
    let mut follower = program
        .command(&follow)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.json("learners edit l1 --surname Jones");
    assert_eq!(program.json(MIRROR)[0]["updated"], 1);
    let mut followed = String::new();
    let mut lines = BufReader::new(follower.stdout.take().unwrap());
    lines.read_line(&mut followed).unwrap();
    follower.kill().unwrap();
    follower.wait().unwrap();
    let found = changes(&program, "0");
    assert_eq!(found, followed);
    let change: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(change["event"], "learner.changed");
    assert_eq!(change["fields"]["surname"]["new"], "Jones");
    assert_eq!(changes(&program, change["position"].as_str().unwrap()), "");
}

/// An endpoint that answers one request with a status. Returns its URL, and the request.
fn endpoint(status: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hooks/lms", listener.local_addr().unwrap());
    let request = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut request, mut chunk) = (String::new(), [0; 4096]);
        // The body is one object.
        while !request.ends_with("}}") {
            let length = stream.read(&mut chunk).unwrap();
            assert_ne!(length, 0, "{request}");
            request.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
        }
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").unwrap();
        request
    });
    (url, request)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_are_delivered_to_an_endpoint_once() {
    let (_sandbox, program) = demo_program().await;
    program.json(MIRROR);
    program.json("learners edit l1 --surname Jones");
    program.json(MIRROR);
    let deliver = |program: &Program, url: &str| {
        let mirror = "sqlite:tenant.db";
        program.run(&format!("changes --mirror {mirror} --deliver-to {url}"))
    };
    let ran = deliver(&program, "https://crm.example").exits(2);
    ran.assert_stderr("LMS_WEBHOOK_SECRET");
    let program = program.with(
        "LMS_WEBHOOK_SECRET",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    );
    let arguments = "changes --mirror sqlite:tenant.db --deliver-to https://crm.example --events learners.added";
    let arguments: Vec<_> = arguments.split(' ').collect();
    let ran = program.run(&arguments);
    ran.assert_failure(2, "--events: there is no event \"learners.added\"");
    let (url, request) = endpoint("410 Gone");
    deliver(&program, &url).exits(6);
    request.join().unwrap();
    let (url, request) = endpoint("204 No Content");
    deliver(&program, &url).exits(0);
    let request = request.join().unwrap();
    assert!(request.contains("webhook-signature: v1,"), "{request}");
    assert!(request.contains(r#""new":"Jones""#), "{request}");
    // Nothing is left: no request is sent.
    assert_eq!(deliver(&program, &url).code, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_values_of_changes_are_printed_as_they_were_received() {
    let (_sandbox, program) = demo_program().await;
    program.json(MIRROR);
    program.json("learners edit l1 --surname Jones");
    program.json(MIRROR);
    let values = r#"{"a":1e400,"b":"\ud800","c":9007199254740991,"d":1.50,"e":-0.0}"#;
    let fields = format!(r#"{{"_extra":{{"old":null,"new":{values}}}}}"#);
    let mirror = rusqlite::Connection::open(program.path().join("tenant.db")).unwrap();
    let changed = mirror.execute("UPDATE _lms_changes SET fields = ?1", [fields]);
    assert_eq!(changed, Ok(1));
    drop(mirror);
    for format in ["json", "ndjson"] {
        let ran = program
            .run(&format!("changes --mirror sqlite:tenant.db -o {format}"))
            .exits(0);
        let printed: String = ran.stdout.split_whitespace().collect();
        assert!(printed.contains(values), "{}", ran.stdout);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_deletes_after_a_complete_listing_and_within_the_limit() {
    let (sandbox, program) = demo_program().await;
    program.json(MIRROR);
    program.run("learners rm l650 --yes").exits(0);
    fault(&sandbox, "listLearners: nth 3: status 400");
    let failed = program.run(MIRROR).exits(8);
    failed.assert_stderr("run the same command again to resume");
    assert_eq!(mirrored_learners(&program), 650);

    sandbox.faults().clear();
    let refused = program
        .run(&format!("{MIRROR} --max-delete 0% --max-delete 0"))
        .exits(8);
    refused.assert_stderr("a higher --max-delete");
    assert_eq!(mirrored_learners(&program), 650);
    assert_eq!(changes(&program, "0"), "");

    assert_eq!(program.json(MIRROR)[0]["deleted"], 1);
    assert_eq!(mirrored_learners(&program), 649);
    let found = changes(&program, "0");
    assert!(found.contains(r#""event":"learner.removed""#), "{found}");
}

/// The rows of a summary are known before it is printed, so no name and no count is truncated.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_summary_is_as_wide_as_its_widest_row() {
    let (_sandbox, program) = demo_program().await;
    let ran = program.run("mirror tags,course_completions --to sqlite:tenant.db -o table -q");
    assert_eq!(
        ran.stdout,
        "COLLECTION          COMPLETENESS  ROWS  INSERTED  UPDATED  DELETED  MISSING\n\
         tags                complete      9     9         0        0        0\n\
         course_completions  complete      740   740       0        0        0\n",
        "{}",
        ran.stderr
    );
}

#[test]
fn a_mistake_in_a_mirror_is_explained() {
    let program = Program::new();
    let cases = r"
        mirror --to tenant.db => write sqlite:FILE
        mirror --to sqlite://tenant.db => write sqlite:FILE
        mirror --to pg://u:s3cret@db.example/x => write sqlite:FILE
        mirror --to postgres://u:s3cret@db.example:s3cret/x => write postgres://
        changes --mirror postgres://u:s3cret@/x => the host is missing
        mirror learners => --to <DATABASE>
        mirror --to sqlite:x --max-delete tag=10% => from 0% to 100%
        changes --mirror sqlite:x => there is no mirror in x
    ";
    for [arguments, sentence] in table(cases) {
        let ran = program.run(&arguments);
        ran.assert_failure(2, &sentence);
        assert!(!ran.stderr.contains("s3cret"), "{}", ran.stderr);
    }
}

/// Runs SQL on the server of `.ci/postgres`. Returns the output.
fn psql(server: &str, sql: &str) -> String {
    let ran = Command::new("psql")
        .args([
            server,
            "--no-psqlrc",
            "-qtA",
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            sql,
        ])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by .ci/postgres"]
async fn a_mirror_in_postgres_is_verified_by_a_role_that_only_reads() {
    let server = std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`");
    let sandbox = demo().await;
    let program = Program::of(&sandbox).with("PGPASSWORD", "pw-of-analyst");
    let at = |server: &str| format!("{server}?schema=tenant&reader=analyst");
    psql(
        &server,
        "CREATE ROLE analyst LOGIN PASSWORD 'pw-of-analyst'",
    );
    let credentials = server
        .split_once("://")
        .unwrap()
        .1
        .split_once('@')
        .unwrap()
        .0;
    let reading = at(&server.replace(credentials, "analyst"));

    let unknown = program.run(&format!("verify {reading}")).exits(2);
    unknown.assert_stderr("has no mirror yet; mirror a tenant into it first");
    let names = "learners,courses,enrolments,course_completions";
    let writing = at(&server);
    let mirrored = program.json(&format!("mirror {names} --to {writing} --page-size 200"));
    assert_eq!(mirrored[0]["inserted"], 650);
    let verified = program.run(&format!("verify {reading} -o ndjson")).exits(0);
    assert_eq!(verified.stdout.matches(r#""intact":true"#).count(), 4);
    program.run(&format!("changes --mirror {reading}")).exits(0);
    let refused = program.run(&format!("mirror {names} --to {reading}"));
    assert_ne!(refused.code, 0);

    let changed = "UPDATE tenant.learners SET surname = 'changed' WHERE id = 'l1' RETURNING id";
    assert_eq!(psql(&server, changed).trim(), "l1");
    psql(&server, "DELETE FROM tenant.courses WHERE id = 'c1'");
    let verified = program.run(&format!("verify {reading} -o ndjson")).exits(8);
    verified.assert_stderr("2 of 4 collections");
    verified.assert_stdout("1 row was changed after the mirror was written");
    for ran in [unknown, refused, verified] {
        let shown = ran.stdout + &ran.stderr;
        assert!(!shown.contains("pw-of-analyst"), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_from_a_mirror_sends_nothing() {
    let (sandbox, program) = demo_program().await;
    program
        .run("mirror learners,tags --to sqlite:tenant.db")
        .exits(0);
    sandbox.clear_requests();
    let program = program.with("LMS_CLIENT_SECRET", "wrong");
    let exported = program.json("export all --from sqlite:tenant.db --to out");
    assert_eq!(exported[0]["complete"], true, "{exported}");
    assert_eq!(exported.as_array().unwrap().len(), 2);
    assert!(sandbox.requests().unwrap().is_empty());
    program.run("verify out").exits(0);
    let ran = program.run("export courses --from sqlite:tenant.db --to out");
    ran.assert_failure(2, "the mirror has no complete courses");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_fails_when_the_rows_are_too_old() {
    let (_sandbox, program) = demo_program().await;
    program.run("mirror tags --to sqlite:tenant.db").exits(0);
    program
        .run("status --mirror sqlite:tenant.db --max-age 1h")
        .exits(0);
    let ran = program.run("status --mirror sqlite:tenant.db --max-age 0s");
    assert_eq!(ran.code, 8, "{ran:?}");
    ran.assert_stderr("tags (read ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mirror_within_a_budget_is_partial_and_says_what_is_left() {
    let (_sandbox, program) = demo_program().await;
    let mirror = "mirror learners,user_fields,records --max-requests 40 --to sqlite:tenant.db";
    let ran = program.run(mirror).exits(0);
    ran.assert_stderr("(3 of 3) records: 35 of 35 requests (100 %)");
    let mirrored: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(mirrored[2]["completeness"], "partial", "{mirrored}");
    assert_eq!(mirrored[2]["complete"], false, "{mirrored}");
    let ran = program.run("status --mirror sqlite:tenant.db");
    assert_eq!(ran.code, 8, "{ran:?}");
    ran.assert_stderr("records (partial)");
    ran.assert_stdout("requests are left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn times_without_a_zone_are_noted_once() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "all: always: zoneless-timestamps");
    for command in [
        "mirror enrolments --to sqlite:tenant.db",
        "status --mirror sqlite:tenant.db",
    ] {
        let ran = program.run(command);
        let notes = ran.stderr.matches("in enrolments.created_utc").count();
        assert_eq!((ran.code, notes), (0, 1), "{ran:?}");
        ran.assert_stderr("--time-zone");
    }
}

/// Kubernetes and systemd send SIGTERM.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_stops_at_a_checkpoint_after_sigterm() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "listLearners: after 2: delay 1h");
    // It waits for the response to a request that was sent.
    let export = "export learners --to out --page-size 50 --timeout 15s";
    let child = program
        .command(&export)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let listed = || sandbox.requests_to(Operation::ListLearners).unwrap().len();
    while listed() < 2 {
        tokio::task::yield_now().await;
    }
    let id = child.id().to_string();
    let stopped = Command::new("kill").args(["-TERM", &id]).status();
    assert!(stopped.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143), "{ended:?}");
    sandbox.faults().clear();
    let resumed = program.json(export);
    assert_eq!(resumed[0]["resumes"], 1, "{resumed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_logs_json_with_one_event_a_line_and_its_run_in_each() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    fault(&sandbox, "listTags: always: status 400");
    let mirror = "mirror tags,courses --to sqlite:t.db --log-format json";
    let ran = program.run(mirror).exits(8);
    let events: Vec<Value> = ran
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(events.iter().all(|event| event["run"] == events[0]["run"]));
    let of = |kind: &str| {
        events
            .iter()
            .filter(|event| event["event"] == kind)
            .collect::<Vec<_>>()
    };
    let outcomes: Vec<_> = of("outcome")
        .iter()
        .map(|event| (event["collection"].clone(), event["completeness"].clone()))
        .collect();
    assert_eq!(
        json!(outcomes),
        json!([["tags", "incomplete"], ["courses", "complete"]])
    );
    assert_eq!(of("progress").last().unwrap()["done"], 12, "{}", ran.stderr);
    assert_eq!(of("error")[0]["error"]["exit_code"], 8);
    let status = program.run("status --mirror sqlite:t.db --log-format json");
    let event: Value = serde_json::from_str(status.exits(8).stderr.trim()).unwrap();
    assert_eq!(event["event"], "error");
    // SQLite has no views over several files.
    program
        .run("mirror tags --to sqlite:all.db --union-views --all-profiles")
        .exits(2)
        .assert_stderr("--union-views needs PostgreSQL");
}

/// A collector reads the file after each night, also after one that failed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_writes_its_metrics_to_a_file() {
    let (sandbox, program) = demo_program().await;
    let mirror = "mirror tags,courses --to sqlite:t.db --metrics-file lms.prom";
    program.run(mirror).exits(0);
    let metrics = program.read("lms.prom");
    let url = format!("{}/api/v1", sandbox.base_url());
    for line in [
        &*format!("lms_sync_rows{{tenant=\"{url}\",collection=\"courses\"}} 12\n"),
        &*format!("lms_sync_complete{{tenant=\"{url}\",collection=\"tags\"}} 1\n"),
        "lms_sync_read_timestamp_seconds{",
        "http_client_request_duration_count{",
        "# TYPE lms_client_tokens counter\n",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    assert!(!metrics.contains(sandbox.client_secret()), "{metrics}");
    fault(&sandbox, "listTags: always: status 400");
    program.run(mirror).exits(8);
    let metrics = program.read("lms.prom");
    let line = format!("lms_sync_complete{{tenant=\"{url}\",collection=\"tags\"}} 0\n");
    assert!(metrics.contains(&line), "{metrics}");
    sandbox.faults().clear();
    program
        .run(&mirror.replace("lms.prom", "none/lms.prom"))
        .exits(6)
        .assert_stderr("none/lms.prom");
}
