//! Refusals of the token endpoint are remembered, so that not every call repeats a refused request.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use lms_ext::{Error, ErrorKind, Token, TokenFuture, TokenProvider, prelude::*};
use tokio::time::{Instant, advance, sleep};

use super::{Issuer, SECOND, client, token_requests};
use crate::script::{Act, Script, refused, silence, status};

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn a_refusal_answers_every_call_until_its_retry_after_or_for_ten_seconds() {
    let asks = |code, seconds| status(code).header("retry-after", seconds);
    let cases = [
        (asks(429, "3600"), HOUR, ErrorKind::RateLimited),
        (asks(503, "600"), 600 * SECOND, ErrorKind::Server),
        // Nothing asks for longer than an hour.
        (asks(429, "99999999"), HOUR, ErrorKind::RateLimited),
        (asks(401, "300"), 300 * SECOND, ErrorKind::Unauthenticated),
        (status(401), 10 * SECOND, ErrorKind::Unauthenticated),
        (asks(401, "0"), 10 * SECOND, ErrorKind::Unauthenticated),
        (status(400), 10 * SECOND, ErrorKind::Unauthenticated),
        (status(403), 10 * SECOND, ErrorKind::Unauthenticated),
        (status(404), 10 * SECOND, ErrorKind::Token),
        (status(422), 10 * SECOND, ErrorKind::Token),
        (status(200).body("<html>"), 10 * SECOND, ErrorKind::Token),
        (status(302), 10 * SECOND, ErrorKind::Redirect),
    ];
    for (act, pause, kind) in cases {
        let fault = act.clone();
        let server =
            Issuer::new(300 * SECOND).server_with(move |n| (n == 0).then(|| fault.clone()));
        let lms = client(&server);
        let first = lms.me().call().await.unwrap_err();
        assert_eq!(first.kind(), kind, "{act:?}: {first}");
        assert!(!first.to_string().contains("remembered"), "{first}");
        let start = Instant::now();
        for _ in 0..50 {
            let error = lms.me().call().await.unwrap_err();
            assert_eq!(error.kind(), kind, "{act:?}: {error}");
            assert_eq!(error.operation(), Some("get_token"));
            let left = (pause - start.elapsed()).as_millis().div_ceil(1000);
            let note = format!("; no token is requested for another {left} s");
            assert!(error.to_string().contains(&note), "{act:?}: {error}");
            let left_of_retry_after = first.retry_after().map(|_| pause - start.elapsed());
            assert_eq!(error.retry_after(), left_of_retry_after, "{act:?}");
            advance(pause / 51).await;
        }
        assert_eq!(server.count(), 1, "{act:?}");
        sleep(pause - start.elapsed()).await;
        lms.me().call().await.unwrap();
        assert_eq!(token_requests(&server), 2, "{act:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_pass_is_not_remembered() {
    let faults: [fn() -> Act; 4] = [refused, silence, || status(503), || status(408)];
    for fault in faults {
        // The three attempts of one call.
        let server = Issuer::new(300 * SECOND).server_with(move |n| (n < 3).then(fault));
        let lms = client(&server);
        let error = lms.me().call().await.unwrap_err();
        lms.me()
            .call()
            .await
            .unwrap_or_else(|again| panic!("{error}, {again}"));
        assert_eq!(token_requests(&server), 4);
    }
}

/// A provider that always fails, and counts how often it is asked.
#[derive(Debug)]
struct Failing(fn() -> Error, Arc<AtomicUsize>);

impl TokenProvider for Failing {
    fn token(&self) -> TokenFuture<'_> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(Err::<Token, _>((self.0)())))
    }
}

#[tokio::test(start_paused = true)]
async fn only_invalid_credentials_of_a_provider_are_remembered() {
    let cases: [(fn() -> Error, usize); 2] = [
        (|| Error::invalid_credentials("the vault denied access"), 1),
        (|| Error::token("the vault is sealed"), 50),
    ];
    for (error, expected) in cases {
        let requests = Arc::default();
        let provider = Failing(error, Arc::clone(&requests));
        let builder = Script::of([]).builder().token_provider(provider);
        let lms = builder.build().unwrap();
        for _ in 0..50 {
            lms.me().call().await.unwrap_err();
        }
        assert_eq!(requests.load(Ordering::Relaxed), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_a_token_share_the_failure_to_get_one() {
    let server = Issuer::new(300 * SECOND).server_with(|_| Some(status(503).after(SECOND)));
    let lms = client(&server);
    for result in join_all((0..50).map(|_| lms.me().call())).await {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Server);
    }
    assert_eq!(token_requests(&server), 3);
}
