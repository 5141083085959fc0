//! Keeps a tenant busy with one kind of request: `bench-load JOB LEARNERS CONNECTIONS SECONDS PID`.
//!
//! Says how many requests were answered meanwhile, and how long the tenant, which is the process PID, was on a
//! processor for them. `LEARNERS` is how many there are, so that those that are asked for are spread over all.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;

use std::{
    env,
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Job, Result, Worker};
use lms_bench_subjects::{learners::Tenant, process};
use tokio::task::JoinSet;

/// How long requests are sent before any is counted.
const WARM_UP: Duration = Duration::from_millis(200);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let mut next = |name: &str| arguments.next().ok_or(format!("{name} is missing"));
    let job: Job = next("the job")?.parse()?;
    let learners = next("the number of learners")?.parse()?;
    let connections: u64 = next("the number of connections")?.parse()?;
    let length = Duration::from_secs_f64(next("the number of seconds")?.parse()?);
    let tenant_process: u32 = next("the process of the tenant")?.parse()?;

    let tenant = Arc::new(Tenant::told()?);
    let mut workers = Vec::new();
    for number in 0..connections {
        workers.push(Worker::new(&tenant, job, learners, number).await?);
    }
    workers = busy(workers, WARM_UP).await?;
    let sent = requests(&workers);
    let (ran, began) = (process::run_time_of(tenant_process)?, Instant::now());
    workers = busy(workers, length).await?;
    let wall = began.elapsed().as_secs_f64();
    // It is told in hundredths, so nothing is known about less.
    let processor = (process::run_time_of(tenant_process)? - ran).max(0.01);
    let requests = requests(&workers) - sent;
    for worker in workers {
        worker.tidy_up().await?;
    }
    println!(r#"{{"requests":{requests},"wall":{wall},"processor":{processor}}}"#);
    Ok(())
}

fn requests(workers: &[Worker]) -> u64 {
    workers.iter().map(|worker| worker.requests).sum()
}

/// Lets all of them work side by side for that long.
async fn busy(workers: Vec<Worker>, length: Duration) -> Result<Vec<Worker>> {
    let end = Instant::now() + length;
    let mut tasks = JoinSet::new();
    for mut worker in workers {
        tasks.spawn(async move {
            while Instant::now() < end {
                worker.ask().await?;
            }
            Ok::<_, reqwest::Error>(worker)
        });
    }
    let mut workers = Vec::new();
    while let Some(done) = tasks.join_next().await {
        workers.push(done??);
    }
    Ok(workers)
}
