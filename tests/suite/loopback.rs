//! Requests to a loopback address stay on this machine, whatever the environment and DNS say.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use lms_ext::{LmsBuilder, RetryPolicy, prelude::*};
use reqwest::{ClientBuilder, Proxy};

/// A server that responds to every request with a `tid`, and counts connections.
#[derive(Clone)]
struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Server {
    fn start(tid: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            connections: Arc::default(),
        };
        let connections = server.connections.clone();
        thread::spawn(move || {
            for mut socket in listener.incoming().map_while(Result::ok) {
                connections.fetch_add(1, Ordering::SeqCst);
                let _ = socket.read(&mut [0; 4096]);
                let body = format!("{{\"tid\":\"{tid}\"}}");
                let length = body.len();
                let _ = write!(
                    socket,
                    "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
                );
            }
        });
        server
    }

    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}", self.port)
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// The server that responded to a call: the `tid` of the server or the proxy.
async fn responder(builder: LmsBuilder) -> Option<String> {
    let builder = builder.token("a-token").retry(RetryPolicy::disabled());
    builder.build().unwrap().test().call().await.unwrap().tid
}

const PROXY: &str = "LMS_SUITE_PROXY";

#[test]
fn a_proxy_from_the_environment_is_not_used_for_a_loopback_address() {
    let proxy = Server::start("proxy");
    // In a process of its own, because reqwest reads the environment of the process.
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "--ignored",
        "loopback::with_a_proxy_in_the_environment",
    ]);
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ] {
        child.env(name, proxy.url("127.0.0.1"));
    }
    let child = child
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .env(PROXY, "1");
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert_eq!(proxy.connections(), 1, "only the request to another host");
}

#[tokio::test]
#[ignore = "run by the test above, with a proxy in its environment"]
async fn with_a_proxy_in_the_environment() {
    if std::env::var_os(PROXY).is_none() {
        return;
    }
    let server = Server::start("server");
    for host in ["127.0.0.1", "localhost", "acme.localhost"] {
        let tid = responder(Lms::builder(server.url(host))).await;
        assert_eq!(tid.as_deref(), Some("server"), "{host}");
    }
    let elsewhere = Lms::builder("http://acme.example").allow_plain_http();
    assert_eq!(responder(elsewhere).await.as_deref(), Some("proxy"));
}

#[tokio::test]
async fn a_proxy_of_the_caller_is_used_for_a_loopback_address() {
    let (server, proxy) = (Server::start("server"), Server::start("proxy"));
    let set = Proxy::all(proxy.url("127.0.0.1")).unwrap();
    let lms = Lms::builder(server.url("127.0.0.1")).configure_http(|http| http.proxy(set));
    assert_eq!(responder(lms).await.as_deref(), Some("proxy"));
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn every_localhost_name_connects_to_this_machine() {
    let server = Server::start("server");
    for host in [
        "localhost",
        "acme.localhost",
        "no-such-name.in.any.zone.localhost",
    ] {
        let lms = Lms::builder(server.url(host)).configure_http(ClientBuilder::no_proxy);
        assert_eq!(responder(lms).await.as_deref(), Some("server"), "{host}");
    }
}
