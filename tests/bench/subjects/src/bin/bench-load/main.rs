//! Sends one kind of request repeatedly: `bench-load JOB LEARNERS CONNECTIONS SECONDS PID`.
//!
//! Prints the number of responses, and the CPU time of the tenant, which is the process PID. `LEARNERS` is the size of
//! the tenant: the requested learners are spread over all of them.

mod jobs;

use std::{
    env,
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Job, Worker};
use lms_bench_subjects::{Result, learners::Tenant, print, process, stopwatch::argument};
use tokio::task::JoinSet;

/// The duration of the warm-up, whose requests are not counted.
const WARM_UP: Duration = Duration::from_millis(200);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let job: Job = argument(&mut arguments, "the job")?;
    let learners = argument(&mut arguments, "the number of learners")?;
    let connections: u64 = argument(&mut arguments, "the number of connections")?;
    let length = Duration::from_secs_f64(argument(&mut arguments, "the number of seconds")?);
    let pid: u32 = argument(&mut arguments, "the process id of the tenant")?;

    let tenant = Arc::new(Tenant::from_env()?);
    let mut workers = Vec::new();
    for number in 0..connections {
        workers.push(Worker::new(&tenant, job, learners, number).await?);
    }
    workers = busy(workers, WARM_UP).await?;
    let sent = requests(&workers);
    let (cpu, started) = (process::cpu_time_of(pid)?, Instant::now());
    workers = busy(workers, length).await?;
    let wall = started.elapsed().as_secs_f64();
    // The resolution is a hundredth of a second.
    let processor = (process::cpu_time_of(pid)? - cpu).max(0.01);
    let requests = requests(&workers) - sent;
    for worker in workers {
        worker.clean_up().await?;
    }
    print(format_args!(
        r#"{{"requests":{requests},"wall":{wall},"processor":{processor}}}"#
    ));
    Ok(())
}

fn requests(workers: &[Worker]) -> u64 {
    workers.iter().map(|worker| worker.requests).sum()
}

/// Runs all workers concurrently for this long.
async fn busy(workers: Vec<Worker>, length: Duration) -> Result<Vec<Worker>> {
    let end = Instant::now() + length;
    let mut tasks = JoinSet::new();
    for mut worker in workers {
        tasks.spawn(async move {
            while Instant::now() < end {
                worker.send_one().await?;
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
