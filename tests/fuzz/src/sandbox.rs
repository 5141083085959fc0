use std::time::{Duration, SystemTime};

use lms_sandbox::{
    Clock, NewLearner, NewProfile, NewRecord, NewSignupPage, NewTopic, NewUserField, Sandbox,
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    runtime::Runtime,
    time::timeout,
};

use crate::responses::split;

/// The timeout of a response, which normally takes a millisecond.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The most requests; more would test nothing new.
const MOST: usize = 16;

thread_local! {
    static RUNTIME: Runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
}

/// The input is requests to a small tenant, separated by lines `%%`:
///
/// ```text
/// PUT /learners/l1
/// content-type: text/plain
///
/// {"firstname": "Jo"}
/// ```
///
/// Each gets a response: a success with a JSON body, or a 4xx with the documented error body, and never a 500. A request
/// without an authorization header is sent with a valid token.
pub fn sandbox(input: &[u8]) {
    RUNTIME.with(|runtime| runtime.block_on(tenant(input)));
}

async fn tenant(input: &[u8]) {
    let sandbox = Sandbox::builder()
        .clock(Clock::stopped_at(
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_357_400),
        ))
        .start()
        .await
        .expect("a sandbox");
    fill(&sandbox);
    let credentials = format!(
        r#"{{"grant_type":"client_credentials","client_id":"{}","client_secret":"{}"}}"#,
        sandbox.client_id(),
        sandbox.client_secret()
    );
    let issued = ask(
        &sandbox,
        "",
        format!("POST /oauth/token\n\n{credentials}").as_bytes(),
    )
    .await;
    let issued: Value = serde_json::from_slice(&issued.body).expect("JSON");
    let token = issued["access_token"].as_str().expect("a token");

    for request in split(input, b"\n%%\n").take(MOST) {
        let response = ask(&sandbox, token, request).await;
        response.check(request, token);
    }
    let alive = ask(&sandbox, token, b"GET /test").await;
    assert_eq!(alive.status, 200, "the sandbox stopped responding");
    sandbox.stop().await;
}

fn fill(sandbox: &Sandbox) {
    let seed = sandbox.seed();
    let course = seed.add_course("Safety").expect("a course");
    let topic = NewTopic {
        course: course.clone(),
        name: "Ladders".into(),
        ..NewTopic::default()
    };
    let topic = seed.add_topic(&topic).expect("a topic");
    let learner = NewLearner {
        firstname: "Jo".into(),
        surname: "Doe".into(),
        email: "jo@acme.example".into(),
        tags: vec!["emea".into()],
        ..NewLearner::default()
    };
    let learner = seed.add_learner(&learner).expect("a learner");
    seed.enrol(&learner, &course).expect("an enrolment");
    seed.complete_topic(&learner, &topic).expect("progress");
    let field = NewUserField {
        name: "Badge".into(),
        ..NewUserField::default()
    };
    let user_field = seed.add_user_field(&field).expect("a field");
    let record = NewRecord {
        learner,
        user_field,
        value: "17".into(),
        ..NewRecord::default()
    };
    seed.set_record(&record).expect("a record");
    let profile = NewProfile {
        name: "Crew".into(),
        ..NewProfile::default()
    };
    seed.add_profile(&profile).expect("a profile");
    let page = NewSignupPage {
        name: "Join".into(),
        ..NewSignupPage::default()
    };
    seed.add_signup_page(&page).expect("a page");
}

struct Response {
    status: u16,
    body: Vec<u8>,
}

impl Response {
    fn check(&self, request: &[u8], token: &str) {
        let Self { status, body } = self;
        let text = String::from_utf8_lossy(body);
        let shown = String::from_utf8_lossy(request);
        assert!(
            [200, 400, 401, 404, 405, 409, 413, 415, 422, 431].contains(status),
            "{status} {text}\nto {shown}"
        );
        if body.is_empty() {
            return;
        }
        let json: Value = serde_json::from_slice(body)
            .unwrap_or_else(|error| panic!("{error}: {status} {text}\nto {shown}"));
        let error = &json["error"];
        assert_eq!(
            *status == 200,
            !(error["code"].is_string() && error["message"].is_string()),
            "{status} {text}\nto {shown}"
        );
        assert!(!text.contains(token), "the token is shown\nto {shown}");
    }
}

/// Sends one request on its own connection.
async fn ask(sandbox: &Sandbox, token: &str, request: &[u8]) -> Response {
    let (head, body) = match request.windows(2).position(|found| found == b"\n\n") {
        Some(end) => (&request[..end], &request[end + 2..]),
        None => (request, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let space = first
        .iter()
        .position(|byte| *byte == b' ')
        .unwrap_or(first.len());
    let (method, path) = first.split_at(space);
    let mut bytes = [method, b" /api/v1", path.trim_ascii(), b" HTTP/1.1\r\n"].concat();
    bytes.extend_from_slice(
        format!(
            "host: localhost\r\nconnection: close\r\ncontent-length: {}\r\n",
            body.len()
        )
        .as_bytes(),
    );
    let lines: Vec<_> = lines.collect();
    let named = |name: &str| {
        lines.iter().any(|line| {
            line.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        })
    };
    if !named("authorization") {
        bytes.extend_from_slice(format!("authorization: Bearer {token}\r\n").as_bytes());
    }
    if !named("content-type") {
        bytes.extend_from_slice(b"content-type: application/json\r\n");
    }
    for line in &lines {
        // Headers that would change the framing of the request are left out.
        let framing = [
            "content-length",
            "transfer-encoding",
            "connection",
            "expect",
            "upgrade",
        ];
        let lower = line.to_ascii_lowercase();
        if !framing
            .iter()
            .any(|name| lower.starts_with(name.as_bytes()))
            && !line.contains(&b'\r')
        {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(b"\r\n");
        }
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    let response = timeout(TIMEOUT, exchange(sandbox, &bytes))
        .await
        .unwrap_or_else(|_| panic!("no response to {}", String::from_utf8_lossy(request)));
    parse(&response).unwrap_or_else(|| {
        panic!(
            "{:?} is not a response\nto {}",
            String::from_utf8_lossy(&response),
            String::from_utf8_lossy(request)
        )
    })
}

async fn exchange(sandbox: &Sandbox, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(sandbox.address())
        .await
        .expect("a connection");
    // The server may respond before it has read everything.
    let _ = stream.write_all(request).await;
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    response
}

fn parse(response: &[u8]) -> Option<Response> {
    let end = response.windows(4).position(|found| found == b"\r\n\r\n")?;
    let status = response.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    Some(Response {
        status: std::str::from_utf8(status).ok()?.parse().ok()?,
        body: response[end + 4..].to_vec(),
    })
}
