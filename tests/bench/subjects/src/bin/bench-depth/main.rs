//! Asks for the first pages of a list and for pages far behind them: `bench-depth LIST PAGES END ROUNDS`.
//!
//! A walk of at most `PAGES` pages finds the cursors of the last `END` of them. Then as many first and last pages
//! are asked for in turn. Says how many pages the walk saw and how long a page took in each round, in the middle.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

use std::{collections::VecDeque, env, error::Error, time::Instant};

use lms_bench_subjects::learners::{Client, Page, Tenant};
use reqwest::Method;
use serde::de::IgnoredAny;

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Cursors = VecDeque<Option<String>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let mut next = |name: &str| arguments.next().ok_or(format!("{name} is missing"));
    let list = next("the list")?;
    let most: usize = next("the number of pages")?.parse()?;
    let end: usize = next("the number of pages at an end")?.parse()?;
    let rounds: usize = next("the number of rounds")?.parse()?;

    let client = Client::connect(&Tenant::told()?).await?;
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
        at_first.push(typical(&client, &list, &first).await?);
        at_last.push(typical(&client, &list, &last).await?);
    }
    println!(r#"{{"pages":{pages},"first":{at_first:?},"last":{at_last:?}}}"#);
    Ok(())
}

/// How many seconds a page of these takes, in the middle.
async fn typical(client: &Client, list: &str, cursors: &Cursors) -> Result<f64> {
    let mut times = Vec::new();
    for cursor in cursors {
        let mut request = client.request(Method::GET, list);
        if let Some(cursor) = cursor {
            request = request.query(&[("cursor", cursor)]);
        }
        let asked = Instant::now();
        request.send().await?.error_for_status()?.bytes().await?;
        times.push(asked.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let middle = times.get(times.len() / 2);
    Ok(*middle.ok_or("no pages")?)
}
