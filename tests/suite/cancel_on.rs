//! `cancel_on`: after the signal no call starts, those that wait end, and requests that were sent get their responses.

use std::{future::poll_fn, task::Poll, time::Duration};

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::json as value;
use tokio::sync::oneshot;

use crate::sandbox::{at_once, builder, disturb};
use crate::script::{Script, json, lost, status};

/// Completes after so many calls of the client that is cancelled on it.
fn after_calls(calls: usize) -> impl Future<Output = ()> + Send + 'static {
    // `cancel_on` polls it, too.
    let mut polls = calls + 1;
    poll_fn(move |_| match polls.checked_sub(1) {
        None => Poll::Ready(()),
        Some(left) => {
            polls = left;
            Poll::Pending
        }
    })
}

fn ann() -> types::builder::AddLearner {
    types::AddLearner::builder()
        .firstname("Ann")
        .surname("Jones")
        .email("ann@acme.example")
        .generate_password(true)
}

#[tokio::test(start_paused = true)]
async fn running_calls_end_later_ones_send_nothing_and_the_other_client_works() {
    let tenant = Script::new(|_| json(value!({"id": "c1"})).after(Duration::from_secs(5)));
    let lms = tenant.lms();
    let (cancel, cancelled) = oneshot::channel();
    let work = lms.cancel_on(async { _ = cancelled.await });
    let course = types::AddCourse::builder().name("Safety");
    let running = tokio::spawn(work.add_course().body(course).call());
    let prepared = work.get_course().id("c1").call();
    tokio::time::sleep(Duration::from_secs(1)).await;
    cancel.send(()).unwrap();

    for cancelled in [
        &work,
        &work.clone(),
        &work.cancel_on(std::future::pending()),
    ] {
        let error = cancelled.get_course().id("c1").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(
            error.to_string(),
            "get_course: cancelled before it was sent"
        );
        assert!(!error.is_retryable() && !error.is_object_specific());
    }
    assert_eq!(prepared.await.unwrap_err().kind(), ErrorKind::Cancelled);
    let error = work.get_course().id("c1").send().await.unwrap_err();
    assert_eq!(Error::find_in(&error).unwrap().kind(), ErrorKind::Cancelled);
    let raw = work.raw(Method::GET, "/courses/c1").unwrap();
    assert_eq!(raw.call().await.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(tenant.count(), 1);

    assert_eq!(running.await.unwrap().unwrap().id.unwrap().as_str(), "c1");
    lms.get_course().id("c1").await.unwrap();
    assert_eq!(tenant.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_end_and_say_what_happened_before() {
    let delay = Duration::from_millis(100);
    let tenant = Script::new(move |_| status(503).header("retry-after", "30").after(delay));
    let began = tokio::time::Instant::now();
    let work = tenant
        .lms()
        .cancel_on(tokio::time::sleep(Duration::from_secs(1)));
    let (refused, delayed, deleted) = tokio::join!(
        work.get_course().id("c1").call(),
        async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            work.get_course().id("c2").await
        },
        work.delete_course().id("c3").call(),
    );
    assert!(began.elapsed() < Duration::from_secs(2));
    for (result, kind, attempts, message) in [
        (
            refused.map(drop),
            ErrorKind::Cancelled,
            1,
            "get_course: cancelled before the next attempt; before that: 503; the server asked to wait 30 s",
        ),
        // The first refusal pauses all calls.
        (
            delayed.map(drop),
            ErrorKind::Cancelled,
            0,
            "get_course: cancelled before it was sent",
        ),
        (
            deleted.map(drop),
            ErrorKind::Ambiguous,
            1,
            "delete_course: cancelled before the next attempt; it may have been processed; check before you send it again; \
             before that: 503; the server asked to wait 30 s",
        ),
    ] {
        let error = result.unwrap_err();
        assert_eq!(
            (error.kind(), error.attempts(), error.to_string().as_str()),
            (kind, attempts, message)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_walk_returns_the_items_that_it_has_read() {
    let page = value!({"items": [{"id": "l1"}], "more": true, "next_cursor": "2"});
    let tenant = Script::new(move |_| json(page.clone()));
    let work = tenant.lms().cancel_on(after_calls(1));
    let mut learners = work.list_learners().items();
    assert!(learners.try_next().await.unwrap().is_some());
    let error = learners.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(tenant.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn between_its_calls_an_operation_has_written_nothing_or_is_ambiguous() {
    let found = || {
        json(
            value!({"id": "l1", "firstname": "Ann", "surname": "Jones", "email": "ann@acme.example"}),
        )
    };
    for (calls, expected, written) in [
        (0, Some(ErrorKind::Cancelled), 0),
        (1, Some(ErrorKind::Cancelled), 0),
        (2, Some(ErrorKind::Ambiguous), 1),
        (3, None, 1),
    ] {
        let tenant = Script::of([status(404), lost(), found()]);
        let work = tenant.lms().cancel_on(after_calls(calls));
        let result = work.ensure_learner(ann()).await;
        assert_eq!(result.err().map(|error| error.kind()), expected, "{calls}");
        assert_eq!(tenant.count(), calls);
        assert_eq!(tenant.sent(&Method::POST).len(), written);
    }
    let tenant = Script::of([found()]);
    let work = tenant.lms().cancel_on(after_calls(1));
    let edit = work.update_learner("l1", |l| l.surname = "Bell".into());
    assert_eq!(edit.await.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(tenant.count(), 1);
}

#[tokio::test]
async fn a_bulk_operation_that_is_cancelled_under_faults_can_be_run_again() {
    const LEARNERS: usize = 6;
    for calls in 0.. {
        let sandbox = Sandbox::builder().start().await.unwrap();
        disturb(
            &sandbox,
            [
                "getLearnerByEmail: every 3: status 503",
                "addLearner: every 3: drop after",
            ],
        );
        let lms = builder(&sandbox).retry(at_once()).build().unwrap();
        let work = lms.cancel_on(after_calls(calls));
        let bulk = work.bulk(0..LEARNERS).concurrency(2).idempotent();
        let mut outcomes = bulk.run(|lms, n| async move {
            let learner = ann().email(format!("ann{n}@acme.example"));
            lms.ensure_learner(learner).await
        });
        let (mut done, mut stopped) = (0, None);
        loop {
            match outcomes.try_next().await {
                Ok(Some(outcome)) => done += usize::from(outcome.result.is_ok()),
                Ok(None) => break,
                Err(error) => stopped = Some(error.kind()),
            }
        }
        assert!(matches!(stopped, None | Some(ErrorKind::Cancelled)));
        assert!(stopped.is_some() || done == LEARNERS);
        // A learner may have been added by an operation that failed or was cancelled after it.
        let added = || async { lms.list_learners().collect_all().await.unwrap().len() };
        let unknown = outcomes.unfinished().len() + outcomes.progress().failed as usize;
        assert!((done..=done + unknown).contains(&added().await));

        for n in 0..LEARNERS {
            let learner = ann().email(format!("ann{n}@acme.example"));
            lms.ensure_learner(learner).await.unwrap();
        }
        assert_eq!(added().await, LEARNERS);
        if stopped.is_none() {
            assert!(calls >= 2 * LEARNERS, "{calls}");
            break;
        }
    }
}
