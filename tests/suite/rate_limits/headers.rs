//! Rate limits in the headers of successful responses: a hint, which may be wrong.

use std::{sync::Mutex, time::Duration};

use lms_ext::{CallOptions, prelude::*};
use lms_sandbox::Sandbox;
use serde_json::json as value;
use tokio::time::Instant;

use super::load;
use crate::{
    script::{Act, Script, json, status},
    servers::client,
};

/// A service with 20 requests in a fixed window of ten seconds, and its headers in one of their forms.
fn announcing(headers: fn(Act, u32, u64) -> Act) -> Script {
    let start = Instant::now();
    let window = Mutex::new((0, 0));
    Script::new(move |seen| {
        let seconds = (seen.at - start).as_secs();
        let (index, used) = &mut *window.lock().unwrap();
        if *index != seconds / 10 {
            (*index, *used) = (seconds / 10, 0);
        }
        // Responses arrive in another order than requests.
        let delay = Duration::from_millis(40 + 20 * (seen.index as u64 % 3));
        if *used == 20 {
            return status(429).after(delay);
        }
        *used += 1;
        headers(json(value!({"id": "c1"})), 20 - *used, 10 - seconds % 10).after(delay)
    })
}

#[tokio::test(start_paused = true)]
async fn a_client_keeps_to_an_announced_limit_without_a_refusal() {
    let forms: [fn(Act, u32, u64) -> Act; 3] = [
        |act, left, reset| act.header("ratelimit", &format!("\"default\";r={left};t={reset}")),
        |act, left, reset| {
            act.header("ratelimit-remaining", &left.to_string())
                .header("ratelimit-reset", &reset.to_string())
        },
        |act, left, reset| {
            act.header("x-ratelimit-remaining", &left.to_string())
                .header("x-ratelimit-reset", &reset.to_string())
        },
    ];
    for headers in forms {
        let server = announcing(headers);
        let lms = server.lms();
        let start = Instant::now();
        assert_eq!(load(&lms, 100, 8).await, 0);
        assert_eq!(lms.rate_limit_state().refused, 0);
        let took = start.elapsed().as_secs();
        assert!((40..=42).contains(&took), "{took}");
    }
}

#[tokio::test(start_paused = true)]
async fn nonsense_in_headers_delays_a_client_once_and_for_less_than_a_minute() {
    for (remaining, reset) in [
        ("0", "1"),
        ("0", "60"),
        ("0", "61"),
        ("0", "99999999999999999999"),
        ("0", "1e999"),
        ("-5", "30"),
        ("NaN", "NaN"),
        ("3", "3600"),
        ("0", "0"),
        ("18446744073709551616", "60"),
        ("", ""),
    ] {
        let (remaining, reset) = (remaining.to_owned(), reset.to_owned());
        let server = Script::new(move |_| {
            json(value!({"id": "c1"}))
                .header("x-ratelimit-remaining", &remaining)
                .header("x-ratelimit-reset", &reset)
                .after(Duration::from_millis(50))
        });
        let start = Instant::now();
        assert_eq!(load(&server.lms(), 1_000, 16).await, 0);
        let took = start.elapsed();
        assert!(took <= Duration::from_secs(65), "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_without_the_time_for_an_announced_wait_is_sent() {
    let server = Script::new(|_| json(value!({"id": "c1"})).header("ratelimit", "\"d\";r=0;t=40"));
    let lms = server.lms();
    lms.get_course("c1").call().await.unwrap();
    let start = Instant::now();
    let hasty = CallOptions::new().timeout(Duration::from_secs(10));
    lms.get_course("c1").options(hasty).call().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
    lms.get_course("c1").call().await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 40);
}

#[tokio::test]
async fn the_sandbox_announces_a_limit_that_the_client_waits_for() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let rule = "me: first 1: announce-limit 0 1";
    sandbox.faults().add(rule).unwrap();
    let lms = client(&sandbox);
    lms.me().call().await.unwrap();
    let start = Instant::now();
    lms.me().call().await.unwrap();
    assert!(start.elapsed() > Duration::from_millis(500));
}
