//! What is sent again, how often, after what wait, and what a call comes to when it is not.

use std::{collections::HashMap, time::Duration};

use lms_ext::{CallOptions, ErrorKind, RateLimits, RetryBudget, RetryPolicy, Timeouts, prelude::*};
use serde_json::json as value;
use tokio::time::Instant;

use crate::script::{Act, Script, json, lost, refused, silence, status};

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Done,
    /// Done, and by an earlier attempt.
    Gone,
    Failed(ErrorKind),
}
use End::{Done, Failed, Gone};

async fn end(method: &str, lms: &Lms) -> (End, u32) {
    let course = types::Course::builder().name("Safety".to_owned());
    let new = types::AddCourse::builder().name("Safety");
    let result = match method {
        "GET" => lms.get_course().id("c1").response().await.map(|answer| {
            assert!(!answer.already_removed);
            (Done, answer.attempts)
        }),
        "PUT" => {
            let call = lms.edit_course().id("c1").body(course);
            call.response().await.map(|answer| {
                assert!(!answer.already_removed);
                (Done, answer.attempts)
            })
        }
        "DELETE" => lms.delete_course().id("c1").response().await.map(|answer| {
            let end = if answer.already_removed { Gone } else { Done };
            (end, answer.attempts)
        }),
        "POST" => lms.add_course().body(new).response().await.map(|answer| {
            assert!(!answer.already_removed);
            (Done, answer.attempts)
        }),
        other => panic!("{other}"),
    };
    result.unwrap_or_else(|error| (Failed(error.kind()), error.attempts()))
}

fn acts(sequence: &str) -> Vec<Act> {
    let act = |word| match word {
        "ok" => json(value!({"id": "c1"})),
        "refused" => refused(),
        "lost" => lost(),
        "late" => silence(),
        "broken" => json(value!({})).broken(),
        number => status(number.parse().unwrap()),
    };
    sequence.split(' ').map(act).collect()
}

#[tokio::test(start_paused = true)]
async fn every_sequence_of_failures_ends_as_its_method_allows() {
    use ErrorKind::{
        Ambiguous, AttemptTimeout, Conflict, Connect, Connection, NotFound, RateLimited, Rejected,
        Server, Unauthenticated,
    };
    let table: &[(&str, &str, End, u32)] = &[
        // Nothing went wrong, or nothing that is not the answer.
        ("GET", "ok", Done, 1),
        ("GET", "404", Failed(NotFound), 1),
        ("PUT", "409", Failed(Conflict), 1),
        ("POST", "422", Failed(Rejected), 1),
        ("DELETE", "404", Failed(NotFound), 1),
        // It cannot have been carried out: everything is repeated.
        ("GET", "refused ok", Done, 2),
        ("PUT", "refused refused ok", Done, 3),
        ("DELETE", "429 ok", Done, 2),
        ("POST", "refused 429 ok", Done, 3),
        ("POST", "refused refused refused", Failed(Connect), 3),
        ("POST", "429 429 429", Failed(RateLimited), 3),
        ("DELETE", "429 429 429", Failed(RateLimited), 3),
        // Whether it was carried out is open: reads are repeated, and so is what does the same twice.
        ("GET", "lost 503 ok", Done, 3),
        ("GET", "408 500 ok", Done, 3),
        ("GET", "502 504 503", Failed(Server), 3),
        ("GET", "lost lost lost", Failed(Connection), 3),
        ("GET", "late late late", Failed(AttemptTimeout), 3),
        ("GET", "broken broken ok", Done, 3),
        ("PUT", "lost ok", Done, 2),
        ("PUT", "late 500 ok", Done, 3),
        ("DELETE", "broken ok", Done, 1),
        ("DELETE", "503 ok", Done, 2),
        // A change whose answers were all lost may have been made.
        ("PUT", "lost lost lost", Failed(Ambiguous), 3),
        ("PUT", "503 503 503", Failed(Ambiguous), 3),
        ("PUT", "broken broken broken", Failed(Ambiguous), 3),
        ("DELETE", "late late late", Failed(Ambiguous), 3),
        ("DELETE", "504 lost 502", Failed(Ambiguous), 3),
        // A later answer does not tell what became of an earlier attempt.
        ("PUT", "lost 404", Failed(Ambiguous), 2),
        ("PUT", "lost 429 429", Failed(Ambiguous), 3),
        ("PUT", "500 refused refused", Failed(Ambiguous), 3),
        ("PUT", "503 422", Failed(Ambiguous), 2),
        ("DELETE", "lost 403", Failed(Ambiguous), 2),
        // Nothing to delete after such an attempt is what was wanted.
        ("DELETE", "lost 404", Gone, 2),
        ("DELETE", "503 404", Gone, 2),
        ("DELETE", "late 410", Gone, 2),
        ("DELETE", "lost 429 404", Gone, 3),
        ("DELETE", "lost 401 404", Gone, 3),
        // But not after attempts that cannot have deleted it.
        ("DELETE", "refused 404", Failed(NotFound), 2),
        ("DELETE", "429 404", Failed(NotFound), 2),
        ("DELETE", "401 404", Failed(NotFound), 2),
        // A POST is sent once when it may have been processed.
        ("POST", "lost", Failed(Ambiguous), 1),
        ("POST", "late", Failed(Ambiguous), 1),
        ("POST", "broken", Failed(Ambiguous), 1),
        ("POST", "408", Failed(Ambiguous), 1),
        ("POST", "500", Failed(Ambiguous), 1),
        ("POST", "501", Failed(Ambiguous), 1),
        ("POST", "503", Failed(Ambiguous), 1),
        ("POST", "refused lost", Failed(Ambiguous), 2),
        ("POST", "429 502", Failed(Ambiguous), 2),
        // A refused token is replaced once, and that is no repeat.
        ("POST", "401 ok", Done, 2),
        ("POST", "401 401", Failed(Unauthenticated), 2),
        ("GET", "401 503 503 ok", Done, 4),
        ("GET", "503 401 503 ok", Done, 4),
        ("PUT", "lost 401 401", Failed(Ambiguous), 3),
    ];
    for (method, sequence, expected, attempts) in table {
        let tenant = Script::of(acts(sequence));
        // An hour for the call, so that three attempts of a minute have room.
        let limits = Timeouts::default().call(Duration::from_secs(3600));
        let lms = tenant.builder().timeouts(limits).build().unwrap();
        let ended = end(method, &lms).await;
        assert_eq!(ended, (*expected, *attempts), "{method}: {sequence}");
        assert_eq!(tenant.count(), *attempts as usize, "{method}: {sequence}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_raw_send_is_told_the_same_of_a_change_in_doubt() {
    let tenant = Script::of([lost(), status(404)]);
    tenant.lms().delete_course().id("c1").send().await.unwrap();

    let tenant = Script::of([lost(), status(404)]);
    let course = types::Course::builder().name("Safety".to_owned());
    let lms = tenant.lms();
    let call = lms.edit_course().id("c1").body(course);
    let error = call.send().await.unwrap_err();
    let found = Error::find_in(&error).unwrap();
    assert!(found.is_ambiguous(), "{found:?}");
    assert_eq!(found.operation(), Some("edit_course"));
    assert_eq!(found.status(), Some(404));
}

#[tokio::test(start_paused = true)]
async fn the_wait_that_the_tenant_asks_for_is_honoured_up_to_a_cap() {
    let soon = std::time::SystemTime::now() + Duration::from_secs(50);
    let date = httpdate::fmt_http_date(soon);
    for (header, at_least) in [("7", 7), ("0", 0), (date.as_str(), 45)] {
        let tenant = Script::of([
            status(503).header("retry-after", header),
            json(value!({"id": "c1"})),
        ]);
        let start = Instant::now();
        tenant.lms().get_course().id("c1").call().await.unwrap();
        let waited = start.elapsed();
        let at_least = Duration::from_secs(at_least);
        assert!(waited >= at_least, "{header}: {waited:?}");
        assert!(
            waited < at_least + Duration::from_secs(7),
            "{header}: {waited:?}"
        );
    }

    let tenant = Script::of([status(429).header("retry-after", "3600")]);
    let start = Instant::now();
    let error = tenant.lms().get_course().id("c1").call().await.unwrap_err();
    assert_eq!(start.elapsed(), Duration::ZERO, "the error comes at once");
    assert!(error.is_rate_limited());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(
        error.to_string(),
        "get_course: 429; the tenant asked to wait 3600 s; that is longer than the 60 s that are waited for"
    );
}

#[tokio::test(start_paused = true)]
async fn waits_grow_and_are_never_the_same_for_all() {
    let mut seconds: HashMap<u128, u32> = HashMap::new();
    for _ in 0..50 {
        let tenant = Script::of(acts("502 502 502 502 ok"));
        let lms = tenant
            .builder()
            .retry(RetryPolicy::default().max_attempts(5))
            .build()
            .unwrap();
        lms.get_course().id("c1").call().await.unwrap();
        let seen = tenant.seen();
        for (pair, longest) in seen.windows(2).zip([200, 400, 800, 1600]) {
            let wait = pair[1].at - pair[0].at;
            // A timer of tokio counts in milliseconds.
            assert!(wait <= Duration::from_millis(longest + 1), "{wait:?}");
        }
        let last = seen[4].at - seen[3].at;
        *seconds.entry(last.as_millis() / 400).or_default() += 1;
    }
    assert!(seconds.len() >= 3, "{seconds:?}");
}

#[tokio::test(start_paused = true)]
async fn one_line_turns_repeats_off_for_a_client_or_a_call() {
    let tenant = Script::of([status(503)]);
    let lms = tenant
        .builder()
        .retry(RetryPolicy::disabled())
        .build()
        .unwrap();
    let error = lms.get_course().id("c1").call().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Server, 1));

    let tenant = Script::of([status(503)]);
    let once = CallOptions::new().retry(RetryPolicy::disabled());
    let lms = tenant.lms();
    let call = lms.get_course().id("c1").options(once).call();
    assert_eq!(call.await.unwrap_err().attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_not_amplified() {
    // Half a thousand calls at a tenant that is down: each fails, and not each is repeated.
    let tenant = Script::new(|_| status(502));
    let lms = tenant.lms();
    let calls = (0..500).map(|_| lms.get_course().id("c1").call());
    let errors = futures_util::future::join_all(calls).await;
    assert_eq!(tenant.count(), 600, "the default budget has 100 repeats");
    let (spent, tried): (Vec<_>, Vec<_>) = errors
        .into_iter()
        .map(Result::unwrap_err)
        .partition(|error| error.to_string().contains("not repeated"));
    assert!(tried.iter().all(|error| error.attempts() == 3));
    assert_eq!(
        spent
            .iter()
            .find(|error| error.attempts() == 1)
            .unwrap()
            .to_string(),
        "get_course: 502; the tenant failed; not repeated: the 100 repeats that the calls of this client share are spent, and every answer earns one more"
    );
}

#[tokio::test(start_paused = true)]
async fn answers_earn_what_repeats_spend() {
    // Every other request fails: an answer pays for a repeat, for ever.
    let every = |nth: usize| {
        Script::new(move |seen| {
            if seen.index % nth == nth - 1 {
                status(502)
            } else {
                json(value!({"id": "c1"}))
            }
        })
    };
    let lms = every(2)
        .builder()
        .retry_budget(RetryBudget::new(1))
        .build()
        .unwrap();
    for _ in 0..500 {
        lms.get_course().id("c1").call().await.unwrap();
    }

    // Where it takes five answers, they pay when one in six fails, and not when one in five does.
    let dear = RetryBudget::new(1).responses_per_refill(5);
    for (nth, enough) in [(6, true), (5, false)] {
        let lms = every(nth).builder().retry_budget(dear).build().unwrap();
        let mut failed = 0;
        for _ in 0..500 {
            failed += u32::from(lms.get_course().id("c1").call().await.is_err());
        }
        assert_eq!(failed == 0, enough, "one in {nth}: {failed} failed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_tenant_does_not_cost_the_budget() {
    let tenant = Script::new(|seen| match seen.index % 3 {
        2 => json(value!({"id": "c1"})),
        _ => status(429),
    });
    let lms = tenant
        .builder()
        .retry_budget(RetryBudget::new(0))
        .rate_limits(RateLimits::default().without_adaptive_throttling())
        .build()
        .unwrap();
    for _ in 0..20 {
        lms.get_course().id("c1").call().await.unwrap();
    }
}
