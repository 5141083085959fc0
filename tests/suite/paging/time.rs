//! Reading ahead, on a paused clock.

use std::time::Duration;

use lms_ext::prelude::*;
use tokio::time::{Instant, sleep};

use super::{page, tasks};
use crate::script::Script;

const FETCH: Duration = Duration::from_millis(100);

/// A tenant that takes 100 ms for each of twenty pages of ten items.
fn slow() -> Script {
    let pages: Vec<Vec<u32>> = (0..20)
        .map(|page| (0..10).map(|item| page * 10 + item).collect())
        .collect();
    Script::new(move |seen| page(&pages, seen.query("cursor").as_deref()).after(FETCH))
}

#[tokio::test(start_paused = true)]
async fn reading_ahead_halves_the_time_of_a_consumer_as_slow_as_the_server() {
    let lms = slow().lms();
    let in_turns = 20 * 2 * FETCH;

    for (mut pages, expected) in [
        (lms.list_learners().pages(), 21 * FETCH),
        (lms.list_learners().pages().without_read_ahead(), in_turns),
    ] {
        let start = Instant::now();
        while pages.try_next().await.unwrap().is_some() {
            sleep(FETCH).await;
        }
        assert_eq!(start.elapsed(), expected);
    }

    let start = Instant::now();
    let mut items = lms.list_learners().items();
    while items.try_next().await.unwrap().is_some() {
        sleep(FETCH / 10).await;
    }
    let took = start.elapsed();
    assert!(took <= in_turns * 11 / 20, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn at_most_one_page_is_read_ahead() {
    let tenant = slow();
    let mut items = tenant.lms().list_learners().items();
    for pages in [1, 2] {
        items.try_next().await.unwrap();
        sleep(FETCH * 5).await;
        assert_eq!(tenant.count(), pages, "the first item requests one page");
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_aborts_its_request() {
    let tenant = slow();
    let before = tasks();
    let mut pages = tenant.lms().list_learners().pages();
    pages.try_next().await.unwrap();
    // Half of the time that the second page takes; a request that is not aborted outlasts another quarter.
    sleep(FETCH / 2).await;
    assert_eq!(tenant.count(), 2);
    assert!(tasks() > before);
    drop(pages);
    sleep(FETCH / 4).await;
    assert_eq!(tasks(), before);
}
