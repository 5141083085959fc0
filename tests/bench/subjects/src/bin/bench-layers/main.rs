//! The same call through each of our layers, and by hand: `bench-layers SUBJECT JOB WARM-UP CALLS`.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod ext;
mod hand;
mod raw;

use std::error::Error;

use lms_bench_subjects::{learners::Tenant, stopwatch::Times};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let tenant = Tenant::told()?;
    let mut arguments = std::env::args().skip(1);
    let subject = arguments.next().ok_or("which subject?")?;
    let job = arguments.next().ok_or("which job?")?;
    let times = Times::read(&mut arguments)?;
    let line = match (&*subject, &*job) {
        ("hand", "learner") => hand::learner(&tenant, times).await,
        ("hand", "page") => hand::page(&tenant, times).await,
        ("hand", "contacts") => hand::contacts(&tenant, times).await,
        ("raw", "learner") => raw::learner(&tenant, times).await,
        ("raw", "page") => raw::page(&tenant, times).await,
        ("ext", "learner") => ext::learner(&tenant, times).await,
        ("ext", "page") => ext::page(&tenant, times).await,
        ("ext", "contacts") => ext::contacts(&tenant, times).await,
        ("walk", "contacts") => ext::walk(&tenant, times).await,
        _ => Err(format!("{subject} does no {job}").into()),
    }?;
    println!("{line}");
    Ok(())
}
