//! `bench-decoding` with counted allocations: `bench-decoding-counted JOB FILE`.

mod jobs;
mod memory;

use std::{alloc::System, env, fs};

use jobs::Measure;
use lms_bench_subjects::{
    Result, print,
    stopwatch::{Seen, argument},
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs a job once to warm up, and then once with counting.
struct Once;

impl Measure for Once {
    async fn of(self, mut job: impl AsyncFnMut() -> Result<Seen>) -> Result<String> {
        job().await?;
        let region = Region::new(ALLOCATOR);
        job().await?;
        let change = region.change();
        // A collection that grows also needs the allocator.
        let allocations = change.allocations + change.reallocations;
        let bytes = change.bytes_allocated;
        Ok(format!(
            r#"{{"allocations":{allocations},"allocated":{bytes}}}"#
        ))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let job: String = argument(&mut arguments, "the job")?;
    let file: String = argument(&mut arguments, "the file")?;
    print(jobs::run(&job, fs::read(&file)?, Once).await?);
    Ok(())
}
