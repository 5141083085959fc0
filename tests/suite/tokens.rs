//! Which token a request carries, over hours on a paused clock, and what happens when none is to be had.

mod kept;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, AtomicUsize, Ordering},
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

/// A tenant whose tokens end when they say so: `t1`, `t2` and so on, each good for `lifetime`; any other
/// request is 401 without a token that lives.
#[derive(Clone)]
struct Issuer {
    lifetime: Duration,
    issued: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Issuer {
    fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            issued: Arc::default(),
        }
    }

    /// A new token, which lives from now on.
    fn issue(&self) -> Act {
        let mut issued = self.issued.lock().unwrap();
        let token = format!("t{}", issued.len() + 1);
        issued.insert(token.clone(), Instant::now() + self.lifetime);
        json(value!({
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": self.lifetime.as_secs(),
        }))
    }

    /// Ends all tokens so far.
    fn revoke(&self) {
        for end in self.issued.lock().unwrap().values_mut() {
            *end = Instant::now();
        }
    }

    fn lives(&self, seen: &Seen) -> bool {
        seen.token()
            .and_then(|token| self.issued.lock().unwrap().get(token).copied())
            .is_some_and(|end| Instant::now() < end)
    }

    fn answer(&self, seen: &Seen) -> Act {
        if seen.is_token_request() {
            self.issue()
        } else if self.lives(seen) {
            json(value!({}))
        } else {
            status(401)
        }
    }

    fn tenant(&self) -> Script {
        let issuer = self.clone();
        Script::new(move |seen| issuer.answer(seen))
    }
}

fn credentials(tenant: &Script) -> LmsBuilder {
    tenant.builder().client_credentials("id", "secret")
}

fn client(tenant: &Script) -> Lms {
    credentials(tenant).build().unwrap()
}

fn token_requests(tenant: &Script) -> usize {
    tenant
        .seen()
        .iter()
        .filter(|seen| seen.is_token_request())
        .count()
}

/// The tokens that all other requests carried.
fn carried(tenant: &Script) -> Vec<String> {
    tenant
        .seen()
        .iter()
        .filter(|seen| !seen.is_token_request())
        .map(|seen| seen.token().unwrap_or("none").to_owned())
        .collect()
}

fn a_token(name: &str, expires_in: impl Into<Value>) -> Act {
    let expires_in: Value = expires_in.into();
    json(value!({"access_token": name, "expires_in": expires_in}))
}

fn ok() -> Act {
    json(value!({}))
}

#[tokio::test(start_paused = true)]
async fn the_token_request_is_as_documented_and_carries_no_token() {
    let tenant = Script::of([a_token("t1", 300), ok()]);
    let lms = tenant.builder().client_credentials(4711, "s3cr3t");
    lms.build().unwrap().me().call().await.unwrap();
    let seen = &tenant.seen()[0];
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
    assert_eq!(carried(&tenant), ["t1"]);
}

#[tokio::test(start_paused = true)]
async fn an_hour_of_fifty_tasks_needs_few_tokens_and_meets_no_401() {
    let issuer = Issuer::new(300 * SECOND);
    let inner = issuer.clone();
    let refusals = Arc::new(AtomicUsize::new(0));
    let counted = refusals.clone();
    let tenant = Script::new(move |seen| {
        if !seen.is_token_request() && !inner.lives(seen) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        inner.answer(seen).after(SECOND / 5)
    });
    let lms = client(&tenant);
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
    let requests = token_requests(&tenant);
    assert!((13..=16).contains(&requests), "{requests} token requests");
    assert_eq!(refusals.load(Ordering::Relaxed), 0);
    assert!(tenant.count() > 50 * 600);
}

#[tokio::test(start_paused = true)]
async fn fifty_first_calls_share_one_token_request() {
    let issuer = Issuer::new(300 * SECOND);
    let tenant = Script::new(move |seen| issuer.answer(seen).after(SECOND));
    let lms = client(&tenant);
    for result in join_all((0..50).map(|_| lms.me().call())).await {
        result.unwrap();
    }
    assert_eq!(token_requests(&tenant), 1);
}

#[tokio::test(start_paused = true)]
async fn fifty_calls_in_flight_that_are_all_answered_401_cause_one_token_request() {
    let issuer = Issuer::new(300 * SECOND);
    let inner = issuer.clone();
    let tenant = Script::new(move |seen| inner.answer(seen).after(SECOND));
    let lms = client(&tenant);
    lms.me().call().await.unwrap();
    issuer.revoke();
    for result in join_all((0..50).map(|_| lms.me().call())).await {
        result.unwrap();
    }
    assert_eq!(token_requests(&tenant), 2);
    assert_eq!(tenant.count(), 2 + 1 + 50 + 50);
}

#[tokio::test(start_paused = true)]
async fn a_second_401_is_the_callers_error() {
    let tenant = Script::of([
        a_token("t1", 300),
        status(401),
        a_token("t2", 300),
        status(401),
    ]);
    let error = client(&tenant).me().call().await.unwrap_err();
    assert!(error.is_unauthenticated(), "{error:?}");
    assert_eq!(error.operation(), Some("me"));
    assert_eq!(error.attempts(), 2);
    assert_eq!(carried(&tenant), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_401_of_an_old_token_leaves_the_new_one_alone() {
    // The first call is answered 401 long after the second one has brought a new token.
    let tenant = Script::new(|seen| match (seen.is_token_request(), seen.index) {
        (true, 0) => a_token("t1", 300),
        (true, _) => a_token("t2", 300),
        (false, 1) => status(401).after(10 * SECOND),
        (false, _) if seen.token() == Some("t1") => status(401),
        (false, _) => ok(),
    });
    let lms = client(&tenant);
    let slow = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    lms.me().call().await.unwrap();
    slow.await.unwrap().unwrap();
    lms.me().call().await.unwrap();
    assert_eq!(token_requests(&tenant), 2);
    assert_eq!(carried(&tenant), ["t1", "t1", "t2", "t2", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_is_looked_at_before_every_attempt() {
    let issuer = Issuer::new(10 * SECOND);
    let inner = issuer.clone();
    let first = AtomicU32::new(0);
    let tenant = Script::new(move |seen| {
        if !seen.is_token_request() && first.fetch_add(1, Ordering::Relaxed) == 0 {
            status(503).header("retry-after", "20")
        } else {
            inner.answer(seen)
        }
    });
    client(&tenant).me().call().await.unwrap();
    assert_eq!(carried(&tenant), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_endpoint_that_is_down_fails_nothing_while_the_token_is_good() {
    for outage in [refused(), status(503), status(401), silence(), status(302)] {
        let issuer = Issuer::new(300 * SECOND);
        let inner = issuer.clone();
        let down = outage.clone();
        let start = Instant::now();
        let tenant = Script::new(move |seen| {
            let now = start.elapsed();
            if seen.is_token_request() && now > 200 * SECOND && now < 290 * SECOND {
                down.clone()
            } else {
                inner.answer(seen)
            }
        });
        let lms = client(&tenant);
        // The token is due from 270 to 276 s on, so the endpoint is down for at least 14 s of that, and it
        // answers again 10 s before the token ends.
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
        // Few tries in the meantime: three requests each at most.
        let requests = token_requests(&tenant);
        assert!((3..=15).contains(&requests), "{requests} for {outage:?}");
        assert!(!carried(&tenant).contains(&"none".to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn others_go_on_with_the_old_token_while_one_renews_it() {
    let issuer = Issuer::new(300 * SECOND);
    let tenant = Script::new(move |seen| {
        if seen.is_token_request() {
            issuer.answer(seen).after(5 * SECOND)
        } else {
            issuer.answer(seen)
        }
    });
    let lms = client(&tenant);
    lms.me().call().await.unwrap();
    advance(277 * SECOND).await;
    let renewing = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    let before = Instant::now();
    for _ in 0..10 {
        lms.me().call().await.unwrap();
    }
    assert_eq!(before.elapsed(), Duration::ZERO);
    renewing.await.unwrap().unwrap();
    let tokens = carried(&tenant);
    assert_eq!(tokens.iter().filter(|token| *token == "t1").count(), 11);
    assert_eq!(tokens.last().unwrap(), "t2");
    assert_eq!(token_requests(&tenant), 2);
}

#[tokio::test(start_paused = true)]
async fn renewing_early_does_not_use_up_a_short_deadline() {
    let issuer = Issuer::new(300 * SECOND);
    let first = AtomicU32::new(0);
    let tenant = Script::new(move |seen| {
        if seen.is_token_request() && first.fetch_add(1, Ordering::Relaxed) > 0 {
            silence()
        } else {
            issuer.answer(seen)
        }
    });
    let mut limits = Timeouts::default();
    limits.call = 2 * SECOND;
    let lms = credentials(&tenant).timeouts(limits).build().unwrap();
    lms.me().call().await.unwrap();
    advance(277 * SECOND).await;
    lms.me().call().await.unwrap();
    assert_eq!(token_requests(&tenant), 2);
}

#[tokio::test(start_paused = true)]
async fn how_long_the_token_endpoint_asks_to_wait_is_waited_before_the_next_early_try() {
    let issuer = Issuer::new(300 * SECOND);
    let first = AtomicU32::new(0);
    let tenant = Script::new(move |seen| {
        if seen.is_token_request() && first.fetch_add(1, Ordering::Relaxed) > 0 {
            status(429).header("retry-after", "3600")
        } else {
            issuer.answer(seen)
        }
    });
    let lms = client(&tenant);
    let start = Instant::now();
    while start.elapsed() < 299 * SECOND {
        lms.me().call().await.unwrap();
        sleep(SECOND).await;
    }
    assert_eq!(token_requests(&tenant), 2);
}

#[tokio::test(start_paused = true)]
async fn the_token_endpoints_own_429_and_5xx_are_repeated() {
    for first in [
        status(429).header("retry-after", "2"),
        status(429),
        status(500),
        status(502),
        status(503),
        status(504),
        refused(),
    ] {
        let tenant = Script::of([first.clone(), first, a_token("t1", 300), ok()]);
        client(&tenant).me().call().await.unwrap();
        assert_eq!(token_requests(&tenant), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_token_endpoint_answers_is_told_apart() {
    let page = || {
        status(200)
            .header("content-type", "text/html")
            .body("<html>Welcome")
    };
    let moved = || status(307).header("location", "https://u:p@evil.example/steal?x=1");
    for (act, kind, says) in [
        (status(401), ErrorKind::Unauthenticated, "check both"),
        (status(400), ErrorKind::Unauthenticated, "check both"),
        (status(403), ErrorKind::Unauthenticated, "check both"),
        (status(404), ErrorKind::Token, "check the base address"),
        (status(422), ErrorKind::Token, "refused the token request"),
        (page(), ErrorKind::Token, "check the base address"),
        (ok(), ErrorKind::Token, "without an access token"),
        (a_token("a b", 1), ErrorKind::Token, "a character"),
        (a_token("a\r\nb", 1), ErrorKind::Token, "a character"),
        (moved(), ErrorKind::Redirect, "https://evil.example,"),
    ] {
        let tenant = Script::of([act]);
        let error = client(&tenant).me().call().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(!format!("{error} {error:?} {error:#}").contains("steal"));
        assert_eq!(token_requests(&tenant), tenant.count());
    }
}

#[tokio::test(start_paused = true)]
async fn fifty_waiters_share_the_refusal_of_wrong_credentials() {
    let tenant = Script::new(|_| status(401).after(SECOND));
    let lms = client(&tenant);
    for result in join_all((0..50).map(|_| lms.me().call())).await {
        let error = result.unwrap_err();
        assert!(error.is_unauthenticated());
        assert_eq!(error.operation(), Some("get_token"));
    }
    assert_eq!(tenant.count(), 1);
    // A later call asks again: the credentials may have been put right at the tenant.
    lms.me().call().await.unwrap_err();
    assert_eq!(tenant.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_waiter_takes_over_when_the_one_who_fetches_is_dropped() {
    let issuer = Issuer::new(300 * SECOND);
    let first = AtomicU32::new(0);
    let tenant = Script::new(move |seen| {
        if seen.is_token_request() && first.fetch_add(1, Ordering::Relaxed) == 0 {
            silence()
        } else {
            issuer.answer(seen)
        }
    });
    let lms = client(&tenant);
    let fetching = tokio::spawn(lms.me().call());
    sleep(SECOND).await;
    let waiting: Vec<_> = (0..10).map(|_| tokio::spawn(lms.me().call())).collect();
    sleep(SECOND).await;
    assert_eq!(tenant.count(), 1);
    fetching.abort();
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
    assert_eq!(token_requests(&tenant), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_at_any_point_leaves_the_next_one_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    for refused_at_first in [false, true] {
        for polls in 0..40 {
            let issuer = Issuer::new(300 * SECOND);
            let inner = issuer.clone();
            let tenant = Script::new(move |seen| inner.answer(seen).after(SECOND));
            let lms = credentials(&tenant)
                .token_cache(FileTokenCache::new(&path))
                .build()
                .unwrap();
            if refused_at_first {
                lms.me().call().await.unwrap();
                issuer.revoke();
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
            let last = carried(&tenant).pop().unwrap();
            lms.me().call().await.unwrap();
            assert_eq!(carried(&tenant).pop(), Some(last), "after {polls} polls");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn running_out_of_time_while_waiting_for_a_token_says_so() {
    let tenant = Script::new(|_| silence());
    let mut limits = Timeouts::default();
    limits.call = 5 * SECOND;
    let lms = client(&tenant);
    let call = || {
        lms.me()
            .options(CallOptions::new().timeouts(limits.clone()))
            .call()
    };
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
async fn a_lifetime_in_any_shape_neither_fails_nor_floods_the_token_endpoint() {
    // How many token requests an hour of a call every three seconds makes.
    for (expires_in, expected) in [
        (value!(300), 13..=14),
        (value!(300.0), 13..=14),
        (value!("300"), 13..=14),
        (value!("300.5"), 13..=14),
        (value!(3600), 1..=2),
        (value!(5), 600..=600),
        (value!(0), 1..=1),
        (value!("0"), 1..=1),
        (value!(0.001), 1..=1),
        (value!(-1), 1..=1),
        (value!("-300"), 1..=1),
        (value!(1e300), 1..=1),
        (value!(u64::MAX), 1..=1),
        (value!("99999999999999999999999"), 1..=1),
        (value!("abc"), 1..=1),
        (value!(""), 1..=1),
        (value!(null), 1..=1),
        (value!([300]), 1..=1),
    ] {
        let shape = expires_in.clone();
        let tenant = Script::new(move |seen| {
            if seen.is_token_request() {
                a_token("t", shape.clone())
            } else {
                ok()
            }
        });
        let lms = client(&tenant);
        for _ in 0..1200 {
            lms.me().call().await.unwrap();
            advance(3 * SECOND).await;
        }
        let requests = token_requests(&tenant);
        assert!(expected.contains(&requests), "{expires_in}: {requests}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_audience_on_another_host_changes_nothing() {
    let answer = value!({"access_token": "t1", "expires_in": 300, "aud": "https://other.example"});
    let tenant = Script::of([json(answer), ok()]);
    client(&tenant).me().call().await.unwrap();
    assert_eq!(tenant.seen()[1].url.host_str(), Some("tenant.example"));
}

#[tokio::test(start_paused = true)]
async fn what_needs_no_token_fetches_none() {
    let tenant = Script::of([ok()]);
    client(&tenant).test().call().await.unwrap();
    assert_eq!(tenant.seen()[0].token(), None);
}

/// A provider of a user's own that says what it is told to.
#[derive(Debug)]
struct Own(fn() -> Result<Token, Error>);

impl TokenProvider for Own {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(std::future::ready((self.0)()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_provider_of_ones_own_gives_tokens_and_errors() {
    let tenant = Script::of([ok()]);
    let lms = tenant
        .builder()
        .token_provider(Own(|| Ok(Token::new("mine").expires_in(60 * SECOND))))
        .build()
        .unwrap();
    lms.me().call().await.unwrap();
    assert_eq!(carried(&tenant), ["mine"]);

    for (provider, kind, text) in [
        (
            Own(|| Err(Error::token("the vault is shut").with_source("no key"))),
            ErrorKind::Token,
            "me: the vault is shut",
        ),
        (
            Own(|| {
                Err(Error::invalid_credentials(
                    "the vault knows no such integration",
                ))
            }),
            ErrorKind::Unauthenticated,
            "me: the vault knows no such integration",
        ),
        (
            Own(|| Ok(Token::new("line\nbreak"))),
            ErrorKind::Token,
            "a character that no token has",
        ),
    ] {
        let tenant = Script::of([]);
        let lms = tenant.builder().token_provider(provider).build().unwrap();
        let error = lms.me().call().await.unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn tokens_and_caches_that_cannot_work_are_refused_when_the_client_is_built() {
    let tenant = Script::of([]);
    for token in ["", " ", "a b", "a\r\nx-evil: 1", "a\n", "a\0", "tök", "\t"] {
        let error = tenant.builder().token(token).build().unwrap_err();
        assert!(error.is_usage(), "{token:?}: {error}");
    }
    let cache = FileTokenCache::new("/nowhere/tokens");
    let error = tenant.builder().token_cache(cache).build().unwrap_err();
    assert!(error.is_usage(), "{error}");
}

#[test]
fn credentials_that_are_missing_or_empty_are_named_when_the_client_is_built() {
    let builder = || Lms::builder("https://tenant.example");
    for (builder, named) in [
        (builder(), "no credentials"),
        (builder().client_credentials("", "secret"), "client id"),
        (builder().client_credentials(" ", "secret"), "client id"),
        (builder().client_credentials("id", ""), "client secret"),
    ] {
        let error = builder.build().unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_request_is_repeated_as_often_as_the_policy_of_the_client_says() {
    let tenant = Script::new(|_| status(503));
    let lms = credentials(&tenant)
        .retry(RetryPolicy::disabled())
        .build()
        .unwrap();
    let error = lms.me().call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Server);
    assert!(error.is_retryable());
    assert_eq!(tenant.count(), 1);
}
