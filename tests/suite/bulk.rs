//! One operation for many items: each has one outcome, and faults that are not theirs end it early.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use lms_ext::{
    RetryPolicy,
    bulk::{Bulk, Outcome, Outcomes},
    prelude::*,
};
use reqwest::Method;
use serde_json::json as value;
use tokio::time::sleep;

use crate::script::{Act, Script, json, lost, status};

/// The outcomes until the end, and the error of an early end.
async fn read_all<I, T>(outcomes: &mut Outcomes<I, T>) -> (Vec<Outcome<I, T>>, Option<Error>)
where
    I: Clone + Send + 'static,
    T: Send + 'static,
{
    let mut all = Vec::new();
    loop {
        match outcomes.try_next().await {
            Ok(Some(outcome)) => all.push(outcome),
            Ok(None) => return (all, None),
            Err(error) => {
                assert!(outcomes.try_next().await.unwrap().is_none(), "it has ended");
                return (all, Some(error));
            }
        }
    }
}

/// A client of `tenant` that sends each request once.
fn once(tenant: &Script) -> Lms {
    let builder = tenant.builder().retry(RetryPolicy::disabled());
    builder.build().unwrap()
}

fn read(lms: &Lms, ids: usize) -> Bulk<String> {
    lms.bulk((0..ids).map(|n| format!("c{n}")).collect::<Vec<_>>())
}

/// Reads the courses `c0` to `c{ids - 1}`, one after the other.
fn courses(lms: &Lms, ids: usize) -> Outcomes<String, types::Course> {
    run(read(lms, ids).concurrency(1))
}

/// Reads the courses with these ids.
fn run(ids: Bulk<String>) -> Outcomes<String, types::Course> {
    ids.run(|lms, id| async move { lms.get_course(id).call().await })
}

fn course(seen: &crate::script::Seen) -> Act {
    json(value!({"id": seen.path().trim_start_matches("/courses/")}))
}

#[tokio::test]
async fn a_report_has_every_item_once_and_the_cause_of_an_early_end() {
    let failing_at_last = |last: u16| {
        Script::new(move |seen| match seen.index {
            1 => status(404),
            3 => status(last),
            _ => course(seen),
        })
    };
    let report = courses(&once(&failing_at_last(404)), 4).report().await;
    assert_eq!(report.to_string(), "2 succeeded, 2 failed");
    assert!(!report.is_complete() && report.stopped.is_none());
    assert_eq!(report.not_started, Some(0));
    let failed: Vec<_> = report
        .failed
        .iter()
        .map(|(item, _)| item.as_str())
        .collect();
    assert_eq!(failed, ["c1", "c3"]);
    assert_eq!(report.succeeded[1].1.id.as_deref(), Some("c2"));

    let report = courses(&once(&failing_at_last(403)), 6).report().await;
    let text = report.to_string();
    assert!(
        text.starts_with(
            "2 succeeded, 1 failed, 1 unfinished, 2 not started; stopped early: get_course: 403"
        ),
        "{text}"
    );
    assert_eq!(report.stopped.unwrap().kind(), ErrorKind::Forbidden);
    assert_eq!(report.unfinished, ["c3"]);
    assert_eq!(report.not_started, Some(2));
}

#[tokio::test]
async fn an_operation_that_failed_temporarily_runs_again_after_the_others() {
    let tenant = Script::new(|seen| match seen.index {
        0 => status(503),
        _ => course(seen),
    });
    let (all, stopped) = read_all(&mut courses(&once(&tenant), 3)).await;
    assert!(stopped.is_none());
    let order: Vec<_> = all.iter().map(|done| done.item.as_str()).collect();
    assert_eq!(order, ["c1", "c2", "c0"]);
    assert_eq!(all[2].result.as_ref().unwrap().id.as_deref(), Some("c0"));
}

#[tokio::test]
async fn a_write_that_may_have_been_processed_is_repeated_only_if_it_is_idempotent() {
    for (idempotent, writes) in [(false, 1), (true, 2)] {
        let tenant = Script::new(|seen| match seen.index {
            0 => lost(),
            _ => json(value!({"id": "c1"})),
        });
        let lms = once(&tenant);
        let bulk = lms.bulk(["Safety"]);
        let bulk = if idempotent { bulk.idempotent() } else { bulk };
        let mut outcomes = bulk.run(|lms, name| async move { lms.add_course(name).await });
        let (all, stopped) = read_all(&mut outcomes).await;
        assert!(stopped.is_none());
        assert_eq!(
            all[0].result.as_ref().err().map(Error::is_ambiguous),
            (!idempotent).then_some(true)
        );
        assert_eq!(tenant.sent(&Method::POST).len(), writes);
    }
}

#[tokio::test]
async fn errors_about_objects_are_outcomes_and_others_end_it_early() {
    for (fault, goes_on) in [
        (status(404), true),
        (status(409), true),
        (status(422), true),
        (json(value!({"id": 5})), true),
        (status(401), false),
        (status(403), false),
        (status(302), false),
        // As after a 502.
        (status(200).body("<html>"), true),
    ] {
        let tenant = Script::new(move |seen| match seen.path() {
            "/courses/c1" => fault.clone(),
            _ => course(seen),
        });
        let mut outcomes = courses(&once(&tenant), 100);
        let (all, stopped) = read_all(&mut outcomes).await;
        if goes_on {
            assert!(stopped.is_none() && outcomes.unfinished().is_empty());
            assert_eq!((all.len(), outcomes.progress().failed), (100, 1));
            let failed = all.iter().find(|outcome| outcome.result.is_err());
            assert_eq!(failed.unwrap().item, "c1");
        } else {
            let error = stopped.unwrap();
            assert!(error.to_string().contains("were not started"), "{error}");
            assert_eq!(
                (all.len(), outcomes.unfinished()),
                (1, &["c1".to_owned()][..])
            );
            let seen = tenant.seen();
            assert!(seen.iter().all(|seen| seen.path() != "/courses/c2"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn operations_that_run_at_an_early_end_have_outcomes() {
    let tenant = Script::new(|seen| match seen.path() {
        "/courses/c0" => status(403),
        "/courses/c3" => status(503).after(Duration::from_secs(2)),
        _ => course(seen).after(Duration::from_secs(1)),
    });
    let mut outcomes = run(read(&once(&tenant), 100).concurrency(4));
    let (all, stopped) = read_all(&mut outcomes).await;
    assert!(stopped.unwrap().is_forbidden());
    let mut done: Vec<_> = all.iter().map(|outcome| outcome.item.as_str()).collect();
    done.sort_unstable();
    assert_eq!(done, ["c1", "c2"]);
    assert_eq!(outcomes.unfinished(), ["c0", "c3"]);
    assert_eq!(tenant.count(), 4);
}

#[tokio::test]
async fn an_outage_ends_it_after_twice_as_many_failures_in_a_row_as_run_at_once() {
    for act in [status(503), lost()] {
        for (concurrency, failures) in [(1, 2), (3, 6)] {
            let tenant = Script::new({
                let act = act.clone();
                move |seen| match seen.index {
                    // A failure, and then a response about an object.
                    1 => status(404),
                    _ => act.clone(),
                }
            });
            let mut outcomes = run(read(&once(&tenant), 100).concurrency(concurrency));
            assert_eq!(outcomes.progress().total, Some(100));
            let (all, stopped) = read_all(&mut outcomes).await;
            let stopped = stopped.unwrap().to_string();
            let expected = format!("{failures} operations in a row failed");
            assert!(stopped.contains(&expected), "{stopped}");
            assert_eq!(all.len(), 1);
            assert_eq!(outcomes.unfinished().len() + 1, tenant.count());
            assert!(tenant.count() <= 1 + failures + concurrency);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_operations_run_than_the_concurrency_and_the_client_allow() {
    for (concurrency, client, expected) in [
        (None, 64, 8),
        (Some(5), 64, 5),
        (Some(50), 3, 3),
        (None, 2, 2),
        (Some(0), 64, 1),
    ] {
        let tenant = Script::new(course);
        let lms = tenant.lms_with(|it| it.max_concurrent(client));
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let bulk = match concurrency {
            Some(operations) => read(&lms, 40).concurrency(operations),
            None => read(&lms, 40),
        };
        let counts = (running, most.clone());
        let mut outcomes = bulk.run(move |_, _| {
            let (running, most) = counts.clone();
            async move {
                most.fetch_max(
                    running.fetch_add(1, Ordering::Relaxed) + 1,
                    Ordering::Relaxed,
                );
                sleep(Duration::from_secs(1)).await;
                running.fetch_sub(1, Ordering::Relaxed);
                Ok(())
            }
        });
        // Operations continue while outcomes are not read, but no further ones start.
        outcomes.try_next().await.unwrap();
        sleep(Duration::from_secs(100)).await;
        assert_eq!(read_all(&mut outcomes).await.0.len(), 39);
        assert_eq!(
            most.load(Ordering::Relaxed),
            expected,
            "{concurrency:?} {client}"
        );
    }
}

#[tokio::test]
async fn the_items_can_be_those_of_a_list_and_its_error_is_an_early_end() {
    let tenant = Script::new(|seen| match (seen.path(), seen.query("cursor")) {
        ("/courses", None) => {
            json(value!({"items": [{"id": "c1"}, {"id": "c2"}], "more": true, "next_cursor": "2"}))
        }
        ("/courses", _) => status(400),
        _ => course(seen),
    });
    let lms = once(&tenant);
    let list = lms.list_courses().items();
    let mut outcomes = lms
        .bulk_stream(list)
        .concurrency(2)
        .run(|lms, course| async move { lms.get_course(course.require_id()?).call().await });
    let (all, stopped) = read_all(&mut outcomes).await;
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|outcome| outcome.result.is_ok()));
    assert_eq!(stopped.unwrap().operation(), Some("list_courses"));
    assert_eq!(outcomes.progress().total, None);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_stops_the_operations() {
    let ended = Arc::new(AtomicUsize::new(0));
    let tenant = Script::new(course);
    let counter = ended.clone();
    let mut outcomes = read(&tenant.lms(), 10).concurrency(2).run(move |_, id| {
        let ended = counter.clone();
        async move {
            sleep(Duration::from_secs(if id == "c0" { 1 } else { 5 })).await;
            ended.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    });
    outcomes.try_next().await.unwrap();
    drop(outcomes);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(ended.load(Ordering::Relaxed), 1);
}

#[tokio::test]
#[should_panic = "in an operation"]
async fn a_panic_of_an_operation_is_passed_on() {
    let tenant = Script::new(course);
    let mut outcomes = read(&tenant.lms(), 1).run(|_, _| async { panic!("in an operation") });
    let _: Result<Option<Outcome<String, ()>>, _> = outcomes.try_next().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_slower_than_the_operations_is_read_to_its_end() {
    let tenant = Script::new(|seen| match (seen.path(), seen.query("cursor")) {
        ("/courses", None) => {
            json(value!({"items": [{"id": "c1"}], "more": true, "next_cursor": "2"}))
                .after(Duration::from_secs(1))
        }
        ("/courses", _) => {
            json(value!({"items": [{"id": "c2"}], "more": false})).after(Duration::from_secs(1))
        }
        _ => course(seen),
    });
    let lms = once(&tenant);
    let mut outcomes = lms
        .bulk_stream(lms.list_courses().items())
        .run(|lms, course| async move { lms.get_course(course.require_id()?).call().await });
    let (all, stopped) = read_all(&mut outcomes).await;
    assert!(stopped.is_none());
    assert_eq!(all.len(), 2);
}
