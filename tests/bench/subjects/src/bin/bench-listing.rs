//! Reads all learners of the tenant: `bench-listing JOB`.

use std::{env, time::Instant};

use lms_bench_subjects::{
    Result,
    learners::{Client, Contact, Learner, Page, Reachable, Tenant},
    print, process,
    stopwatch::{Seen, argument},
};
use lms_ext::{Items, prelude::*};
use serde::{Deserialize, de::DeserializeOwned};

#[tokio::main]
async fn main() -> Result<()> {
    let job: String = argument(&mut env::args().skip(1), "the job")?;
    let (cpu, started) = (process::cpu_time()?, Instant::now());
    let seen = run(&job).await?;
    let wall = started.elapsed().as_secs_f64();
    let processor = process::cpu_time()? - cpu;
    let peak = process::peak_memory()?;
    print(format_args!(
        r#"{{"learners":{},"bytes":{},"wall":{wall},"processor":{processor},"peak":{peak}}}"#,
        seen.rows, seen.bytes
    ));
    Ok(())
}

/// Runs the job of this name.
async fn run(name: &str) -> Result<Seen> {
    let tenant = Tenant::from_env()?;
    match name {
        "items" => each(tenant.lms()?.list_learners().items()).await,
        "items-alone" => {
            let items = tenant.lms()?.list_learners().items();
            each(items.without_read_ahead()).await
        }
        "items-as" => each(tenant.lms()?.list_learners().items_as::<Contact>()).await,
        "hand" => by_hand::<Learner>(&tenant).await,
        "hand-contacts" => by_hand::<Contact>(&tenant).await,
        _ => Err(format!("there is no job {name}").into()),
    }
}

async fn each<T>(mut items: Items<T>) -> Result<Seen>
where
    T: Reachable + DeserializeOwned + Send + 'static,
{
    let mut seen = Seen::default();
    while let Some(learner) = items.try_next().await? {
        seen = seen.and(learner.email());
    }
    Ok(seen)
}

/// A simple loop, which does not check for repeated cursors.
async fn by_hand<T: Reachable + for<'a> Deserialize<'a>>(tenant: &Tenant) -> Result<Seen> {
    let client = Client::connect(tenant).await?;
    let mut all = Seen::default();
    let mut cursor = None;
    loop {
        let page: Page<T> = client.page("learners", cursor.as_deref()).await?;
        for learner in page.items {
            all = all.and(learner.email());
        }
        if !page.more {
            return Ok(all);
        }
        cursor = page.next_cursor;
    }
}
