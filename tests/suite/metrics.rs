//! Metrics: their values, their attributes, and the data that they never contain.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Mutex,
    time::Duration,
};

use lms_ext::{RetryPolicy, prelude::*};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use serde_json::json as value;
use tokio::time::Instant;

use crate::script::{Script, json, lost, status};

/// Records the metrics of this thread while the guard lives.
fn record() -> (Snapshotter, impl Drop) {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    // The test ends with the process.
    let guard = metrics::set_default_local_recorder(Box::leak(Box::new(recorder)));
    (snapshotter, guard)
}

/// Each metric with its attributes, and its value: a sum, or the number of measurements with the largest one in seconds.
fn values(snapshotter: &Snapshotter) -> BTreeMap<String, String> {
    let snapshot = snapshotter.snapshot().into_vec();
    let metrics = snapshot.into_iter().map(|(key, _, _, value)| {
        let labels: Vec<_> = key
            .key()
            .labels()
            .map(|label| format!("{}={}", label.key(), label.value()))
            .collect();
        let value = match value {
            DebugValue::Counter(count) => count.to_string(),
            DebugValue::Gauge(rate) => format!("{}", rate.into_inner() > 0.0),
            DebugValue::Histogram(values) => {
                let largest = values
                    .iter()
                    .map(|value| value.into_inner())
                    .fold(0.0, f64::max);
                format!("{} up to {largest:.1}", values.len())
            }
        };
        (
            format!("{} {}", key.key().name(), labels.join(" "))
                .trim()
                .to_owned(),
            value,
        )
    });
    metrics.collect()
}

const SERVER: &str = "server.address=tenant.example server.port=443";

#[tokio::test(start_paused = true)]
async fn requests_calls_retries_and_waits_are_measured() {
    let (snapshotter, _guard) = record();
    let tenant = Script::of([
        status(503).after(Duration::from_secs(1)),
        lost().after(Duration::from_secs(2)),
        json(value!({"id": "c-personal"})).after(Duration::from_secs(3)),
        status(404),
        status(404),
    ]);
    let policy = RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO);
    let lms = tenant.lms_with(|it| it.retry(policy));
    lms.get_course("c-personal").call().await.unwrap();
    for _ in 0..2 {
        lms.get_course("c-personal").call().await.unwrap_err();
    }

    let found = values(&snapshotter);
    let request = format!(
        "http.client.request.duration {SERVER} http.request.method=GET url.template=/courses/{{id}}"
    );
    let expected = format!(
        "{request} http.response.status_code=503 error.type=503 => 1 up to 1.0
        {request} error.type=connection => 1 up to 2.0
        {request} http.response.status_code=200 => 1 up to 3.0
        {request} http.response.status_code=404 error.type=404 => 2 up to 0.0
        lms.client.call.duration lms.operation=get_course => 1 up to 6.0
        lms.client.call.duration lms.operation=get_course error.type=404 => 2 up to 0.0
        lms.client.retries lms.operation=get_course => 2
        lms.client.wait.duration lms.wait.reason=retry => 2 up to 0.0
        lms.client.wait.duration lms.wait.reason=token => 1 up to 0.0
        lms.client.throttled_rate {SERVER} => false
        lms.client.tokens => 1"
    );
    let expected = crate::rows(&expected).into_iter();
    let expected: BTreeMap<_, _> = expected
        .map(|[name, value]| (name.to_owned(), value.to_owned()))
        .collect();
    assert_eq!(found, expected);
    assert!(found.keys().all(|name| !name.contains("personal")));
}

/// The lookup of a new learner finds none, which is its answer.
#[tokio::test(start_paused = true)]
async fn the_404_of_a_lookup_is_no_error() {
    let (snapshotter, _guard) = record();
    let tenant = Script::of([status(404), json(value!({"id": "l1"}))]);
    let ann = types::AddLearner::builder("Ann", "Bell", "ann@acme.example");
    tenant.lms().ensure_learner(ann).await.unwrap();
    let found = values(&snapshotter);
    assert!(
        found.keys().any(|name| name.contains("status_code=404")),
        "{found:?}"
    );
    assert!(
        found.keys().all(|name| !name.contains("error.type")),
        "{found:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn tokens_items_and_waits_for_limits_are_measured() {
    let (snapshotter, _guard) = record();
    let tenant = Script::new(|seen| match seen.is_token_request() {
        true => json(value!({"access_token": "a-token", "expires_in": 300}))
            .after(Duration::from_secs(2)),
        false => json(value!({"items": [{"id": "c1"}, {"id": "c2"}, {"id": "c3"}]})),
    });
    let lms = tenant.lms_with(|it| {
        it.client_credentials("1", "s3cr3t")
            .max_concurrent(1)
            .max_per_second(0.5)
    });
    let lists = (0..2).map(|_| lms.list_courses().items().collect_all());
    for list in futures_util::future::join_all(lists).await {
        assert_eq!(list.unwrap().len(), 3);
    }
    let found = values(&snapshotter);
    for (name, value) in [
        ("items lms.operation=list_courses", "6"),
        ("tokens", "1"),
        ("wait.duration lms.wait.reason=token", "1 up to 2.0"),
        ("wait.duration lms.wait.reason=concurrency", "1 up to 2.0"),
        ("wait.duration lms.wait.reason=rate_limit", "1 up to 2.0"),
    ] {
        let name = format!("lms.client.{name}");
        assert_eq!(
            found.get(&name).map(String::as_str),
            Some(value),
            "{found:#?}"
        );
    }
    assert!(!format!("{found:?}").contains("s3cr3t"));
}

#[tokio::test(start_paused = true)]
async fn the_rate_to_which_the_server_throttles_is_measured() {
    let (snapshotter, _guard) = record();
    let began = Instant::now();
    let accepted = Mutex::new(HashMap::new());
    // Accepts five requests in each second.
    let tenant = Script::new(move |seen| {
        let mut accepted = accepted.lock().unwrap();
        let accepted = accepted.entry((seen.at - began).as_secs()).or_insert(0);
        *accepted += 1;
        match accepted {
            1..=5 => json(value!({"id": "c1"})),
            _ => status(429).header("retry-after", "1"),
        }
    });
    let lms = tenant.lms_with(lms_ext::LmsBuilder::job);
    let calls = (0..60).map(|_| lms.get_course("c1").call());
    for result in futures_util::future::join_all(calls).await {
        result.unwrap();
    }
    assert!(lms.rate_limit_state().throttled_to.is_some());
    let found = values(&snapshotter);
    assert_eq!(
        found[&format!("lms.client.throttled_rate {SERVER}")],
        "true"
    );
}
