//! The sandbox on a port, with a data file, and as a program.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test, a test that cannot continue should fail"
)]

mod faults;
mod wire;

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lms_sandbox::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Sandbox};
use serde_json::{Value, json};

/// A minimal client.
struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    async fn of(base: &str, id: &str, secret: &str) -> Self {
        let mut client = Self {
            http: reqwest::Client::new(),
            base: format!("{base}/api/v1"),
            token: String::new(),
        };
        let body =
            json!({ "grant_type": "client_credentials", "client_id": id, "client_secret": secret });
        let token = client.post("/oauth/token", body).await.unwrap();
        token["access_token"]
            .as_str()
            .unwrap_or_else(|| panic!("{token}"))
            .clone_into(&mut client.token);
        client
    }

    async fn to(sandbox: &Sandbox) -> Self {
        let (id, secret) = (sandbox.client_id(), sandbox.client_secret());
        Self::of(sandbox.base_url(), id, secret).await
    }

    fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.base);
        let request = self.http.request(method.parse().unwrap(), url);
        request.bearer_auth(&self.token)
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let response = self.request("GET", path).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn post(&self, path: &str, body: Value) -> reqwest::Result<Value> {
        let request = self.request("POST", path).json(&body);
        request.send().await?.json().await
    }

    async fn add_course(&self) -> reqwest::Result<Value> {
        self.post("/courses", json!({ "name": "x" })).await
    }
}

#[tokio::test]
async fn debug_output_has_neither_the_secret_nor_tokens() {
    let builder = Sandbox::builder().client_secret("hunter22");
    let mut output = format!("{builder:?}");
    let sandbox = builder.start().await.unwrap();
    let client = Client::to(&sandbox).await;
    client.get("/oauth/me").await;
    output += &format!(
        "{sandbox:?} {:?} {:?} {:?}",
        sandbox.seed(),
        sandbox.faults(),
        sandbox.requests().unwrap()
    );
    assert!(
        !output.contains("hunter22") && !output.contains(&client.token),
        "{output}"
    );
}

#[tokio::test]
async fn dropping_a_sandbox_stops_it() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let client = Client::to(&sandbox).await;
    drop(sandbox);
    // The server's task ends when the runtime polls it.
    while client.request("GET", "/test").send().await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn acknowledged_writes_are_in_the_data_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tenant.db");
    let first = Sandbox::builder()
        .data_file(&file)
        .demo()
        .start()
        .await
        .unwrap();
    let client = Client::to(&first).await;
    let course = client.add_course().await.unwrap();
    let page = client.get("/learners?limit=400").await.1;
    let cursor = page["next_cursor"].as_str().unwrap().to_owned();
    first.stop().await;

    // Demo data is only added to an empty tenant.
    let second = Sandbox::builder()
        .data_file(&file)
        .demo_seed(9)
        .start()
        .await
        .unwrap();
    let client = Client::to(&second).await;
    assert_eq!(client.get("/courses/c13").await.1, course);
    assert_eq!(client.get("/courses").await.1["number_found"], "13");
    // The cursor is still valid.
    let rest = client.get(&format!("/learners?cursor={cursor}")).await.1;
    assert_eq!(rest["items"][0]["id"], "l201");
}

#[tokio::test]
async fn invalid_settings_are_rejected_with_a_message() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.txt");
    std::fs::write(
        &other,
        "not a database, whatever its length may be".repeat(100),
    )
    .unwrap();
    let remote: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let builder = Sandbox::builder;
    for (builder, words) in [
        (builder().listen(taken.local_addr().unwrap()), "in use"),
        (builder().max_page(0), "max_page"),
        (builder().data_file(&other), "not a data file"),
    ] {
        let error = builder.start().await.unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
    let allowed = builder().listen(remote).allow_remote();
    allowed.start().await.unwrap().stop().await;
}

/// The program, to serve with these arguments.
fn program(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lms-sandbox"));
    command
        .arg("serve")
        .args(arguments.split(' '))
        .env_remove("LMS_SANDBOX_CLIENT_ID")
        .env_remove("LMS_SANDBOX_CLIENT_SECRET")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Starts the program and waits for its first line.
fn serving(arguments: &str) -> (Child, String) {
    let arguments = format!("--listen 127.0.0.1:0 {arguments}");
    let mut child = program(&arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let base = line
        .strip_prefix("listening on ")
        .unwrap_or_else(|| panic!("{line:?}"))
        .trim_end()
        .to_owned();
    (child, base)
}

fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    let code = child.wait().unwrap().code();
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
    (code, errors)
}

#[cfg(unix)]
#[tokio::test]
async fn the_program_stops_on_a_signal() {
    let (child, base) = serving("--demo --max-page 3");
    let client = Client::of(&base, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET).await;
    assert_eq!(client.get("/learners").await.1["limit"], "3");
    let (code, errors) = end(child, "-INT");
    assert_eq!(code, Some(0));
    assert!(errors.contains(DEMO_CLIENT_ID) && errors.contains(DEMO_CLIENT_SECRET));
    // A given secret is not printed.
    let (child, base) = serving("--client-id me --client-secret hunter22");
    let client = Client::of(&base, "me", "hunter22").await;
    assert_eq!(client.get("/test").await.0, 200);
    assert_eq!(end(child, "-TERM"), (Some(0), String::new()));
}

#[tokio::test]
async fn maximum_settings_are_accepted() {
    let builder = Sandbox::builder().max_page(usize::MAX);
    let sandbox = builder.token_lifetime(Duration::MAX).start().await.unwrap();
    sandbox.clock().advance(Duration::MAX);
    let client = Client::to(&sandbox).await;
    client.add_course().await.unwrap();
    let (status, page) = client.get(&format!("/courses?limit={}", i64::MAX)).await;
    assert_eq!((status, &page["number_found"]), (200, &json!("1")));
    assert_eq!(page["items"][0]["created"], "9999-12-31T23:59:59Z");
    sandbox.stop().await;
}

#[tokio::test]
async fn a_database_of_another_program_or_version_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("other.sqlite");
    let other = rusqlite::Connection::open(&foreign).unwrap();
    other
        .execute_batch("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x');")
        .unwrap();
    drop(other);
    let older = folder.path().join("tenant.db");
    let first = Sandbox::builder().data_file(&older).start().await.unwrap();
    first.stop().await;
    let version = rusqlite::Connection::open(&older).unwrap();
    version.pragma_update(None, "user_version", 1).unwrap();
    drop(version);
    for file in [foreign, older] {
        let before = std::fs::read(&file).unwrap();
        let error = Sandbox::builder().data_file(&file).start().await;
        let message = error.unwrap_err().to_string();
        assert!(
            message.contains("not a data file of this version"),
            "{message}"
        );
        assert!(std::fs::read(&file).unwrap() == before);
    }
}

#[cfg(unix)]
#[test]
fn the_program_can_be_stopped_while_it_generates_data() {
    let mut generating = program("--listen 127.0.0.1:0 --learners 1000000");
    let mut child = generating.spawn().unwrap();
    // The first output says that it begins.
    let mut byte = [0];
    let errors = child.stderr.as_mut().unwrap();
    std::io::Read::read_exact(errors, &mut byte).unwrap();
    let (code, errors) = end(child, "-INT");
    assert_eq!(code, Some(1));
    assert!(errors.contains("before all data was generated"), "{errors}");
}

#[tokio::test]
async fn a_second_sandbox_on_the_same_file_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tenant.db");
    let first = Sandbox::builder().data_file(&file).start().await.unwrap();
    let second = Sandbox::builder().data_file(&file).start().await;
    let error = second.unwrap_err().to_string();
    assert!(error.contains("in use by another sandbox"), "{error}");
    // The first one is not affected, and frees the file when it stops.
    let client = Client::to(&first).await;
    client.add_course().await.unwrap();
    first.stop().await;
    let third = Sandbox::builder().data_file(&file).start().await.unwrap();
    let courses = Client::to(&third).await.get("/courses").await.1;
    assert_eq!(courses["number_found"], "1");
}

#[cfg(unix)]
#[tokio::test]
async fn an_acknowledged_write_survives_when_the_program_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let data = format!("--data {}", folder.path().join("tenant.db").display());
    let (child, base) = serving(&data);
    let client = Client::of(&base, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET).await;
    let course = client.add_course().await.unwrap();
    assert_eq!(end(child, "-KILL").0, None);
    let (child, base) = serving(&data);
    let client = Client::of(&base, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET).await;
    assert_eq!(client.get("/courses/c1").await, (200, course));
    end(child, "-TERM");
}

#[test]
fn the_program_reports_errors_in_one_line() {
    let missing = "/no/such/folder/tenant.db";
    let cases = format!(
        "--listen 0.0.0.0:0 | other machines
        --listen 127.0.0.1:0 --data {missing} | its folder exists
        --listen 127.0.0.1:0 --client-secret= | must not be empty
        --token-lifetime soon | such as 300s
        --listen here | --listen
        --fault listLearners:nulls | TARGET: WHEN: EFFECT
        --courses 3 | --learners
        --fault-plan {missing} | No such file
        --listen 127.0.0.1:0 --control 0.0.0.0:0 | other machines"
    );
    for case in cases.lines() {
        let (arguments, words) = case.trim().split_once(" | ").unwrap();
        let output = program(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{case}");
        assert!(errors.contains(words), "{case}: {errors}");
        assert!(output.stdout.is_empty(), "{case}");
    }
}
