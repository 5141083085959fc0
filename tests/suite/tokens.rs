//! Tokens: refresh, 401, outages of the token endpoint, custom providers; over hours on a paused clock.

mod cache;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::{FutureExt as _, future::join_all};
use lms_ext::{
    CallOptions, Error, ErrorKind, FileTokenCache, Lms, LmsBuilder, RetryPolicy, Timeouts, Token,
    TokenFuture, TokenProvider, prelude::*,
};
use serde_json::{Value, json as value};
use tokio::time::{Instant, advance, sleep};

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
async fn fifty_tasks_need_few_tokens_in_an_hour_and_get_no_401() {
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.slow_server(SECOND / 5);
    let lms = client(&server);
    let end = Instant::now() + 3600 * SECOND;
    join_all((0..50).map(|task| {
        let lms = lms.clone();
        async move {
            sleep(SECOND / 50 * task).await;
            while Instant::now() < end {
                lms.me().call().await.unwrap();
                sleep(5 * SECOND).await;
            }
        }
    }))
    .await;
    let requests = token_requests(&server);
    assert!((13..=16).contains(&requests), "{requests} token requests");
    assert!(server.count() > 50 * 600);
    let expiries = issuer.expiries.lock().unwrap();
    for seen in server.seen() {
        assert!(seen.is_token_request() || seen.at < expiries[seen.token().unwrap()]);
    }
}

#[tokio::test(start_paused = true)]
async fn fifty_calls_share_one_token_request_at_first_and_after_401s() {
    let issuer = Issuer::new(300 * SECOND);
    let server = issuer.slow_server(SECOND);
    let lms = client(&server);
    for (tokens, requests) in [(1, 1 + 50), (2, 2 + 50 + 2 * 50)] {
        for result in join_all((0..50).map(|_| lms.me().call())).await {
            result.unwrap();
        }
        assert_eq!(token_requests(&server), tokens);
        assert_eq!(server.count(), requests);
        issuer.revoke_all();
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_401_is_the_callers_error() {
    let rejected = status(401);
    let server = Script::of([
        a_token("t1", 300),
        rejected.clone(),
        a_token("t2", 300),
        rejected,
    ]);
    let error = client(&server).me().call().await.unwrap_err();
    assert!(error.is_unauthenticated(), "{error:?}");
    assert_eq!(error.operation(), Some("me"));
    assert_eq!(error.attempts(), 2);
    assert_eq!(tokens_sent(&server), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_401_for_an_old_token_does_not_invalidate_the_new_one() {
    // The first call gets its 401 long after the second one has fetched a new token.
    let server = Script::new(|seen| match (seen.is_token_request(), seen.index) {
        (true, 0) => a_token("t1", 300),
        (true, _) => a_token("t2", 300),
        (false, 1) => status(401).after(10 * SECOND),
        (false, _) if seen.token() == Some("t1") => status(401),
        (false, _) => ok(),
    });
    let lms = client(&server);
    let slow = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    lms.me().call().await.unwrap();
    slow.await.unwrap().unwrap();
    lms.me().call().await.unwrap();
    assert_eq!(token_requests(&server), 2);
    assert_eq!(tokens_sent(&server), ["t1", "t1", "t2", "t2", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn the_token_is_checked_before_every_attempt() {
    let issuer = Issuer::new(10 * SECOND);
    let server = Script::new(move |seen| match seen.index {
        1 => status(503).header("retry-after", "20"),
        _ => issuer.respond(seen),
    });
    client(&server).me().call().await.unwrap();
    assert_eq!(tokens_sent(&server), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_the_token_endpoint_fails_no_call_while_the_token_is_valid() {
    for outage in [refused(), status(503), status(401), silence(), status(302)] {
        let fault = outage.clone();
        let start = Instant::now();
        // The refresh window opens between 270 and 276 s, so the endpoint is down for at least 14 s of it, and up again
        // 10 s before the token expires.
        let down = 200 * SECOND..290 * SECOND;
        let server = Issuer::new(300 * SECOND)
            .server_with(move |_| down.contains(&start.elapsed()).then(|| fault.clone()));
        let lms = client(&server);
        let tasks = (0..20).map(|_| {
            let lms = lms.clone();
            async move {
                while start.elapsed() < 400 * SECOND {
                    lms.me().call().await.unwrap();
                    sleep(SECOND).await;
                }
            }
        });
        join_all(tasks).await;
        // Few early refreshes, each of at most three attempts.
        let requests = token_requests(&server);
        assert!((3..=15).contains(&requests), "{requests} for {outage:?}");
        assert!(!tokens_sent(&server).contains(&"none".to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn other_calls_use_the_old_token_during_a_refresh() {
    let issuer = Issuer::new(300 * SECOND);
    let server = Script::new(move |seen| {
        if seen.is_token_request() {
            issuer.respond(seen).after(5 * SECOND)
        } else {
            issuer.respond(seen)
        }
    });
    let lms = client(&server);
    lms.me().call().await.unwrap();
    advance(277 * SECOND).await;
    let refreshing = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    let before = Instant::now();
    for _ in 0..10 {
        lms.me().call().await.unwrap();
    }
    assert_eq!(before.elapsed(), Duration::ZERO);
    refreshing.await.unwrap().unwrap();
    let tokens = tokens_sent(&server);
    assert_eq!(tokens.iter().filter(|token| *token == "t1").count(), 11);
    assert_eq!(tokens.last().unwrap(), "t2");
    assert_eq!(token_requests(&server), 2);
}

#[tokio::test(start_paused = true)]
async fn an_early_refresh_leaves_time_for_a_call_with_a_short_timeout() {
    let server = Issuer::new(300 * SECOND).server_with(|n| (n > 0).then(silence));
    let timeouts = Timeouts::default().call(2 * SECOND);
    let lms = credentials(&server).timeouts(timeouts).build().unwrap();
    lms.me().call().await.unwrap();
    advance(277 * SECOND).await;
    lms.me().call().await.unwrap();
    assert_eq!(token_requests(&server), 2);
}

#[tokio::test(start_paused = true)]
async fn retry_after_from_the_token_endpoint_postpones_the_next_early_refresh() {
    let server = Issuer::new(300 * SECOND)
        .server_with(|n| (n > 0).then(|| status(429).header("retry-after", "3600")));
    let lms = client(&server);
    let start = Instant::now();
    while start.elapsed() < 299 * SECOND {
        lms.me().call().await.unwrap();
        sleep(SECOND).await;
    }
    assert_eq!(token_requests(&server), 2);
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
        (status(404), Token, "check the base address"),
        (status(422), Token, "refused the token request"),
        (
            status(200).body("<html>Welcome"),
            Token,
            "check the base address",
        ),
        (ok(), Token, "without an access token"),
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
async fn fifty_waiting_calls_share_the_error_for_wrong_credentials() {
    let server = Script::new(|_| status(401).after(SECOND));
    let lms = client(&server);
    for result in join_all((0..50).map(|_| lms.me().call())).await {
        let error = result.unwrap_err();
        assert!(error.is_unauthenticated());
        assert_eq!(error.operation(), Some("get_token"));
    }
    assert_eq!(server.count(), 1);
    // A later call tries again: the credentials may have been corrected.
    lms.me().call().await.unwrap_err();
    assert_eq!(server.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_call_takes_over_when_the_fetching_call_is_dropped() {
    let server = Issuer::new(300 * SECOND).server_with(|n| (n == 0).then(silence));
    let lms = client(&server);
    let fetching = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    let waiting: Vec<_> = (0..10).map(|_| tokio::spawn(lms.me().call())).collect();
    sleep(SECOND).await;
    assert_eq!(server.count(), 1);
    fetching.abort();
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
    assert_eq!(token_requests(&server), 2);
}

#[tokio::test(start_paused = true)]
async fn after_a_call_is_dropped_at_any_point_the_next_call_gets_a_token() {
    let (_folder, path) = cache::token_file();
    for revoked in [false, true] {
        for polls in 0..40 {
            let issuer = Issuer::new(300 * SECOND);
            let server = issuer.slow_server(SECOND);
            let cache = FileTokenCache::new(&path);
            let lms = credentials(&server).token_cache(cache).build().unwrap();
            if revoked {
                lms.me().call().await.unwrap();
                issuer.revoke_all();
            }
            let mut call = lms.me().call();
            for _ in 0..polls {
                if (&mut call).now_or_never().is_some() {
                    break;
                }
                advance(SECOND / 4).await;
            }
            drop(call);
            lms.me().call().await.unwrap();
            let last = tokens_sent(&server).pop();
            lms.me().call().await.unwrap();
            assert_eq!(tokens_sent(&server).pop(), last, "after {polls} polls");
        }
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
async fn no_form_of_expires_in_fails_a_call_or_floods_the_token_endpoint() {
    // How many token requests there are for a call every three seconds during an hour.
    for (values, expected) in [
        (value!([300, 300.0, "300", "300.5"]), 13..=14),
        (value!([3600]), 1..=2),
        (value!([5]), 600..=600),
        (
            value!([0, "0", 0.001, -1, "-300", null, "", "abc", [300]]),
            1..=1,
        ),
        (value!([1e300, u64::MAX, "99999999999999999999999"]), 1..=1),
    ] {
        for expires_in in values.as_array().unwrap() {
            let in_response = expires_in.clone();
            let server = Script::new(move |seen| {
                if seen.is_token_request() {
                    a_token("t", in_response.clone())
                } else {
                    ok()
                }
            });
            let lms = client(&server);
            for _ in 0..1200 {
                lms.me().call().await.unwrap();
                advance(3 * SECOND).await;
            }
            let requests = token_requests(&server);
            assert!(expected.contains(&requests), "{expires_in}: {requests}");
        }
    }
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
    let lms = server.builder().token_provider(provider).build().unwrap();
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
        let lms = server.builder().token_provider(provider).build().unwrap();
        let error = lms.me().call().await.unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn build_refuses_invalid_tokens_and_a_cache_without_credentials() {
    let server = Script::of([]);
    for token in ["", " ", "a b", "a\r\nx-evil: 1", "a\n", "a\0", "tök", "\t"] {
        let error = server.builder().token(token).build().unwrap_err();
        assert!(error.is_usage(), "{token:?}: {error}");
    }
    let cache = FileTokenCache::new("/nowhere/tokens");
    let error = server.builder().token_cache(cache).build().unwrap_err();
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
