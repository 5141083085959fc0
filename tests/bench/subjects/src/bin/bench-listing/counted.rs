//! `bench-listing` with counted allocations: `bench-listing-counted JOB`.

mod jobs;

use std::{alloc::System, env};

use lms_bench_subjects::{Result, print, stopwatch::argument};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[tokio::main]
async fn main() -> Result<()> {
    let job: String = argument(&mut env::args().skip(1), "the job")?;
    let region = Region::new(ALLOCATOR);
    let seen = jobs::run(&job).await?;
    let change = region.change();
    // A collection that grows also needs the allocator.
    let allocations = change.allocations + change.reallocations;
    let learners = seen.rows;
    print(format_args!(
        r#"{{"learners":{learners},"allocations":{allocations}}}"#
    ));
    Ok(())
}
