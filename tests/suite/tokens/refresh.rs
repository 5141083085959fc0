//! Refresh: when a token is replaced and who waits for it, over hours on a paused clock.

use std::time::Duration;

use futures_util::{FutureExt as _, future::join_all};
use lms_ext::{Timeouts, prelude::*};
use tokio::time::{Instant, advance, sleep, timeout};

use super::{
    Issuer, SECOND, a_token, client, credentials, file::token_file, ok, token_requests, tokens_sent,
};
use crate::script::{Script, refused, silence, status};

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
async fn late_401s_do_not_invalidate_a_new_token_with_the_same_text() {
    // The first attempts of twenty calls get their 401 one after the other. The token endpoint has one token, and is fast.
    let server = Script::new(|seen| match seen.index {
        _ if seen.is_token_request() => a_token("constant", 300),
        index @ 1..=20 => status(401).after(SECOND * u32::try_from(index).unwrap()),
        _ => ok(),
    });
    let lms = client(&server);
    for result in join_all((0..20).map(|_| lms.me().call())).await {
        result.unwrap();
    }
    assert_eq!(token_requests(&server), 2);
    assert_eq!(tokens_sent(&server), ["constant"; 40]);
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
    // Seconds: the call timeout, the age of a token of an hour at the call, and how long the refresh may take. The token
    // is valid for at most 36 s in the refresh window.
    for (timeout, age, expected) in [
        (2.0, 3577.0, 1.0),
        (180.0, 3577.0, 10.0),
        (180.0, 3590.0, 5.0),
    ] {
        let server = Issuer::new(3600 * SECOND).server_with(|n| (n > 0).then(silence));
        let timeouts = Timeouts::default().call(SECOND.mul_f64(timeout));
        let lms = credentials(&server).timeouts(timeouts).build().unwrap();
        lms.me().call().await.unwrap();
        advance(SECOND.mul_f64(age)).await;
        let start = Instant::now();
        lms.me().call().await.unwrap();
        assert_eq!(start.elapsed(), SECOND.mul_f64(expected), "{timeout} {age}");
        assert_eq!(token_requests(&server), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_early_refresh_is_tried_again_before_and_after_the_token_expires() {
    for (first, next) in [(277, 15), (295, 6)] {
        let server = Issuer::new(300 * SECOND).server_with(|n| (n == 1).then(|| status(404)));
        let lms = client(&server);
        for (seconds, tokens) in [(0, 1), (first, 2), (next, 3)] {
            advance(seconds * SECOND).await;
            lms.me().call().await.unwrap();
            assert_eq!(token_requests(&server), tokens, "{first}");
        }
        assert_eq!(tokens_sent(&server), ["t1", "t1", "t2"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_in_its_early_refresh_does_not_delay_the_next_one() {
    let server = Issuer::new(300 * SECOND).server_with(|n| (n > 0).then(silence));
    let lms = client(&server);
    lms.me().call().await.unwrap();
    advance(277 * SECOND).await;
    timeout(SECOND, lms.me().call()).await.unwrap_err();
    let start = Instant::now();
    lms.me().call().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn retry_after_from_the_token_endpoint_postpones_the_next_early_refresh() {
    for asked in ["3600", "99999999999999999999"] {
        let server = Issuer::new(300 * SECOND)
            .server_with(|n| (n > 0).then(|| status(429).header("retry-after", asked)));
        let lms = client(&server);
        let start = Instant::now();
        while start.elapsed() < 299 * SECOND {
            lms.me().call().await.unwrap();
            sleep(SECOND).await;
        }
        assert_eq!(token_requests(&server), 2, "{asked}");
    }
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
    let (_folder, path) = token_file();
    for revoked in [false, true] {
        for polls in 0..40 {
            let issuer = Issuer::new(300 * SECOND);
            let server = issuer.slow_server(SECOND);
            let lms = credentials(&server).token_file(&path).build().unwrap();
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
