//! Copying a course: one copy, waited for through everything that passes.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::TryStreamExt;
use lms_ext::{Polling, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json as value};
use tokio::time::Instant;

use crate::sandbox::client;
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

/// How many copies were asked for.
fn started(tenant: &Script) -> usize {
    let seen = tenant.seen();
    seen.iter()
        .filter(|seen| seen.method == Method::POST)
        .count()
}

#[tokio::test(start_paused = true)]
async fn a_copy_is_started_once_and_waited_for() {
    let tenant = Script::of([
        task(0, None),
        task(40, None),
        task(80, None),
        task(100, Some("c2")),
        course(),
    ]);
    let copy = tenant
        .lms()
        .duplicate_course("c1", |d| d.name("Copy").unpublished().copy_enrolments())
        .await
        .unwrap();
    let course = copy.wait().await.unwrap();
    assert_eq!(course.id.as_deref(), Some("c2"));
    let seen = tenant.seen();
    assert_eq!(
        seen[0].json(),
        value!({"course": "c1", "name": "Copy", "published": false, "copy_enrolments": true})
    );
    assert!(
        seen[1..4]
            .iter()
            .all(|seen| seen.path() == "/duplicate_courses/d1")
    );
    assert_eq!(seen[4].path(), "/courses/c2");
    assert_eq!(started(&tenant), 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_said_about_the_copy_that_the_caller_did_not_say() {
    let tenant = Script::of([task(100, Some("c2")), course()]);
    let lms = tenant.lms();
    let copied = tokio::spawn(async move { lms.duplicate_course("c1", |d| d).await?.await });
    let course = copied.await.unwrap().unwrap();
    assert_eq!(course.name.as_deref(), Some("Copy"));
    assert_eq!(tenant.seen()[0].json(), value!({"course": "c1"}));
}

#[tokio::test(start_paused = true)]
async fn looks_grow_rarer() {
    let looks = AtomicUsize::new(0);
    let tenant = Script::new(move |seen| match looks.fetch_add(1, Ordering::Relaxed) {
        _ if seen.path() == "/courses/c2" => course(),
        30 => task(100, Some("c2")),
        _ => task(0, None),
    });
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    copy.wait().await.unwrap();
    let at: Vec<_> = tenant.seen().iter().map(|seen| seen.at).collect();
    let waits: Vec<_> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let between = |wait: Duration, low, high| {
        assert!(
            wait >= Duration::from_millis(low) && wait <= Duration::from_millis(high),
            "{wait:?}"
        );
    };
    between(waits[0], 250, 501);
    between(waits[1], 375, 751);
    between(waits[4], 1_265, 2_532);
    for wait in &waits[10..29] {
        between(*wait, 5_000, 10_001);
    }
}

#[tokio::test(start_paused = true)]
async fn progress_is_a_stream_that_ends_with_the_copy() {
    let script = || {
        Script::of([
            task(0, None),
            json(value!({"id": "d1", "progress": null})),
            task(80, None),
            task(100, Some("c2")),
        ])
    };
    let tenant = script();
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    let steps: Vec<_> = copy.progress().try_collect().await.unwrap();
    let shown: Vec<_> = steps
        .iter()
        .map(|step| (step.progress, step.complete))
        .collect();
    assert_eq!(
        shown,
        [
            (Some(0), false),
            (None, false),
            (Some(80), false),
            (Some(100), true)
        ]
    );
    assert_eq!(steps[3].new_course.as_deref(), Some("c2"));

    let tenant = script();
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    let mut progress = tokio::spawn(async move { copy.progress() }).await.unwrap();
    let mut count = 0;
    while progress.try_next().await.unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, 4);
    assert_eq!(
        progress.try_next().await.unwrap(),
        None,
        "it stays at its end"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stored_copy_is_resumed_by_another_process() {
    let tenant = Script::of([task(0, None)]);
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    let stored = copy.token();
    assert_eq!(stored, copy.to_string());
    assert!(
        !stored.contains('\n') && !stored.contains("a-token"),
        "{stored}"
    );
    drop(copy);

    let tenant = Script::of([task(60, None), task(100, Some("c2")), course()]);
    let start = Instant::now();
    let copy = tenant.lms().resume_course_copy(&stored).unwrap();
    assert_eq!(copy.task_id(), "d1");
    copy.wait().await.unwrap();
    assert_eq!(started(&tenant), 0);
    assert_eq!(tenant.seen()[0].at, start, "it looks at once");
}

#[tokio::test]
async fn what_is_no_token_or_of_another_tenant_is_refused() {
    let tenant = Script::of([task(0, None)]);
    let token = tenant
        .lms()
        .duplicate_course("c1", |d| d)
        .await
        .unwrap()
        .token();
    let other = Lms::builder("https://other.example")
        .token("t")
        .build()
        .unwrap();
    let error = other.resume_course_copy(&token).unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("tenant.example"),
        "{error}"
    );
    let newer = token.replace(":1,", ":2,");
    for text in ["", "d1", "{}", &newer] {
        let error = tenant.lms().resume_course_copy(text).unwrap_err();
        assert!(error.is_usage(), "{text:?}: {error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn failures_that_pass_are_waited_out() {
    let looks = AtomicUsize::new(0);
    let tenant = Script::new(move |seen| {
        let look = looks.fetch_add(1, Ordering::Relaxed);
        match (seen.method == Method::POST, seen.path(), look) {
            (true, _, _) => task(0, None),
            // An outage that outlasts the repeats of several looks, of every kind.
            (_, "/duplicate_courses/d1", 0..8) => lost(),
            (_, "/duplicate_courses/d1", 8..16) => status(503),
            (_, "/duplicate_courses/d1", 16..24) => refused(),
            (_, "/duplicate_courses/d1", 24) => status(429).header("retry-after", "3600"),
            (_, "/duplicate_courses/d1", _) => task(100, Some("c2")),
            (_, _, 0..32) => status(502),
            _ => course(),
        }
    });
    let copy = tenant
        .lms()
        .duplicate_course("c1", |d| d)
        .await
        .unwrap()
        .polling(Polling::default().deadline(Duration::from_secs(86_400)));
    let start = Instant::now();
    copy.wait().await.unwrap();
    assert!(
        start.elapsed() > Duration::from_secs(3600),
        "the tenant was left alone as asked"
    );
    assert_eq!(started(&tenant), 1);
}

#[tokio::test(start_paused = true)]
async fn still_running_at_the_deadline_is_no_failure() {
    let tenant = Script::new(|_| task(40, None));
    let copy = tenant
        .lms()
        .duplicate_course("c1", |d| d)
        .await
        .unwrap()
        .polling(Polling::default().deadline(Duration::from_secs(60)));
    let start = Instant::now();
    let error = copy.wait().await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 60);
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert!(error.is_timeout());
    assert!(error.to_string().contains("still running at 40"), "{error}");
    // The handle is as good as before, and the time starts anew.
    let count = tenant.count();
    copy.wait().await.unwrap_err();
    assert!(tenant.count() > count + 5);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_is_never_answered_ends_at_the_deadline() {
    let tenant = Script::new(|seen| match seen.method {
        Method::POST => task(0, None),
        _ => silence(),
    });
    let copy = tenant
        .lms()
        .duplicate_course("c1", |d| d)
        .await
        .unwrap()
        .polling(Polling::default().deadline(Duration::from_secs(20)));
    let start = Instant::now();
    let error = copy.wait().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    assert_eq!(start.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_disappears_or_names_no_course_has_failed() {
    let cases: [(&str, Vec<Act>); 3] = [
        (
            "it was there",
            vec![task(0, None), task(10, None), status(404)],
        ),
        (
            "never seen",
            vec![
                task(0, None),
                status(404),
                status(404),
                status(404),
                status(404),
            ],
        ),
        (
            "no course",
            vec![task(0, None), json(value!({"id": "d1", "complete": true}))],
        ),
    ];
    for (name, acts) in cases {
        let expected = acts.len();
        let tenant = Script::of(acts);
        let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
        let error = copy.wait().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TaskFailed, "{name}: {error:?}");
        assert!(!error.is_retryable());
        assert_eq!(tenant.count(), expected, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_too_new_to_be_known_everywhere_is_looked_for_again() {
    let tenant = Script::of([
        task(0, None),
        status(404),
        status(404),
        task(100, Some("c2")),
        status(404),
        course(),
    ]);
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    copy.wait().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_does_not_pass_ends_the_wait_as_it_is() {
    let tenant = Script::of([task(0, None), status(403)]);
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    let mut progress = copy.progress();
    assert!(progress.try_next().await.is_ok());
    assert!(progress.try_next().await.unwrap_err().is_forbidden());
    assert_eq!(progress.try_next().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_may_have_worked_is_not_repeated_and_says_where_to_look() {
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
    // What cannot have worked is sent again.
    let tenant = Script::of([refused(), status(429), task(0, None)]);
    let copy = tenant.lms().duplicate_course("c1", |d| d).await.unwrap();
    assert_eq!((copy.task_id(), tenant.count()), ("d1", 3));
    // And what was refused is as it was said.
    let tenant = Script::of([status(422)]);
    let error = tenant
        .lms()
        .duplicate_course("c1", |d| d)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rejected);
    let error = tenant.lms().duplicate_course(" ", |d| d).await.unwrap_err();
    assert!(error.is_usage());
}

#[tokio::test]
async fn on_a_tenant_the_copy_has_its_name_its_topics_and_its_learners() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let lms = client(&sandbox);
    let courses = lms.list_courses().items().collect_all().await.unwrap();
    let original = courses[0].id.clone().unwrap();
    let fast = Polling::default().interval(Duration::from_millis(1), Duration::from_millis(1));
    let copy = lms
        .duplicate_course(&original, |d| d.name("For Acme").copy_enrolments())
        .await
        .unwrap()
        .polling(fast.clone());
    let mut progress = copy.progress();
    let first = progress.try_next().await.unwrap().unwrap();
    assert!(!first.complete);
    // Another process takes over half-way.
    let course = lms
        .resume_course_copy(&copy.token())
        .unwrap()
        .polling(fast)
        .await
        .unwrap();
    assert_eq!(course.name.as_deref(), Some("For Acme"));
    let id = course.id.clone().unwrap();
    let count = async |course: &str| -> usize {
        let enrolments: Vec<Value> = lms
            .list_enrolments()
            .course(course)
            .items_as()
            .collect_all()
            .await
            .unwrap();
        enrolments.len()
    };
    assert_ne!(count(&original).await, 0);
    assert_eq!(count(&id).await, count(&original).await);
    let after = lms.list_courses().items().collect_all().await.unwrap();
    assert_eq!(after.len(), courses.len() + 1);
}
