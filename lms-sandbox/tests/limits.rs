//! Limits: exceeding one fails that request or closes that connection, and does not affect others.

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

/// Limits that are reached quickly.
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
    let response = reqwest::Client::new().post(url).json(&body).send().await;
    let token: Value = response.unwrap().json().await.unwrap();
    let token = token["access_token"].as_str().unwrap().to_owned();
    (sandbox, token)
}

/// Sends this text, and returns everything until the server closes the connection.
async fn exchange(sandbox: &Sandbox, text: &str) -> String {
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    // The server may close the connection before everything is sent.
    let _ = stream.write_all(text.as_bytes()).await;
    let mut bytes = Vec::new();
    // The connection may also be reset.
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

fn status(response: &str) -> &str {
    response.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn an_incomplete_head_closes_its_connection() {
    let (sandbox, _) = start(tight()).await;
    for beginning in [
        "",
        "GET",
        "GET /api/v1/test HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    ] {
        let slow = exchange(&sandbox, beginning);
        let ((), response) = tokio::join!(serves_others(&sandbox), slow);
        assert!(["", "408"].contains(&status(&response)), "{response}");
    }
}

#[tokio::test]
async fn a_slow_head_closes_its_connection() {
    let (sandbox, _) = start(tight()).await;
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    stream
        .write_all(b"GET /api/v1/test HTTP/1.1\r\n")
        .await
        .unwrap();
    // Each line is in time, but not the whole head. Writing fails when the server has closed the connection.
    while stream.write_all(b"X-Slow: 1\r\n").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let (sandbox, _) = start(tight()).await;
    // Without `Connection: close`, so that the server has to close it.
    let response = exchange(&sandbox, "GET /api/v1/test HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!(status(&response), "200");
}

#[tokio::test]
async fn an_incomplete_body_gets_408() {
    let (sandbox, token) = start(tight()).await;
    for beginning in ["", "{\"name\":"] {
        let text = head(&token, 100) + beginning;
        let ((), response) = tokio::join!(serves_others(&sandbox), exchange(&sandbox, &text));
        assert_eq!(status(&response), "408", "{response}");
    }
}

#[tokio::test]
async fn a_request_with_half_a_body_is_not_processed() {
    let (sandbox, token) = start(tight()).await;
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    let text = head(&token, 100) + "{\"name\": \"Half";
    stream.write_all(text.as_bytes()).await.unwrap();
    // Half-closed: no more is sent, but the response can be read.
    stream.shutdown().await.unwrap();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    let response = String::from_utf8(response).unwrap();
    assert!(["", "400"].contains(&status(&response)), "{response}");
    serves_others(&sandbox).await;
    let records = sandbox.requests_to(lms_sandbox::Operation::AddCourse);
    assert!(records.iter().all(|record| !record.processed));
}

#[tokio::test]
async fn an_unread_response_closes_its_connection() {
    let (sandbox, token) = start(tight()).await;
    let seed = sandbox.seed();
    let long = "x".repeat(20_000);
    for index in 0..200 {
        seed.add_course(&format!("{index}{long}")).unwrap();
    }
    // Many requests for four megabytes each, and not one byte is read.
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    let request =
        format!("GET /api/v1/courses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n");
    while stream.write_all(request.as_bytes()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_head_over_the_limit_is_rejected() {
    let (sandbox, _) = start(tight()).await;
    for header in [
        format!("X-Long: {}\r\n", "x".repeat(32 * 1024)),
        "X: 1\r\n".repeat(5_000),
    ] {
        let text = format!("GET /api/v1/test HTTP/1.1\r\nHost: x\r\n{header}\r\n");
        let response = exchange(&sandbox, &text).await;
        assert!(["", "431"].contains(&status(&response)), "{response}");
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_body_over_the_limit_is_rejected() {
    let (sandbox, token) = start(tight()).await;
    let name = "x".repeat(100 * 1024);
    let body = format!("{{\"name\": \"{name}\"}}");
    let response = exchange(&sandbox, &(head(&token, body.len()) + &body)).await;
    assert!(["", "413"].contains(&status(&response)), "{response}");
    // The same in chunks, without a Content-Length.
    let url = format!("{}/api/v1/courses", sandbox.base_url());
    let chunked = head(&token, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let response = exchange(&sandbox, &(chunked + &chunk)).await;
    assert!(["", "413"].contains(&status(&response)), "{response}");
    let page = reqwest::Client::new().get(url).bearer_auth(&token);
    let page: Value = page.send().await.unwrap().json().await.unwrap();
    assert_eq!(page["number_found"], "0");
}

#[tokio::test]
async fn deeply_nested_json_is_rejected() {
    let (sandbox, token) = start(tight()).await;
    for depth in [200, 30_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let count = depth / open.len();
            let inner = format!("{}1{}", open.repeat(count), close.repeat(count));
            let body = format!("{{\"name\": \"Deep\", \"more\": {inner}}}");
            let response = exchange(&sandbox, &(head(&token, body.len()) + &body)).await;
            let expected = if count > 100 { "400" } else { "200" };
            assert_eq!(status(&response), expected, "{count} times {open}");
        }
    }
}

#[tokio::test]
async fn invalid_http_gets_an_error_or_a_closed_connection() {
    let (sandbox, _) = start(tight()).await;
    for text in [
        "\r\n\r\n\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n",
        "GET /api/v1/test HTTP/9.9\r\n\r\n",
        "POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /api/v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    ] {
        let response = exchange(&sandbox, text).await;
        assert!(
            response.is_empty() || response.starts_with("HTTP/1.1 4"),
            "{text:?}: {response}"
        );
    }
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn connections_over_the_limit_wait() {
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
    // It is served after the timeout of the idle connections.
    serves_others(&sandbox).await;
}
