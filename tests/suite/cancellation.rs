//! Cancellation: a dropped call releases its permit and its locks, and leaves no partial token.

use std::time::Duration;

use futures_util::future::join_all;
use lms_ext::{RetryPolicy, Timeouts, prelude::*};
use serde_json::json as value;
use tokio::time::timeout;

use crate::script::{Act, Script, json, lost, status};

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
        .retry_budget(u32::MAX)
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
