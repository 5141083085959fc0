//! Exports all learners and enrolments of the tenant: `lms-bench-sync JOB FOLDER`. `lms-bench-sync views FOLDER COPIES ROUNDS`
//! queries a mirror.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod views;

use std::{env, fs, path::Path, time::Instant};

use lms_ext::Lms;
use lms_sync::{
    Export, Extract, RunSummary, collection,
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format},
        postgres::{PostgresSchema, PostgresSink},
        sqlite::SqliteSink,
    },
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const COLLECTIONS: [&str; 2] = ["learners", "enrolments"];

/// Ticks per second in /proc; the same on every architecture.
const TICKS: f64 = 100.0;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [job, folder, numbers @ ..] = &*arguments else {
        return Err("name a job and a folder".into());
    };
    let folder = Path::new(folder);
    let lms = Lms::from_env()?;
    if let ("views", [copies, rounds]) = (&**job, numbers) {
        return views::measure(&lms, folder, copies.parse()?, rounds.parse()?).await;
    }
    let started = Instant::now();
    let files = |format| FilesSink::new(folder.join(job), FilesOptions::new(format));
    let rows = match &**job {
        "listing" => listing(&lms).await?,
        "csv" => export(&lms, files(Format::Csv)).await?,
        "parquet" => export(&lms, files(Format::Parquet)).await?,
        // The second time, nothing has changed.
        "sqlite" | "sqlite-again" => {
            export(&lms, SqliteSink::new(folder.join("mirror.db"))).await?
        }
        "postgres" | "postgres-again" => {
            let server: PostgresSchema = env::var("LMS_TEST_POSTGRES")?.parse()?;
            export(&lms, PostgresSink::new(server.schema("bench"))).await?
        }
        _ => return Err(format!("there is no job {job}").into()),
    };
    let wall = started.elapsed().as_secs_f64();
    let (processor, peak) = (processor_time()?, peak_memory()?);
    println!(r#"{{"rows":{rows},"wall":{wall},"processor":{processor},"peak":{peak}}}"#);
    Ok(())
}

/// The CPU time of this process in seconds, with threads that have ended.
fn processor_time() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The program name in parentheses can contain anything; the state is the first field after it.
    let (_, fields) = stat
        .rsplit_once(") ")
        .ok_or("/proc/self/stat has no name")?;
    let times = fields.split(' ').skip(11).take(2);
    let ticks: f64 = times.map(|ticks| ticks.parse().unwrap_or(0.0)).sum();
    Ok(ticks / TICKS)
}

/// The peak memory of this process in bytes.
fn peak_memory() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|line| line.split_whitespace().next());
    Ok(kib.ok_or("/proc/self/status has no peak")?.parse::<u64>()? * 1024)
}

/// Reads all rows and makes a completeness record, but writes no rows.
async fn listing(lms: &Lms) -> Result<u64> {
    let mut rows = 0;
    for name in COLLECTIONS {
        let known = collection(name).ok_or("the collection is unknown")?;
        let mut extract = Extract::new(lms, known);
        while extract.next_batch().await?.is_some() {}
        rows += extract.record().rows;
    }
    Ok(rows)
}

async fn export(lms: &Lms, sink: impl Sink + 'static) -> Result<u64> {
    let summary: RunSummary = Export::new(lms).collections(COLLECTIONS)?.run(sink).await?;
    if !summary.is_complete() {
        return Err(format!("not complete: {summary:?}").into());
    }
    let outcomes = summary.collections.iter();
    Ok(outcomes.map(|outcome| outcome.record.rows).sum())
}
