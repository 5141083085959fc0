//! Walks over all learners of the tenant: `bench-walking JOB`.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;

use std::{env, time::Instant};

use lms_bench_subjects::process;

#[tokio::main]
async fn main() -> jobs::Result<()> {
    let job = env::args().nth(1).ok_or("which job?")?;
    let (ran, began) = (process::run_time()?, Instant::now());
    let seen = jobs::run(&job).await?;
    let wall = began.elapsed().as_secs_f64();
    let processor = process::run_time()? - ran;
    let peak = process::peak_memory()?;
    println!(
        r#"{{"learners":{},"bytes":{},"wall":{wall},"processor":{processor},"peak":{peak}}}"#,
        seen.rows, seen.bytes
    );
    Ok(())
}
