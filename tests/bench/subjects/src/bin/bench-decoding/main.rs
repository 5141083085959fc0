//! Decodes a page of learners from a file: `bench-decoding JOB FILE WARM-UP CALLS`.
//!
//! `bench-decoding get FILE` downloads the page.

mod jobs;
mod memory;
mod timed;

use std::{env, fs};

use lms_bench_subjects::{
    Result,
    learners::{Client, Tenant},
    print,
};
use reqwest::Method;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let result = match (arguments.next().as_deref(), arguments.next()) {
        (Some("get"), Some(file)) => get(&file).await?,
        (Some(job), Some(file)) => timed::run(job, &file, &mut arguments).await?,
        _ => return Err("the job or the file is missing".into()),
    };
    print(result);
    Ok(())
}

async fn get(file: &str) -> Result<String> {
    let client = Client::connect(&Tenant::from_env()?).await?;
    let response = client.request(Method::GET, "learners").send().await?;
    let page = response.error_for_status()?.bytes().await?;
    fs::write(file, &page)?;
    Ok(page.len().to_string())
}
