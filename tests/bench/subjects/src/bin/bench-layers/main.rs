//! The same call through each of our layers, and through hand-written code: `bench-layers SUBJECT JOB WARM-UP CALLS`.

mod ext;
mod hand;
mod learners;
mod raw;
mod stopwatch;

use learners::{Result, Tenant};
use stopwatch::Times;

#[tokio::main(flavor = "current_thread")]
#[expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]
async fn main() -> Result<()> {
    let tenant = Tenant::from_env()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subject, job, warm_up, counted] = &arguments[..] else {
        return Err("bench-layers SUBJECT JOB WARM-UP CALLS".into());
    };
    let times = Times {
        warm_up: warm_up.parse()?,
        counted: counted.parse()?,
    };
    let result = match (&**subject, &**job) {
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
    println!("{result}");
    Ok(())
}
