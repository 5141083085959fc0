//! Requests to a loopback address stay on this machine, whatever the environment and DNS say.

use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use lms_ext::{LmsBuilder, RetryPolicy, prelude::*};
use reqwest::{ClientBuilder, Proxy};

use crate::servers::serve;

/// The address of a server that responds to every request with a `tid`, and the number of its requests.
async fn start(tid: &'static str) -> (String, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&requests);
    let address = serve(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        let body = format!("{{\"tid\":\"{tid}\"}}");
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    });
    (address.await, requests)
}

/// The address under another name of this machine.
fn named(address: &str, host: &str) -> String {
    address.replace("127.0.0.1", host)
}

/// The server that responded to a call: the `tid` of the server or the proxy.
async fn responder(builder: LmsBuilder) -> Option<String> {
    let builder = builder.token("a-token").retry(RetryPolicy::disabled());
    builder.build().unwrap().test().call().await.unwrap().tid
}

const PROXY: &str = "LMS_SUITE_PROXY";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_proxy_from_the_environment_is_not_used_for_a_loopback_address() {
    let (proxy, requests) = start("proxy").await;
    // In a process of its own, because reqwest reads the environment of the process.
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args("--exact --ignored loopback::with_a_proxy_in_the_environment".split(' '));
    for name in "http_proxy HTTP_PROXY https_proxy HTTPS_PROXY ALL_PROXY".split(' ') {
        child.env(name, &proxy);
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
    assert_eq!(
        requests.load(Ordering::SeqCst),
        1,
        "only the request to another host"
    );
}

#[tokio::test]
#[ignore = "run by the test above, with a proxy in its environment"]
async fn with_a_proxy_in_the_environment() {
    if std::env::var_os(PROXY).is_none() {
        return;
    }
    let (server, _) = start("server").await;
    for host in ["127.0.0.1", "localhost", "acme.localhost"] {
        let tid = responder(Lms::builder(named(&server, host))).await;
        assert_eq!(tid.as_deref(), Some("server"), "{host}");
    }
    let elsewhere = Lms::builder("http://acme.example").allow_plain_http();
    assert_eq!(responder(elsewhere).await.as_deref(), Some("proxy"));
}

#[tokio::test]
async fn a_proxy_of_the_caller_is_used_for_a_loopback_address() {
    let ((server, requests), (proxy, _)) = (start("server").await, start("proxy").await);
    let set = Proxy::all(proxy).unwrap();
    let lms = Lms::builder(server).configure_http(|http| http.proxy(set));
    assert_eq!(responder(lms).await.as_deref(), Some("proxy"));
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn every_localhost_name_connects_to_this_machine() {
    let (server, _) = start("server").await;
    for host in "localhost acme.localhost no-such-name.in.any.zone.localhost".split(' ') {
        let lms = Lms::builder(named(&server, host)).configure_http(ClientBuilder::no_proxy);
        assert_eq!(responder(lms).await.as_deref(), Some("server"), "{host}");
    }
}
