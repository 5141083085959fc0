//! Pagination: items and pages of a list.

mod checkpoints;
mod guards;
mod time;

use futures_util::TryStreamExt;
use lms_ext::{ErrorKind, Items, LenientItem, Pages, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Act, Script, json, status};

/// A tenant whose every list has these pages; the cursor of page `n` is `p<n>`.
pub fn tenant(pages: Vec<Vec<u32>>) -> Script {
    Script::new(move |seen| page(&pages, seen.query("cursor").as_deref()))
}

/// The page of a cursor.
pub fn page(pages: &[Vec<u32>], cursor: Option<&str>) -> Act {
    let number = match cursor {
        None => 0,
        Some(cursor) => match cursor.strip_prefix('p').map(str::parse::<usize>) {
            Some(Ok(number)) if number < pages.len() => number,
            _ => return status(400),
        },
    };
    let items: Vec<_> = pages[number].iter().map(|id| item(*id)).collect();
    let more = number + 1 < pages.len();
    let total: usize = pages.iter().map(Vec::len).sum();
    json(value!({
        "items": items,
        "number_found": total.to_string(),
        // An absent field may also be null.
        "cursor": cursor,
        "next_cursor": more.then(|| format!("p{}", number + 1)),
        "limit": "200",
        "more": more.then_some(true),
    }))
}

pub fn item(id: u32) -> Value {
    value!({"id": id.to_string(), "email": format!("{id}@x.example"), "tags": null, "unknown": [1]})
}

pub fn id(learner: &types::Learner) -> u32 {
    learner.id.as_deref().unwrap().parse().unwrap()
}

/// The ids of the remaining items.
pub async fn ids(listing: &mut Items<types::Learner>) -> Vec<u32> {
    listing
        .map_ok(|learner| id(&learner))
        .try_collect()
        .await
        .unwrap()
}

/// The ids of the items of the remaining pages.
pub async fn ids_of_pages(listing: &mut Pages<types::Learner>) -> Vec<u32> {
    let pages: Vec<_> = listing.try_collect().await.unwrap();
    pages.iter().flat_map(|page| &page.items).map(id).collect()
}

/// Runs a future on a paused clock, outside of `tokio::test`.
pub fn on_a_paused_clock<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build();
    runtime.unwrap().block_on(future)
}

/// The number of tasks that are alive.
pub fn tasks() -> usize {
    tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks()
}

#[tokio::test]
async fn a_page_has_its_cursors_and_counts() {
    let lms = tenant(vec![vec![1, 2], vec![3]]).lms();
    let pages = lms
        .list_learners()
        .pages()
        .try_collect::<Vec<_>>()
        .await
        .unwrap();
    let found: Vec<_> = pages
        .iter()
        .map(|page| {
            let count = page.number_found.map(Int64::get);
            let cursors = (page.cursor.as_deref(), page.next_cursor.as_deref());
            (
                page.items.len(),
                page.more,
                cursors,
                count,
                page.limit.map(Int64::get),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (2, true, (None, Some("p1")), Some(3), Some(200)),
            (1, false, (Some("p1"), None), Some(3), Some(200)),
        ]
    );
}

#[tokio::test]
async fn max_items_ends_the_listing_and_requests_no_further_page() {
    let shape = vec![vec![1, 2], vec![3, 4], vec![5]];
    for (most, pages) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)] {
        let expected = (most.min(5), pages);
        let tenant = tenant(shape.clone());
        let mut listing = tenant.lms().list_learners().items().max_items(most);
        let items = ids(&mut listing).await.len() as u64;
        // A task that reads ahead would send its request now.
        tokio::task::yield_now().await;
        assert_eq!((items, tenant.count()), expected, "{most}");
        assert_eq!(listing.summary().is_finished(), most > 4, "{most}");

        let tenant = self::tenant(shape.clone());
        let mut listing = tenant.lms().list_learners().pages().max_items(most);
        let items = ids_of_pages(&mut listing).await.len() as u64;
        tokio::task::yield_now().await;
        assert_eq!((items, tenant.count()), expected, "{most}");
    }
}

#[tokio::test]
async fn max_items_can_be_called_again_to_continue() {
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
                let some = ids_of_pages(&mut pages).await;
                assert!(!some.is_empty(), "{shape:?}: {in_pages:?}");
                in_pages.extend(some);
                // Another stream can continue from here.
                let rest = lms.list_learners().items().resume(&pages.checkpoint());
                let rest = ids(&mut rest.unwrap()).await;
                let all = [&in_pages[..], &rest].concat();
                assert_eq!(all, [1, 2, 3, 4, 5], "{shape:?}");
            }
            while in_items.len() < 5 {
                items = items.max_items(step);
                in_items.extend(ids(&mut items).await);
            }
            assert_eq!(in_pages, [1, 2, 3, 4, 5], "{shape:?}");
            assert_eq!(in_items, [1, 2, 3, 4, 5], "{shape:?}");
            pages = pages.max_items(step);
            assert!(ids_of_pages(&mut pages).await.is_empty());
            for summary in [pages.summary(), items.summary()] {
                assert!(
                    !summary.has_changed() && summary.items() == 5,
                    "{summary:?}"
                );
                assert_eq!(summary.pages(), shape.len() as u64);
            }
            assert!(pages.summary().is_finished());
        }
    }
}

#[tokio::test]
async fn a_list_that_is_not_paginated_is_one_page() {
    let tenant = Script::new(|_| json(value!({"items": [{"id": "1", "name": "a"}]})));
    let lms = tenant.lms();
    assert_eq!(lms.list_tags().collect_all().await.unwrap().len(), 1);
    let profiles = lms
        .list_profiles()
        .pages()
        .try_collect::<Vec<_>>()
        .await
        .unwrap();
    assert_eq!(profiles.len(), 1);
    let mut pages = lms.list_signup_pages().items();
    while pages.try_next().await.unwrap().is_some() {}
    assert!(pages.checkpoint().is_finished());
    assert_eq!(tenant.count(), 3);
}

#[tokio::test]
async fn items_are_decoded_into_the_callers_type() {
    #[derive(serde::Deserialize)]
    struct Contact {
        id: String,
        email: String,
    }
    let lms = tenant(vec![vec![1], vec![2]]).lms();
    let contacts = lms.list_learners().items_as::<Contact>();
    let contacts = contacts.collect_all().await.unwrap();
    assert_eq!(contacts[1].email, "2@x.example");
    assert_eq!(contacts[1].id, "2");
    let pages = lms.list_learners().pages_as::<Value>();
    let pages: Vec<_> = pages.try_collect().await.unwrap();
    assert_eq!(pages[0].items[0], item(1));
}

/// One odd row does not cost the others, and dedup sees its id.
#[tokio::test]
async fn a_lenient_listing_returns_an_error_for_each_item_that_cannot_be_decoded() {
    let page = value!({"items": [{"id": "1"}, {"id": "2", "archived": "hunter2"}, {"id": 3}, {"id": "2"}, {"id": "4"}]});
    let tenant = Script::of([json(page)]);
    let items = tenant.lms().list_learners().lenient_items().dedup();
    let items = items.collect_all().await.unwrap();
    let shown: Vec<_> = items
        .into_iter()
        .map(|item| match item {
            LenientItem::Decoded(learner) => learner.id.unwrap().to_string(),
            LenientItem::Undecodable { id, error } => {
                assert_eq!(error.kind(), ErrorKind::Decode);
                assert!(!format!("{error} {error:?}").contains("hunter2"));
                format!("{id:?} at {}", error.json_path().unwrap())
            }
        })
        .collect();
    assert_eq!(shown, ["1", "Some(\"2\") at archived", "None at id", "4"]);
}

#[tokio::test]
async fn an_invalid_parameter_is_one_error_and_then_the_end() {
    let tenant = Script::of([]);
    let mut listing = tenant.lms().list_user_field_permissions("").items();
    let error = listing.try_next().await.unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("user"),
        "{error}"
    );
    assert!(listing.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn dedup_drops_and_counts_duplicates() {
    let lms = tenant(vec![vec![1, 2], vec![2, 3], vec![1, 4]]).lms();
    let mut listing = lms.list_learners().items().dedup();
    assert_eq!(ids(&mut listing).await, [1, 2, 3, 4]);
    let summary = listing.summary();
    assert_eq!((summary.items(), summary.duplicates()), (4, 2));
    let mut three = lms.list_learners().items().dedup().max_items(3);
    assert_eq!(ids(&mut three).await.len(), 3);
}
