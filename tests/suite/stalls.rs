//! Callers that start a call and do not poll it: no other call of the client waits for it.

use std::{pin::pin, time::Duration};

use futures_util::{FutureExt as _, StreamExt as _, stream};
use lms_ext::{Lms, LmsBuilder, RetryPolicy, prelude::*};
use serde_json::json as value;
use tokio::time::{Instant, timeout};

use crate::script::{Script, Seen, json, status};

const SECOND: Duration = Duration::from_secs(1);

/// Lists of three pages with two rows each, objects, and tokens that last for 10 s; each response takes 100 ms.
fn tenant() -> Script {
    Script::new(|seen| response(seen).after(SECOND / 10))
}

fn response(seen: &Seen) -> crate::script::Act {
    match seen.path() {
        "/oauth/token" => {
            json(value!({"access_token": format!("t{}", seen.index), "expires_in": 10}))
        }
        "/courses" | "/learners" | "/enrolments" => {
            let page: u32 = seen.query("cursor").map_or(0, |page| page.parse().unwrap());
            let course = seen.query("course").unwrap_or_default();
            let row = |row: u32| value!({"id": format!("{course}x{}", page * 2 + row), "user": "l1", "course": course});
            json(value!({
                "items": [row(0), row(1)],
                "more": page < 2,
                "next_cursor": (page < 2).then(|| (page + 1).to_string()),
            }))
        }
        _ => json(value!({"id": "c1", "name": "A course"})),
    }
}

fn credentials(server: &Script) -> LmsBuilder {
    server.builder().client_credentials("id", "secret")
}

/// One permit for all calls.
fn narrow(server: &Script) -> Lms {
    credentials(server).max_concurrent(1).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_polled_any_more_releases_the_token_and_its_permit() {
    let lms = narrow(&tenant());
    for polls in 0..4 {
        let mut idle = pin!(lms.get_course("c1").call());
        for _ in 0..polls {
            assert!((&mut idle).now_or_never().is_none());
            tokio::task::yield_now().await;
        }
        let start = Instant::now();
        lms.me().call().await.unwrap();
        assert!(start.elapsed() < SECOND, "{:?}", start.elapsed());
        // Its result is kept for later.
        if polls > 0 {
            assert_eq!(
                idle.now_or_never().unwrap().unwrap().id.as_deref(),
                Some("c1")
            );
        }
        // The next round needs a new token.
        tokio::time::advance(20 * SECOND).await;
    }
}

/// Reads objects through a buffer, with a call for each one in the body of the loop.
async fn nested(lms: &Lms, buffer: usize) -> Duration {
    let start = Instant::now();
    let mut courses = stream::iter(0..40)
        .map(|_| lms.get_course("c1").call())
        .buffer_unordered(buffer);
    let mut read = 0;
    while let Some(course) = courses.next().await {
        course.unwrap();
        lms.me().call().await.unwrap();
        read += 1;
    }
    assert_eq!(read, 40);
    start.elapsed()
}

#[tokio::test(start_paused = true)]
async fn a_call_in_the_loop_over_a_buffer_of_calls_is_not_blocked_by_the_buffer() {
    fastrand::seed(7);
    // With a buffer that is larger than the number of permits.
    for (permits, buffer) in [(1, 16), (4, 16), (15, 16), (64, 16)] {
        let lms = credentials(&tenant())
            .max_concurrent(permits)
            .build()
            .unwrap();
        let took = nested(&lms, buffer).await;
        assert!(took < 15 * SECOND, "{permits} permits: {took:?}");
    }
    // With a rate of its own.
    let lms = credentials(&tenant()).max_per_second(20).build().unwrap();
    let took = nested(&lms, 16).await;
    assert!(took < 15 * SECOND, "max_per_second: {took:?}");
    // After a 429.
    let throttling = Script::new(|seen| match seen.index {
        20 => status(429).header("retry-after", "2"),
        _ => response(seen).after(SECOND / 10),
    });
    let lms = credentials(&throttling)
        .retry(RetryPolicy::default().max_attempts(6))
        .build()
        .unwrap();
    let took = nested(&lms, 16).await;
    assert!(took < 60 * SECOND, "429: {took:?}");
}

/// A call that ended or was dropped on a runtime that does not run any more holds nothing.
#[test]
fn a_client_works_on_one_runtime_after_the_other() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let lms = narrow(&tenant());
    let (first, second) = (runtime(), runtime());
    for step in 0..20 {
        // Dropped while it fetches the token, while it waits for the response, or after its end.
        let call = lms.get_course("c1").call();
        first.block_on(async {
            let _ = timeout(step * SECOND / 60, call).await;
            // The task of the dropped call ends when its runtime runs.
            tokio::task::yield_now().await;
        });
        assert_eq!(lms.rate_limit_state().in_flight, 0);
        second.block_on(async {
            timeout(SECOND, lms.me().call()).await.unwrap().unwrap();
            tokio::time::advance(20 * SECOND).await;
        });
    }
    drop(first);
    second.block_on(lms.me().call()).unwrap();
}
