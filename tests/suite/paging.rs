//! Whole lists: rows and pages, from the beginning to the end.

mod checkpoints;
mod guards;
mod sandbox;
mod time;

use futures_util::{TryStreamExt, stream::FusedStream as _};
use lms_ext::{ErrorKind, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Act, Script, json, status};

/// A tenant whose every list holds these pages; the cursor of page `n` is `p<n>`.
pub fn tenant(pages: Vec<Vec<u32>>) -> Script {
    Script::new(move |seen| page(&pages, seen.query("cursor").as_deref()))
}

/// The page that a cursor leads to.
pub fn page(pages: &[Vec<u32>], cursor: Option<&str>) -> Act {
    let number = match cursor {
        None => 0,
        Some(cursor) => match cursor.strip_prefix('p').map(str::parse::<usize>) {
            Some(Ok(number)) if number < pages.len() => number,
            _ => return status(400),
        },
    };
    let rows: Vec<_> = pages[number].iter().map(|id| row(*id)).collect();
    let more = number + 1 < pages.len();
    let total: usize = pages.iter().map(Vec::len).sum();
    json(value!({
        // What is not there may be null.
        "items": (!rows.is_empty()).then_some(rows),
        "number_found": total.to_string(),
        "cursor": cursor,
        "next_cursor": more.then(|| format!("p{}", number + 1)),
        "limit": "200",
        "more": more.then_some(true),
    }))
}

pub fn row(id: u32) -> Value {
    value!({"id": id.to_string(), "email": format!("{id}@x.example"), "tags": null, "unknown": [1]})
}

pub fn id(learner: &types::Learner) -> u32 {
    learner.id.as_deref().unwrap().parse().unwrap()
}

#[tokio::test]
async fn rows_come_page_after_page() {
    let tenant = tenant(vec![vec![1, 2], vec![3], vec![4, 5]]);
    let lms = tenant.lms();
    let mut learners = lms
        .list_learners()
        .tags(vec!["a b".into(), "c".into()])
        .limit(2)
        .items();
    let mut ids = Vec::new();
    while let Some(learner) = learners.try_next().await.unwrap() {
        ids.push(id(&learner));
    }
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    assert!(
        learners.try_next().await.unwrap().is_none(),
        "it stays ended"
    );
    let queries: Vec<_> = tenant
        .seen()
        .iter()
        .map(|seen| seen.url.query().unwrap().to_owned())
        .collect();
    let filters = "limit=2&tags=a+b&tags=c";
    assert_eq!(
        queries,
        [
            filters.to_owned(),
            format!("{filters}&cursor=p1"),
            format!("{filters}&cursor=p2")
        ]
    );
}

#[tokio::test]
async fn a_page_says_where_it_is() {
    let tenant = tenant(vec![vec![1, 2], vec![3]]);
    let pages = tenant
        .lms()
        .list_learners()
        .pages()
        .collect_all()
        .await
        .unwrap();
    let [first, last] = &pages[..] else {
        panic!("{pages:?}")
    };
    assert_eq!((first.items.len(), first.more), (2, true));
    assert_eq!(
        (first.cursor.as_deref(), first.next_cursor.as_deref()),
        (None, Some("p1"))
    );
    assert_eq!(first.number_found.map(Int64::get), Some(3));
    assert_eq!(first.limit.map(Int64::get), Some(200));
    assert_eq!((last.items.len(), last.more), (1, false));
    assert_eq!(
        (last.cursor.as_deref(), last.next_cursor.as_deref()),
        (Some("p1"), None)
    );
}

#[tokio::test]
async fn a_walk_begins_at_any_cursor() {
    let tenant = tenant(vec![vec![1], vec![2], vec![3]]);
    let lms = tenant.lms();
    for (walk, expected) in [
        (lms.list_learners().items().from_cursor("p1"), vec![2, 3]),
        (lms.list_learners().cursor("p2").items(), vec![3]),
        (
            lms.list_learners().cursor("p2").items().from_cursor("p1"),
            vec![2, 3],
        ),
        (
            lms.list_learners().cursor("p2").items().from_cursor(""),
            vec![1, 2, 3],
        ),
    ] {
        let rows = walk.collect_all().await.unwrap();
        assert_eq!(rows.iter().map(id).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn a_walk_ends_after_as_many_rows_as_asked_for() {
    let shape = vec![vec![1, 2], vec![3, 4], vec![5]];
    for (most, pages) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)] {
        let tenant = tenant(shape.clone());
        let mut walk = tenant.lms().list_learners().items().max_items(most);
        let mut rows = 0;
        while walk.try_next().await.unwrap().is_some() {
            rows += 1;
        }
        assert_eq!((rows, tenant.count()), (most.min(5), pages), "{most}");
        assert_eq!(walk.summary().is_finished(), most > 4, "{most}");

        let tenant = self::tenant(shape.clone());
        let mut walk = tenant.lms().list_learners().pages().max_items(most);
        let mut rows = 0;
        while let Some(page) = walk.try_next().await.unwrap() {
            rows += page.items.len() as u64;
        }
        assert_eq!((rows, tenant.count()), (most.min(5), pages), "{most}");
    }
}

#[tokio::test]
async fn a_walk_that_ended_there_goes_on_for_as_many_rows_as_are_then_asked_for() {
    for (shape, step) in [
        (vec![vec![1, 2], vec![3, 4], vec![5]], 1),
        (vec![vec![1, 2, 3, 4, 5]], 2),
        (vec![vec![1, 2], vec![], vec![3, 4, 5]], 2),
        (vec![vec![1, 2, 3], vec![4, 5]], 3),
    ] {
        for ahead in [true, false] {
            let lms = tenant(shape.clone()).lms();
            let mut pages = lms.list_learners().pages();
            let mut items = lms.list_learners().items();
            if !ahead {
                pages = pages.without_read_ahead();
                items = items.without_read_ahead();
            }
            let (mut in_pages, mut in_items) = (Vec::new(), Vec::new());
            while in_pages.len() < 5 {
                pages = pages.max_items(step);
                let before = in_pages.len();
                while let Some(page) = pages.try_next().await.unwrap() {
                    in_pages.extend(page.items.iter().map(id));
                }
                assert!(in_pages.len() > before, "{shape:?}: {in_pages:?}");
                // Where it is now, another walk goes on.
                let rest = lms.list_learners().items().resume(&pages.checkpoint());
                let rest = rest.unwrap().collect_all().await.unwrap();
                let rest = rest.iter().map(id);
                let all: Vec<_> = in_pages.iter().copied().chain(rest).collect();
                assert_eq!(all, [1, 2, 3, 4, 5], "{shape:?}");
            }
            while in_items.len() < 5 {
                items = items.max_items(step);
                while let Some(row) = items.try_next().await.unwrap() {
                    in_items.push(id(&row));
                }
            }
            assert_eq!(in_pages, [1, 2, 3, 4, 5], "{shape:?}");
            assert_eq!(in_items, [1, 2, 3, 4, 5], "{shape:?}");
            pages = pages.max_items(step);
            while pages.try_next().await.unwrap().is_some() {}
            for summary in [pages.summary(), items.summary()] {
                assert!(!summary.drifted() && summary.items() == 5, "{summary:?}");
                assert_eq!(summary.pages(), shape.len() as u64);
            }
            assert!(pages.summary().is_finished());
        }
    }
}

#[tokio::test]
async fn a_circle_is_found_in_portions_too() {
    for step in 1..8 {
        // Behind the third page comes the second again.
        let tenant = Script::new(|seen| {
            let page = match seen.query("cursor").as_deref() {
                None => (1, "b"),
                Some("b") => (3, "c"),
                _ => (5, "b"),
            };
            let (row, next) = page;
            let rows = [row, row + 1].map(|row| value!({ "id": row.to_string() }));
            json(value!({"items": rows, "more": true, "next_cursor": next}))
        });
        let mut pages = tenant.lms().list_learners().pages();
        let mut rows = Vec::new();
        let error = 'walk: loop {
            pages = pages.max_items(step);
            loop {
                match pages.try_next().await {
                    Ok(Some(page)) => rows.extend(page.items.iter().map(id)),
                    Ok(None) => break,
                    Err(error) => break 'walk error,
                }
            }
            assert!(rows.len() < 20, "{step}: {rows:?}");
        };
        assert_eq!(error.kind(), ErrorKind::Pagination);
        assert_eq!(rows, [1, 2, 3, 4, 5, 6], "{step}");
    }
}

#[tokio::test]
async fn a_walk_that_goes_on_is_not_over_as_a_stream() {
    let lms = tenant(vec![vec![1, 2], vec![3]]).lms();
    let mut items = lms.list_learners().items().max_items(1);
    while items.try_next().await.unwrap().is_some() {}
    assert!(items.is_terminated());
    assert!(!items.max_items(1).is_terminated());
    let mut pages = lms.list_learners().pages().max_items(1);
    while pages.try_next().await.unwrap().is_some() {}
    assert!(pages.is_terminated());
    assert!(!pages.max_items(1).is_terminated());
}

#[tokio::test]
async fn a_list_that_comes_whole_has_the_same_face() {
    let tenant = Script::new(|_| json(value!({"items": [{"id": "1", "name": "a"}], "more": true})));
    let lms = tenant.lms();
    assert_eq!(lms.list_tags().collect_all().await.unwrap().len(), 1);
    assert_eq!(
        lms.list_profiles()
            .pages()
            .collect_all()
            .await
            .unwrap()
            .len(),
        1
    );
    let mut pages = lms.list_signup_pages().items();
    while pages.try_next().await.unwrap().is_some() {}
    assert!(pages.checkpoint().is_finished());
    assert_eq!(tenant.count(), 3);

    let error = lms
        .list_tags()
        .items()
        .from_cursor("c")
        .collect_all()
        .await
        .unwrap_err();
    assert!(error.is_usage(), "{error}");
    assert_eq!(error.operation(), Some("list_tags"));
    assert_eq!(tenant.count(), 3);
}

#[tokio::test]
async fn rows_are_decoded_into_the_callers_type() {
    #[derive(serde::Deserialize)]
    struct Contact {
        id: String,
        email: String,
    }
    let tenant = tenant(vec![vec![1], vec![2]]);
    let lms = tenant.lms();
    let contacts = lms
        .list_learners()
        .items_as::<Contact>()
        .collect_all()
        .await
        .unwrap();
    assert_eq!(contacts[1].email, "2@x.example");
    assert_eq!(contacts[1].id, "2");
    let rows = lms
        .list_learners()
        .pages_as::<Value>()
        .collect_all()
        .await
        .unwrap();
    assert_eq!(rows[0].items[0], row(1));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_named() {
    let tenant = Script::of([json(value!({"items": [{"id": "1"}, {"id": 2}]}))]);
    let error = tenant
        .lms()
        .list_learners()
        .items()
        .collect_all()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(error.json_path(), Some("items[1].id"));
}

#[tokio::test]
async fn a_builder_that_lacks_something_says_so_once() {
    let tenant = Script::of([]);
    let mut walk = tenant.lms().list_user_field_permissions().items();
    let error = walk.try_next().await.unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("user"),
        "{error}"
    );
    assert!(walk.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_walk_is_a_stream_that_can_be_spawned() {
    let tenant = tenant(vec![vec![1, 2], vec![3]]);
    let walk = tenant.lms().list_learners().items();
    let rows = tokio::spawn(walk.map_ok(|learner| id(&learner)).try_collect::<Vec<_>>());
    assert_eq!(rows.await.unwrap().unwrap(), [1, 2, 3]);
}

#[tokio::test]
async fn repeats_are_dropped_in_one_call() {
    let tenant = tenant(vec![vec![1, 2], vec![2, 3], vec![1, 4]]);
    let lms = tenant.lms();
    let mut walk = lms.list_learners().items().dedup();
    let mut ids = Vec::new();
    while let Some(learner) = walk.try_next().await.unwrap() {
        ids.push(id(&learner));
    }
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(
        (walk.summary().items(), walk.summary().duplicates()),
        (4, 2)
    );
    let three = lms.list_learners().items().dedup().max_items(3);
    assert_eq!(three.collect_all().await.unwrap().len(), 3);
}

#[tokio::test]
async fn rows_whose_id_is_blank_are_no_repeats() {
    let row = |id: &str| value!({"id": id, "name": "a", "email": "jo@acme.example"});
    let tenant = Script::new(move |_| {
        json(value!({"items": [row(""), row("1"), row(""), row(" "), row("1"), row(" ")]}))
    });
    let lms = tenant.lms();
    let learners = lms.list_learners().items().dedup();
    assert_eq!(learners.collect_all().await.unwrap().len(), 5);
    let values = lms.list_learners().items_as::<Value>();
    let mut values = values.dedup();
    let mut rows = 0;
    while values.try_next().await.unwrap().is_some() {
        rows += 1;
    }
    assert_eq!((rows, values.summary().duplicates()), (5, 1));
}
