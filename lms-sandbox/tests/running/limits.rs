//! Limits: exceeding one fails that request or closes that connection, and does not affect others.

use std::time::Duration;

use lms_sandbox::{Limits, Sandbox};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Client;

/// Limits that are reached quickly.
fn tight() -> Limits {
    Limits {
        max_connections: 64,
        max_connections_per_peer: 64,
        max_head_bytes: 16 * 1024,
        first_head_timeout: Duration::from_millis(200),
        head_timeout: Duration::from_millis(200),
        max_body_bytes: 64 * 1024,
        body_timeout: Duration::from_millis(200),
        write_timeout: Duration::from_millis(200),
    }
}

/// A sandbox with these limits, and a token for it.
async fn start(limits: Limits) -> (Sandbox, String) {
    let sandbox = Sandbox::builder().limits(limits).start().await.unwrap();
    let token = Client::to(&sandbox).await.token;
    (sandbox, token)
}

/// Sends this text, and returns everything until the server closes the connection.
pub(super) async fn exchange(sandbox: &Sandbox, text: &str) -> String {
    exchange_with(sandbox.address(), text).await
}

async fn exchange_with(address: std::net::SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
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
        "POST /api/v1/courses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
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
        "GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
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
    let response = exchange(
        &sandbox,
        "GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\n\r\n",
    )
    .await;
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
    let records = sandbox
        .requests_to(lms_sandbox::Operation::AddCourse)
        .unwrap();
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
    let request = format!(
        "GET /api/v1/courses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    while stream.write_all(request.as_bytes()).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    serves_others(&sandbox).await;
}

/// A request head for `/test` of exactly this size, with a long header or a long address.
fn head_of(bytes: usize, long_address: bool) -> String {
    let (start, end) = if long_address {
        (
            "GET /api/v1/test?",
            " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        )
    } else {
        (
            "GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ",
            "\r\n\r\n",
        )
    };
    format!(
        "{start}{}{end}",
        "x".repeat(bytes - start.len() - end.len())
    )
}

#[tokio::test]
async fn the_limit_on_heads_is_exact_and_its_errors_have_a_body() {
    let default = Limits::default().max_head_bytes;
    for limit in [8 * 1024, default, 256 * 1024] {
        let limits = Limits {
            max_head_bytes: limit,
            ..Limits::default()
        };
        let (sandbox, _) = start(limits).await;
        for (bytes, long_address, expected, code) in [
            (limit, false, "200", "\"tid\""),
            (limit + 1, false, "431", "head_too_large"),
            (limit + 100_000, false, "431", "head_too_large"),
            (limit.min(60_000), true, "400", "bad_query"),
            (limit + 1_000, true, "414", "address_too_long"),
            (limit + 100_000, true, "414", "address_too_long"),
        ] {
            let response = exchange(&sandbox, &head_of(bytes, long_address)).await;
            assert_eq!(status(&response), expected, "{limit} {bytes}: {response}");
            assert!(response.contains(code), "{limit} {bytes}: {response}");
        }
        // The next head on the same connection has the whole limit too.
        let both = head_of(limit, false).replacen("Connection: close", "Connection: x-ope", 1)
            + &head_of(limit - 1, false);
        let responses = exchange(&sandbox, &both).await;
        assert_eq!(responses.matches("HTTP/1.1 200").count(), 2, "{responses}");
        serves_others(&sandbox).await;
    }
}

#[tokio::test]
async fn a_head_with_too_many_fields_is_rejected() {
    let (sandbox, _) = start(tight()).await;
    let fields = "X: 1\r\n".repeat(200);
    let text = format!("GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n");
    assert_eq!(status(&exchange(&sandbox, &text).await), "431");
    serves_others(&sandbox).await;
}

#[tokio::test]
async fn a_body_over_the_limit_is_rejected() {
    let (sandbox, token) = start(tight()).await;
    let name = "x".repeat(100 * 1024);
    let body = format!("{{\"name\": \"{name}\"}}");
    let response = exchange(&sandbox, &(head(&token, body.len()) + &body)).await;
    assert_eq!(status(&response), "413", "{response}");
    // The same in chunks, without a Content-Length.
    let url = format!("{}/api/v1/courses", sandbox.base_url());
    let chunked = head(&token, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let response = exchange(&sandbox, &(chunked + &chunk)).await;
    assert_eq!(status(&response), "413", "{response}");
    let page = reqwest::Client::new().get(url).bearer_auth(&token);
    let page: Value = page.send().await.unwrap().json().await.unwrap();
    assert_eq!(page["number_found"], "0");
}

#[tokio::test]
async fn a_client_that_sends_everything_first_gets_the_response() {
    let (sandbox, token) = start(Limits::default()).await;
    let body = vec![b'x'; 64 << 20];
    let (authorized, anonymous) = (head(&token, body.len()), head("none", body.len()));
    for (head, expected) in [(authorized, "413"), (anonymous, "401")] {
        let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&body).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert_eq!(status(&response), expected, "{response}");
    }
    // A client that asks first is answered without its body.
    let head = head(&token, body.len()).replace("Host:", "Expect: 100-continue\r\nHost:");
    let response = exchange(&sandbox, &head).await;
    assert_eq!(status(&response), "413", "{response}");
}

#[tokio::test]
async fn only_known_hosts_are_served() {
    let sandbox = Sandbox::builder()
        .control("127.0.0.1:0".parse().unwrap())
        .allow_host("sandbox.internal")
        .start()
        .await
        .unwrap();
    let control = sandbox.control_url().unwrap();
    let control = control.trim_start_matches("http://").parse().unwrap();
    for (address, path) in [(sandbox.address(), "/api/v1/test"), (control, "/clock")] {
        for (target, host, expected) in [
            ("", "Host: localhost\r\n", "200"),
            ("", "Host: tenant.localhost:8080\r\n", "200"),
            ("", "Host: sandbox.internal\r\n", "200"),
            ("", "Host: evil.example\r\n", "421"),
            ("http://evil.example", "Host: localhost\r\n", "421"),
            ("", "Host: localhost\r\nHost: evil.example\r\n", "400"),
            ("", "", "400"),
        ] {
            let text = format!("GET {target}{path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
            let response = exchange_with(address, &text).await;
            assert_eq!(status(&response), expected, "{text}: {response}");
            assert!(expected == "200" || response.contains("\"field\":\"Host\""));
        }
    }
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
        "POST /api/v1/courses HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /api/v1/courses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
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
async fn silent_connections_do_not_keep_another_client_out() {
    let (sandbox, token) = start(Limits {
        max_connections: 64,
        ..Limits::default()
    })
    .await;
    // A connection that has been used is kept as long as there are silent ones.
    let url = format!("{}/api/v1/oauth/me", sandbox.base_url());
    let client = reqwest::Client::new();
    let me = async || client.get(&url).bearer_auth(&token).send().await.unwrap();
    assert_eq!(me().await.status(), 200);
    let mut silent = Vec::new();
    for index in 0..1_100 {
        let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
        if index % 2 == 0 {
            // The server may close the connection before that.
            let _ = stream.write_all(b"GET /api").await;
        }
        silent.push(stream);
    }
    // The default timeouts are longer than this test may take.
    let served = async {
        serves_others(&sandbox).await;
        assert_eq!(me().await.status(), 200);
    };
    tokio::time::timeout(Duration::from_secs(10), served)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_peer_may_have_only_so_many_connections() {
    let (sandbox, token) = start(Limits {
        max_connections_per_peer: 2,
        ..Limits::default()
    })
    .await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(sandbox.address()).await.unwrap();
        let text = head(&token, 12).replace("Host:", "Expect: 100-continue\r\nHost:");
        stream.write_all(text.as_bytes()).await.unwrap();
        // The request has begun when the server asks for the body.
        let mut response = [0; 12];
        stream.read_exact(&mut response).await.unwrap();
        assert_eq!(&response, b"HTTP/1.1 100");
        busy.push(stream);
    }
    let request = "GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(exchange(&sandbox, request).await, "");
    // Another address of this machine is another peer.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = socket.connect(sandbox.address()).await.unwrap();
    other.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    other.read_to_string(&mut response).await.unwrap();
    assert_eq!(status(&response), "200");
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
