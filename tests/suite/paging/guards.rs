//! Lists that contradict themselves.

use lms_ext::{ErrorKind, prelude::*};
use serde_json::json as value;

use super::{id, page, row, tenant};
use crate::script::{Script, json, lost, status};

#[tokio::test]
async fn an_empty_page_with_more_is_not_the_end() {
    let tenant = tenant(vec![vec![], vec![1], vec![], vec![], vec![2]]);
    let lms = tenant.lms();
    assert_eq!(lms.list_learners().collect_all().await.unwrap().len(), 2);
    assert_eq!(
        lms.list_learners()
            .pages()
            .collect_all()
            .await
            .unwrap()
            .len(),
        5
    );
}

#[tokio::test]
async fn more_without_a_cursor_is_an_error_behind_the_rows() {
    for cursor in [value!(null), value!("")] {
        let tenant = Script::new(move |_| {
            json(value!({"items": [row(1), row(2)], "more": true, "next_cursor": cursor}))
        });
        let lms = tenant.lms();
        let mut walk = lms.list_learners().items();
        for expected in [1, 2] {
            assert_eq!(id(&walk.try_next().await.unwrap().unwrap()), expected);
        }
        for _ in 0..2 {
            // Asking again asks the tenant again; no row comes a second time.
            let error = walk.try_next().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Pagination);
            assert!(
                error
                    .to_string()
                    .starts_with("list_learners: the tenant says that there is more"),
                "{error}"
            );
        }
        assert_eq!(tenant.count(), 2);
        assert!(!walk.summary().is_finished());

        let mut pages = lms.list_learners().pages();
        assert_eq!(pages.try_next().await.unwrap().unwrap().items.len(), 2);
        for _ in 0..2 {
            let error = pages.try_next().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Pagination);
        }
    }
}

#[tokio::test]
async fn a_walk_goes_on_when_the_tenant_thinks_better_of_it() {
    let tenant = Script::of([
        json(value!({"items": [row(1)], "more": true})),
        json(value!({"items": [row(1), row(2)], "more": true, "next_cursor": "c"})),
        json(value!({"items": [row(3)]})),
    ]);
    let mut walk = tenant.lms().list_learners().items();
    assert_eq!(id(&walk.try_next().await.unwrap().unwrap()), 1);
    walk.try_next().await.unwrap_err();
    for expected in [2, 3] {
        assert_eq!(id(&walk.try_next().await.unwrap().unwrap()), expected);
    }
    assert!(walk.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_cursor_seen_before_is_an_error() {
    // Where a list of so many pages goes back to, and whether the walk begins in its middle.
    for (pages, back_to, start) in [(1, 0, 0), (2, 1, 0), (5, 2, 0), (300, 1, 0), (5, 3, 3)] {
        let tenant = Script::new(move |seen| {
            let number = seen
                .query("cursor")
                .map_or(0, |cursor| cursor.parse().unwrap());
            let next = if number + 1 == pages {
                back_to
            } else {
                number + 1
            };
            json(value!({"items": [row(number)], "more": true, "next_cursor": next.to_string()}))
        });
        let walk = tenant.lms().list_learners().items();
        let mut walk = if start == 0 {
            walk
        } else {
            walk.from_cursor(start.to_string())
        };
        let mut rows = 0;
        let error = loop {
            match walk.try_next().await {
                Ok(row) => {
                    row.unwrap();
                    rows += 1;
                }
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Pagination);
        // The beginning has no cursor, so going back to it shows one page later.
        let expected = if back_to == 0 { pages + 1 } else { pages } - start;
        assert_eq!(rows, expected, "{pages} {back_to}");
    }
}

#[tokio::test]
async fn a_page_larger_than_asked_for_is_delivered_and_counted() {
    let tenant = tenant(vec![vec![1, 2, 3], vec![4]]);
    let mut walk = tenant.lms().list_learners().limit(2).items();
    let mut rows = 0;
    while walk.try_next().await.unwrap().is_some() {
        rows += 1;
    }
    assert_eq!((rows, walk.summary().oversized_pages()), (4, 1));
}

#[tokio::test]
async fn after_an_error_the_same_page_is_asked_for_again() {
    let shape = [vec![1, 2], vec![3], vec![4]];
    let tenant = Script::new(move |seen| match seen.index {
        1 | 2 => status(403),
        5 => lost(),
        _ => page(&shape, seen.query("cursor").as_deref()),
    });
    let lms = tenant
        .builder()
        .retry(lms_ext::RetryPolicy::disabled())
        .build()
        .unwrap();
    let mut walk = lms.list_learners().items();
    let (mut ids, mut errors) = (Vec::new(), Vec::new());
    loop {
        match walk.try_next().await {
            Ok(Some(learner)) => ids.push(id(&learner)),
            Ok(None) => break,
            Err(error) => errors.push(error.kind()),
        }
    }
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(errors, [ErrorKind::Forbidden, ErrorKind::Forbidden]);
    assert_eq!(tenant.count(), 5);
}

#[tokio::test]
async fn a_drifting_list_is_noticed() {
    // Rows on each page, number_found of each page, and what is expected.
    for (rows, counts, drifted) in [
        ([2, 1], [value!("3"), value!(3)], false),
        ([2, 1], [value!(3), value!(4)], true),
        ([2, 1], [value!(4), value!(4)], true),
        ([2, 1], [value!(null), value!("?")], false),
        ([2, 1], [value!(null), value!("3")], false),
    ] {
        let given = counts.clone();
        let tenant = Script::new(move |seen| {
            let number = usize::from(seen.query("cursor").is_some());
            json(value!({
                "items": vec![row(1); rows[number]], "number_found": given[number],
                "more": number == 0, "next_cursor": "c"
            }))
        });
        let mut walk = tenant.lms().list_learners().items();
        while walk.try_next().await.unwrap().is_some() {}
        let summary = walk.summary();
        assert_eq!(summary.drifted(), drifted, "{counts:?} {summary:?}");
        assert_eq!((summary.pages(), summary.items()), (2, 3));
    }
}
