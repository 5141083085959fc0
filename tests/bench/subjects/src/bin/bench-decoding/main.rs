//! Reads a page of learners from a file into this or that: `bench-decoding JOB FILE WARM-UP CALLS`.
//!
//! `bench-decoding get FILE` gets the page from the tenant first.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;
mod memory;
mod timed;

use std::{env, error::Error, fs};

use lms_bench_subjects::learners::{Client, Tenant};
use reqwest::Method;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let line = match (arguments.next().as_deref(), arguments.next()) {
        (Some("get"), Some(file)) => get(&file).await?,
        (Some(job), Some(file)) => timed::run(job, &file, &mut arguments).await?,
        _ => return Err("which job, and which file?".into()),
    };
    println!("{line}");
    Ok(())
}

async fn get(file: &str) -> Result<String> {
    let client = Client::connect(&Tenant::told()?).await?;
    let answer = client.request(Method::GET, "learners").send().await?;
    let page = answer.error_for_status()?.bytes().await?;
    fs::write(file, &page)?;
    Ok(page.len().to_string())
}
