//! Reads all enrolments of a slow tenant: `bench-latency WAY CONCURRENCY`.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    time::Instant,
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
    let concurrency: usize = argument(&mut arguments, "the concurrency")?;
    // Gets the token and connects before the measurement.
    lms.me().call().await?;
    let started = Instant::now();
    let mut report = match &*way {
        "listing" => listing(&lms).await?,
        "concurrent" => concurrent(&lms, concurrency).await?,
        _ => return Err(format!("there is no way {way}").into()),
    };
    report.seconds = started.elapsed().as_secs_f64();
    print(serde_json::to_string(&report)?);
    Ok(())
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
