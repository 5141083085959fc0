//! Limits of a client: concurrent calls, a configured rate, and throttling by the tenant.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use lms_ext::{CallOptions, ErrorKind, RetryPolicy, prelude::*};
use serde_json::json as value;
use tokio::time::{Instant, sleep};

use crate::script::{Script, json, status};

mod headers;
mod scenarios;

/// `true` for each request that was accepted.
type Log = Arc<Mutex<Vec<bool>>>;

/// The tokens that are left in the bucket of a tenant.
#[derive(Debug)]
struct Bucket {
    tokens: f64,
    burst: f64,
    last: Option<Instant>,
}

impl Bucket {
    fn new(tokens: f64, burst: f64) -> Self {
        Self {
            tokens,
            burst,
            last: None,
        }
    }

    /// Takes a request that arrives now, if the bucket has a token. It is refilled by this number of tokens per second.
    fn takes(&mut self, now: Instant, per_second: f64) -> bool {
        let passed = self
            .last
            .map_or(Duration::ZERO, |last| now.duration_since(last));
        self.last = Some(now);
        self.tokens = (self.tokens + passed.as_secs_f64() * per_second).min(self.burst);
        let room = self.tokens >= 1.0;
        if room {
            self.tokens -= 1.0;
        }
        room
    }
}

/// Makes a number of calls from a number of tasks, and returns the number of failures.
async fn load(lms: &Lms, calls: usize, tasks: usize) -> usize {
    stream::iter(0..calls)
        .map(|_| lms.get_course("c1").call())
        .buffer_unordered(tasks)
        .filter(|result| std::future::ready(result.is_err()))
        .count()
        .await
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_sees_a_429_is_not_slowed_down() {
    // Only a refusal can ask for a wait.
    let accepts = || json(value!({"id": "c1"})).header("retry-after", "20");
    let tenant = Script::new(move |_| accepts().after(Duration::from_millis(50)));
    let start = Instant::now();
    assert_eq!(load(&tenant.lms(), 6400, 64).await, 0);
    assert_eq!(start.elapsed().as_secs(), 5, "100 rounds of 50 ms");
}

#[tokio::test(start_paused = true)]
async fn a_503_or_an_invitation_to_retry_for_every_second_request_does_not_throttle() {
    for response in [|| status(503), || status(429).header("retry-after", "0")] {
        let tenant = Script::new(move |seen| {
            let act = match seen.index % 2 {
                0 => response(),
                _ => json(value!({"id": "c1"})),
            };
            act.after(Duration::from_millis(50))
        });
        let lms = tenant.lms();
        let start = Instant::now();
        assert_eq!(load(&lms, 200, 1).await, 0);
        assert_eq!(lms.rate_limit_state().throttled_to, None);
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{:?}",
            start.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_pauses_all_tasks_and_one_of_them_tries_first() {
    for asked in [20, 60, 150] {
        let tenant = Script::new(move |seen| {
            if seen.index == 3 {
                status(429).header("retry-after", &asked.to_string())
            } else {
                json(value!({"id": "c1"})).after(Duration::from_millis(50))
            }
        });
        let patient = RetryPolicy::default().max_retry_after(Duration::from_secs(asked));
        let lms = tenant.lms_with(|it| it.retry(patient));
        let start = Instant::now();
        assert_eq!(load(&lms, 30, 4).await, 0);
        let seen = tenant.seen();
        let after: Vec<_> = seen[4..].iter().map(|seen| seen.at).collect();
        assert!(after[0] >= start + Duration::from_secs(asked));
        assert!(
            after[1] - after[0] >= Duration::from_millis(50),
            "{after:?}"
        );
    }
}

/// The request after a pause is a probe. Its loss says nothing about the rate.
#[tokio::test(start_paused = true)]
async fn a_lost_probe_after_retry_after_does_not_repeat_the_pause() {
    let tenant = Script::new(|seen| match seen.index {
        3 => status(429).header("retry-after", "40"),
        4 => status(503).after(Duration::from_secs(2)),
        _ => json(value!({"id": "c1"})).after(Duration::from_millis(50)),
    });
    let start = Instant::now();
    assert_eq!(load(&tenant.lms(), 30, 4).await, 0);
    let took = start.elapsed().as_secs();
    assert!((40..45).contains(&took), "{took}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_accepts_nothing_gets_few_requests() {
    let start = Instant::now();
    let tenant = Script::new(move |seen| {
        let act = match (seen.at - start).as_secs() {
            ..30 => status(429),
            _ => json(value!({"id": "c1"})),
        };
        act.after(Duration::from_millis(50))
    });
    let patient = RetryPolicy::default().max_attempts(100);
    let lms = tenant.lms_with(|it| it.retry(patient));
    assert_eq!(load(&lms, 100, 16).await, 0);
    let refused = lms.rate_limit_state().refused;
    assert!(refused < 40, "{refused}");
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[tokio::test(start_paused = true)]
async fn a_pause_beyond_the_timeout_of_a_call_ends_it_at_once_and_unsent() {
    let tenant = Script::of([
        status(503),
        status(429).header("retry-after", "200"),
        json(value!({"id": "c1"})),
    ]);
    let lms = tenant.lms();
    let (failed, refused) = tokio::join!(lms.get_course("c1").call(), lms.get_course("c1").call());
    assert_eq!(refused.unwrap_err().status(), Some(429));
    let failed = failed.unwrap_err();
    assert!(failed.is_rate_limited(), "{failed}");
    assert!(
        failed.to_string().contains("; before that: 503"),
        "{failed}"
    );
    sleep(Duration::from_secs(10)).await;

    // A call with more patience waits, and is before the other one in the queue.
    let patient = CallOptions::new()
        .retry(RetryPolicy::default().max_retry_after(Duration::from_secs(3600)))
        .timeout(Duration::from_secs(3600));
    let start = Instant::now();
    let (waited, error) = tokio::join!(lms.get_course("c1").options(patient).call(), async {
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(start.elapsed(), Duration::ZERO);
        error
    });
    waited.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(189));
    assert!(error.is_rate_limited() && error.is_retryable());
    assert_eq!((error.attempts(), error.status()), (0, None));
    let left = error.retry_after().unwrap().as_secs();
    assert!((189..=191).contains(&left), "{left}");
    assert!(
        error.to_string().starts_with(
            "get_course: not sent: throttled by the server for longer than this call may take; the server asked to wait 19"
        ),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_adaptive_throttling_a_429_delays_one_call() {
    let tenant = Script::new(|seen| {
        if seen.index == 0 {
            status(429).header("retry-after", "20")
        } else {
            json(value!({"id": "c1"}))
        }
    });
    let lms = tenant.lms_with(lms_ext::LmsBuilder::without_adaptive_throttling);
    assert_eq!(load(&lms, 100, 2).await, 0);
    let seen = tenant.seen();
    assert!(seen[99].at < seen[0].at + Duration::from_secs(1));
    assert!(seen[100].at >= seen[0].at + Duration::from_secs(20));
}

#[tokio::test(start_paused = true)]
async fn at_most_max_concurrent_calls_run_at_a_time() {
    for (cap, expected) in [
        (None, 64),
        (Some(3), 3),
        (Some(0), 1),
        (Some(usize::MAX), 200),
    ] {
        let in_flight = Arc::new(Mutex::new((Vec::new(), 0)));
        let seen = in_flight.clone();
        let tenant = Script::new(move |request| {
            // Each is answered after a second: those of the last second are in flight.
            let (sent, most) = &mut *seen.lock().unwrap();
            sent.retain(|at| request.at < *at + Duration::from_secs(1));
            sent.push(request.at);
            *most = sent.len().max(*most);
            json(value!({"id": "c1"})).after(Duration::from_secs(1))
        });
        let builder = tenant.builder();
        let lms = match cap {
            Some(cap) => builder.max_concurrent(cap),
            None => builder,
        }
        .build()
        .unwrap();
        load(&lms, 200, 200).await;
        assert_eq!(in_flight.lock().unwrap().1, expected, "{cap:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn max_per_second_is_kept_and_spread_evenly() {
    let tenant = Script::new(|_| json(value!({"id": "c1"})));
    let lms = tenant.lms_with(|it| it.max_per_second(10));
    let start = Instant::now();
    assert_eq!(load(&lms, 101, 32).await, 0);
    let took = start.elapsed().as_secs_f64();
    assert!((9.8..=10.3).contains(&took), "{took}");
    for pair in tenant.seen().windows(2) {
        let apart = pair[1].at - pair[0].at;
        assert!(apart >= Duration::from_millis(89), "{apart:?}");
    }

    let tenant = Script::new(|_| json(value!({"id": "c1"})));
    let lms = tenant.lms_with(|it| it.max_per_second(500));
    let start = Instant::now();
    assert_eq!(load(&lms, 1001, 32).await, 0);
    let took = start.elapsed().as_secs_f64();
    assert!((1.9..=2.2).contains(&took), "{took}");
}

#[test]
fn an_invalid_rate_is_rejected_when_the_client_is_built() {
    for rate in [
        0.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        1e-30,
        1e-6,
    ] {
        let error = Lms::builder("https://tenant.example")
            .token("a-token")
            .max_per_second(rate)
            .build()
            .unwrap_err();
        assert!(error.is_usage(), "{rate}: {error}");
    }
}

/// A job that goes slowly for a while and then fast: what it did not send meanwhile is no proof that it would be taken.
#[tokio::test(start_paused = true)]
async fn a_burst_after_an_idle_time_is_throttled_at_its_first_refusals() {
    fastrand::seed(7);
    for quiet in [10, 20, 25] {
        let log = Log::default();
        let responses = log.clone();
        let bucket = Mutex::new(Bucket::new(20.0, 20.0));
        let tenant = Script::new(move |seen| {
            let accepted = bucket.lock().unwrap().takes(seen.at, 20.0);
            responses.lock().unwrap().push(accepted);
            let act = match accepted {
                true => json(value!({"id": "c1"})),
                false => status(429).header("retry-after", "1"),
            };
            act.after(Duration::from_millis(50))
        });
        let patient = RetryPolicy::default().max_attempts(6);
        let lms = tenant.lms_with(|it| it.retry(patient));
        // It meets the limit, and then has less to do than the limit allows.
        assert_eq!(load(&lms, 200, 32).await, 0, "{quiet} s");
        let idle = Instant::now();
        while idle.elapsed() < Duration::from_secs(quiet) {
            lms.get_course("c1").call().await.unwrap();
            sleep(Duration::from_millis(250)).await;
        }
        let before = log.lock().unwrap().len();
        assert_eq!(load(&lms, 600, 64).await, 0, "{quiet} s");
        let log = log.lock().unwrap();
        let burst = log[before..].iter().take(100);
        let refused = burst.filter(|accepted| !**accepted).count();
        assert!(refused < 20, "{quiet} s: {refused}");
    }
}

/// Waiting for the rate that the caller has set says nothing about the one that the tenant has.
#[tokio::test(start_paused = true)]
async fn max_per_second_does_not_disable_adaptive_throttling() {
    fastrand::seed(7);
    let limit = Arc::new(Mutex::new(10.0));
    let told = Arc::clone(&limit);
    let refused = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&refused);
    let bucket = Mutex::new(Bucket::new(1.0, 5.0));
    let tenant = Script::new(move |seen| {
        let limit = *told.lock().unwrap();
        if bucket.lock().unwrap().takes(seen.at, limit) {
            return json(value!({"id": "c1"}));
        }
        *counted.lock().unwrap() += 1;
        status(429).header("retry-after", "1")
    });
    let patient = RetryPolicy::default().max_attempts(20);
    let lms = tenant.lms_with(|it| it.max_per_second(20).retry(patient));
    // Some refusals at first, because another client uses up the limit, and then minutes at the caller's own rate.
    assert_eq!(load(&lms, 100, 32).await, 0);
    *limit.lock().unwrap() = 1000.0;
    assert_eq!(load(&lms, 4000, 32).await, 0);
    *refused.lock().unwrap() = 0;
    *limit.lock().unwrap() = 10.0;
    assert_eq!(load(&lms, 200, 32).await, 0);
    let refused = *refused.lock().unwrap();
    // At full speed, some 30 refusals may be chance.
    assert!(refused < 60, "{refused}");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_permit_or_the_rate_counts_towards_the_timeout() {
    let slow = || json(value!({"id": "c1"})).after(Duration::from_secs(50));
    let tenant = Script::new(move |_| slow());
    let lms = tenant.lms_with(|it| it.max_concurrent(1));
    let hasty = CallOptions::new().timeout(Duration::from_secs(5));
    let (first, second) = tokio::join!(
        lms.get_course("c1").call(),
        lms.get_course("c1").options(hasty.clone()).call()
    );
    first.unwrap();
    let error = second.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert_eq!((error.attempts(), error.elapsed().as_secs()), (0, 5));
    assert_eq!(
        error.to_string(),
        "get_course: call timeout of 5 s exceeded while waiting for one of 1 concurrent calls to end"
    );

    let tenant = Script::new(|_| json(value!({"id": "c1"})));
    let lms = tenant.lms_with(|it| it.max_per_second(0.1));
    lms.get_course("c1").call().await.unwrap();
    let call = lms.get_course("c1").options(hasty).call();
    let error = call.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert_eq!(
        error.to_string(),
        "get_course: call timeout of 5 s exceeded while waiting to send: limited to 0.1 requests per second"
    );
}

#[tokio::test(start_paused = true)]
async fn a_token_request_is_not_rate_limited() {
    // The tenant has slowed the client down to a request every two seconds, and a token is needed.
    let tenant = Script::new(|seen| {
        if seen.is_token_request() {
            json(value!({"access_token": format!("t{}", seen.index), "expires_in": 5}))
        } else {
            json(value!({"id": "c1"}))
        }
    });
    let lms = Lms::builder("https://tenant.example")
        .client_credentials("id", "secret")
        .http_client(tenant.clone())
        .max_per_second(0.5)
        .build()
        .unwrap();
    assert_eq!(load(&lms, 20, 8).await, 0);
    let seen = tenant.seen();
    for call in seen.iter().filter(|seen| !seen.is_token_request()) {
        let issued: usize = call.token().unwrap()[1..].parse().unwrap();
        let age = call.at - seen[issued].at;
        assert!(age < Duration::from_secs(5), "the token had run out");
    }
}

#[tokio::test(start_paused = true)]
async fn a_429_for_the_first_request_costs_its_pause_and_no_more() {
    fastrand::seed(7);
    let tenant = Script::new(|seen| {
        if seen.index == 0 {
            status(429).header("retry-after", "1")
        } else {
            json(value!({"id": "c1"}))
        }
    });
    let start = Instant::now();
    assert_eq!(load(&tenant.lms(), 200, 1).await, 0);
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn the_state_shows_the_rate_the_pause_the_refusals_and_the_calls_in_flight() {
    fastrand::seed(7);
    let tenant = Script::new(|seen| {
        match seen.index {
            50 => status(429).header("retry-after", "20"),
            _ => json(value!({"id": "c1"})),
        }
        .after(Duration::from_millis(100))
    });
    let lms = tenant.lms();
    let state = lms.rate_limit_state();
    assert_eq!((state.throttled_to, state.paused_for), (None, None));
    assert_eq!((state.refused, state.in_flight), (0, 0));

    let job = tokio::spawn({
        let lms = lms.clone();
        async move { load(&lms, 200, 4).await }
    });
    sleep(Duration::from_secs(5)).await;
    let state = lms.rate_limit_state();
    assert_eq!((state.refused, state.in_flight), (1, 4));
    let paused = state.paused_for.unwrap().as_secs_f64();
    assert!((15.0..=17.0).contains(&paused), "{paused}");

    assert_eq!(job.await.unwrap(), 0);
    let state = lms.rate_limit_state();
    assert_eq!((state.paused_for, state.in_flight), (None, 0));

    let bucket = Mutex::new(Bucket::new(5.0, 5.0));
    let tenant = Script::new(move |seen| {
        let act = match bucket.lock().unwrap().takes(seen.at, 10.0) {
            true => json(value!({"id": "c1"})),
            false => status(429),
        };
        act.after(Duration::from_millis(100))
    });
    let lms = tenant.lms();
    load(&lms, 200, 16).await;
    let rate = lms.rate_limit_state().throttled_to.unwrap();
    assert!((5.0..40.0).contains(&rate), "{rate}");
}
