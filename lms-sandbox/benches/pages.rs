//! Does a page deep in a list cost what the first one does?
//!
//! ```sh
//! cargo bench -p lms-sandbox --bench pages            # 100,000 learners
//! LMS_BENCH_LEARNERS=1000000 cargo bench -p lms-sandbox --bench pages
//! ```
//!
//! Every list is walked in pages of 200. Compared are the first pages and the last ones of the same walk, so the
//! ratio does not depend on how fast the machine is today. Last come requests a second, one after the other.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark speaks to whoever runs it, and stops where something is wrong"
)]

use std::{
    env,
    time::{Duration, Instant},
};

use lms_sandbox::{Population, Sandbox};
use reqwest::{Client, Url};
use serde_json::{Value, json};

/// How many pages at either end are compared.
const END: usize = 50;
/// How many pages of a list are walked at most.
const MOST: usize = 2_000;

#[tokio::main]
async fn main() {
    let learners = env::var("LMS_BENCH_LEARNERS").map_or(100_000, |number| number.parse().unwrap());
    let population = Population {
        learners,
        ..Population::default()
    };
    let filling = Instant::now();
    let sandbox = Sandbox::builder()
        .population(population)
        .token_lifetime(Duration::from_secs(86_400))
        .start()
        .await
        .unwrap();
    println!(
        "{learners} learners in {:.1} s\n",
        filling.elapsed().as_secs_f64()
    );
    let bench = Bench::new(&sandbox).await;

    println!("| list | pages | first {END}, median | last {END}, median | last / first |");
    println!("|---|---|---|---|---|");
    for list in [
        "learners",
        "learners?order_by=surname",
        "enrolments",
        "topic_progress",
        "topic_progress?completed=true",
        "course_completions",
    ] {
        let times = bench.walk(list).await;
        let (first, last) = (&times[..END], &times[times.len() - END..]);
        let (first, last) = (median(first), median(last));
        println!(
            "| {list} | {} | {:.2} ms | {:.2} ms | {:.2} |",
            times.len(),
            first.as_secs_f64() * 1e3,
            last.as_secs_f64() * 1e3,
            last.as_secs_f64() / first.as_secs_f64()
        );
    }

    let single = bench.per_second("learners/l1").await;
    let page = bench.per_second("learners").await;
    println!(
        "\none after the other: {single:.0} single reads, {page:.0} pages of 200 learners a second"
    );
}

struct Bench {
    http: Client,
    base: String,
    token: String,
}

impl Bench {
    async fn new(sandbox: &Sandbox) -> Self {
        let http = Client::new();
        let base = format!("{}/api/v1/", sandbox.base_url());
        let request = json!({
            "grant_type": "client_credentials",
            "client_id": sandbox.client_id(),
            "client_secret": sandbox.client_secret(),
        });
        let answer = http
            .post(format!("{base}oauth/token"))
            .json(&request)
            .send()
            .await
            .unwrap();
        let answer: Value = answer.json().await.unwrap();
        let token = answer["access_token"].as_str().unwrap().to_owned();
        Self { http, base, token }
    }

    async fn get(&self, url: Url) -> Vec<u8> {
        let answer = self
            .http
            .get(url)
            .bearer_auth(&self.token)
            .send()
            .await
            .unwrap();
        answer
            .error_for_status()
            .unwrap()
            .bytes()
            .await
            .unwrap()
            .to_vec()
    }

    /// How long each page of a list took.
    async fn walk(&self, list: &str) -> Vec<Duration> {
        let first = Url::parse(&format!("{}{list}", self.base)).unwrap();
        let mut url = first.clone();
        let mut times = Vec::new();
        loop {
            let asked = Instant::now();
            let body = self.get(url).await;
            times.push(asked.elapsed());
            let page: Value = serde_json::from_slice(&body).unwrap();
            match page["next_cursor"].as_str() {
                Some(cursor) if times.len() < MOST => {
                    url = first.clone();
                    url.query_pairs_mut().append_pair("cursor", cursor);
                }
                _ => return times,
            }
        }
    }

    async fn per_second(&self, path: &str) -> f64 {
        let url = Url::parse(&format!("{}{path}", self.base)).unwrap();
        let began = Instant::now();
        let mut requests = 0;
        while began.elapsed() < Duration::from_secs(3) {
            self.get(url.clone()).await;
            requests += 1;
        }
        f64::from(requests) / began.elapsed().as_secs_f64()
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2]
}
