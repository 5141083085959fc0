//! Requests the first and the last pages of a list: `bench-depth LIST PAGES END ROUNDS`.
//!
//! A walk of at most `PAGES` pages finds the cursors of the first and the last `END` of them, which are then requested in
//! turn. Prints the number of pages, and the median time of a page in each round.

use std::{collections::VecDeque, env, time::Instant};

use lms_bench_subjects::{
    Result,
    learners::{Client, Page, Tenant},
    print,
    stopwatch::argument,
};
use reqwest::Method;
use serde::de::IgnoredAny;

type Cursors = VecDeque<Option<String>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let list: String = argument(&mut arguments, "the list")?;
    let most: usize = argument(&mut arguments, "the number of pages")?;
    let end: usize = argument(&mut arguments, "the number of pages at an end")?;
    let rounds: usize = argument(&mut arguments, "the number of rounds")?;

    let client = Client::connect(&Tenant::from_env()?).await?;
    let (mut first, mut last) = (Cursors::new(), Cursors::new());
    let (mut pages, mut cursor) = (0, None);
    while pages < most {
        let page: Page<IgnoredAny> = client.page(&list, cursor.as_deref()).await?;
        if first.len() < end {
            first.push_back(cursor.clone());
        }
        last.push_back(cursor);
        if last.len() > end {
            last.pop_front();
        }
        pages += 1;
        cursor = page.next_cursor;
        if !page.more {
            break;
        }
    }
    let (mut at_first, mut at_last) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        at_first.push(median(&client, &list, &first).await?);
        at_last.push(median(&client, &list, &last).await?);
    }
    print(format_args!(
        r#"{{"pages":{pages},"first":{at_first:?},"last":{at_last:?}}}"#
    ));
    Ok(())
}

/// Returns the median time of these pages in seconds.
async fn median(client: &Client, list: &str, cursors: &Cursors) -> Result<f64> {
    let mut times = Vec::new();
    for cursor in cursors {
        let mut request = client.request(Method::GET, list);
        if let Some(cursor) = cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        let sent = Instant::now();
        request.send().await?.error_for_status()?.bytes().await?;
        times.push(sent.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let middle = times.get(times.len() / 2);
    Ok(*middle.ok_or("no pages")?)
}
