//! The same call through each of our layers, and through hand-written code: `bench-layers SUBJECT JOB WARM-UP CALLS`.

mod ext;
mod hand;
mod raw;

use lms_bench_subjects::{
    Result,
    learners::Tenant,
    print,
    stopwatch::{Times, argument},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let tenant = Tenant::from_env()?;
    let mut arguments = std::env::args().skip(1);
    let subject: String = argument(&mut arguments, "the subject")?;
    let job: String = argument(&mut arguments, "the job")?;
    let times = Times::read(&mut arguments)?;
    let result = match (&*subject, &*job) {
        ("hand", "learner") => hand::learner(&tenant, times).await,
        ("hand", "page") => hand::page(&tenant, times).await,
        ("hand", "contacts") => hand::contacts(&tenant, times).await,
        ("raw", "learner") => raw::learner(&tenant, times).await,
        ("raw", "page") => raw::page(&tenant, times).await,
        ("ext", "learner") => ext::learner(&tenant, times).await,
        ("ext", "page") => ext::page(&tenant, times).await,
        ("ext", "contacts") => ext::contacts(&tenant, times).await,
        ("listing", "contacts") => ext::listing(&tenant, times).await,
        _ => Err(format!("{subject} has no job {job}").into()),
    }?;
    print(result);
    Ok(())
}
