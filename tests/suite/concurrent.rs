//! Concurrent walks of disjoint parts.

mod parts;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use lms_ext::{
    ErrorKind, RetryPolicy,
    concurrent::{Concurrent, PartsCheckpoint},
    id::Id,
    ids::CourseId,
    prelude::*,
};
use lms_sandbox::Sandbox;
use proptest::prelude::*;
use serde_json::json as value;
use tokio::time::{Instant, sleep};

use crate::paging::{on_a_paused_clock, tasks};
use crate::sandbox::client;
use crate::script::{Act, Script, Seen, json, status};

const ROUND_TRIP: Duration = Duration::from_millis(50);

/// The enrolments of a tenant: for each course, the number of items of each page.
type Shape = Vec<Vec<usize>>;

/// The response of a tenant with these courses, which are listed in two pages of three or more.
fn respond(shape: &Shape, seen: &Seen) -> Act {
    let start = seen
        .query("cursor")
        .map_or(0, |cursor| cursor.parse().unwrap());
    let (items, more): (Vec<_>, _) = match seen.path() {
        "/courses" => {
            let end = (start + (shape.len() / 2).max(3)).min(shape.len());
            let items = (start..end).map(|course| value!({"id": course.to_string()}));
            (items.collect(), (end < shape.len()).then_some(end))
        }
        "/enrolments" => {
            let course: usize = seen.query("course").unwrap().parse().unwrap();
            let pages = &shape[course];
            let before: usize = pages.iter().take(start).sum();
            let items = (before..before + pages.get(start).unwrap_or(&0))
                .map(|n| value!({"id": format!("{course}-{n}"), "course": course.to_string()}));
            (
                items.collect(),
                (start + 1 < pages.len()).then_some(start + 1),
            )
        }
        _ => return status(404),
    };
    json(value!({
        "items": items, "more": more.is_some(), "next_cursor": more.map(|next| next.to_string()),
        "number_found": shape.len()
    }))
}

fn tenant(shape: Shape) -> Script {
    Script::new(move |seen| respond(&shape, seen).after(ROUND_TRIP))
}

/// The ids of all enrolments.
fn all(shape: &Shape) -> BTreeSet<String> {
    let items = |(course, pages): (usize, &Vec<usize>)| {
        (0..pages.iter().sum()).map(move |n: usize| format!("{course}-{n}"))
    };
    shape.iter().enumerate().flat_map(items).collect()
}

/// Returns the ids of at most this many items, and the errors on the way.
async fn take(
    walks: &mut Concurrent<CourseId, types::Enrolment>,
    most: usize,
) -> (Vec<String>, Vec<(Option<String>, ErrorKind)>) {
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    while items.len() < most {
        match walks.try_next().await {
            Ok(Some(next)) => {
                assert_eq!(next.item.course.as_ref(), Some(&*next.part));
                items.push(next.item.id.unwrap().into_string());
            }
            Ok(None) => break,
            Err(failed) => errors.push((
                failed.part.map(|part| part.to_string()),
                failed.error.kind(),
            )),
        }
    }
    (items, errors)
}

#[tokio::test(start_paused = true)]
async fn with_a_concurrency_of_16_a_large_list_takes_a_tenth_of_the_time() {
    // 200 courses with 500 enrolments each: one walk reads 500 full pages.
    let lms = tenant(vec![vec![200, 200, 100]; 200]).lms();
    let start = Instant::now();
    let (items, errors) = take(&mut lms.enrolments_by_course().concurrency(16), usize::MAX).await;
    assert_eq!((items.len(), errors.len()), (100_000, 0));
    let took = start.elapsed();
    assert!(took * 10 <= ROUND_TRIP * 500, "{took:?}");
    assert_eq!(items.into_iter().collect::<BTreeSet<_>>().len(), 100_000);
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_never_exceed_the_concurrency() {
    for (limit, work) in [(1, 0), (3, 0), (16, 0), (1, 7), (3, 7), (16, 7)] {
        let most = Arc::new(AtomicUsize::new(0));
        let counting = Counting {
            tenant: tenant(vec![vec![2, 2, 1]; 40]),
            in_flight: Arc::default(),
            most: Arc::clone(&most),
        };
        let builder = Lms::builder("https://tenant.example").token("a-token");
        let lms = builder.http_client(counting).build().unwrap();
        let mut walks = lms.enrolments_by_course().concurrency(limit);
        while walks.try_next().await.unwrap().is_some() {
            sleep(Duration::from_millis(work)).await;
        }
        let most = most.load(Ordering::Relaxed);
        assert!(most <= limit, "{most} of {limit}");
        if work == 0 {
            assert_eq!(most, limit, "a fast consumer uses all of them");
        }
    }
}

/// Counts the requests in flight.
#[derive(Debug)]
struct Counting {
    tenant: Script,
    in_flight: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl lms_ext::http::HttpClient for Counting {
    fn send(&self, request: reqwest::Request) -> lms_ext::http::HttpFuture<'_> {
        Box::pin(async move {
            let now = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(now, Ordering::Relaxed);
            let response = self.tenant.send(request).await;
            self.in_flight.fetch_sub(1, Ordering::Relaxed);
            response
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_part_does_not_end_the_others_and_can_be_resumed() {
    let shape = vec![vec![2, 2], vec![1, 3], vec![2]];
    let expected = all(&shape);
    let broken = Script::new({
        let shape = shape.clone();
        move |seen| match (seen.query("course").as_deref(), seen.query("cursor")) {
            (Some("1"), Some(_)) => status(403),
            _ => respond(&shape, seen),
        }
    });
    let mut walks = broken.lms().enrolments_by_course();
    let (mut items, errors) = take(&mut walks, usize::MAX).await;
    assert_eq!(errors, [(Some("1".to_owned()), ErrorKind::Forbidden)]);
    assert_eq!(items.len(), 7);
    let progress = walks.progress();
    let counts = (progress.finished, progress.failed, progress.running);
    assert_eq!(counts, (2, 1, 0));
    assert_eq!((progress.total, progress.items), (Some(3), 7));

    let checkpoint = walks.checkpoint();
    assert_eq!(checkpoint.items(), 7);
    let unfinished = checkpoint
        .unfinished()
        .iter()
        .map(|(part, _)| part.as_str());
    assert_eq!(unfinished.collect::<Vec<_>>(), ["1"]);

    // A resume only requests what the failed part is missing.
    let working = tenant(shape);
    let rest = working.lms().enrolments_by_course();
    let mut rest = rest.resume(walks.checkpoint()).unwrap();
    items.extend(take(&mut rest, usize::MAX).await.0);
    assert_eq!(items.len(), expected.len());
    assert_eq!(items.into_iter().collect::<BTreeSet<_>>(), expected);
    let requests = working.seen().into_iter();
    assert_eq!(
        requests.filter(|seen| seen.path() == "/enrolments").count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn when_listing_the_parts_fails_the_running_parts_finish_and_the_stream_ends() {
    let shape = vec![vec![2]; 5];
    let tenant = Script::new(move |seen| match (seen.path(), seen.query("cursor")) {
        ("/courses", Some(_)) => status(403),
        _ => respond(&shape, seen),
    });
    let (items, errors) = take(&mut tenant.lms().enrolments_by_course(), usize::MAX).await;
    assert_eq!(
        (items.len(), errors),
        (6, vec![(None, ErrorKind::Forbidden)])
    );
}

#[tokio::test(start_paused = true)]
async fn while_the_server_asks_to_wait_no_part_starts_and_no_part_is_lost() {
    let shape = vec![vec![2, 1]; 200];
    let expected = all(&shape);
    // An hour in which everything but the first requests is refused.
    let start = Instant::now();
    let end = Duration::from_secs(3600);
    let tenant = Script::new({
        let shape = shape.clone();
        move |seen| match end.checked_sub(seen.at - start) {
            Some(left) if seen.index >= 20 => {
                status(429).header("retry-after", &left.as_secs().to_string())
            }
            _ => respond(&shape, seen).after(ROUND_TRIP),
        }
    });
    let lms = tenant.lms();
    let mut walks = lms.enrolments_by_course().concurrency(8);
    let (mut items, errors) = take(&mut walks, usize::MAX).await;
    // Eight parts run when it begins, and one finds out every five minutes whether it is over.
    assert!((8..=8 + 12).contains(&errors.len()), "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|(_, kind)| *kind == ErrorKind::RateLimited)
    );
    assert!(start.elapsed() >= end && tenant.count() < 600);
    let progress = walks.progress();
    assert_eq!(progress.finished + progress.failed, 200);

    let rest = lms.enrolments_by_course().resume(walks.checkpoint());
    items.extend(take(&mut rest.unwrap(), usize::MAX).await.0);
    assert_eq!(items.len(), expected.len());
    assert_eq!(items.into_iter().collect::<BTreeSet<_>>(), expected);
}

#[tokio::test]
async fn an_id_that_matches_everything_or_changes_the_path_is_refused() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    for id in ["", ".."] {
        let failed = lms.course_progress_of(id).try_next().await.unwrap_err();
        assert!(failed.part.is_none() && failed.error.is_usage());
        let failed = lms.records_of(id).try_next().await.unwrap_err();
        assert!(Error::from(failed).is_usage());
    }
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_of_another_tenant_is_refused() {
    let tenant = tenant(vec![vec![2], vec![1]]);
    let lms = tenant.lms();
    let mut walks = lms.enrolments_by_course();
    while walks.try_next().await.unwrap().is_some() {}
    let checkpoint = walks.checkpoint();
    assert_eq!(checkpoint.finished().len(), 2);
    let other = Lms::builder("https://other.example")
        .token("a-token")
        .http_client(tenant)
        .build()
        .unwrap();
    let error = other
        .enrolments_by_course()
        .resume(checkpoint.clone())
        .unwrap_err();
    assert!(error.is_usage(), "{error:?}");
    for url in [lms.base_url(), other.base_url()] {
        assert!(error.to_string().contains(url), "{error}");
    }
    assert!(lms.enrolments_by_course().resume(checkpoint).is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_with_another_name_is_refused() {
    let lms = tenant(vec![vec![1]]).lms();
    let checkpoint = lms.enrolments_by_course().checkpoint();
    let error = lms.completions_by_course().resume(checkpoint).unwrap_err();
    assert!(error.is_usage(), "{error:?}");
    assert!(error.to_string().contains("another name"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn only_a_walk_that_has_not_started_can_be_resumed() {
    let tenant = Script::new(|seen| match seen.path() {
        "/courses/2" => status(404),
        path => json(value!({ "id": path })),
    });
    let parts = |lms: &Lms| {
        let lms = lms.clone();
        let calls = (1..4).map(move |n| (n, lms.get_course().id(n.to_string()).call()));
        Concurrent::new(calls)
    };
    let lms = tenant.lms();
    let mut calls = parts(&lms);
    let mut failed = 0;
    loop {
        match calls.try_next().await {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(_) => failed += 1,
        }
    }
    let progress = calls.progress();
    assert_eq!((failed, progress.failed, progress.finished), (1, 1, 2));
    let checkpoint = calls.checkpoint();
    let error = calls.resume(checkpoint.clone()).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("create a new one"));
    // Before the start, the last checkpoint counts.
    let fresh = parts(&lms).resume(checkpoint.clone()).unwrap();
    let mut again = fresh.resume(checkpoint).unwrap();
    assert!(again.try_next().await.is_err());
    assert!(again.try_next().await.unwrap().is_none());
    assert_eq!(again.progress().finished, 2);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_ends_every_part() {
    let before = tasks();
    let mut walks = tenant(vec![vec![2, 2]; 9]).lms().enrolments_by_course();
    walks.try_next().await.unwrap();
    assert!(tasks() > before);
    drop(walks);
    tokio::task::yield_now().await;
    assert_eq!(tasks(), before);
}

#[tokio::test(start_paused = true)]
async fn calls_run_concurrently_and_finished_ones_are_not_sent_again_after_a_resume() {
    let tenant = Script::new(|seen| json(value!({"id": seen.path()})).after(ROUND_TRIP));
    let parts = |lms: &Lms| {
        let lms = lms.clone();
        let calls = (0..10).map(move |n| (n, lms.get_course().id(n.to_string()).call()));
        Concurrent::new(calls).concurrency(4)
    };
    let lms = tenant.lms();
    let mut calls = parts(&lms);
    let mut keys = Vec::new();
    for _ in 0..6 {
        keys.push(*calls.try_next().await.unwrap().unwrap().part);
    }
    assert_eq!(calls.progress().total, Some(10));
    let mut rest = parts(&lms).resume(calls.checkpoint()).unwrap();
    while let Some(next) = rest.try_next().await.unwrap() {
        keys.push(*next.part);
    }
    keys.sort_unstable();
    assert_eq!(keys, (0..10).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stopped_and_resumed_anywhere_every_item_is_returned_once(
        shape in prop::collection::vec(prop::collection::vec(0..4_usize, 0..4), 0..8),
        delays in prop::collection::vec(0..40_u64, 16),
        failures in prop::collection::vec(prop::bool::weighted(0.1), 16),
        stops in prop::collection::vec(0..12_usize, 0..6),
        limit in 1..6_usize,
    ) {
        let expected = all(&shape);
        let served = shape.clone();
        let tenant = Script::new(move |seen| {
            let delay = Duration::from_millis(delays[seen.index % delays.len()]);
            let fails = seen.index < 40 && failures[seen.index % failures.len()];
            if fails { status(500).after(delay) } else { respond(&served, seen).after(delay) }
        });
        let lms = tenant.builder().retry(RetryPolicy::disabled()).build().unwrap();
        let mut items = on_a_paused_clock(async {
            let mut checkpoint = lms.enrolments_by_course().checkpoint();
            let mut items = Vec::new();
            let mut stops = stops.into_iter();
            loop {
                let stored = serde_json::to_string(&checkpoint).unwrap();
                let stored: PartsCheckpoint<CourseId> = serde_json::from_str(&stored).unwrap();
                let mut walks = lms.enrolments_by_course().concurrency(limit).resume(stored).unwrap();
                let stop = stops.next();
                let (some, errors) = take(&mut walks, stop.unwrap_or(usize::MAX)).await;
                items.extend(some);
                checkpoint = walks.checkpoint();
                assert_eq!(checkpoint.items(), items.len() as u64);
                if stop.is_none() && errors.is_empty() {
                    break items;
                }
            }
        });
        items.sort_unstable();
        prop_assert_eq!(items, expected.into_iter().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn every_concurrent_list_returns_what_the_plain_list_returns() {
    let sandbox = Sandbox::builder().demo().max_page(40).start();
    let sandbox = sandbox.await.unwrap();
    let lms = client(&sandbox);
    async fn whole<K, T>(mut walks: Concurrent<Id<K>, T>) -> Vec<(Id<K>, T)>
    where
        K: 'static,
        T: serde::de::DeserializeOwned + Send + 'static,
    {
        let mut items = Vec::new();
        while let Some(next) = walks.try_next().await.unwrap() {
            items.push((Id::clone(&next.part), next.item));
        }
        let progress = walks.progress();
        assert_eq!(progress.total, Some(progress.finished));
        items
    }
    macro_rules! same {
        ($concurrent:expr, $plain:expr) => {{
            let items = whole($concurrent).await.into_iter();
            let mut concurrent: Vec<_> = items.map(|(_, item)| item.id).collect();
            let items = $plain.collect_all().await.unwrap().into_iter();
            let mut plain: Vec<_> = items.map(|item| item.id).collect();
            concurrent.sort();
            plain.sort();
            assert!(!plain.is_empty() && concurrent == plain);
        }};
    }
    let enrolments = lms.enrolments_by_course().concurrency(16);
    same!(enrolments, lms.list_enrolments());
    same!(lms.topic_progress_by_course(), lms.list_topic_progress());
    same!(lms.topic_progress_by_topic(), lms.list_topic_progress());
    same!(lms.completions_by_course(), lms.list_course_completions());

    let courses = lms.list_courses().collect_all().await.unwrap();
    let course = courses[0].id.clone().unwrap();
    let enrolled = lms.list_enrolments().course(course.as_str());
    let enrolled = enrolled.collect_all().await.unwrap();
    let progress = whole(lms.course_progress_of(course)).await;
    assert_eq!(progress.len(), enrolled.len());
    for (user, item) in &progress {
        assert_eq!(item.user.as_ref(), Some(user));
    }

    let fields = lms.list_user_fields().collect_all().await.unwrap();
    let learners = lms.list_learners().collect_all().await.unwrap();
    let records = whole(lms.records_of(fields[0].id.clone().unwrap())).await;
    assert_eq!(records.len(), learners.len());
    let permissions = whole(lms.permissions_by_learner().concurrency(16)).await;
    assert_eq!(permissions.len(), learners.len() * fields.len());
}
