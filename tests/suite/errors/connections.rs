//! The reason why a connection failed is in the error's message, on real sockets.

use lms_ext::{ErrorKind, RetryPolicy, prelude::*};
use reqwest::{Certificate, ClientBuilder, Proxy};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::tls;

const EXPIRED: &[u8] = include_bytes!("../tls/expired.pem");

/// A port that nothing listens on.
async fn closed_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().port()
}

/// Reads the first bytes of each connection, responds with `response`, and closes it.
async fn responding(response: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 4096]).await;
            let _ = socket.write_all(response.as_bytes()).await;
        }
    });
    port
}

type Configure = Box<dyn FnOnce(ClientBuilder) -> ClientBuilder + Send>;

fn trusting(certificate: &'static [u8]) -> Configure {
    let root = Certificate::from_pem(certificate).unwrap();
    Box::new(move |http| http.tls_certs_only([root]).no_proxy())
}

fn by_proxy(proxy: String) -> Configure {
    let proxy = Proxy::all(proxy).unwrap();
    Box::new(move |http| http.proxy(proxy))
}

fn direct() -> Configure {
    Box::new(ClientBuilder::no_proxy)
}

#[tokio::test]
async fn the_message_says_why_there_was_no_connection() {
    let closed = closed_port().await;
    let plain = responding("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
    let silent = responding("").await;
    let forbidding = responding("HTTP/1.1 403 Forbidden\r\n\r\n").await;
    let demanding = responding("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n").await;
    let port = |url: &str| url.rsplit_once(':').unwrap().1.to_owned();
    let good = port(&tls::tenant(tls::CERTIFICATE).await);
    let expired = port(&tls::tenant(EXPIRED).await);

    let proxy = |port: u16| by_proxy(format!("http://u:s3cret-pw@127.0.0.1:{port}"));
    let unknown = || "https://acme.invalid".to_owned();
    let local = |scheme: &str, port: &dyn std::fmt::Display| format!("{scheme}://127.0.0.1:{port}");
    let named = |port: &String| format!("https://localhost:{port}");
    let cases: [(String, Configure); 11] = [
        (local("http", &closed), direct()),
        (unknown(), direct()),
        (local("https", &plain), direct()),
        (local("https", &silent), direct()),
        (named(&good), trusting(EXPIRED)),
        (local("https", &good), trusting(tls::CERTIFICATE)),
        (named(&expired), trusting(EXPIRED)),
        (unknown(), proxy(forbidding)),
        (unknown(), proxy(demanding)),
        (unknown(), proxy(closed)),
        (unknown(), proxy(silent)),
    ];
    // The messages after "could not connect to "; "…" stands for any text.
    let messages = format!(
        "127.0.0.1:{closed}: connection refused
        acme.invalid: the host name was not resolved: …
        127.0.0.1:{plain}: the server does not speak TLS on this port; check the port of the base URL
        127.0.0.1:{silent}: the server closed the connection
        localhost:{good}: certificate not trusted: no known authority issued it; add a private authority's root with configure_http()
        127.0.0.1:{good}: certificate not valid for name \"127.0.0.1\"; …localhost…
        localhost:{expired}: certificate expired
        acme.invalid: the proxy refused the connection
        acme.invalid: the proxy requires a user name and a password; add them to its URL
        acme.invalid: the proxy cannot be reached: connection refused
        acme.invalid: the proxy closed the connection"
    );
    for ((url, configure), [expected]) in cases.into_iter().zip(crate::rows(&messages)) {
        let lms = Lms::builder(format!("{url}/prefix"))
            .token("a-s3cret-token")
            .retry(RetryPolicy::disabled())
            .configure_http(configure)
            .build()
            .unwrap();
        let call = lms.get_learner_by_email("jo@s3cret.example").call();
        let error = call.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connect, "{error:?}");
        let text = error.to_string();
        let message = text
            .strip_prefix("get_learner_by_email: could not connect to ")
            .and_then(|text| text.strip_suffix(" (after 1 attempt)"))
            .unwrap_or_else(|| panic!("{text}"));
        assert!(matches(message, expected), "{text}\n{expected}");
        assert!(
            !text.contains("s3cret") && !text.contains("prefix"),
            "{text}"
        );
    }
}

/// Returns `true` if `text` matches `pattern`, in which "…" stands for any text.
fn matches(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let start = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(start) else {
        return false;
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = if part.is_empty() { "" } else { after };
    }
    rest.is_empty()
}

#[tokio::test]
async fn the_message_says_why_a_connection_was_lost() {
    let tls = tls::tenant(tls::CERTIFICATE).await;
    let port = tls.rsplit_once(':').unwrap().1;
    let lms = Lms::builder(format!("http://127.0.0.1:{port}"))
        .token("a-token")
        .retry(RetryPolicy::disabled())
        .configure_http(direct())
        .build()
        .unwrap();
    let error = lms.test().call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
    assert_eq!(
        error.to_string(),
        "test: the connection broke before the end of the response: the response is not HTTP; if the port expects TLS, use an https:// base URL"
    );
}
