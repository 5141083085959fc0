//! Measures the time of a job.

use std::fs;

use lms_bench_subjects::{
    Result,
    stopwatch::{Seen, Times},
};

use crate::jobs::{self, Measure};

impl Measure for Times {
    async fn of(self, job: impl AsyncFnMut() -> Result<Seen>) -> Result<String> {
        Self::of(self, job).await
    }
}

/// Runs the job with the page in this file as often as the other arguments say.
pub(crate) async fn run(
    job: &str,
    file: &str,
    arguments: &mut impl Iterator<Item = String>,
) -> Result<String> {
    let times = Times::read(arguments)?;
    jobs::run(job, fs::read(file)?, times).await
}
