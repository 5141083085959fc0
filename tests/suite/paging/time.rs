//! Fetching and working at the same time, on a paused clock.

use std::time::Duration;

use lms_ext::prelude::*;
use tokio::time::{Instant, sleep};

use super::{page, tenant};
use crate::script::Script;

const FETCH: Duration = Duration::from_millis(100);

/// A tenant that takes its time for each of twenty pages of ten rows.
fn slow() -> Script {
    let pages: Vec<Vec<u32>> = (0..20)
        .map(|page| (0..10).map(|row| page * 10 + row).collect())
        .collect();
    Script::new(move |seen| page(&pages, seen.query("cursor").as_deref()).after(FETCH))
}

#[tokio::test(start_paused = true)]
async fn a_consumer_that_takes_as_long_as_the_fetch_needs_half_the_time() {
    let lms = slow().lms();
    let taking_turns = 20 * 2 * FETCH;

    let began = Instant::now();
    let mut pages = lms.list_learners().pages();
    while pages.try_next().await.unwrap().is_some() {
        sleep(FETCH).await;
    }
    assert_eq!(began.elapsed(), 21 * FETCH);

    let began = Instant::now();
    let mut rows = lms.list_learners().items();
    while rows.try_next().await.unwrap().is_some() {
        sleep(FETCH / 10).await;
    }
    assert!(
        began.elapsed() <= taking_turns * 11 / 20,
        "{:?}",
        began.elapsed()
    );

    let began = Instant::now();
    let mut pages = lms.list_learners().pages().without_read_ahead();
    while pages.try_next().await.unwrap().is_some() {
        sleep(FETCH).await;
    }
    assert_eq!(began.elapsed(), taking_turns);
}

#[tokio::test(start_paused = true)]
async fn no_more_than_one_page_is_fetched_ahead() {
    let tenant = slow();
    let mut rows = tenant.lms().list_learners().items();
    rows.try_next().await.unwrap();
    sleep(FETCH * 5).await;
    assert_eq!(tenant.count(), 1, "one row is one page");
    rows.try_next().await.unwrap();
    sleep(FETCH * 5).await;
    assert_eq!(tenant.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_stream_stops_what_it_fetches() {
    let tenant = slow();
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let mut pages = tenant.lms().list_learners().pages();
    pages.try_next().await.unwrap();
    tokio::task::yield_now().await;
    assert_eq!((tenant.count(), tasks()), (2, before + 1));
    drop(pages);
    tokio::task::yield_now().await;
    assert_eq!(tasks(), before);
}

#[tokio::test]
async fn without_read_ahead_there_is_no_task() {
    let tenant = tenant(vec![vec![1], vec![2]]);
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let mut pages = tenant.lms().list_learners().pages().without_read_ahead();
    while pages.try_next().await.unwrap().is_some() {
        assert_eq!(tasks(), before);
    }
}
