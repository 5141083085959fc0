//! Requests go only to the tenant, and the client secret only to its token endpoint.

use std::{
    net::TcpListener as Listener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use lms_ext::{Operation, OperationInfo, PreparedRequest, RetryPolicy, Timeouts, prelude::*};
use reqwest::{redirect::Policy, retry};
use serde_json::json as value;

use crate::script::{Script, json};
use crate::servers::serve;

/// A server that must not receive anything.
struct Thief(Listener);

impl Thief {
    fn new() -> Self {
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn address(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    /// Returns `true` if there was a connection. A call that has ended has opened all its connections.
    fn was_called(&self) -> bool {
        self.0.accept().is_ok()
    }
}

/// A tenant that redirects every request.
async fn redirecting(status: u16, location: String) -> String {
    serve(move |_| {
        format!("HTTP/1.1 {status} Elsewhere\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    })
    .await
}

#[tokio::test]
async fn no_redirect_is_followed_even_when_the_http_client_is_configured_to() {
    for status in [301, 302, 303, 307, 308] {
        let thief = Thief::new();
        let tenant = redirecting(status, thief.address()).await;
        // A client that follows redirects is detected.
        let follower = reqwest::Client::builder().timeout(Duration::from_millis(200));
        let follower = follower.build().unwrap();
        assert!(follower.get(&tenant).send().await.is_err());
        assert!(thief.was_called());
        for configured in [false, true] {
            let builder = || {
                let builder = Lms::builder(&tenant)
                    .retry(RetryPolicy::disabled())
                    // The thief never responds to a redirect that was followed.
                    .timeouts(Timeouts::default().attempt(Duration::from_secs(5)));
                if configured {
                    builder.configure_http(|http| http.redirect(Policy::limited(5)))
                } else {
                    builder
                }
            };
            let for_a_token = builder()
                .client_credentials("id", "secret")
                .build()
                .unwrap();
            let with_a_token = builder().token("token").build().unwrap();
            assert!(for_a_token.me().call().await.is_err());
            assert!(with_a_token.me().call().await.is_err());
            assert!(
                with_a_token
                    .add_learner("a", "b", "c")
                    .password("secret".to_owned())
                    .call()
                    .await
                    .is_err()
            );
            assert!(
                !thief.was_called(),
                "{status}, configured to follow: {configured}"
            );
        }
    }
}

#[tokio::test]
async fn the_http_client_retries_nothing_even_when_it_is_configured_to() {
    let requests = Arc::new(AtomicUsize::new(0));
    let seen = requests.clone();
    let address = serve(move |_| {
        seen.fetch_add(1, Ordering::SeqCst);
        "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    })
    .await;
    let always = retry::for_host("127.0.0.1")
        .max_retries_per_request(3)
        .no_budget()
        .classify_fn(|attempt| match attempt.status() {
            Some(status) if status == 503 => attempt.retryable(),
            _ => attempt.success(),
        });
    let lms = Lms::builder(address)
        .token("token")
        .retry(RetryPolicy::disabled())
        .configure_http(|http| http.retry(always))
        .build()
        .unwrap();
    lms.me().call().await.unwrap_err();
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}

/// A builder whose request goes elsewhere.
struct Elsewhere<O>(O, &'static str);

impl<O: Operation> Operation for Elsewhere<O> {
    type Transport = O::Transport;
    type Output = O::Output;
    const INFO: &'static OperationInfo = O::INFO;

    fn prepare(self) -> Result<PreparedRequest<O::Transport>, lms_client::Error> {
        let mut prepared = self.0.prepare()?;
        *prepared.request.url_mut() = self.1.parse().unwrap();
        Ok(prepared)
    }
}

#[tokio::test]
async fn a_request_to_another_url_is_refused_and_not_sent() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    let prepared = lms.get_course("c1").prepare().unwrap();
    assert_eq!(
        prepared.request.url().as_str(),
        "https://tenant.example/api/v1/courses/c1"
    );
    for address in [
        "https://evil.example/api/v1/courses/c1",
        "https://tenant.example.evil.example/api/v1/courses/c1",
        "https://tenant.example@evil.example/api/v1/courses/c1",
        "https://tenant.example:8443/api/v1/courses/c1",
        "http://tenant.example/api/v1/courses/c1",
        "https://tenant.example/api/v1evil/courses/c1",
        "https://tenant.example/api/v1/../courses/c1",
        "https://tenant.example/api/v1/courses/c1/elsewhere",
    ] {
        let call = Elsewhere(lms.get_course("c1"), address).call();
        let error = call.await.unwrap_err();
        assert!(error.is_usage(), "{address}");
        let elsewhere = !address.starts_with("https://tenant.example/");
        let said = error.to_string().contains("another server");
        assert_eq!(said, elsewhere, "{address}: {error}");
    }
    assert_eq!(tenant.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_client_secret_is_sent_only_in_token_requests() {
    let tenant = Script::new(|seen| {
        if seen.is_token_request() {
            json(value!({"access_token": "t", "expires_in": 300}))
        } else {
            json(value!({"id": "c1", "name": "n", "items": [], "more": false}))
        }
    });
    let lms = tenant.lms_with(|it| it.client_credentials("4711", "s3cr3t"));
    lms.test().call().await.unwrap();
    lms.me().call().await.unwrap();
    lms.list_courses().collect_all().await.unwrap();
    lms.add_course("n").call().await.unwrap();
    lms.delete_course("c1").call().await.unwrap();
    let mut carriers = Vec::new();
    for seen in tenant.seen() {
        if format!("{} {:?} {:?}", seen.url, seen.headers, seen.body).contains("s3cr3t") {
            carriers.push(seen.path().to_owned());
        }
    }
    assert_eq!(carriers, ["/oauth/token"]);
    assert_eq!(tenant.count(), 6);
}
