//! When parts start, in which order their items come, and what is known about them.

use std::{collections::BTreeSet, error::Error as _, time::Duration};

use futures_util::{TryStreamExt as _, stream::FusedStream as _};
use lms_ext::{
    concurrent::{Concurrent, Part},
    prelude::*,
};
use serde_json::json as value;
use tokio::time::sleep;

use super::{ROUND_TRIP, all, take, tenant};
use crate::script::{Script, Seen, json, status};

#[tokio::test(start_paused = true)]
async fn the_items_of_a_page_are_returned_together() {
    let tenant = tenant(vec![vec![3]; 3]);
    let mut walks = tenant.lms().enrolments_by_course();
    let (items, _) = take(&mut walks, usize::MAX).await;
    let parts: Vec<_> = items.iter().map(|item| &item[..1]).collect();
    assert!(
        parts
            .chunks(3)
            .all(|page| page.iter().all(|part| *part == page[0])),
        "{parts:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_part_makes_progress_from_its_start_while_the_consumer_is_busy() {
    let tenant = tenant(vec![vec![1], vec![1, 1], vec![1]]);
    let mut walks = tenant.lms().enrolments_by_course().concurrency(2);
    // The third item is one of the second part, and the third part starts in the place of the first one.
    for _ in 0..3 {
        walks.try_next().await.unwrap();
        sleep(Duration::from_secs(1)).await;
    }
    let third = |seen: &Seen| seen.query("course").as_deref() == Some("2");
    assert!(tenant.seen().iter().any(third));
}

#[tokio::test(start_paused = true)]
async fn the_total_is_known_from_the_first_page_of_the_list_and_the_end_after_the_last_part() {
    let mut walks = tenant(vec![vec![1, 1]; 9])
        .lms()
        .enrolments_by_course()
        .concurrency(1);
    assert_eq!(walks.progress().total, None);
    walks.try_next().await.unwrap();
    assert_eq!(walks.progress().total, Some(9));

    let mut walks = tenant(vec![vec![1, 1]]).lms().enrolments_by_course();
    assert!(!walks.is_terminated());
    walks.try_next().await.unwrap();
    assert!(
        !walks.is_terminated(),
        "the list has ended, and its last part has not"
    );
    take(&mut walks, usize::MAX).await;
    assert!(walks.is_terminated());
}

#[tokio::test]
async fn the_error_of_a_part_has_the_error_of_its_call_as_its_source() {
    let forbidden = Script::new(|_| status(403));
    let failed = forbidden.lms().enrolments_by_course().try_next().await;
    let failed = failed.unwrap_err();
    assert!(
        failed.to_string().contains("could not be listed"),
        "{failed}"
    );
    let source = failed
        .source()
        .and_then(|source| source.downcast_ref::<Error>());
    assert!(source.is_some_and(Error::is_forbidden));
}

#[tokio::test(start_paused = true)]
async fn a_call_makes_progress_from_its_start_while_the_consumer_is_busy() {
    let tenant = Script::new(|seen| {
        let id = seen.path().trim_start_matches("/courses/");
        match seen.path() {
            "/courses" => json(value!({"items": [{"id": "a"}, {"id": "b"}], "more": false})),
            _ => json(value!({ "id": id })),
        }
        .after(ROUND_TRIP)
    });
    let lms = tenant.lms();
    let call = |id: &str| Part::from(lms.get_course().id(id).call());
    let parts = [
        (0, call("c0")),
        (1, lms.list_courses().items().into()),
        (2, call("c2")),
    ];
    let mut courses = Concurrent::new(parts).concurrency(2);
    // The second item is one of the list, and the last call starts in the place of the first one.
    for _ in 0..2 {
        courses.try_next().await.unwrap();
        sleep(Duration::from_secs(1)).await;
    }
    assert!(
        tenant
            .seen()
            .iter()
            .any(|seen| seen.path() == "/courses/c2")
    );
}

#[tokio::test(start_paused = true)]
async fn a_concurrent_walk_is_a_stream() {
    let shape = vec![vec![2, 1], vec![3]];
    let walks = tenant(shape.clone()).lms().enrolments_by_course();
    let items: BTreeSet<_> = walks
        .map_ok(|next| next.item.id.unwrap().into_string())
        .try_collect()
        .await
        .unwrap();
    assert_eq!(items, all(&shape));
}

#[tokio::test]
async fn the_total_of_an_iterator_is_known_if_its_length_is() {
    let lms = Script::of([]).lms();
    let part = move |n: u32| (n, lms.get_course().id("c1").call());
    let walk = Concurrent::new((0..3).map(part.clone()));
    assert_eq!(walk.progress().total, Some(3));
    let filtered = (0..3).filter(|n| n % 2 == 0).map(part);
    assert_eq!(Concurrent::new(filtered).progress().total, None);
}
