//! `bench-decoding` with mimalloc: `bench-decoding-mimalloc JOB FILE WARM-UP CALLS`.

mod jobs;
mod memory;
mod timed;

use std::env;

use lms_bench_subjects::{Result, print, stopwatch::argument};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let job: String = argument(&mut arguments, "the job")?;
    let file: String = argument(&mut arguments, "the file")?;
    print(timed::run(&job, &file, &mut arguments).await?);
    Ok(())
}
