//! Lists that contradict themselves, and pages that fail.

use futures_util::{Stream, TryStreamExt as _};
use lms_ext::{Error, ErrorKind, prelude::*};
use serde_json::json as value;

use super::{id, ids, item, page, tenant};
use crate::script::{Script, json, status};

#[tokio::test]
async fn a_page_that_does_not_tell_whether_it_is_the_last_is_an_error() {
    for (kind, fields) in [
        (ErrorKind::Pagination, value!({"next_cursor": "a"})),
        (
            ErrorKind::Pagination,
            value!({"next_cursor": "a", "more": null}),
        ),
        (
            ErrorKind::Decode,
            value!({"more": false, "error": {"message": "down"}}),
        ),
        (ErrorKind::Decode, value!({"errors": ["down"]})),
    ] {
        let mut body = value!({"items": []});
        body.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let tenant = Script::new(move |_| json(body.clone()));
        let error = tenant
            .lms()
            .list_learners()
            .collect_all()
            .await
            .unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
    }
    // The service documents no pages of this list.
    let tenant = Script::new(|_| json(value!({"items": [], "more": true, "next_cursor": "a"})));
    let error = tenant.lms().list_tags().collect_all().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Pagination, "{error}");
    // Without an error in them, they are pages.
    let tenant = Script::new(|_| json(value!({"items": [], "errors": [], "error": null})));
    assert_eq!(tenant.lms().list_tags().collect_all().await.unwrap(), []);
}

#[tokio::test]
async fn empty_pages_without_an_end_are_an_error() {
    let endless = |every: usize| {
        Script::new(move |seen| {
            let items: Vec<_> = (seen.index % every == every - 1)
                .then(|| item(u32::try_from(seen.index).unwrap()))
                .into_iter()
                .collect();
            json(value!({"items": items, "more": true, "next_cursor": seen.index.to_string()}))
        })
    };
    for (allowed, pages) in [(None, 1001), (Some(3), 4)] {
        let tenant = endless(usize::MAX);
        let mut items = tenant.lms().list_learners().items();
        if let Some(allowed) = allowed {
            let start = items.checkpoint();
            items = items.max_stale_pages(allowed).resume(&start).unwrap();
        }
        let error = items.try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pagination);
        assert!(error.to_string().contains("without a new item"), "{error}");
        assert_eq!(tenant.count(), pages);
    }
    // Others than those in a row do not count.
    let tenant = endless(3);
    let mut items = tenant.lms().list_learners().items().max_stale_pages(2);
    for _ in 0..9 {
        assert!(items.try_next().await.unwrap().is_some());
    }
}

#[tokio::test]
async fn pages_that_come_back_with_new_cursors_are_an_error() {
    // A count that is no larger than a page may be that of the page.
    for (count, ignored) in [
        (value!(null), false),
        (value!("1"), false),
        (value!("9"), true),
    ] {
        let tenant = Script::new(move |seen| {
            let again = u32::try_from(seen.index % 3).unwrap();
            json(value!({
                "items": [item(again)], "number_found": count, "more": true,
                "next_cursor": seen.index.to_string()
            }))
        });
        let lms = tenant.lms();
        let error_of = async |items: &mut (dyn Stream<Item = Result<(), Error>> + Unpin)| loop {
            if let Err(error) = items.try_next().await {
                break error;
            }
        };
        let raw = lms.raw(reqwest::Method::GET, "/courses").unwrap().pages();
        let mut raw = raw.max_stale_pages(5).without_read_ahead();
        let typed = lms.list_learners().items().max_stale_pages(5);
        let mut typed = typed.without_read_ahead();
        if ignored {
            (raw, typed) = (raw.ignore_number_found(), typed.ignore_number_found());
        }
        for items in [
            &mut raw.map_ok(drop) as &mut (dyn Stream<Item = Result<(), Error>> + Unpin),
            &mut typed.map_ok(drop),
        ] {
            let before = tenant.count();
            assert_eq!(error_of(items).await.kind(), ErrorKind::Pagination);
            assert_eq!(tenant.count() - before, 3 + 6);
        }
    }
}

#[tokio::test]
async fn a_list_that_no_count_explains_is_an_error() {
    // Whether it ends, for a count and a page size: a count that is no larger than a page may be that of the page.
    for (count, size, ends) in [
        (value!(100), 50, false),
        (value!("100"), 50, false),
        (value!(50), 50, true),
        (value!(-1), 50, true),
        (value!(null), 50, true),
        (value!(7_000), 50, true),
        // The number of items that are left.
        (value!("rest"), 50, true),
    ] {
        let tenant = Script::new(move |seen| {
            let page: u32 = seen.query("cursor").map_or(0, |page| page.parse().unwrap());
            let items: Vec<_> = (page * size..(page + 1) * size).map(item).collect();
            let rest = value!((240 - page) * size);
            let found = if count == "rest" { &rest } else { &count };
            json(value!({
                "items": items, "number_found": found, "more": page < 239,
                "next_cursor": (page + 1).to_string()
            }))
        });
        let list = || tenant.lms().list_learners().items();
        match list().collect_all().await {
            Ok(items) => assert!(ends && items.len() == 240 * 50),
            Err(error) => {
                assert!(!ends, "{error}");
                assert_eq!(error.kind(), ErrorKind::Pagination);
                // 10,200 items are twice the count, and 10,000 more.
                assert_eq!(tenant.count(), 205);
                let all = list().ignore_number_found().resume(&list().checkpoint());
                assert_eq!(all.unwrap().collect_all().await.unwrap().len(), 240 * 50);
            }
        }
    }
}

#[tokio::test]
async fn more_without_a_cursor_is_an_error_after_the_items() {
    for cursor in [value!(null), value!("")] {
        let tenant = Script::new(move |_| {
            json(value!({"items": [item(1), item(2)], "more": true, "next_cursor": cursor}))
        });
        let lms = tenant.lms();
        let mut listing = lms.list_learners().items();
        for expected in [1, 2] {
            assert_eq!(id(&listing.try_next().await.unwrap().unwrap()), expected);
        }
        for _ in 0..2 {
            // The page is requested again, and none of its items is returned again.
            let error = listing.try_next().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Pagination);
            let expected = "list_learners: the page says that there are more items";
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        assert_eq!(tenant.count(), 2);
        assert!(!listing.summary().is_finished());

        let mut pages = lms.list_learners().pages();
        assert_eq!(pages.try_next().await.unwrap().unwrap().items.len(), 2);
        for _ in 0..2 {
            let error = pages.try_next().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Pagination);
        }
    }
}

#[tokio::test]
async fn a_cursor_used_before_is_an_error() {
    // The number of pages, the page that the last one leads back to, and the page that the list starts at.
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
            json(value!({"items": [item(number)], "more": true, "next_cursor": next.to_string()}))
        });
        let cursor = (start > 0).then(|| start.to_string());
        let mut listing = tenant.lms().list_learners().cursor(cursor).items();
        let mut items = 0;
        let error = loop {
            assert!(items <= 2 * pages, "{pages} {back_to}");
            listing = listing.max_items(1);
            match listing.try_next().await {
                Ok(item) => items += u32::from(item.is_some()),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Pagination);
        // The start of the list has no cursor, so a cycle through it is found one page later.
        let expected = pages + u32::from(back_to == 0) - start;
        assert_eq!(items, expected, "{pages} {back_to}");
    }
}

#[tokio::test]
async fn a_response_without_items_is_an_error_and_not_the_end() {
    for (body, expected) in [
        ("{}", "missing field `items`"),
        (r#"{"error": "busy"}"#, "missing field `items`"),
        (r#"{"data": {"items": []}}"#, "missing field `items`"),
        (r#"{"items": null}"#, "items"),
        (r#"{"items": [], "items": []}"#, "duplicate field `items`"),
        ("[]", "expected a page of a list"),
        (r#"[{"id": "1"}]"#, "expected a page of a list"),
    ] {
        let tenant = Script::new(move |seen| {
            if seen.index == 1 {
                return status(200).body(body);
            }
            page(&[vec![1], vec![2]], seen.query("cursor").as_deref())
        });
        let check = |error: Error| {
            assert_eq!(error.kind(), ErrorKind::Decode, "{body}");
            assert!(error.to_string().contains(expected), "{body}: {error}");
            assert_eq!(error.operation(), Some("list_learners"));
        };
        let lms = tenant.lms();
        let mut listing = lms.list_learners().items();
        assert_eq!(id(&listing.try_next().await.unwrap().unwrap()), 1);
        check(listing.try_next().await.unwrap_err());
        let summary = listing.summary();
        assert!(!summary.is_finished() && !listing.checkpoint().is_finished());
        // The same page is requested again.
        assert_eq!(ids(&mut listing).await, [2], "{body}");

        let tenant = Script::new(move |_| status(200).body(body));
        let lms = tenant.lms();
        let list = || lms.list_learners();
        check(list().collect_all().await.unwrap_err());
        check(
            list()
                .items_as::<serde_json::Value>()
                .try_next()
                .await
                .unwrap_err(),
        );
        check(list().pages().try_next().await.unwrap_err());
        check(
            list()
                .pages_as::<serde_json::Value>()
                .try_next()
                .await
                .unwrap_err(),
        );
        let error = lms.enrolments_by_course().try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
    }
}

#[tokio::test]
async fn a_list_that_changes_during_the_listing_is_reported_as_changed() {
    // The number of items and `number_found` of each page.
    for (items, counts, changed) in [
        ([2, 1], [value!("3"), value!(3)], false),
        ([2, 1], [value!(3), value!(4)], true),
        ([2, 1], [value!(4), value!(4)], true),
        ([2, 1], [value!(4), value!(3)], true),
        ([2, 1], [value!(null), value!("?")], false),
        ([2, 1], [value!(null), value!("3")], false),
    ] {
        let stated = counts.clone();
        let tenant = Script::new(move |seen| {
            let number = usize::from(seen.query("cursor").is_some());
            json(value!({
                "items": vec![item(1); items[number]], "number_found": stated[number],
                "more": number == 0, "next_cursor": "c"
            }))
        });
        let mut listing = tenant.lms().list_learners().items();
        assert_eq!(ids(&mut listing).await.len(), 3);
        let summary = listing.summary();
        assert_eq!(summary.has_changed(), changed, "{counts:?} {summary:?}");
        assert_eq!((summary.pages(), summary.items()), (2, 3));
    }
}

#[tokio::test(start_paused = true)]
async fn a_cursor_that_the_server_rejects_has_its_own_kind() {
    for refusal in [400, 404, 410] {
        let tenant = Script::new(move |seen| match seen.query("cursor") {
            Some(_) => status(refusal),
            None => json(value!({"items": [], "more": true, "next_cursor": "c"})),
        });
        let lms = tenant.lms();
        let mut listing = lms.list_learners().items();
        let checkpoint = {
            let error = listing.try_next().await.unwrap_err();
            assert!(error.is_cursor_rejected(), "{error:?}");
            assert_eq!(error.status(), Some(refusal));
            let text = error.to_string();
            assert!(text.contains("read the list from the start"), "{text}");
            listing.checkpoint()
        };
        let mut resumed = lms.list_learners().items().resume(&checkpoint).unwrap();
        let error = resumed.try_next().await.unwrap_err();
        assert!(error.is_cursor_rejected(), "{error:?}");
    }
    // Without a cursor, it is an error of the list, and other statuses say nothing about the cursor.
    for (first, then, kind) in [
        (404, 404, ErrorKind::NotFound),
        (200, 403, ErrorKind::Forbidden),
    ] {
        let tenant = Script::new(move |seen| match seen.query("cursor") {
            Some(_) => status(then),
            None => json(value!({"items": [], "more": true, "next_cursor": "c"})).status(first),
        });
        let error = tenant.lms().list_learners().items().try_next().await;
        assert_eq!(error.unwrap_err().kind(), kind);
    }
}

#[test]
fn no_type_of_a_list_reads_another_response_as_an_empty_list() {
    let schemas = crate::types_of_the_document::schemas();
    let mut lists = 0;
    macro_rules! check {
        ($($name:ident),* $(,)?) => {$(
            if schemas[stringify!($name)]["properties"].get("items").is_some() {
                lists += 1;
                for body in ["{}", r#"{"error": "busy"}"#, r#"{"items": null}"#, r#"{"items": [], "items": []}"#] {
                    let read = serde_json::from_str::<types::$name>(body);
                    assert!(read.is_err(), "{} from {body}", stringify!($name));
                }
            }
        )*};
    }
    with_all_types!(check);
    assert!(lists > 10, "{lists}");
}

#[tokio::test]
async fn only_a_whole_listing_that_has_ended_is_compared_with_the_count() {
    let lms = tenant(vec![vec![1, 2], vec![3]]).lms();
    let mut whole = lms.list_learners().items();
    whole.try_next().await.unwrap();
    assert!(!whole.summary().has_changed(), "it has not ended");
    let mut rest = lms.list_learners().cursor("p1").items();
    assert_eq!(ids(&mut rest).await, [3]);
    assert!(
        !rest.summary().has_changed(),
        "it did not begin at the start"
    );
    let lms = tenant(vec![vec![9], vec![1, 2], vec![2]]).lms();
    let mut rest = lms.list_learners().cursor("p1").items().dedup();
    assert_eq!(ids(&mut rest).await, [1, 2]);
    assert!(rest.summary().has_changed(), "a learner was returned twice");
}
