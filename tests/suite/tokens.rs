//! Tokens: the token request and its errors, 401, custom providers.

mod file;
mod refresh;
mod refusals;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use lms_ext::{
    CallOptions, Error, ErrorKind, Lms, LmsBuilder, RetryPolicy, Timeouts, Token, TokenFuture,
    TokenProvider, prelude::*,
};
use serde_json::{Value, json as value};
use tokio::time::Instant;

use crate::script::{Act, Script, Seen, json, refused, silence, status};

const SECOND: Duration = Duration::from_secs(1);

/// A server that issues the tokens `t1`, `t2` and so on, each valid for `lifetime`. Any other request without a valid
/// token gets a 401.
#[derive(Clone)]
struct Issuer {
    lifetime: Duration,
    expiries: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Issuer {
    fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            expiries: Arc::default(),
        }
    }

    fn revoke_all(&self) {
        for expiry in self.expiries.lock().unwrap().values_mut() {
            *expiry = Instant::now();
        }
    }

    fn respond(&self, seen: &Seen) -> Act {
        let mut expiries = self.expiries.lock().unwrap();
        if seen.is_token_request() {
            let token = format!("t{}", expiries.len() + 1);
            expiries.insert(token.clone(), Instant::now() + self.lifetime);
            return a_token(&token, self.lifetime.as_secs());
        }
        match seen.token().and_then(|token| expiries.get(token)) {
            Some(expiry) if Instant::now() < *expiry => ok(),
            _ => status(401),
        }
    }

    fn server(&self) -> Script {
        self.server_with(|_| None)
    }

    /// A server whose token endpoint responds to its request number `n`, from 0, with `fault(n)` if there is one.
    fn server_with(&self, fault: impl Fn(usize) -> Option<Act> + Send + Sync + 'static) -> Script {
        let issuer = self.clone();
        let requests = AtomicUsize::new(0);
        Script::new(move |seen| {
            let fault = seen
                .is_token_request()
                .then(|| fault(requests.fetch_add(1, Ordering::Relaxed)));
            fault.flatten().unwrap_or_else(|| issuer.respond(seen))
        })
    }

    /// A server that takes `delay` for every response.
    fn slow_server(&self, delay: Duration) -> Script {
        let issuer = self.clone();
        Script::new(move |seen| issuer.respond(seen).after(delay))
    }
}

fn credentials(server: &Script) -> LmsBuilder {
    server.builder().client_credentials("id", "secret")
}

fn client(server: &Script) -> Lms {
    credentials(server).build().unwrap()
}

fn token_requests(server: &Script) -> usize {
    let seen = server.seen();
    seen.iter().filter(|seen| seen.is_token_request()).count()
}

/// The tokens of all requests but those for tokens.
fn tokens_sent(server: &Script) -> Vec<String> {
    let mut seen = server.seen();
    seen.retain(|seen| !seen.is_token_request());
    let token = |seen: &Seen| seen.token().unwrap_or("none").to_owned();
    seen.iter().map(token).collect()
}

fn a_token(name: &str, expires_in: impl Into<Value>) -> Act {
    let expires_in: Value = expires_in.into();
    json(value!({"access_token": name, "token_type": "Bearer", "expires_in": expires_in}))
}

fn ok() -> Act {
    json(value!({}))
}

#[tokio::test(start_paused = true)]
async fn the_token_request_follows_the_documentation_and_carries_no_token() {
    let server = Script::of([a_token("t1", 300), ok()]);
    let lms = server.builder().client_credentials(4711, "s3cr3t");
    lms.build().unwrap().me().call().await.unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.method, "POST");
    assert_eq!(seen.path(), "/oauth/token");
    assert_eq!(seen.token(), None);
    assert_eq!(seen.headers["content-type"], "application/json");
    assert_eq!(seen.headers["accept"], "application/json");
    assert_eq!(
        seen.json(),
        value!({
            "grant_type": "client_credentials",
            "client_id": "4711",
            "client_secret": "s3cr3t",
        })
    );
    assert_eq!(tokens_sent(&server), ["t1"]);
}

#[tokio::test(start_paused = true)]
async fn a_401_for_each_attempt_is_the_callers_error() {
    let rejected = status(401);
    let server = Script::of([
        a_token("t1", 300),
        rejected.clone(),
        a_token("t2", 300),
        rejected.clone(),
        a_token("t3", 300),
        rejected,
    ]);
    let error = client(&server).me().call().await.unwrap_err();
    assert!(error.is_unauthenticated(), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("several tokens in a row"), "{text}");
    assert!(!text.contains("does not accept the credentials"), "{text}");
    assert_eq!(error.operation(), Some("me"));
    assert_eq!(error.attempts(), 3);
    assert_eq!(tokens_sent(&server), ["t1", "t2", "t3"]);
}

/// The end of a call whose first tokens are rejected, each of them once, and the tokens that it sent.
async fn rejected(first: usize, client: fn(LmsBuilder) -> LmsBuilder) -> (Option<u16>, usize) {
    let server = Script::new(move |seen| match seen.token() {
        None => a_token(&format!("t{}", seen.index), 300),
        Some(_) if seen.index < 2 * first => status(401),
        Some(_) => ok(),
    });
    let lms = client(credentials(&server)).build().unwrap();
    let status = lms
        .me()
        .call()
        .await
        .err()
        .map(|error| error.status().unwrap());
    let sent = tokens_sent(&server);
    let different: std::collections::HashSet<_> = sent.iter().collect();
    assert_eq!(
        different.len(),
        sent.len(),
        "no rejected token is sent again"
    );
    (status, sent.len())
}

#[tokio::test(start_paused = true)]
async fn a_call_survives_tokens_that_are_revoked_in_a_row() {
    for (first, client, expected) in [
        (2, (|it| it) as fn(LmsBuilder) -> LmsBuilder, (None, 3)),
        (3, |it| it, (Some(401), 3)),
        (3, LmsBuilder::job, (None, 4)),
        // Credentials whose tokens are never accepted fail soon.
        (99, LmsBuilder::job, (Some(401), 4)),
        (1, |it| it.retry(RetryPolicy::disabled()), (None, 2)),
        (2, |it| it.retry(RetryPolicy::disabled()), (Some(401), 2)),
        (1, |it| it.retry_budget(0), (None, 2)),
        (2, |it| it.retry_budget(13), (Some(401), 2)),
        (2, |it| it.retry_budget(14), (None, 3)),
    ] {
        assert_eq!(rejected(first, client).await, expected, "{first}");
    }
}

#[tokio::test(start_paused = true)]
async fn token_requests_are_retried_after_429_and_5xx() {
    let mut faults = [429, 500, 502, 503, 504].map(status).to_vec();
    faults.extend([status(429).header("retry-after", "2"), refused()]);
    for fault in faults {
        let server = Script::of([fault.clone(), fault, a_token("t1", 300), ok()]);
        client(&server).me().call().await.unwrap();
        assert_eq!(token_requests(&server), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn errors_of_the_token_endpoint_name_the_cause() {
    use ErrorKind::{Redirect, Token, Unauthenticated};
    let redirect = status(307).header("location", "https://u:p@evil.example/steal?x=1");
    for (act, kind, text) in [
        (status(401), Unauthenticated, "check both"),
        (status(400), Unauthenticated, "check both"),
        (status(403), Unauthenticated, "check both"),
        (status(404), Token, "check the base URL"),
        (status(422), Token, "rejected the token request"),
        (
            status(200).body("<html>Welcome"),
            Token,
            "check the base URL",
        ),
        (status(200), Token, "is not JSON"),
        (ok(), Token, "no access_token"),
        (json(value!([])), Token, "no access_token"),
        (json(value!({"access_token": 7})), Token, "no access_token"),
        (a_token("", 1), Token, "no access_token"),
        (a_token("a b", 1), Token, "an invalid character"),
        (a_token("a\r\nb", 1), Token, "an invalid character"),
        (redirect, Redirect, "to https://evil.example is not"),
    ] {
        let server = Script::of([act]);
        let error = client(&server).me().call().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
        assert!(!format!("{error} {error:?} {error:#}").contains("steal"));
        assert_eq!(token_requests(&server), server.count());
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_while_waiting_for_a_token_says_so() {
    let server = Script::new(|_| silence());
    let lms = client(&server);
    let timeouts = Timeouts::default().call(5 * SECOND);
    let options = CallOptions::new().timeouts(timeouts);
    let call = || lms.me().options(options.clone()).call();
    let before = Instant::now();
    for result in join_all([call(), call()]).await {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
        assert!(error.to_string().contains("waiting for a token"), "{error}");
        assert_eq!(error.operation(), Some("me"));
        assert_eq!(error.attempts(), 0);
    }
    assert_eq!(before.elapsed(), 5 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn an_audience_on_another_host_is_ignored() {
    let response = value!({"access_token": "t1", "aud": "https://other.example"});
    let server = Script::of([json(response), ok()]);
    client(&server).me().call().await.unwrap();
    assert_eq!(server.seen()[1].url.host_str(), Some("tenant.example"));
}

#[tokio::test(start_paused = true)]
async fn operations_without_authentication_fetch_no_token() {
    let server = Script::of([ok()]);
    client(&server).test().call().await.unwrap();
    assert_eq!(server.seen()[0].token(), None);
}

/// A provider that returns the result of a function.
#[derive(Debug)]
struct Custom(Provide);

type Provide = fn() -> Result<Token, Error>;

impl TokenProvider for Custom {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(std::future::ready((self.0)()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_custom_provider_returns_tokens_and_errors() {
    let server = Script::of([ok()]);
    let provider = Custom(|| Ok(Token::new("mine").expires_in(60 * SECOND)));
    let lms = server.lms_with(|it| it.token_provider(provider));
    lms.me().call().await.unwrap();
    assert_eq!(tokens_sent(&server), ["mine"]);

    let unavailable = || Err(Error::token("the vault is sealed").with_source("no key"));
    let denied = || Err(Error::invalid_credentials("access denied"));
    let invalid = || Ok(Token::new("line\nbreak"));
    let cases: [(Provide, _, _); 3] = [
        (unavailable, ErrorKind::Token, "me: the vault is sealed"),
        (denied, ErrorKind::Unauthenticated, "me: access denied"),
        (invalid, ErrorKind::Token, "an invalid character"),
    ];
    for (provider, kind, text) in cases {
        let provider = Custom(provider);
        let server = Script::of([]);
        let lms = server.lms_with(|it| it.token_provider(provider));
        let error = lms.me().call().await.unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn build_refuses_invalid_tokens_and_a_token_file_without_credentials() {
    let server = Script::of([]);
    for token in "|a b|a\r\nx-evil: 1|a\nb|a\rb|\r\n|a\0b|a\u{7f}b|a\u{8}|tök| |\t".split('|') {
        let error = server.builder().token(token).build().unwrap_err();
        assert!(error.is_usage(), "{token:?}: {error}");
        assert!(error.to_string().contains("the token is empty or"));
        assert!(!format!("{error:#?}").contains("x-evil"), "{error:?}");
    }
    let builder = server.builder().token_file("/nowhere/tokens");
    let error = builder.build().unwrap_err();
    assert!(error.is_usage(), "{error}");
}

#[test]
fn build_names_missing_or_empty_credentials() {
    let builder = || Lms::builder("https://tenant.example");
    for (builder, name) in [
        (builder(), "no credentials"),
        (builder().client_credentials("", "secret"), "client id"),
        (builder().client_credentials(" ", "secret"), "client id"),
        (builder().client_credentials("id", ""), "client secret"),
    ] {
        let error = builder.build().unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn token_requests_follow_the_retry_policy_of_the_client() {
    let server = Script::new(|_| status(503));
    let builder = credentials(&server).retry(RetryPolicy::disabled());
    let lms = builder.build().unwrap();
    let error = lms.me().call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Server);
    assert!(error.is_retryable());
    assert_eq!(server.count(), 1);
}
