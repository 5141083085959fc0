//! A client that asks too much costs itself an answer or a connection, and the others nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test, what cannot go on should fail"
)]

use std::time::Duration;

use lms_sandbox::{Limits, Sandbox};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Limits that are reached in no time.
fn tight() -> Limits {
    Limits {
        max_connections: 64,
        max_head_bytes: 16 * 1024,
        head_timeout: Duration::from_millis(200),
        max_body_bytes: 64 * 1024,
        body_timeout: Duration::from_millis(200),
        write_timeout: Duration::from_millis(200),
    }
}

/// A sandbox with these limits, and a token for it.
async fn start(limits: Limits) -> (Sandbox, String) {
    let sandbox = Sandbox::builder().limits(limits).start().await.unwrap();
    let body = json!({
        "grant_type": "client_credentials",
        "client_id": sandbox.client_id(),
        "client_secret": sandbox.client_secret(),
    });
    let url = format!("{}/api/v1/oauth/token", sandbox.base_url());
    let answer = reqwest::Client::new().post(url).json(&body).send().await;
    let token: Value = answer.unwrap().json().await.unwrap();
    let token = token["access_token"].as_str().unwrap().to_owned();
    (sandbox, token)
}

/// Sends this, and returns what comes until the server closes the connection.
async fn say(sandbox: &Sandbox, text: &str) -> String {
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    // The server may have had enough before all of it is sent.
    let _ = stream.write_all(text.as_bytes()).await;
    let mut bytes = Vec::new();
    // A connection that is reset is closed too.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

async fn serves_others(sandbox: &Sandbox) {
    let url = format!("{}/api/v1/test", sandbox.base_url());
    assert_eq!(reqwest::get(url).await.unwrap().status(), 200);
}

fn head(token: &str, length: usize) -> String {
    format!(
        "POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn a_head_that_does_not_end_costs_its_connection() {
    let (sandbox, _) = start(tight()).await;
    for beginning in [
        "",
        "GET",
        "GET /api/v1/test HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    ] {
        let slow = say(&sandbox, beginning);
        let ((), answer) = tokio::join!(serves_others(&sandbox), slow);
        assert!(["", "408"].contains(&status(&answer)), "{answer}");
    }
}

#[tokio::test]
async fn a_head_that_comes_drop_by_drop_costs_its_connection() {
    let (sandbox, _) = start(tight()).await;
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    stream
        .write_all(b"GET /api/v1/test HTTP/1.1\r\n")
        .await
        .unwrap();
    // Each drop is in time; the head as a whole is not. Writing fails once the server has let go.
    while stream.write_all(b"X-Slow: 1\r\n").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_connection_that_is_kept_for_nothing_is_closed() {
    let (sandbox, _) = start(tight()).await;
    // Without `Connection: close`, so that it is the server that ends the waiting.
    let answer = say(&sandbox, "GET /api/v1/test HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!(status(&answer), "200");
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_answered_with_408() {
    let (sandbox, token) = start(tight()).await;
    for beginning in ["", "{\"name\":"] {
        let text = head(&token, 100) + beginning;
        let ((), answer) = tokio::join!(serves_others(&sandbox), say(&sandbox, &text));
        assert_eq!(status(&answer), "408", "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_in_the_middle_leaves_nothing_behind() {
    let (sandbox, token) = start(tight()).await;
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    let text = head(&token, 100) + "{\"name\": \"Half";
    stream.write_all(text.as_bytes()).await.unwrap();
    // It says that it will send no more, and goes on listening.
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(["", "400"].contains(&status(&answer)), "{answer}");
    serves_others(&sandbox).await;
    let records = sandbox.requests_to(lms_sandbox::Operation::AddCourse);
    assert!(records.iter().all(|record| !record.processed));
}

#[tokio::test]
async fn an_answer_that_nobody_reads_costs_its_connection() {
    let (sandbox, token) = start(tight()).await;
    let seed = sandbox.seed();
    let long = "x".repeat(20_000);
    for index in 0..200 {
        seed.add_course(&format!("{index}{long}")).unwrap();
    }
    // Four megabytes for each of many requests, and not one byte read.
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    let request =
        format!("GET /api/v1/courses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n");
    while stream.write_all(request.as_bytes()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let (sandbox, _) = start(tight()).await;
    for header in [
        format!("X-Long: {}\r\n", "x".repeat(32 * 1024)),
        "X: 1\r\n".repeat(5_000),
    ] {
        let text = format!("GET /api/v1/test HTTP/1.1\r\nHost: x\r\n{header}\r\n");
        let answer = say(&sandbox, &text).await;
        assert!(["", "431"].contains(&status(&answer)), "{answer}");
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let (sandbox, token) = start(tight()).await;
    let name = "x".repeat(100 * 1024);
    let body = format!("{{\"name\": \"{name}\"}}");
    let answer = say(&sandbox, &(head(&token, body.len()) + &body)).await;
    assert!(["", "413"].contains(&status(&answer)), "{answer}");
    // The same in chunks, whose sum nothing announces.
    let url = format!("{}/api/v1/courses", sandbox.base_url());
    let chunked = head(&token, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let answer = say(&sandbox, &(chunked + &chunk)).await;
    assert!(["", "413"].contains(&status(&answer)), "{answer}");
    let page = reqwest::Client::new().get(url).bearer_auth(&token);
    let page: Value = page.send().await.unwrap().json().await.unwrap();
    assert_eq!(page["number_found"], "0");
}

#[tokio::test]
async fn json_that_is_too_deep_is_refused() {
    let (sandbox, token) = start(tight()).await;
    for depth in [200, 30_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let count = depth / open.len();
            let inner = format!("{}1{}", open.repeat(count), close.repeat(count));
            let body = format!("{{\"name\": \"Deep\", \"more\": {inner}}}");
            let answer = say(&sandbox, &(head(&token, body.len()) + &body)).await;
            let expected = if count > 100 { "400" } else { "200" };
            assert_eq!(status(&answer), expected, "{count} times {open}");
        }
    }
}

#[tokio::test]
async fn what_is_not_http_is_answered_or_closed() {
    let (sandbox, _) = start(tight()).await;
    for text in [
        "\r\n\r\n\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n",
        "GET /api/v1/test HTTP/9.9\r\n\r\n",
        "POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    ] {
        let answer = say(&sandbox, text).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{text:?}: {answer}"
        );
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn one_connection_too_many_waits_until_another_ends() {
    let limits = Limits {
        max_connections: 2,
        head_timeout: Duration::from_millis(500),
        ..tight()
    };
    let (sandbox, _) = start(limits).await;
    let mut idle = Vec::new();
    for _ in 0..8 {
        idle.push(TcpStream::connect(sandbox.address()).await.unwrap());
    }
    // It is served when the server has lost patience with those.
    serves_others(&sandbox).await;
}
