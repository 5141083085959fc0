//! Walks that are killed and taken up again.

use lms_ext::{Checkpoint, prelude::*};
use proptest::prelude::*;
use serde_json::json as value;

use super::{id, tenant};
use crate::script::Script;

/// Through the text that a checkpoint is stored as.
fn stored(checkpoint: &Checkpoint) -> Checkpoint {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

/// Pages of distinct rows, some of them empty.
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

fn run<F: Future<Output = Result<(), TestCaseError>>>(test: F) -> Result<(), TestCaseError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
        .block_on(test)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_of_a_walk_killed_anywhere_are_those_of_a_whole_one(
        shape in shapes(),
        lives in prop::collection::vec(0..7_usize, 0..30),
    ) {
        let expected: Vec<_> = shape.iter().flatten().copied().collect();
        let tenant = tenant(shape);
        run(async {
            let lms = tenant.lms();
            let mut checkpoint = lms.list_learners().items().checkpoint();
            let mut rows = Vec::new();
            // The last life is as long as it takes.
            for life in lives.into_iter().chain([usize::MAX]) {
                let mut walk = lms.list_learners().items().resume(&stored(&checkpoint)).unwrap();
                for _ in 0..life {
                    let Some(learner) = walk.try_next().await.unwrap() else {
                        break;
                    };
                    rows.push(id(&learner));
                }
                checkpoint = walk.checkpoint();
            }
            prop_assert!(checkpoint.is_finished());
            prop_assert_eq!(checkpoint.items(), expected.len() as u64);
            prop_assert_eq!(rows, expected);
            Ok(())
        })?;
    }

    #[test]
    fn pages_of_a_walk_killed_anywhere_are_those_of_a_whole_one(
        shape in shapes(),
        lives in prop::collection::vec((0..3_usize, 0..6_u64), 0..20),
    ) {
        let expected: Vec<_> = shape.iter().flatten().copied().collect();
        let tenant = tenant(shape);
        run(async {
            let lms = tenant.lms();
            let mut checkpoint = lms.list_learners().pages().checkpoint();
            let mut rows = Vec::new();
            for (life, most) in lives.into_iter().chain([(usize::MAX, u64::MAX)]) {
                let walk = lms.list_learners().pages().max_items(most);
                let mut walk = walk.resume(&stored(&checkpoint)).unwrap();
                for _ in 0..life {
                    let Some(page) = walk.try_next().await.unwrap() else {
                        break;
                    };
                    rows.extend(page.items.iter().map(id));
                }
                checkpoint = walk.checkpoint();
            }
            prop_assert_eq!(rows, expected);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_smaller_limit_after_a_resumption_neither_loses_nor_repeats() {
    // A list of nine rows whose cursor is a place, so that the page size may change.
    let tenant = Script::new(|seen| {
        let number = |name, absent| {
            seen.query(name)
                .map_or(absent, |text| text.parse().unwrap())
        };
        let (start, limit) = (number("cursor", 0), number("limit", 200));
        let end = (start + limit).min(9);
        let rows: Vec<_> = (start..end).map(super::row).collect();
        crate::script::json(value!({
            "items": rows, "more": end < 9, "next_cursor": end.to_string()
        }))
    });
    let lms = tenant.lms();
    let mut walk = lms.list_learners().limit(8).items();
    for _ in 0..5 {
        walk.try_next().await.unwrap();
    }
    let rest = lms
        .list_learners()
        .limit(2)
        .items()
        .resume(&walk.checkpoint())
        .unwrap();
    let rest = rest.collect_all().await.unwrap();
    assert_eq!(rest.iter().map(id).collect::<Vec<_>>(), [5, 6, 7, 8]);
}

#[tokio::test]
async fn a_checkpoint_of_another_walk_is_refused() {
    let tenant = tenant(vec![vec![1], vec![2]]);
    let lms = tenant.lms();
    let mut walk = lms.list_enrolments().course("c1").limit(1).items();
    walk.try_next().await.unwrap();
    let checkpoint = walk.checkpoint();

    let error = lms
        .list_enrolments()
        .course("c2")
        .items()
        .resume(&checkpoint)
        .unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("other filters"),
        "{error}"
    );
    let error = lms
        .list_topics()
        .course("c1")
        .items()
        .resume(&checkpoint)
        .unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("another operation"),
        "{error}"
    );
    let permissions = |user| lms.list_user_field_permissions().user(user).items();
    let error = permissions("a")
        .resume(&permissions("b").checkpoint())
        .unwrap_err();
    assert!(error.to_string().contains("other filters"), "{error}");
    // The page size is no filter.
    let rows = lms
        .list_enrolments()
        .course("c1")
        .items()
        .resume(&checkpoint)
        .unwrap();
    assert_eq!(rows.collect_all().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_checkpoint_keeps_its_form() {
    let tenant = tenant(vec![vec![1, 2], vec![3, 4]]);
    let lms = tenant.lms();
    let mut walk = lms.list_enrolments().course("c1").items();
    for _ in 0..3 {
        walk.try_next().await.unwrap();
    }
    let written = serde_json::to_value(walk.checkpoint()).unwrap();
    assert_eq!(
        written,
        value!({
            "version": 1, "operation": "list_enrolments",
            "filters": "91e8014c62e6b92c70190b3f900c8720", "cursor": "p1", "skip": 1,
            "pages": 2, "items": 3, "repeats": 0, "number_found": "4", "from_start": true, "finished": false
        })
    );
    let mut newer = written;
    newer["version"] = value!(2);
    let newer: Checkpoint = serde_json::from_value(newer).unwrap();
    let error = lms
        .list_enrolments()
        .course("c1")
        .items()
        .resume(&newer)
        .unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("form 2"),
        "{error}"
    );
}

#[tokio::test]
async fn a_resumed_walk_knows_what_came_before() {
    let tenant = tenant(vec![vec![1, 2], vec![3]]);
    let lms = tenant.lms();
    let mut pages = lms.list_learners().pages();
    pages.try_next().await.unwrap();
    let mut pages = lms
        .list_learners()
        .pages()
        .resume(&stored(&pages.checkpoint()))
        .unwrap();
    while pages.try_next().await.unwrap().is_some() {}
    let summary = pages.summary();
    assert_eq!((summary.pages(), summary.items()), (2, 3));
    assert!(summary.is_finished() && !summary.drifted(), "{summary:?}");
    let mut over = lms
        .list_learners()
        .pages()
        .resume(&pages.checkpoint())
        .unwrap();
    assert!(over.try_next().await.unwrap().is_none());
}
