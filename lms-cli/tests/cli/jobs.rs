//! Jobs: exports into files and their verification, mirrors and their changes, taps.

use std::{
    io::{BufRead, BufReader, Read as _, Write as _},
    net::TcpListener,
    process::{Command, Stdio},
    thread::{self, JoinHandle},
};

use lms_sandbox::Operation;

use crate::program::{Program, demo, demo_program, fault};

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

const MIRROR: &str = "mirror learners,courses --to sqlite:tenant.db";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_that_are_followed_are_those_that_are_listed() {
    let (_sandbox, program) = demo_program().await;
    program.json(MIRROR);
    let follow = "changes --mirror sqlite:tenant.db --follow --interval 1";
    let mut follower = program.command(follow);
    let mut follower = follower.stdout(Stdio::piped()).spawn().unwrap();
    program.json("learners edit l1 --surname Jones");
    program.json(MIRROR);
    let mut followed = String::new();
    let mut lines = BufReader::new(follower.stdout.take().unwrap());
    lines.read_line(&mut followed).unwrap();
    follower.kill().unwrap();
    follower.wait().unwrap();
    let listed = program.run("changes --mirror sqlite:tenant.db --since 0 -o ndjson");
    assert_eq!(listed.stdout, followed);
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
    let ran = program.run(arguments);
    ran.assert_failure(2, "--events: there is no event \"learners.added\"");
    let (url, request) = endpoint("410 Gone");
    deliver(&program, &url).exits(6);
    request.join().unwrap();
    let (url, request) = endpoint("204 No Content");
    deliver(&program, &url).exits(0);
    let request = request.join().unwrap();
    assert!(request.contains("webhook-signature: v1,"), "{request}");
    assert!(request.contains(r#""new":"Jones""#), "{request}");
    // Nothing is left: no request is sent, also to another URL, and the note says why.
    let ran = deliver(&program, "http://127.0.0.1:1").exits(0);
    ran.assert_stderr("the endpoint default continues after change 1, whatever its URL");
    // A change that was refused in an earlier run waits.
    program.sql(
        "tenant.db",
        "INSERT INTO _lms_dead_letters VALUES ('default', 1, '2026-01-01T00:00:00Z', 5, 'the response was 503')",
    );
    let ran = deliver(&program, &url).exits(8);
    ran.assert_stderr("refused 1 change, the first at 2026-01-01T00:00:00Z: the response was 503");
    ran.assert_stderr("--redeliver");
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
#[ignore = "run by .ci/postgres"]
async fn one_schema_in_postgres_has_the_tenants_of_all_runs() {
    let server = std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`");
    let (acme, globex) = (demo().await, demo().await);
    let program = Program::with_profiles(&[("acme", &acme, ""), ("globex", &globex, "")]);
    let tenants = "SELECT string_agg(DISTINCT _tenant, ',' ORDER BY _tenant) FROM shared.tags";
    for (of_run, of_all) in [
        ("--profile acme --one-schema", "acme"),
        ("--profiles globex --one-schema", "acme,globex"),
        ("--profiles acme --union-views", "acme,globex"),
    ] {
        let mirror = format!("mirror tags --to {server}?schema=shared {of_run}");
        program.run(&mirror).exits(0);
        assert_eq!(psql(&server, tenants).trim(), of_all, "{of_run}");
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
        .command(export)
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
