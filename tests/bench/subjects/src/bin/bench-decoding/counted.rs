//! As `bench-decoding`, with its allocations counted: `bench-decoding-counted JOB FILE`.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;
mod memory;

use std::{alloc::System, env, error::Error, fs};

use jobs::Measure;
use lms_bench_subjects::stopwatch::Seen;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Does a job once before it counts, and then once more.
struct Once;

impl Measure for Once {
    async fn of(self, mut job: impl AsyncFnMut() -> Result<Seen>) -> Result<String> {
        job().await?;
        let region = Region::new(ALLOCATOR);
        job().await?;
        let change = region.change();
        // Whoever grows asks the allocator again.
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
    let job = arguments.next().ok_or("which job?")?;
    let file = arguments.next().ok_or("which file?")?;
    println!("{}", jobs::run(&job, fs::read(&file)?, Once).await?);
    Ok(())
}
