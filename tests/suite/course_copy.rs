//! Course copies: started once, and waited for through temporary failures.

use std::time::Duration;

use lms_ext::{CourseCopy, prelude::*};
use reqwest::Method;
use serde_json::json as value;
use tokio::time::Instant;

use crate::script::{Act, Script, json, lost, refused, silence, status};

fn task(progress: u32, new_course: Option<&str>) -> Act {
    json(
        value!({"id": "d1", "old_course": "c1", "new_course": new_course,
        "complete": new_course.is_some(), "progress": progress.to_string(), "stage": 1}),
    )
}

fn course() -> Act {
    json(value!({"id": "c2", "name": "Copy"}))
}

/// Starts a copy without options.
async fn start(tenant: &Script) -> CourseCopy {
    tenant.lms().duplicate_course("c1", |d| d).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn options_that_are_not_set_are_not_sent() {
    let tenant = Script::of([task(100, Some("c2")), course()]);
    let lms = tenant.lms();
    let copied = tokio::spawn(async move { lms.duplicate_course("c1", |d| d).await?.wait().await });
    let course = copied.await.unwrap().unwrap();
    assert_eq!(course.name.as_deref(), Some("Copy"));
    assert_eq!(tenant.seen()[0].json(), value!({"course": "c1"}));

    let tenant = Script::of([task(0, None)]);
    let lms = tenant.lms();
    let copy = lms.duplicate_course("c1", |d| {
        let options = d.name("Copy").published(true);
        options.copy_enrolments(true).copy_responses(true)
    });
    drop(copy.await.unwrap());
    let expected = value!({"course": "c1", "name": "Copy", "published": true, "copy_enrolments": true,
        "copy_responses": true});
    assert_eq!(tenant.seen()[0].json(), expected);
}

#[tokio::test(start_paused = true)]
async fn the_interval_between_polls_grows_to_its_maximum() {
    let tenant = Script::new(move |seen| match seen.index {
        _ if seen.path() == "/courses/c2" => course(),
        30 => task(100, Some("c2")),
        _ => task(0, None),
    });
    let copy = start(&tenant).await;
    copy.wait().await.unwrap();
    let at: Vec<_> = tenant.seen().iter().map(|seen| seen.at).collect();
    let waits: Vec<_> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let tail = waits[10..29].iter().map(|wait| (*wait, 5_000, 10_001));
    for (wait, min, max) in [
        (waits[0], 250, 501),
        (waits[1], 375, 751),
        (waits[4], 1_265, 2_532),
    ]
    .into_iter()
    .chain(tail)
    {
        assert!((min..=max).contains(&wait.as_millis()), "{wait:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn progress_ends_with_the_copy() {
    let tenant = Script::of([
        task(0, None),
        json(value!({"id": "d1", "progress": null})),
        task(80, None),
        task(100, Some("c2")),
    ]);
    let copy = start(&tenant).await;
    let mut states = Vec::new();
    let mut progress = tokio::spawn(async move { copy.progress() }).await.unwrap();
    while let Some(state) = progress.try_next().await.unwrap() {
        states.push(state);
    }
    assert_eq!(progress.try_next().await.unwrap(), None, "it stays ended");
    let progress: Vec<_> = states.iter().map(|state| state.progress).collect();
    assert_eq!(progress, [Some(0), None, Some(80), Some(100)]);
    let complete: Vec<_> = states.iter().map(|state| state.complete).collect();
    assert_eq!(complete, [false, false, false, true]);
    assert_eq!(states[3].new_course.as_deref(), Some("c2"));
}

#[tokio::test(start_paused = true)]
async fn another_process_waits_for_a_copy_by_its_task_id() {
    let tenant = Script::of([task(0, None)]);
    let copy = start(&tenant).await;
    let stored = copy.task_id().to_string();
    drop(copy);

    let tenant = Script::of([task(60, None), task(100, Some("c2")), course()]);
    let start = Instant::now();
    let copy = tenant.lms().course_copy(stored);
    assert_eq!(copy.task_id(), "d1");
    copy.wait().await.unwrap();
    assert_eq!(tenant.sent(&Method::POST).len(), 0);
    assert_eq!(tenant.seen()[0].at, start, "it polls immediately");
}

#[tokio::test(start_paused = true)]
async fn temporary_failures_are_tolerated() {
    let tenant = Script::new(move |seen| match (seen.path(), seen.index) {
        (_, 0) => task(0, None),
        // Outages that outlast the retries of several polls.
        ("/duplicate_courses/d1", 0..8) => lost(),
        ("/duplicate_courses/d1", 8..16) => status(503),
        ("/duplicate_courses/d1", 16..24) => refused(),
        ("/duplicate_courses/d1", 24) => status(429).header("retry-after", "3600"),
        ("/duplicate_courses/d1", _) => task(100, Some("c2")),
        (_, 0..32) => status(502),
        _ => course(),
    });
    let copy = start(&tenant).await.timeout(Duration::from_secs(86_400));
    let start = Instant::now();
    copy.wait().await.unwrap();
    let waited = start.elapsed();
    assert!(waited > Duration::from_secs(3600), "{waited:?}");
    assert_eq!(tenant.sent(&Method::POST).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_for_tests_polls_without_regard_to_retry_after() {
    let tenant = Script::of([
        task(0, None),
        status(429).header("retry-after", "40"),
        status(429).header("retry-after", "40"),
        status(429).header("retry-after", "40"),
        task(100, Some("c2")),
        course(),
    ]);
    let lms = tenant.lms_with(lms_ext::LmsBuilder::for_tests);
    let copy = lms.duplicate_course("c1", |copy| copy).await.unwrap();
    let start = Instant::now();
    copy.wait().await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_copy_still_running_at_the_timeout_can_be_waited_for_again() {
    let tenant = Script::new(|_| task(40, None));
    let copy = start(&tenant).await.timeout(Duration::from_secs(60));
    let start = Instant::now();
    let error = copy.wait().await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 60);
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert!(error.is_timeout());
    assert!(error.to_string().contains("still running at 40"), "{error}");
    // Another wait starts a new timeout.
    let count = tenant.count();
    copy.wait().await.unwrap_err();
    assert!(tenant.count() > count + 5);
}

#[tokio::test(start_paused = true)]
async fn a_poll_without_a_response_ends_at_the_timeout() {
    let tenant = Script::new(|seen| match seen.method {
        Method::POST => task(0, None),
        _ => silence(),
    });
    let copy = start(&tenant).await.timeout(Duration::from_secs(20));
    let start = Instant::now();
    let error = copy.wait().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert_eq!(start.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_disappears_or_has_no_copy_of_the_course_has_failed() {
    let never_seen = [task(0, None)]
        .into_iter()
        .chain([(); 4].map(|()| status(404)));
    let without_course = json(value!({"id": "d1", "complete": true}));
    let itself = json(value!({"id": "d1", "complete": true, "new_course": "c1"}));
    let another =
        json(value!({"id": "d1", "complete": true, "old_course": "c9", "new_course": "c2"}));
    for (acts, text) in [
        (vec![task(0, None), task(10, None), status(404)], "404"),
        (never_seen.collect(), "404"),
        (
            vec![task(0, None), without_course],
            "does not name the new course",
        ),
        (vec![task(0, None), itself], "names the course itself"),
        (vec![task(0, None), another], "copy of another course"),
    ] {
        let expected = acts.len();
        let tenant = Script::of(acts);
        let error = start(&tenant).await.wait().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TaskFailed, "{error:?}");
        assert!(!error.is_retryable());
        assert!(error.to_string().contains(text), "{error}");
        assert_eq!(tenant.count(), expected, "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_few_404s_for_a_new_task_and_a_new_course_are_tolerated() {
    let tenant = Script::of([
        task(0, None),
        status(404),
        status(404),
        task(100, Some("c2")),
        status(404),
        course(),
    ]);
    let copy = start(&tenant).await;
    copy.wait().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn any_other_error_ends_the_wait() {
    let tenant = Script::of([task(0, None), status(403)]);
    let copy = start(&tenant).await;
    let mut progress = copy.progress();
    assert!(progress.try_next().await.is_ok());
    assert!(progress.try_next().await.unwrap_err().is_forbidden());
    assert_eq!(progress.try_next().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_may_have_been_processed_is_ambiguous_and_not_retried() {
    let unnamed = json(value!({"complete": false}));
    for act in [lost(), status(500), status(200).body("<html>"), unnamed] {
        let tenant = Script::of([act]);
        let error = tenant
            .lms()
            .duplicate_course("c1", |d| d.name("Copy"))
            .await
            .unwrap_err();
        assert!(error.is_ambiguous(), "{error:?}");
        assert_eq!(error.operation(), Some("add_duplicate_course"));
        assert!(error.to_string().contains("list_courses"), "{error}");
        assert_eq!(tenant.count(), 1);
    }
    // A request that cannot have been processed is retried.
    let tenant = Script::of([refused(), status(429), task(0, None)]);
    let copy = start(&tenant).await;
    assert_eq!((copy.task_id().as_str(), tenant.count()), ("d1", 3));
    // Other errors are unchanged.
    let tenant = Script::of([status(422)]);
    for (course, kind) in [("c1", ErrorKind::Rejected), (" ", ErrorKind::Usage)] {
        let error = tenant.lms().duplicate_course(course, |d| d).await;
        assert_eq!(error.unwrap_err().kind(), kind);
    }
}
