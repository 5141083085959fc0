//! Reads all learners of the tenant: `bench-listing JOB`.

mod jobs;

use std::{env, time::Instant};

use lms_bench_subjects::{Result, print, process, stopwatch::argument};

#[tokio::main]
async fn main() -> Result<()> {
    let job: String = argument(&mut env::args().skip(1), "the job")?;
    let (cpu, started) = (process::cpu_time()?, Instant::now());
    let seen = jobs::run(&job).await?;
    let wall = started.elapsed().as_secs_f64();
    let processor = process::cpu_time()? - cpu;
    let peak = process::peak_memory()?;
    print(format_args!(
        r#"{{"learners":{},"bytes":{},"wall":{wall},"processor":{processor},"peak":{peak}}}"#,
        seen.rows, seen.bytes
    ));
    Ok(())
}
