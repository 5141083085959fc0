//! Servers: a sandbox with its clients and faults, and one on a real socket whose responses a test writes byte by byte.

use std::{sync::Arc, time::Duration};

use lms_ext::{LmsBuilder, RetryPolicy, prelude::*};
use lms_sandbox::Sandbox;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// A builder of a client with the credentials of the sandbox.
pub fn builder(sandbox: &Sandbox) -> LmsBuilder {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
}

/// A client with default settings.
pub fn client(sandbox: &Sandbox) -> Lms {
    builder(sandbox).build().unwrap()
}

/// Retries without backoff, since a sandbox runs in real time.
pub fn at_once() -> RetryPolicy {
    RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO)
}

/// Adds fault rules, in the notation of the sandbox.
pub fn disturb<R: AsRef<str>>(sandbox: &Sandbox, rules: impl IntoIterator<Item = R>) {
    for rule in rules {
        sandbox.faults().add(rule.as_ref()).unwrap();
    }
}

/// Starts a server that responds to each request as `respond` says, and then closes the connection. Returns its address.
pub async fn serve<R: Into<Vec<u8>>>(
    respond: impl Fn(&str) -> R + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let respond = Arc::new(respond);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let respond = Arc::clone(&respond);
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !is_whole(&request)
                    && socket.read_buf(&mut request).await.is_ok_and(|n| n > 0)
                {}
                let response: Vec<u8> = respond(&String::from_utf8_lossy(&request)).into();
                // The client may close the connection first.
                let _ = socket.write_all(&response).await;
                let _ = socket.shutdown().await;
            });
        }
    });
    address
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.trim().parse().unwrap());
    body.len() >= length
}
