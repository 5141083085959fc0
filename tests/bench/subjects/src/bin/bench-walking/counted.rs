//! As `bench-walking`, with its allocations counted: `bench-walking-counted JOB`.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;

use std::{alloc::System, env};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[tokio::main]
async fn main() -> jobs::Result<()> {
    let job = env::args().nth(1).ok_or("which job?")?;
    let region = Region::new(ALLOCATOR);
    let seen = jobs::run(&job).await?;
    let change = region.change();
    // Whoever grows asks the allocator again.
    let allocations = change.allocations + change.reallocations;
    let learners = seen.rows;
    println!(r#"{{"learners":{learners},"allocations":{allocations}}}"#);
    Ok(())
}
