//! Listings that are stopped and resumed.

use lms_ext::{Checkpoint, prelude::*};
use proptest::prelude::*;
use serde_json::json as value;

use super::{id, ids, ids_of_pages, item, on_a_paused_clock, tenant};
use crate::script::{Script, json};

/// Stores a checkpoint and reads it back.
fn stored(checkpoint: &Checkpoint) -> Checkpoint {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

/// Pages of distinct items, some of them empty.
fn shapes() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(0..5_u32, 1..12).prop_map(|sizes| {
        let mut next = 0;
        sizes
            .into_iter()
            .map(|size| {
                next += size;
                (next - size..next).collect()
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn items_of_a_listing_stopped_anywhere_are_those_of_a_whole_one(
        shape in shapes(),
        stops in prop::collection::vec(0..7_usize, 0..30),
    ) {
        let expected = shape.concat();
        let tenant = tenant(shape);
        on_a_paused_clock(async {
            let lms = tenant.lms();
            let mut checkpoint = lms.list_learners().items().checkpoint();
            let mut items = Vec::new();
            // The last run is not stopped.
            for stop in stops.into_iter().chain([usize::MAX]) {
                let mut listing = lms.list_learners().items().resume(&stored(&checkpoint)).unwrap();
                for _ in 0..stop {
                    let Some(learner) = listing.try_next().await.unwrap() else {
                        break;
                    };
                    items.push(id(&learner));
                }
                checkpoint = listing.checkpoint();
            }
            prop_assert!(checkpoint.is_finished());
            prop_assert_eq!(checkpoint.items(), expected.len() as u64);
            prop_assert_eq!(items, expected);
            Ok(())
        })?;
    }

    #[test]
    fn pages_of_a_listing_stopped_anywhere_are_those_of_a_whole_one(
        shape in shapes(),
        stops in prop::collection::vec((0..3_usize, 0..6_u64), 0..20),
    ) {
        let expected = shape.concat();
        let tenant = tenant(shape);
        on_a_paused_clock(async {
            let lms = tenant.lms();
            let mut checkpoint = lms.list_learners().pages().checkpoint();
            let mut items = Vec::new();
            for (stop, most) in stops.into_iter().chain([(usize::MAX, u64::MAX)]) {
                let listing = lms.list_learners().pages().max_items(most);
                let mut listing = listing.resume(&stored(&checkpoint)).unwrap();
                for _ in 0..stop {
                    let Some(page) = listing.try_next().await.unwrap() else {
                        break;
                    };
                    items.extend(page.items.iter().map(id));
                }
                checkpoint = listing.checkpoint();
            }
            prop_assert_eq!(items, expected);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_smaller_limit_after_a_resume_neither_skips_nor_repeats_items() {
    // A list of nine items whose cursor is an index, so the page size may change.
    let tenant = Script::new(|seen| {
        let number = |name, absent| {
            seen.query(name)
                .map_or(absent, |text| text.parse().unwrap())
        };
        let (start, limit) = (number("cursor", 0), number("limit", 200));
        let end = (start + limit).min(9);
        let items: Vec<_> = (start..end).map(item).collect();
        json(value!({"items": items, "more": end < 9, "next_cursor": end.to_string()}))
    });
    let lms = tenant.lms();
    let mut listing = lms.list_learners().limit(8).items().max_items(5);
    ids(&mut listing).await;
    let rest = lms.list_learners().limit(2).items();
    let mut rest = rest.resume(&listing.checkpoint()).unwrap();
    assert_eq!(ids(&mut rest).await, [5, 6, 7, 8]);
}

#[tokio::test]
async fn a_checkpoint_of_another_listing_is_refused() {
    let lms = tenant(vec![vec![1], vec![2]]).lms();
    let enrolments = |course: &str| lms.list_enrolments().course(course);
    let mut listing = enrolments("c1").limit(1).items();
    listing.try_next().await.unwrap();
    let checkpoint = listing.checkpoint();

    let permissions = |user| lms.list_user_field_permissions(user).items();
    let topics = lms.list_topics().course("c1").items();
    for (result, expected) in [
        (
            enrolments("c2").items().resume(&checkpoint).map(drop),
            "other filters",
        ),
        (topics.resume(&checkpoint).map(drop), "another operation"),
        (
            permissions("a")
                .resume(&permissions("b").checkpoint())
                .map(drop),
            "other filters",
        ),
    ] {
        let error = result.unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    // A checkpoint of another tenant, also of a finished list.
    let other = Lms::builder("https://other.example")
        .token("a-token")
        .http_client(tenant(vec![vec![1], vec![2]]))
        .build()
        .unwrap();
    let mut whole = enrolments("c1").items();
    while whole.try_next().await.unwrap().is_some() {}
    for checkpoint in [&checkpoint, &whole.checkpoint()] {
        let list = || other.list_enrolments().course("c1");
        for error in [
            list().items().resume(checkpoint).map(drop).unwrap_err(),
            list().pages().resume(checkpoint).map(drop).unwrap_err(),
        ] {
            assert!(error.is_usage(), "{error:?}");
            for url in [lms.base_url(), other.base_url()] {
                assert!(error.to_string().contains(url), "{error}");
            }
        }
    }
    // The page size is not a filter.
    let rest = enrolments("c1").items().resume(&checkpoint).unwrap();
    assert_eq!(rest.collect_all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_format_of_a_checkpoint_does_not_change() {
    let lms = tenant(vec![vec![1, 2], vec![3, 4]]).lms();
    let list = || lms.list_enrolments().course("c1").items();
    let mut listing = list();
    for _ in 0..3 {
        listing.try_next().await.unwrap();
    }
    let written = serde_json::to_value(listing.checkpoint()).unwrap();
    assert_eq!(
        written,
        value!({
            "version": 1, "base_url": lms.base_url(), "operation": "list_enrolments",
            "filters": "91e8014c62e6b92c70190b3f900c8720", "cursor": "p1", "skip": 1,
            "summary": {
                "pages": 2, "items": 3, "duplicates": 0, "number_found": 4, "from_start": true, "finished": false
            }
        })
    );
    let mut newer = written;
    newer["version"] = value!(2);
    let newer: Checkpoint = serde_json::from_value(newer).unwrap();
    let error = list().resume(&newer).unwrap_err();
    assert!(error.is_usage(), "{error:?}");
    assert_eq!(error.operation(), Some("list_enrolments"));
    assert!(error.to_string().contains("format version 2"), "{error}");
}

#[tokio::test]
async fn a_checkpoint_can_be_stored_in_a_format_without_names() {
    let lms = tenant(vec![vec![1, 2], vec![3]]).lms();
    let mut listing = lms.list_learners().items();
    for _ in 0..3 {
        let checkpoint = listing.checkpoint();
        let bytes = postcard::to_stdvec(&checkpoint).unwrap();
        assert_eq!(postcard::from_bytes(&bytes), Ok(checkpoint));
        listing.try_next().await.unwrap();
    }
}

#[tokio::test]
async fn a_resumed_listing_includes_earlier_pages_in_its_summary() {
    let lms = tenant(vec![vec![1, 2], vec![3]]).lms();
    let list = || lms.list_learners().pages();
    let mut pages = list();
    pages.try_next().await.unwrap();
    let mut pages = list().resume(&stored(&pages.checkpoint())).unwrap();
    while pages.try_next().await.unwrap().is_some() {}
    let summary = pages.summary();
    assert_eq!((summary.pages(), summary.items()), (2, 3));
    assert!(
        summary.is_finished() && !summary.has_changed(),
        "{summary:?}"
    );
    let mut finished = list().resume(&pages.checkpoint()).unwrap();
    assert!(finished.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_listing_that_is_resumed_forgets_what_it_has_loaded() {
    let lms = tenant(vec![vec![1, 2, 3], vec![4]]).lms();
    let start = lms.list_learners().items().checkpoint();
    let mut items = lms.list_learners().items().dedup();
    items.try_next().await.unwrap();
    // `dedup` knows the returned items.
    let here = items.checkpoint();
    let mut items = items.resume(&here).unwrap();
    assert_eq!(ids(&mut items).await, [2, 3, 4]);

    let mut items = lms.list_learners().items();
    items.try_next().await.unwrap();
    let mut items = items.resume(&start).unwrap();
    assert_eq!(ids(&mut items).await, [1, 2, 3, 4]);
    let mut items = items.resume(&start).unwrap();
    assert_eq!(ids(&mut items).await, [1, 2, 3, 4]);

    let mut pages = lms.list_learners().pages().max_items(2);
    assert_eq!(ids_of_pages(&mut pages).await, [1, 2]);
    let mut pages = pages.resume(&start).unwrap().max_items(9);
    assert_eq!(ids_of_pages(&mut pages).await, [1, 2, 3, 4]);
}

#[tokio::test]
async fn a_listing_that_ended_with_a_page_does_not_request_it_again() {
    let tenant = tenant(vec![vec![1, 2], vec![3]]);
    let lms = tenant.lms();
    let mut pages = lms.list_learners().pages().max_items(2);
    assert_eq!(ids_of_pages(&mut pages).await, [1, 2]);
    let rest = lms.list_learners().pages();
    let mut rest = rest.resume(&stored(&pages.checkpoint())).unwrap();
    assert_eq!(ids_of_pages(&mut rest).await, [3]);
    assert_eq!(tenant.count(), 2);
}

#[tokio::test]
async fn a_listing_that_ends_inside_the_last_page_is_not_finished() {
    let lms = tenant(vec![vec![1, 2, 3]]).lms();
    let mut items = lms.list_learners().items().max_items(2);
    ids(&mut items).await;
    let mut pages = lms.list_learners().pages().max_items(2);
    ids_of_pages(&mut pages).await;
    for (summary, checkpoint) in [
        (items.summary(), items.checkpoint()),
        (pages.summary(), pages.checkpoint()),
    ] {
        assert!(!summary.is_finished() && !checkpoint.is_finished());
    }
}
