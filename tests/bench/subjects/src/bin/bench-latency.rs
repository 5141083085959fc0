//! Reads all enrolments of a slow tenant: `bench-latency WAY NUMBER`.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    time::{Duration, Instant},
};

use lms_bench_subjects::{Result, learners::Tenant, print, stopwatch::argument};
use lms_ext::prelude::*;

#[derive(Default, serde::Serialize)]
struct Report {
    seconds: f64,
    rows: usize,
    /// Independent of the order of the items.
    hash: u64,
}

impl Report {
    fn add(&mut self, enrolment: &types::Enrolment) {
        let mut hasher = DefaultHasher::new();
        let types::Enrolment {
            id, course, user, ..
        } = enrolment;
        (id, course, user).hash(&mut hasher);
        self.rows += 1;
        self.hash = self.hash.wrapping_add(hasher.finish());
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let lms = Tenant::from_env()?.lms()?;
    let mut arguments = std::env::args().skip(1);
    let way: String = argument(&mut arguments, "the way")?;
    let number: usize = argument(&mut arguments, "the number")?;
    // Gets the token and connects before the measurement.
    lms.me().call().await?;
    let started = Instant::now();
    let mut report = match &*way {
        "calls" => calls(&lms, number).await?,
        "listing" => listing(&lms).await?,
        "concurrent" => concurrent(&lms, number).await?,
        "working" => working(lms.list_enrolments().pages(), number).await?,
        "working-in-turn" => {
            let pages = lms.list_enrolments().pages().without_read_ahead();
            working(pages, number).await?
        }
        _ => return Err(format!("there is no way {way}").into()),
    };
    report.seconds = started.elapsed().as_secs_f64();
    print(serde_json::to_string(&report)?);
    Ok(())
}

/// Small calls in sequence.
async fn calls(lms: &Lms, number: usize) -> Result<Report> {
    for _ in 0..number {
        lms.me().call().await?;
    }
    Ok(Report::default())
}

async fn listing(lms: &Lms) -> Result<Report> {
    let mut report = Report::default();
    let mut enrolments = lms.list_enrolments().items();
    while let Some(enrolment) = enrolments.try_next().await? {
        report.add(&enrolment);
    }
    Ok(report)
}

async fn concurrent(lms: &Lms, concurrency: usize) -> Result<Report> {
    let mut report = Report::default();
    let mut enrolments = lms.enrolments_by_course().concurrency(concurrency);
    while let Some(row) = enrolments.try_next().await? {
        report.add(&row);
    }
    Ok(report)
}

/// Processes each page for the time in WORK_MS, as a program does that stores it.
async fn working(mut pages: lms_ext::Pages<types::Enrolment>, number: usize) -> Result<Report> {
    let work = Duration::from_millis(std::env::var("WORK_MS")?.parse()?);
    let mut report = Report::default();
    for _ in 0..number {
        let page = pages.try_next().await?.ok_or("the list is too short")?;
        page.items
            .iter()
            .for_each(|enrolment| report.add(enrolment));
        tokio::time::sleep(work).await;
    }
    Ok(report)
}
