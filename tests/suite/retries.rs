//! Retries: the requests, the number of attempts, the waits, and the end of the call.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use lms_ext::{CallOptions, ErrorKind, Response, RetryPolicy, Timeouts, prelude::*};
use serde_json::json as value;
use tokio::time::Instant;

use crate::script::{Act, Script, json, lost, refused, silence, status};

/// The end of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Success,
    /// A success of a delete, with `already_removed`.
    AlreadyRemoved,
    Failed(ErrorKind),
}
use End::{AlreadyRemoved, Failed, Success};

/// The end of a call, and its number of attempts.
async fn end_of<T>(call: impl Future<Output = Result<Response<T>, Error>>) -> (End, u32) {
    match call.await {
        Ok(response) if response.already_removed => (AlreadyRemoved, response.attempts),
        Ok(response) => (Success, response.attempts),
        Err(error) => (Failed(error.kind()), error.attempts()),
    }
}

async fn end(method: &str, lms: &Lms) -> (End, u32) {
    let course = types::Course::builder().name("Safety".to_owned());
    match method {
        "GET" => end_of(lms.get_course("c1").response()).await,
        "PUT" => end_of(lms.edit_course("c1", course).response()).await,
        "DELETE" => end_of(lms.delete_course("c1").response()).await,
        "POST" => end_of(lms.add_course("Safety").response()).await,
        other => panic!("{other}"),
    }
}

fn acts(sequence: &str) -> Vec<Act> {
    let act = |word| match word {
        "ok" => json(value!({"id": "c1"})),
        "refused" => refused(),
        "lost" => lost(),
        "late" => silence(),
        "broken" => json(value!({})).broken(),
        "html" => status(200)
            .header("content-type", "text/html; charset=utf-8")
            .body("<html>busy</html>"),
        "cut" => status(200).body("{\"id\": \"c1"),
        "404-html" => status(404).body("\n<html>404</html>"),
        number => status(number.parse().unwrap()),
    };
    sequence.split(' ').map(act).collect()
}

#[tokio::test(start_paused = true)]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn every_sequence_of_failures_ends_as_documented_for_its_method() {
    use ErrorKind::{
        Ambiguous, AttemptTimeout, Conflict, Connect, Connection, NotFound, NotJson, RateLimited,
        Rejected, Server, Unauthenticated,
    };
    let table: &[(&str, &str, End, u32)] = &[
        // A final response at the first attempt.
        ("GET", "ok", Success, 1),
        ("GET", "404", Failed(NotFound), 1),
        ("PUT", "409", Failed(Conflict), 1),
        ("POST", "422", Failed(Rejected), 1),
        ("DELETE", "404", Failed(NotFound), 1),
        // A proxy does not know whether the object exists.
        ("GET", "404-html", Failed(NotJson), 1),
        ("DELETE", "404-html", Failed(NotJson), 1),
        ("DELETE", "lost 404-html", Failed(Ambiguous), 2),
        // The request cannot have been processed: every method is retried.
        ("GET", "refused ok", Success, 2),
        ("PUT", "refused refused ok", Success, 3),
        ("DELETE", "429 ok", Success, 2),
        ("POST", "refused 429 ok", Success, 3),
        ("POST", "refused refused refused", Failed(Connect), 3),
        ("POST", "429 429 429", Failed(RateLimited), 3),
        ("DELETE", "429 429 429", Failed(RateLimited), 3),
        // The request may have been processed: idempotent methods are retried.
        ("GET", "lost 503 ok", Success, 3),
        ("GET", "408 500 ok", Success, 3),
        ("GET", "502 504 503", Failed(Server), 3),
        ("GET", "lost lost lost", Failed(Connection), 3),
        ("GET", "late late late", Failed(AttemptTimeout), 3),
        ("GET", "broken broken ok", Success, 3),
        ("PUT", "lost ok", Success, 2),
        ("PUT", "late 500 ok", Success, 3),
        ("DELETE", "broken ok", Success, 1),
        ("DELETE", "503 ok", Success, 2),
        // A success that is not JSON probably is that of a proxy.
        ("GET", "html cut ok", Success, 3),
        ("GET", "html 502 html", Failed(NotJson), 3),
        ("GET", "cut cut cut", Failed(NotJson), 3),
        ("PUT", "html", Failed(Ambiguous), 1),
        ("PUT", "lost cut", Failed(Ambiguous), 2),
        ("POST", "html", Failed(Ambiguous), 1),
        ("POST", "cut", Failed(Ambiguous), 1),
        ("DELETE", "html", Failed(Ambiguous), 1),
        // A delete is complete with its status.
        ("DELETE", "cut", Success, 1),
        // A change is ambiguous when no response confirms it.
        ("PUT", "lost lost lost", Failed(Ambiguous), 3),
        ("PUT", "503 503 503", Failed(Ambiguous), 3),
        ("PUT", "broken broken broken", Failed(Ambiguous), 3),
        ("DELETE", "late late late", Failed(Ambiguous), 3),
        ("DELETE", "504 lost 502", Failed(Ambiguous), 3),
        // The response to a retry says nothing about an earlier attempt.
        ("PUT", "lost 404", Failed(Ambiguous), 2),
        ("PUT", "lost 429 429", Failed(Ambiguous), 3),
        ("PUT", "500 refused refused", Failed(Ambiguous), 3),
        ("PUT", "503 422", Failed(Ambiguous), 2),
        ("DELETE", "lost 403", Failed(Ambiguous), 2),
        // A delete that finds nothing after an ambiguous attempt has succeeded.
        ("DELETE", "lost 404", AlreadyRemoved, 2),
        ("DELETE", "503 404", AlreadyRemoved, 2),
        ("DELETE", "late 410", AlreadyRemoved, 2),
        ("DELETE", "lost 429 404", AlreadyRemoved, 3),
        ("DELETE", "lost 401 404", AlreadyRemoved, 3),
        // But not after attempts that cannot have been processed.
        ("DELETE", "refused 404", Failed(NotFound), 2),
        ("DELETE", "429 404", Failed(NotFound), 2),
        ("DELETE", "401 404", Failed(NotFound), 2),
        // A POST that may have been processed is not retried.
        ("POST", "lost", Failed(Ambiguous), 1),
        ("POST", "late", Failed(Ambiguous), 1),
        ("POST", "broken", Failed(Ambiguous), 1),
        ("POST", "408", Failed(Ambiguous), 1),
        ("POST", "500", Failed(Ambiguous), 1),
        ("POST", "501", Failed(Ambiguous), 1),
        ("POST", "503", Failed(Ambiguous), 1),
        ("POST", "refused lost", Failed(Ambiguous), 2),
        ("POST", "429 502", Failed(Ambiguous), 2),
        // A 401 is retried once with a new token, and does not count as an attempt of the policy.
        ("POST", "401 ok", Success, 2),
        ("POST", "401 401", Failed(Unauthenticated), 2),
        ("GET", "401 503 503 ok", Success, 4),
        ("GET", "503 401 503 ok", Success, 4),
        ("PUT", "lost 401 401", Failed(Ambiguous), 3),
    ];
    for (method, sequence, expected, attempts) in table {
        let server = Script::of(acts(sequence));
        // Room for three attempts of a minute each.
        let timeouts = Timeouts::default().call(Duration::from_secs(3600));
        let lms = server.lms_with(|it| it.timeouts(timeouts));
        let ended = end(method, &lms).await;
        assert_eq!(ended, (*expected, *attempts), "{method}: {sequence}");
        assert_eq!(server.count(), *attempts as usize, "{method}: {sequence}");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_honoured_up_to_a_limit() {
    let soon = std::time::SystemTime::now() + Duration::from_secs(50);
    let date = httpdate::fmt_http_date(soon);
    for (header, at_least) in [("7", 7), ("0", 0), (date.as_str(), 45)] {
        let first = status(503).header("retry-after", header);
        let server = Script::of([first, json(value!({"id": "c1"}))]);
        let start = Instant::now();
        server.lms().get_course("c1").call().await.unwrap();
        let expected = Duration::from_secs(at_least)..Duration::from_secs(at_least + 7);
        let waited = start.elapsed();
        assert!(expected.contains(&waited), "{header}: {waited:?}");
    }

    let server = Script::of([status(429).header("retry-after", "3600")]);
    let start = Instant::now();
    let error = server.lms().get_course("c1").call().await.unwrap_err();
    assert_eq!(start.elapsed(), Duration::ZERO, "the call fails at once");
    assert!(error.is_rate_limited());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(
        error.to_string(),
        "get_course: 429; the server asked to wait 3600 s; not retried: more than the limit of 60 s for `Retry-After`"
    );
}

#[tokio::test(start_paused = true)]
async fn backoff_grows_and_is_random() {
    let mut last_waits: HashMap<u128, u32> = HashMap::new();
    for _ in 0..50 {
        let server = Script::of(acts("502 502 502 502 ok"));
        let policy = RetryPolicy::default().max_attempts(5);
        let lms = server.lms_with(|it| it.retry(policy));
        lms.get_course("c1").call().await.unwrap();
        let seen = server.seen();
        for (pair, longest) in seen.windows(2).zip([50, 100, 200, 400]) {
            let wait = pair[1].at - pair[0].at;
            // Tokio's timers count milliseconds.
            assert!(wait <= Duration::from_millis(longest + 1), "{wait:?}");
        }
        let last = seen[4].at - seen[3].at;
        *last_waits.entry(last.as_millis() / 100).or_default() += 1;
    }
    assert!(last_waits.len() >= 3, "{last_waits:?}");
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_not_amplified() {
    let server = Script::new(|_| status(502));
    let lms = server.lms();
    let calls = (0..500).map(|_| lms.get_course("c1").call());
    let errors = futures_util::future::join_all(calls).await;
    assert_eq!(server.count(), 535, "the default budget is 500 tokens");
    let (exhausted, tried): (Vec<_>, Vec<_>) = errors
        .into_iter()
        .map(Result::unwrap_err)
        .partition(|error| error.to_string().contains("not retried"));
    assert!(tried.iter().all(|error| error.attempts() == 3));
    let at_once = exhausted.iter().find(|error| error.attempts() == 1);
    assert_eq!(
        at_once.unwrap().to_string(),
        "get_course: 502; server error; not retried: too many requests have failed already, so the retry budget is exhausted"
    );
}

#[tokio::test(start_paused = true)]
async fn responses_refill_the_retry_budget() {
    // When every other request fails, each retry that succeeds returns what it took.
    let every = |nth: usize| {
        Script::new(move |seen| {
            if seen.index % nth == nth - 1 {
                status(502)
            } else {
                json(value!({"id": "c1"}))
            }
        })
    };
    let lms = every(2).lms_with(|it| it.retry_budget(14));
    for _ in 0..500 {
        lms.get_course("c1").call().await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_retry_returns_one_token() {
    for (calls, attempts) in [(13, 1), (14, 2)] {
        let server = Script::new(move |seen| match seen.index {
            0 | 1 => status(502),
            index if index >= calls + 2 => status(502),
            _ => json(value!({"id": "c1"})),
        });
        let lms = server.lms_with(|it| it.retry_budget(14));
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.attempts(), 2, "{error}");
        for _ in 0..calls {
            lms.get_course("c1").call().await.unwrap();
        }
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.attempts(), attempts, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_takes_fourteen_tokens_and_five_after_throttling() {
    let asks = || status(503).header("retry-after", "1");
    let asks_for_none = || status(503).header("retry-after", "0");
    let cases: [(fn() -> Act, u32); 6] = [
        (|| status(503), 6),
        (lost, 6),
        (refused, 6),
        (|| status(429), 15),
        (asks, 15),
        (asks_for_none, 15),
    ];
    for (fault, attempts) in cases {
        let server = Script::new(move |_| fault());
        let policy = RetryPolicy::default().max_attempts(20);
        let error = server
            .lms_with(|it| it.retry(policy).retry_budget(74))
            .get_course("c1")
            .call();
        let error = error.await.unwrap_err();
        assert_eq!(error.attempts(), attempts, "{error}");
    }
}

/// A limit on the time of a call also holds for its waits.
#[tokio::test(start_paused = true)]
async fn no_wait_of_a_call_exceeds_its_timeout() {
    let limit = Duration::from_secs(10);
    let asks = || status(503).header("retry-after", "20");
    let cases: [(fn() -> Act, u32); 2] = [(asks, 1), (|| status(503), 20)];
    for (fault, most) in cases {
        let server = Script::new(move |_| fault());
        let policy = RetryPolicy::default()
            .max_attempts(1_000)
            .backoff(Duration::from_secs(2), Duration::from_secs(60));
        let lms = server.lms_with(|it| it.retry(policy).retry_budget(u32::MAX));
        let start = Instant::now();
        let options = CallOptions::new().timeout(limit);
        let call = lms.get_course("c1").options(options).call();
        let error = call.await.unwrap_err();
        assert!(start.elapsed() < limit, "{:?}", start.elapsed());
        assert!(error.attempts() <= most, "{error}");
        let note = "not retried: the next attempt would exceed the call timeout of 10 s";
        assert!(error.to_string().ends_with(note), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_429_does_not_refill_the_retry_budget() {
    let server = Script::of(acts("502 429 429"));
    let policy = RetryPolicy::default().max_attempts(5);
    let call = server
        .lms_with(|it| it.retry(policy).retry_budget(19))
        .get_course("c1")
        .call();
    let error = call.await.unwrap_err();
    assert_eq!((error.status(), error.attempts()), (Some(429), 3));
    assert!(
        error.to_string().contains("retry budget is exhausted"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn all_calls_of_a_job_survive_an_outage_together() {
    let failed = Mutex::new(HashMap::new());
    let server = Script::new(move |seen| {
        let mut failed = failed.lock().unwrap();
        let attempts = failed.entry(seen.path().to_owned()).or_insert(0);
        *attempts += 1;
        match attempts {
            1..=11 => status(503),
            _ => json(value!({"id": seen.path().trim_start_matches("/courses/")})),
        }
    });
    // More calls than the default retry budget has retries for.
    let concurrent = 20;
    let lms = server.lms_with(|it| it.max_concurrent(concurrent).job());
    let calls = (0..concurrent).map(|n| lms.get_course(format!("c{n}")).call());
    for result in futures_util::future::join_all(calls).await {
        result.unwrap();
    }
    assert_eq!(server.count(), 12 * concurrent);
}

#[tokio::test(start_paused = true)]
async fn the_retry_budget_of_a_job_is_what_its_concurrent_calls_may_retry() {
    let server = Script::new(|_| status(503));
    let lms = server.lms_with(|it| it.max_concurrent(2).job());
    for attempts in [12, 12, 1] {
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.attempts(), attempts, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_job_may_take_ten_minutes() {
    let server = Script::new(|_| silence());
    let timeouts = Timeouts::default().attempt(Duration::from_secs(3600));
    let lms = server.lms_with(|it| it.timeouts(timeouts).job());
    let began = Instant::now();
    let error = lms.get_course("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert_eq!(began.elapsed(), Duration::from_secs(600));
}

#[tokio::test(start_paused = true)]
async fn a_client_for_tests_waits_neither_for_its_backoff_nor_for_retry_after() {
    let server = Script::of([
        status(503),
        status(429).header("retry-after", "7"),
        json(value!({"id": "c1"})),
    ]);
    let lms = server.lms_with(lms_ext::LmsBuilder::for_tests);
    let began = Instant::now();
    assert_eq!(end("GET", &lms).await, (Success, 3));
    assert_eq!(began.elapsed(), Duration::ZERO);
}
