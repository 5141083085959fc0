//! Cancellation: a dropped call releases its permit and its locks, and leaves no partial token.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use lms_ext::{RetryBudget, RetryPolicy, Timeouts, prelude::*};
use serde_json::json as value;
use tokio::time::{Instant, timeout};

use crate::script::{Act, Script, json, lost, silence, status};

/// Number of steps of 10 ms after which a call is dropped.
const STEPS: u32 = 200;
/// The limit on concurrent calls.
const MAX_CONCURRENT: usize = 4;

/// Drops a call after `steps` steps; before the first one, it is not even polled. `None` when it was dropped.
async fn dropped_after<T>(steps: u32, call: impl Future<Output = T>) -> Option<T> {
    match steps.checked_sub(1) {
        Some(steps) => timeout(steps * Duration::from_millis(10), call).await.ok(),
        None => None,
    }
}

/// A response that arrives byte by byte.
fn slow(body: &str) -> Act {
    body.bytes()
        .fold(status(200).after(Duration::from_millis(20)), |act, byte| {
            act.body_after(Duration::from_millis(5), vec![byte])
        })
}

/// A server that makes every call long: short-lived tokens, a 401, lost responses, 429, 503, and slow bodies.
fn difficult() -> Script {
    Script::new(|seen| {
        if seen.is_token_request() {
            let token = format!("{{\"access_token\":\"t{}\",\"expires_in\":10}}", seen.index);
            return slow(&token);
        }
        match seen.index % 7 {
            // Only once: a second 401 would end the call.
            1 if seen.index == 1 => status(401).after(Duration::from_millis(20)),
            2 => lost().after(Duration::from_millis(20)),
            3 => status(429).header("retry-after", "1"),
            4 => status(503).after(Duration::from_millis(20)),
            5 => json(value!({})).broken(),
            _ => slow(
                "{\"id\":\"c1\",\"name\":\"a name that comes a letter at a time\",\"description\":\"and a description that does so as well, so that there are many polls\"}",
            ),
        }
    })
}

fn client(server: &Script) -> Lms {
    server
        .builder()
        .client_credentials("id", "secret")
        .max_concurrent(MAX_CONCURRENT)
        .max_per_second(50)
        .retry(RetryPolicy::default().max_attempts(20))
        .retry_budget(RetryBudget::unlimited())
        .timeouts(Timeouts::default().call(Duration::from_secs(3600)))
        .build()
        .unwrap()
}

/// Checks that no permit and no lock is lost.
async fn works_at_full_capacity(lms: &Lms) {
    let calls = (0..MAX_CONCURRENT * 3).map(|_| lms.get_course("c1").call());
    let results = timeout(Duration::from_secs(600), join_all(calls)).await;
    for result in results.expect("a call hangs") {
        result.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_at_any_time_leaves_a_working_client() {
    fastrand::seed(7);
    let mut dropped = 0;
    for steps in 0..STEPS {
        let server = difficult();
        let lms = client(&server);
        let call = lms.get_course("c1").call();
        let outcome = dropped_after(steps, call).await;
        dropped += u32::from(outcome.is_none());
        if let Some(result) = outcome {
            result.unwrap();
        }
        works_at_full_capacity(&lms).await;
    }
    assert_eq!(dropped, STEPS, "every call takes longer");
}

#[tokio::test(start_paused = true)]
async fn many_dropped_calls_leave_a_working_client() {
    fastrand::seed(7);
    let server = difficult();
    let lms = client(&server);
    for step in 0..STEPS {
        // Some are dropped early, some late, some while others wait for their permits or locks.
        let calls = (0..8).map(|index| {
            let steps = step.abs_diff(index * 17);
            dropped_after(steps, lms.get_course("c1").call())
        });
        join_all(calls).await;
    }
    works_at_full_capacity(&lms).await;
}

#[tokio::test(start_paused = true)]
async fn dropped_calls_release_their_permits() {
    let held = Arc::new(AtomicBool::new(true));
    let holding = held.clone();
    let server = Script::new(move |_| {
        if holding.load(Ordering::Relaxed) {
            silence()
        } else {
            json(value!({"id": "c1"})).after(Duration::from_secs(1))
        }
    });
    let lms = server
        .builder()
        .max_concurrent(MAX_CONCURRENT)
        .build()
        .unwrap();
    for millis in 0..20 {
        let calls = (0..MAX_CONCURRENT * 3).map(|_| {
            let call = lms.get_course("c1").call();
            timeout(Duration::from_millis(millis), call)
        });
        assert!(join_all(calls).await.iter().all(Result::is_err));
    }
    held.store(false, Ordering::Relaxed);
    let start = Instant::now();
    let calls = (0..MAX_CONCURRENT).map(|_| lms.get_course("c1").call());
    for result in join_all(calls).await {
        result.unwrap();
    }
    assert_eq!(start.elapsed().as_secs(), 1, "all ran at the same time");
}

#[tokio::test(start_paused = true)]
async fn the_next_call_fetches_the_token_when_the_first_is_dropped() {
    let server = Script::new(|seen| {
        if seen.is_token_request() {
            json(value!({"access_token": "t", "expires_in": 300})).after(Duration::from_secs(1))
        } else {
            json(value!({"id": "c1"}))
        }
    });
    let lms = client(&server);
    let first = lms.get_course("c1").call();
    let second = lms.get_course("c1").call();
    let first = timeout(Duration::from_millis(500), first);
    let (first, second) = tokio::join!(first, second);
    first.unwrap_err();
    second.unwrap();
    let seen = server.seen();
    let fetched = seen.iter().filter(|seen| seen.is_token_request()).count();
    assert_eq!(fetched, 2, "the dropped one and another");
}
