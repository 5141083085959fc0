//! Lists that are read in parts, several of them at a time.

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
    concurrent::{Parts, PartsCheckpoint},
    prelude::*,
};
use lms_sandbox::Sandbox;
use proptest::prelude::*;
use serde_json::{Value, json as value};
use tokio::time::{Instant, sleep};

use crate::paging::{on_a_paused_clock, tasks};
use crate::script::{Act, Script, Seen, json, status};
use crate::servers::client;

const ROUND_TRIP: Duration = Duration::from_millis(50);

/// The enrolments of a tenant: for each course, the number of items of each page.
type Shape = Vec<Vec<usize>>;

/// The response of a tenant with these courses, which are listed in two pages of three or more.
fn respond(shape: &Shape, seen: &Seen) -> Act {
    page(shape, seen).map_or_else(|| status(404), json)
}

fn page(shape: &Shape, seen: &Seen) -> Option<Value> {
    let start = seen
        .query("cursor")
        .map_or(0, |cursor| cursor.parse().unwrap());
    let (items, more, found): (Vec<_>, _, usize) = match (seen.path(), seen.query("course")) {
        ("/courses", _) => {
            let end = (start + (shape.len() / 2).max(3)).min(shape.len());
            let items = (start..end).map(|course| value!({"id": course.to_string()}));
            let more = (end < shape.len()).then_some(end);
            (items.collect(), more, shape.len())
        }
        ("/enrolments", None) => {
            assert_eq!(seen.query("limit").as_deref(), Some("1"), "the whole list");
            (Vec::new(), None, shape.iter().flatten().sum())
        }
        ("/enrolments", Some(course)) => {
            let course: usize = course.parse().unwrap();
            let pages = &shape[course];
            let before: usize = pages.iter().take(start).sum();
            let items = (before..before + pages.get(start).unwrap_or(&0))
                .map(|n| value!({"id": format!("{course}-{n}"), "course": course.to_string()}));
            let more = (start + 1 < pages.len()).then_some(start + 1);
            (items.collect(), more, pages.iter().sum())
        }
        _ => return None,
    };
    Some(value!({
        "items": items, "more": more.is_some(), "next_cursor": more.map(|next| next.to_string()),
        "number_found": found
    }))
}

fn tenant(shape: Shape) -> Script {
    Script::new(move |seen| respond(&shape, seen).after(ROUND_TRIP))
}

/// The ids of all enrolments.
fn ids_of_all(shape: &Shape) -> BTreeSet<String> {
    let items = |(course, pages): (usize, &Vec<usize>)| {
        (0..pages.iter().sum()).map(move |n: usize| format!("{course}-{n}"))
    };
    shape.iter().enumerate().flat_map(items).collect()
}

/// Returns the ids of at most this number of items.
async fn take(parts: &mut Parts<types::Enrolment>, most: usize) -> Result<Vec<String>, Error> {
    let mut items = Vec::new();
    while items.len() < most
        && let Some(next) = parts.try_next().await?
    {
        items.push(next.id.unwrap().into_string());
    }
    Ok(items)
}

#[tokio::test(start_paused = true)]
async fn with_a_concurrency_of_16_a_large_list_takes_a_tenth_of_the_time() {
    // 200 courses with 500 enrolments each: without parts, the list has 500 full pages.
    let lms = tenant(vec![vec![200, 200, 100]; 200]).lms();
    let start = Instant::now();
    let mut parts = lms.enrolments_by_course().concurrency(16);
    let items = take(&mut parts, usize::MAX).await.unwrap();
    let took = start.elapsed();
    assert!(took * 10 <= ROUND_TRIP * 500, "{took:?}");
    assert_eq!(items.len(), 100_000);
    assert_eq!(items.into_iter().collect::<BTreeSet<_>>().len(), 100_000);
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_do_not_exceed_the_concurrency() {
    for (limit, work) in [(2, 0), (3, 0), (16, 0), (2, 7), (3, 7), (16, 7)] {
        let most = Arc::new(AtomicUsize::new(0));
        let counting = Counting {
            tenant: tenant(vec![vec![2, 2, 1]; 40]),
            in_flight: Arc::default(),
            most: Arc::clone(&most),
        };
        let builder = Lms::builder("https://tenant.example").token("a-token");
        let lms = builder.http_client(counting).build().unwrap();
        let mut parts = lms.enrolments_by_course().concurrency(limit);
        while parts.try_next().await.unwrap().is_some() {
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

/// A tenant with three enrolments in one course. Its counts of the complete list are these, one after the other.
fn counting(whole: &'static [Option<u64>]) -> Script {
    let next = AtomicUsize::new(0);
    Script::new(move |seen| match (seen.path(), seen.query("course")) {
        ("/enrolments", None) => {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let found = whole.get(index).or(whole.last()).unwrap();
            json(value!({"items": [], "number_found": found}))
        }
        _ => respond(&vec![vec![2, 1]], seen),
    })
}

#[tokio::test]
async fn a_list_whose_parts_do_not_add_up_is_an_error_at_its_end() {
    const ALL: [(&[Option<u64>], bool); 5] = [
        (&[Some(3)], true),
        // One was added before the first part was read, or removed after the last one.
        (&[Some(2), Some(3)], true),
        (&[Some(4), Some(4), Some(3)], true),
        // One is in no part.
        (&[Some(4)], false),
        (&[Some(3), Some(4)], false),
    ];
    for (whole, complete) in ALL {
        let tenant = counting(whole);
        let mut parts = tenant.lms().enrolments_by_course();
        let items = take(&mut parts, 3).await.unwrap();
        assert_eq!(items.len(), 3);
        let end = parts.try_next().await;
        assert_eq!(end.is_ok(), complete, "{whole:?}: {end:?}");
        assert_eq!(parts.checkpoint().is_finished(), complete);
        if let Err(error) = end {
            assert_eq!(error.kind(), ErrorKind::Pagination);
            let text = error.to_string();
            assert!(text.contains("list_enrolments: "), "{text}");
            assert!(text.contains("3 in its parts"), "{text}");
            let sent = tenant.count();
            assert!(parts.try_next().await.unwrap().is_none(), "it has ended");
            assert_eq!(tenant.count(), sent);
        }
        let mut unchecked = tenant.lms().enrolments_by_course().ignore_number_found();
        assert_eq!(take(&mut unchecked, 9).await.unwrap().len(), 3);
    }
}

#[tokio::test]
async fn a_part_that_is_not_found_and_is_there_at_the_end_is_not_complete() {
    let first = AtomicUsize::new(0);
    let tenant = Script::new(move |seen| match seen.query("course").as_deref() {
        Some("1") if first.fetch_add(1, Ordering::Relaxed) == 0 => status(404),
        _ => respond(&vec![vec![2, 1], vec![1]], seen),
    });
    let mut parts = tenant.lms().enrolments_by_course();
    assert_eq!(take(&mut parts, 3).await.unwrap().len(), 3);
    let error = parts.try_next().await.unwrap_err().to_string();
    assert!(error.contains("not those that were read"), "{error}");
}

/// A tenant with 30 courses that leaves out `number_found` of the complete list, of one part, or of all lists.
fn uncounted(whole: bool, part: bool) -> Script {
    let shape = vec![vec![2, 1]; 30];
    Script::new(move |seen| {
        let counted = match (seen.path(), seen.query("course").as_deref()) {
            ("/enrolments", None) => !whole,
            ("/enrolments", Some("0")) => !part,
            _ => true,
        };
        let mut page = page(&shape, seen).unwrap();
        if !counted {
            page["number_found"] = Value::Null;
        }
        json(page)
    })
}

#[tokio::test]
async fn a_list_that_is_not_counted_is_an_error_of_the_first_response_unless_the_caller_allows_it()
{
    for (whole, part, most) in [(true, false, 2), (true, true, 2), (false, true, 1 + 2 + 8)] {
        let tenant = uncounted(whole, part);
        let mut parts = tenant.lms().enrolments_by_course();
        let error = parts.try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pagination);
        assert!(parts.try_next().await.unwrap().is_none(), "it has ended");
        let text = error.to_string();
        assert!(
            text.starts_with("list_enrolments: ") && text.contains("`number_found`"),
            "{text}"
        );
        assert!(tenant.count() <= most, "{} requests", tenant.count());
        assert!(!parts.checkpoint().is_finished());
        // Another process fails in the same way, and skips nothing.
        let again = tenant.lms().enrolments_by_course();
        let again = again
            .resume(parts.checkpoint())
            .unwrap()
            .ignore_number_found();
        let rest = take(&mut { again }, usize::MAX).await.unwrap().len();
        assert_eq!(rest, 90);

        let tenant = uncounted(whole, part);
        let mut allowed = tenant.lms().enrolments_by_course().ignore_number_found();
        assert_eq!(take(&mut allowed, usize::MAX).await.unwrap().len(), 90);
        assert!(allowed.checkpoint().is_finished());
        // The count of the list, 10 pages of courses at most, and two pages of each course.
        assert!(tenant.count() <= 1 + 10 + 60, "{} requests", tenant.count());

        let counts = allowed.count().await.unwrap();
        assert!(!counts.add_up());
        assert!(counts.to_string().contains("does not count"), "{counts}");
    }
}

#[tokio::test]
async fn a_part_that_was_listed_too_late_to_be_read_is_an_error_at_the_end() {
    let shape = vec![vec![1], vec![1]];
    let lists = AtomicUsize::new(0);
    let tenant = Script::new(move |seen| {
        if seen.path() == "/courses" && lists.fetch_add(1, Ordering::Relaxed) == 0 {
            return json(value!({"items": [{"id": "0"}]}));
        }
        respond(&shape, seen)
    });
    let mut parts = tenant.lms().enrolments_by_course();
    assert_eq!(take(&mut parts, 1).await.unwrap(), ["0-0"]);
    let error = parts.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Pagination);
    assert!(
        error.to_string().contains("not those that were read"),
        "{error}"
    );
    let counts = parts.count().await.unwrap();
    assert!(counts.parts_changed && !counts.add_up(), "{counts:?}");
}

#[tokio::test]
async fn a_part_that_ends_before_its_count_is_an_error() {
    let tenant = Script::new(|seen| match seen.query("course") {
        Some(_) => json(value!({"items": [{"id": "0-0"}], "number_found": 2})),
        None => respond(&vec![vec![2]], seen),
    });
    let mut parts = tenant.lms().enrolments_by_course();
    assert!(parts.try_next().await.unwrap().is_some());
    let error = parts.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Pagination);
    assert!(error.to_string().contains("1 of 2 items"), "{error}");
    assert!(parts.try_next().await.unwrap().is_none(), "it has ended");
    let again = tenant.lms().enrolments_by_course();
    let mut again = again.resume(parts.checkpoint()).unwrap();
    let error = again.try_next().await.unwrap_err();
    assert!(error.to_string().contains("1 of 2 items"), "{error}");
}

#[tokio::test]
async fn an_id_that_matches_everything_or_changes_the_path_is_refused() {
    for id in ["", ".."] {
        let page = json(value!({"items": [{ "id": id }]}));
        let tenant = Script::new(move |_| page.clone());
        let error = tenant.lms().completions_by_course().try_next().await;
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Decode);
        assert_eq!(tenant.count(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_of_another_tenant_or_list_is_refused() {
    let tenant = tenant(vec![vec![2], vec![1]]);
    let lms = tenant.lms();
    let mut parts = lms.enrolments_by_course();
    take(&mut parts, 1).await.unwrap();
    let checkpoint = parts.checkpoint();
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
    let error = lms
        .completions_by_course()
        .resume(checkpoint.clone())
        .unwrap_err();
    assert!(error.to_string().contains("another operation"), "{error}");
    assert!(lms.enrolments_by_course().resume(checkpoint).is_ok());
}

#[tokio::test(start_paused = true)]
async fn dropping_it_ends_every_part() {
    let before = tasks();
    let mut parts = tenant(vec![vec![2, 2]; 9]).lms().enrolments_by_course();
    parts.try_next().await.unwrap();
    assert!(tasks() > before);
    drop(parts);
    tokio::task::yield_now().await;
    assert_eq!(tasks(), before);
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
        let expected = ids_of_all(&shape);
        let served = shape.clone();
        let tenant = Script::new(move |seen| {
            let delay = Duration::from_millis(delays[seen.index % delays.len()]);
            let fails = seen.index < 40 && failures[seen.index % failures.len()];
            if fails { status(500).after(delay) } else { respond(&served, seen).after(delay) }
        });
        let lms = tenant.lms_with(|it| it.retry(RetryPolicy::disabled()));
        let mut items = on_a_paused_clock(async {
            let mut checkpoint = lms.enrolments_by_course().checkpoint();
            let mut items = Vec::new();
            let mut stops = stops.into_iter();
            loop {
                let stored = serde_json::to_string(&checkpoint).unwrap();
                let stored: PartsCheckpoint = serde_json::from_str(&stored).unwrap();
                let mut parts = lms.enrolments_by_course().concurrency(limit).resume(stored).unwrap();
                let stop = stops.next().unwrap_or(usize::MAX);
                let mut taken = 0;
                while taken < stop {
                    match parts.try_next().await {
                        Ok(Some(item)) => items.push(item.id.unwrap().into_string()),
                        Ok(None) => break,
                        Err(_) => continue,
                    }
                    taken += 1;
                }
                checkpoint = parts.checkpoint();
                assert_eq!(checkpoint.items(), items.len() as u64);
                if checkpoint.is_finished() {
                    break items;
                }
            }
        });
        items.sort_unstable();
        prop_assert_eq!(items, expected.into_iter().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn every_list_in_parts_returns_what_the_plain_list_returns() {
    let sandbox = Sandbox::builder().demo().max_page(40).start();
    let sandbox = sandbox.await.unwrap();
    let lms = client(&sandbox);
    macro_rules! same {
        ($parts:expr, $plain:expr) => {{
            let mut parts = $parts;
            let mut found = Vec::new();
            while let Some(item) = parts.try_next().await.unwrap() {
                found.push(item.id);
            }
            let progress = parts.progress();
            assert_eq!(progress.total, Some(progress.finished));
            let items = $plain.collect_all().await.unwrap().into_iter();
            let mut plain: Vec<_> = items.map(|item| item.id).collect();
            found.sort();
            plain.sort();
            assert!(!plain.is_empty() && found == plain);
        }};
    }
    let enrolments = lms.enrolments_by_course().concurrency(16);
    same!(enrolments, lms.list_enrolments());
    same!(lms.topic_progress_by_course(), lms.list_topic_progress());
    same!(lms.topic_progress_by_topic(), lms.list_topic_progress());
    same!(lms.completions_by_course(), lms.list_course_completions());
}
