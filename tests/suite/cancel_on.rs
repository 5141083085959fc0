//! `cancel_on`: after the signal no call starts, those that wait end, and requests that were sent get their responses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use lms_ext::{
    LmsBuilder, Timeouts, blocking,
    http::{HttpClient, HttpFuture},
    prelude::*,
};
use lms_sandbox::Sandbox;
use reqwest::{Method, Request};
use serde_json::json as value;
use tokio::{
    sync::{Notify, oneshot},
    task::yield_now,
    time::{Instant, sleep, timeout},
};

use crate::script::{Script, json, lost, status};
use crate::servers::{at_once, builder, disturb};

/// Gives a signal when it has sent a number of requests.
#[derive(Debug)]
struct Signals<C> {
    client: C,
    left: AtomicUsize,
    signal: Arc<Notify>,
}

impl<C: HttpClient> HttpClient for Signals<C> {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.signal.notify_one();
        }
        let response = self.client.send(request);
        Box::pin(async move {
            let response = response.await;
            // The task that waits for the signal runs before the next request.
            for _ in 0..4 {
                yield_now().await;
            }
            response
        })
    }
}

/// A client that is cancelled after a number of requests.
fn cancelled_after(requests: usize, builder: LmsBuilder, client: impl HttpClient) -> Lms {
    let signal = Arc::new(Notify::new());
    if requests == 0 {
        signal.notify_one();
    }
    let client = Signals {
        client,
        left: requests.into(),
        signal: Arc::clone(&signal),
    };
    let lms = builder.http_client(client).build().unwrap();
    lms.cancel_on(async move { signal.notified().await })
}

fn ann() -> types::builder::AddLearner {
    types::AddLearner::builder("Ann", "Jones", "ann@acme.example").generate_password(true)
}

#[tokio::test(start_paused = true)]
async fn running_calls_end_later_ones_send_nothing_and_the_other_client_works() {
    let tenant = Script::new(|_| json(value!({"id": "c1"})).after(Duration::from_secs(5)));
    let lms = tenant.lms();
    let (cancel, cancelled) = oneshot::channel();
    let work = lms.cancel_on(async { _ = cancelled.await });
    let running = tokio::spawn(work.add_course("Safety").call());
    let prepared = work.get_course("c1").call();
    sleep(Duration::from_secs(1)).await;
    cancel.send(()).unwrap();
    yield_now().await;

    for cancelled in [
        &work,
        &work.clone(),
        &work.cancel_on(std::future::pending()),
    ] {
        let error = cancelled.get_course("c1").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert_eq!(
            error.to_string(),
            "get_course: cancelled before it was sent"
        );
        assert!(!error.is_retryable() && !error.is_object_specific());
    }
    assert_eq!(prepared.await.unwrap_err().kind(), ErrorKind::Cancelled);
    let raw = work.raw(Method::GET, "/courses/c1").unwrap();
    assert_eq!(raw.call().await.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(tenant.count(), 1);

    assert_eq!(running.await.unwrap().unwrap().id.unwrap().as_str(), "c1");
    lms.get_course("c1").await.unwrap();
    assert_eq!(tenant.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_end_and_say_what_happened_before() {
    let delay = Duration::from_millis(100);
    let tenant = Script::new(move |_| status(503).header("retry-after", "30").after(delay));
    let began = Instant::now();
    let work = tenant.lms().cancel_on(sleep(Duration::from_secs(1)));
    let (refused, delayed, deleted) = tokio::join!(
        work.get_course("c1").call(),
        async {
            sleep(Duration::from_millis(500)).await;
            work.get_course("c2").await
        },
        work.delete_course("c3").call(),
    );
    assert_eq!(began.elapsed(), Duration::from_secs(1), "at once");
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
async fn a_listing_returns_the_items_that_it_has_read() {
    let page = value!({"items": [{"id": "l1"}], "more": true, "next_cursor": "2"});
    let tenant = Script::new(move |_| json(page.clone()));
    let work = cancelled_after(1, tenant.builder(), tenant.clone());
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
        let work = cancelled_after(calls, tenant.builder(), tenant.clone());
        let result = work.ensure_learner(ann()).await;
        assert_eq!(result.err().map(|error| error.kind()), expected, "{calls}");
        assert_eq!(tenant.count(), calls);
        assert_eq!(tenant.sent(&Method::POST).len(), written);
    }
    let tenant = Script::of([found()]);
    let work = cancelled_after(1, tenant.builder(), tenant.clone());
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
        let again = builder(&sandbox).retry(at_once());
        let work = cancelled_after(calls, again, reqwest::Client::new());
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

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_the_signal_however_short_the_waits_are() {
    for requests in 1..6 {
        let tenant = Script::new(|_| status(503));
        let retry = at_once().max_attempts(50);
        let builder = tenant.builder().retry(retry).max_concurrent(2);
        let work = cancelled_after(requests, builder, tenant.clone());
        let calls = (0..40).map(|_| work.get_course("c1").call());
        let results = futures_util::future::join_all(calls).await;
        let cancelled = |result: &Result<_, Error>| matches!(result, Err(error) if error.kind() == ErrorKind::Cancelled);
        assert!(results.iter().all(cancelled));
        assert!(
            (requests..requests + 2).contains(&tenant.count()),
            "{}",
            tenant.count()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_edit_that_waits_for_another_one_is_cancelled_at_once() {
    let tenant = Script::new(|seen| {
        let mut learner = match seen.method {
            Method::PUT => seen.json(),
            _ => value!({"firstname": "Ann", "surname": "Jones", "email": "ann@acme.example"}),
        };
        learner["id"] = value!("l1");
        json(learner).after(Duration::from_secs(5))
    });
    let lms = tenant.lms();
    let work = lms.cancel_on(sleep(Duration::from_secs(1)));
    let began = Instant::now();
    let slow = lms.update_learner("l1", |l| l.surname = "Bell".into());
    let slow = tokio::spawn(slow.into_future());
    yield_now().await;
    let waiting = work
        .update_learner("l1", |l| l.surname = "Cox".into())
        .await;
    assert_eq!(waiting.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(began.elapsed(), Duration::from_secs(1));
    slow.await.unwrap().unwrap();
    assert_eq!(tenant.sent(&Method::PUT).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_copy_is_cancelled_at_once() {
    let task = value!({"id": "t1", "old_course": "c1", "complete": false});
    let tenant = Script::new(move |_| json(task.clone()));
    let lms = tenant.lms();
    let began = Instant::now();
    let work = lms.cancel_on(sleep(Duration::from_secs(60)));
    let copy = work.duplicate_course("c1", |copy| copy).await.unwrap();
    let error = copy.wait().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(began.elapsed(), Duration::from_secs(60));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_queued_in_a_tower_service_is_cancelled_at_once() {
    let (sent, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&sent);
    let service = tower::service_fn(move |_: http::Request<reqwest::Body>| {
        counted.fetch_add(1, Ordering::Relaxed);
        async {
            sleep(Duration::from_secs(5)).await;
            Ok::<_, std::io::Error>(http::Response::new(reqwest::Body::from(r#"{"id": "c1"}"#)))
        }
    });
    let service = tower::ServiceBuilder::new()
        .concurrency_limit(1)
        .service(service);
    let lms = Lms::builder("https://tenant.example")
        .token("a-token")
        .http_client(lms_ext::http::TowerClient::new(service))
        .build()
        .unwrap();
    let work = lms.cancel_on(sleep(Duration::from_secs(1)));
    let calls = (0..3).map(|_| {
        let (call, seen) = (work.get_course("c1").call(), Arc::clone(&seen));
        async move {
            let result = call.await;
            seen.fetch_add(1, Ordering::Relaxed);
            result
        }
    });
    let results = futures_util::future::join_all(calls).await;
    let answered = results.iter().filter(|result| result.is_ok()).count();
    assert_eq!((answered, sent.load(Ordering::Relaxed)), (1, 1));
    let cancelled = results.into_iter().filter_map(Result::err);
    assert!(
        cancelled
            .map(|error| error.kind())
            .all(|kind| kind == ErrorKind::Cancelled)
    );
}

#[test]
fn a_blocking_client_waits_for_a_signal_of_tokio() {
    let tenant = Script::new(|_| json(value!({"id": "c1"})));
    let lms = blocking::Lms::new(tenant.lms()).unwrap();
    let patient = lms.cancel_on(async { _ = tokio::signal::ctrl_c().await });
    patient.wait(patient.get_course("c1").call()).unwrap();
    let work = lms.cancel_on(async { sleep(Duration::ZERO).await });
    let until_cancelled = async {
        while work.get_course("c1").call().await.is_ok() {}
        work.get_course("c1").call().await.unwrap_err().kind()
    };
    assert_eq!(lms.wait(until_cancelled), ErrorKind::Cancelled);
}

/// Calls that are moved to another runtime end in their time.
#[test]
fn a_call_whose_runtime_rests_ends_by_its_timeout_in_another_one() {
    let runtime = || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_time().start_paused(true).build().unwrap()
    };
    let tenant = Script::new(|_| json(value!({"id": "c1"})).after(Duration::from_secs(20)));
    let limit = Duration::from_secs(60);
    let lms = tenant.lms_with(|it| it.timeouts(Timeouts::default().call(limit)));
    for (mut call, expected) in [
        (lms.add_course("Safety").call(), ErrorKind::Ambiguous),
        (lms.get_course("c1").call(), ErrorKind::DeadlineExceeded),
    ] {
        let first = runtime();
        let polled = first.block_on(async { timeout(Duration::from_secs(1), &mut call).await });
        assert!(polled.is_err());
        let error = runtime().block_on(call).unwrap_err();
        assert_eq!(error.kind(), expected, "{error}");
    }
}
