//! Disjoint walks that run together.

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
    prelude::*,
};
use lms_sandbox::Sandbox;
use proptest::prelude::*;
use serde_json::json as value;
use tokio::time::{Instant, sleep};

use crate::sandbox::client;
use crate::script::{Act, Script, Seen, json, status};

const ROUND_TRIP: Duration = Duration::from_millis(50);

/// The enrolments of a tenant: for each course, how many rows each of its pages has.
type Shape = Vec<Vec<usize>>;

/// A tenant with such courses, listed in halves, at least three to a page.
fn answer(shape: &Shape, seen: &Seen) -> Act {
    let place = seen
        .query("cursor")
        .map_or(0, |cursor| cursor.parse().unwrap());
    let (rows, more): (Vec<_>, _) = match seen.path() {
        "/courses" => {
            let end = (place + (shape.len() / 2).max(3)).min(shape.len());
            let rows = (place..end).map(|course| value!({"id": course.to_string()}));
            (rows.collect(), (end < shape.len()).then_some(end))
        }
        "/enrolments" => {
            let course: usize = seen.query("course").unwrap().parse().unwrap();
            let pages = &shape[course];
            let before: usize = pages.iter().take(place).sum();
            let rows = (before..before + pages.get(place).unwrap_or(&0))
                .map(|row| value!({"id": format!("{course}-{row}"), "course": course.to_string()}));
            (
                rows.collect(),
                (place + 1 < pages.len()).then_some(place + 1),
            )
        }
        _ => return status(404),
    };
    json(value!({
        "items": rows, "more": more.is_some(), "next_cursor": more.map(|next| next.to_string()),
        "number_found": shape.len()
    }))
}

fn tenant(shape: Shape) -> Script {
    Script::new(move |seen| answer(&shape, seen).after(ROUND_TRIP))
}

/// The ids of all rows that a tenant has.
fn all(shape: &Shape) -> BTreeSet<String> {
    let rows = |course: usize, pages: &Vec<usize>| {
        (0..pages.iter().sum()).map(move |row: usize| format!("{course}-{row}"))
    };
    shape
        .iter()
        .enumerate()
        .flat_map(|(course, pages)| rows(course, pages))
        .collect()
}

/// Takes at most so many rows; gives them back with the errors on the way.
async fn take(
    walks: &mut Concurrent<String, types::Enrolment>,
    most: usize,
) -> (Vec<String>, Vec<(Option<String>, ErrorKind)>) {
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    while rows.len() < most {
        match walks.try_next().await {
            Ok(Some(row)) => {
                assert_eq!(row.item.course.as_ref(), Some(&*row.part));
                rows.push(row.item.id.unwrap());
            }
            Ok(None) => break,
            Err(failed) => {
                errors.push((failed.part.as_deref().cloned(), failed.error.kind()));
            }
        }
    }
    (rows, errors)
}

#[tokio::test(start_paused = true)]
async fn sixteen_at_once_are_ten_times_faster_than_one_walk() {
    // 200 courses with 500 enrolments each: 500 full pages in one walk.
    let lms = tenant(vec![vec![200, 200, 100]; 200]).lms();
    let began = Instant::now();
    let (rows, errors) = take(&mut lms.enrolments_by_course().concurrency(16), usize::MAX).await;
    assert_eq!((rows.len(), errors.len()), (100_000, 0));
    let single_walk = ROUND_TRIP * 500;
    assert!(began.elapsed() * 10 <= single_walk, "{:?}", began.elapsed());
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>().len(), 100_000);
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_than_asked_for_are_on_their_way() {
    for (limit, work) in [(1, 0), (3, 0), (16, 0), (1, 7), (3, 7), (16, 7)] {
        let most = Arc::new(AtomicUsize::new(0));
        let counting = Counting {
            tenant: tenant(vec![vec![2, 2, 1]; 40]),
            flying: Arc::default(),
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
            assert_eq!(
                most, limit,
                "a consumer that is quick makes use of all of them"
            );
        }
    }
}

/// Counts the requests that are on their way.
#[derive(Debug)]
struct Counting {
    tenant: Script,
    flying: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl lms_ext::http::HttpClient for Counting {
    fn send(&self, request: reqwest::Request) -> lms_ext::http::HttpFuture<'_> {
        Box::pin(async move {
            let now = self.flying.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(now, Ordering::Relaxed);
            let answer = self.tenant.send(request).await;
            self.flying.fetch_sub(1, Ordering::Relaxed);
            answer
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_that_fails_does_not_end_the_others() {
    let shape = vec![vec![2, 2], vec![1, 3], vec![2]];
    let expected = all(&shape);
    let broken = Script::new({
        let shape = shape.clone();
        move |seen| match (seen.query("course").as_deref(), seen.query("cursor")) {
            (Some("1"), Some(_)) => status(403),
            _ => answer(&shape, seen),
        }
    });
    let mut walks = broken.lms().enrolments_by_course();
    let (mut rows, errors) = take(&mut walks, usize::MAX).await;
    assert_eq!(errors, [(Some("1".to_owned()), ErrorKind::Forbidden)]);
    assert_eq!(rows.len(), 7);
    let progress = walks.progress();
    assert_eq!(
        (progress.finished, progress.failed, progress.running),
        (2, 1, 0)
    );
    assert_eq!((progress.total, progress.rows), (Some(3), 7));

    // What failed is tried again from where it was, and nothing else is.
    let mended = tenant(shape);
    let mut rest = mended
        .lms()
        .enrolments_by_course()
        .resume(walks.checkpoint())
        .unwrap();
    rows.extend(take(&mut rest, usize::MAX).await.0);
    assert_eq!(rows.len(), expected.len());
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected);
    let asked = mended.seen();
    let asked: Vec<_> = asked
        .iter()
        .filter(|seen| seen.path() == "/enrolments")
        .collect();
    assert_eq!(asked.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn when_the_listing_fails_the_running_parts_end_and_the_stream_too() {
    let shape = vec![vec![2]; 5];
    let tenant = Script::new(move |seen| match (seen.path(), seen.query("cursor")) {
        ("/courses", Some(_)) => status(403),
        _ => answer(&shape, seen),
    });
    let (rows, errors) = take(&mut tenant.lms().enrolments_by_course(), usize::MAX).await;
    assert_eq!(
        (rows.len(), errors),
        (6, vec![(None, ErrorKind::Forbidden)])
    );
}

#[tokio::test]
async fn an_id_that_means_all_or_another_path_is_refused() {
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
async fn a_checkpoint_of_something_else_is_refused() {
    let lms = tenant(vec![vec![1]]).lms();
    let checkpoint = lms.enrolments_by_course().checkpoint();
    let error = lms.completions_by_course().resume(checkpoint).unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("other walks"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_walk_that_has_begun_is_not_resumed_but_a_new_one_is() {
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
    assert!(error.is_usage() && error.to_string().contains("make a new one"));
    // Resuming twice before it begins is no harm: the last one counts.
    let fresh = parts(&lms).resume(checkpoint.clone()).unwrap();
    let mut again = fresh.resume(checkpoint).unwrap();
    assert!(again.try_next().await.is_err());
    assert!(again.try_next().await.unwrap().is_none());
    assert_eq!(again.progress().finished, 2);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_ends_every_part() {
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let mut walks = tenant(vec![vec![2, 2]; 9]).lms().enrolments_by_course();
    walks.try_next().await.unwrap();
    assert!(tasks() > before);
    drop(walks);
    tokio::task::yield_now().await;
    assert_eq!(tasks(), before);
}

#[tokio::test(start_paused = true)]
async fn calls_run_side_by_side_and_are_not_repeated_after_a_resumption() {
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
    while let Some(row) = rest.try_next().await.unwrap() {
        keys.push(*row.part);
    }
    keys.sort_unstable();
    assert_eq!(keys, (0..10).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_answers_interleave_and_wherever_it_is_killed_every_row_comes_once(
        shape in prop::collection::vec(prop::collection::vec(0..4_usize, 0..4), 0..8),
        delays in prop::collection::vec(0..40_u64, 16),
        failures in prop::collection::vec(prop::bool::weighted(0.1), 16),
        lives in prop::collection::vec(0..12_usize, 0..6),
        limit in 1..6_usize,
    ) {
        let expected = all(&shape);
        let served = shape.clone();
        let tenant = Script::new(move |seen| {
            let delay = Duration::from_millis(delays[seen.index % delays.len()]);
            let fails = seen.index < 40 && failures[seen.index % failures.len()];
            if fails { status(500).after(delay) } else { answer(&served, seen).after(delay) }
        });
        let lms = tenant.builder().retry(RetryPolicy::disabled()).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let mut rows = runtime.block_on(async {
            let mut checkpoint = lms.enrolments_by_course().checkpoint();
            let mut rows = Vec::new();
            let mut lives = lives.into_iter();
            loop {
                // Through the text that it is stored as.
                let stored = serde_json::to_string(&checkpoint).unwrap();
                let stored: PartsCheckpoint<String> = serde_json::from_str(&stored).unwrap();
                let mut walks = lms.enrolments_by_course().concurrency(limit).resume(stored).unwrap();
                let life = lives.next();
                let (some, errors) = take(&mut walks, life.unwrap_or(usize::MAX)).await;
                rows.extend(some);
                checkpoint = walks.checkpoint();
                assert_eq!(checkpoint.rows(), rows.len() as u64);
                // The last life is the first whole one without an error.
                if life.is_none() && errors.is_empty() {
                    break rows;
                }
            }
        });
        prop_assert_eq!(rows.len(), expected.len());
        rows.sort_unstable();
        rows.dedup();
        prop_assert_eq!(rows, expected.into_iter().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn every_cut_of_a_tenant_gives_what_the_single_walk_gives() {
    let sandbox = Sandbox::builder()
        .demo()
        .max_page(40)
        .start()
        .await
        .unwrap();
    let lms = client(&sandbox);
    async fn whole<T: serde::de::DeserializeOwned + Send + 'static>(
        mut walks: Concurrent<String, T>,
    ) -> Vec<(String, T)> {
        let mut rows = Vec::new();
        while let Some(row) = walks.try_next().await.unwrap() {
            rows.push((String::clone(&row.part), row.item));
        }
        let progress = walks.progress();
        assert_eq!(progress.total, Some(progress.finished));
        rows
    }
    macro_rules! same {
        ($cut:expr, $single:expr) => {{
            let mut cut: Vec<_> = whole($cut)
                .await
                .into_iter()
                .map(|(_, row)| row.id)
                .collect();
            let single = $single.collect_all().await.unwrap();
            let mut single: Vec<_> = single.into_iter().map(|row| row.id).collect();
            cut.sort();
            single.sort();
            assert!(!single.is_empty() && cut == single);
        }};
    }
    same!(
        lms.enrolments_by_course().concurrency(16),
        lms.list_enrolments()
    );
    same!(lms.topic_progress_by_course(), lms.list_topic_progress());
    same!(lms.topic_progress_by_topic(), lms.list_topic_progress());
    same!(lms.completions_by_course(), lms.list_course_completions());

    let courses = lms.list_courses().collect_all().await.unwrap();
    let course = courses[0].id.clone().unwrap();
    let enrolled = lms
        .list_enrolments()
        .course(course.as_str())
        .collect_all()
        .await
        .unwrap();
    let progress = whole(lms.course_progress_of(course)).await;
    assert_eq!(progress.len(), enrolled.len());
    assert!(
        progress
            .iter()
            .all(|(user, row)| row.user.as_ref() == Some(user))
    );

    let fields = lms.list_user_fields().collect_all().await.unwrap();
    let learners = lms.list_learners().collect_all().await.unwrap();
    let records = whole(lms.records_of(fields[0].id.clone().unwrap())).await;
    assert_eq!(records.len(), learners.len());
    let permissions = whole(lms.permissions_by_learner().concurrency(16)).await;
    assert_eq!(permissions.len(), learners.len() * fields.len());
}
