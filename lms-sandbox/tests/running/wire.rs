//! Requests that no HTTP client sends.

use std::net::SocketAddr;

use lms_sandbox::{Operation, Sandbox};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Client;

/// Sends this text and no more, and returns everything until the server closes the connection.
pub(super) async fn exchange(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may close the connection before everything is sent.
    let _ = stream.write_all(text.as_bytes()).await;
    let mut bytes = Vec::new();
    // The connection may also be reset.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

async fn start() -> (Sandbox, String) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let token = Client::to(&sandbox).await.token;
    (sandbox, token)
}

fn head(token: &str, length: usize) -> String {
    format!(
        "POST /api/v1/courses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
}

fn status(response: &str) -> &str {
    response.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn a_request_with_half_a_body_is_not_processed() {
    let (sandbox, token) = start().await;
    let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
    let text = head(&token, 100) + "{\"name\": \"Half";
    stream.write_all(text.as_bytes()).await.unwrap();
    // Half-closed: no more is sent, but the response can be read.
    stream.shutdown().await.unwrap();
    let mut response = String::new();
    let _ = stream.read_to_string(&mut response).await;
    assert!(["", "400"].contains(&status(&response)), "{response}");
    let records = sandbox.requests_to(Operation::AddCourse).unwrap();
    assert!(records.iter().all(|record| !record.processed));
}

#[tokio::test]
async fn a_body_over_the_limit_is_rejected() {
    let (sandbox, token) = start().await;
    let body = format!("{{\"name\": \"{}\"}}", "x".repeat(1 << 20));
    let response = exchange(sandbox.address(), &head(&token, body.len())).await;
    assert_eq!(status(&response), "413", "{response}");
    // The same in chunks, without a Content-Length.
    let chunked = head(&token, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let most = &body[..=1 << 20];
    let response = exchange(
        sandbox.address(),
        &format!("{chunked}{:x}\r\n{most}", body.len()),
    )
    .await;
    assert_eq!(status(&response), "413", "{response}");
    let page = Client::to(&sandbox).await.get("/courses").await.1;
    assert_eq!(page["number_found"], "0");
}

#[tokio::test]
async fn the_control_api_serves_only_this_machines_names() {
    let builder = Sandbox::builder().control("127.0.0.1:0".parse().unwrap());
    let sandbox = builder.start().await.unwrap();
    let control = sandbox.control_url().unwrap();
    let control = control.trim_start_matches("http://").parse().unwrap();
    for (target, host, expected) in [
        ("", "Host: localhost\r\n", "200"),
        ("", "Host: tenant.localhost:8080\r\n", "200"),
        ("", "Host: 127.0.0.1\r\n", "200"),
        ("", "Host: evil.example\r\n", "421"),
        ("http://evil.example", "Host: localhost\r\n", "421"),
        ("", "Host: localhost\r\nHost: evil.example\r\n", "421"),
        ("", "", "400"),
    ] {
        let text = format!("GET {target}/clock HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let response = exchange(control, &text).await;
        assert_eq!(status(&response), expected, "{text}: {response}");
        assert!(expected == "200" || response.contains("\"field\":\"Host\""));
    }
}
