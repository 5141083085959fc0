//! A tour of the client, from the first connection to the clean-up. Read it from top to bottom.
//!
//! ```sh
//! cargo run -p lms-ext --example quickstart
//! ```
//!
//! With `LMS_BASE_URL`, `LMS_CLIENT_ID` and `LMS_CLIENT_SECRET` set, it works on that tenant and deletes all that it
//! created, also after an error or Ctrl-C. Otherwise it starts a sandbox.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the example reports its progress"
)]

use std::{future::pending, process::ExitCode, time::SystemTime};

use indicatif::ProgressBar;
use lms_ext::{CallFuture, List, LmsBuilder, Policies, prelude::*};
use lms_sandbox::Sandbox;
use tokio::signal::ctrl_c;

/// Shown in one line.
type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    let Err(error) = connect_and_run().await else {
        return ExitCode::SUCCESS;
    };
    // `{:#}` includes the server's message.
    eprintln!("quickstart: {error:#}");
    ExitCode::FAILURE
}

/// Completes on Ctrl-C. The next Ctrl-C ends the program.
fn interrupted() -> impl Future<Output = ()> + Send + 'static {
    let pressed = tokio::spawn(async {
        if ctrl_c().await.is_err() {
            return pending().await;
        }
        eprintln!("stopping after this call; press Ctrl-C again to leave what was created");
        tokio::spawn(async { ctrl_c().await.map(|()| std::process::exit(130)) });
    });
    async { pressed.await.unwrap_or_default() }
}

async fn connect_and_run() -> Result<(), Failure> {
    let sandbox;
    let builder = match LmsBuilder::from_env() {
        // None of the three variables is set.
        Err(error) if error.fields().len() == 3 => {
            println!(
                "LMS_BASE_URL, LMS_CLIENT_ID and LMS_CLIENT_SECRET are not set: a sandbox with demo data is used"
            );
            sandbox = Sandbox::builder().demo().start().await?;
            client_of(&sandbox)
        }
        builder => builder?,
    };
    // One client for the whole program. It obtains a token for the first request and refreshes it before it expires.
    // Clones share connections, the token and limits.
    let builder = builder.application(concat!("quickstart/", env!("CARGO_PKG_VERSION")));
    let lms = builder.build()?;
    println!("working on {}", lms.base_url());

    // `test` checks the connection, `me` the credentials.
    let tenant = lms.test().await?.tid.unwrap_or_default();
    let name = lms.me().await?.name.unwrap_or_default();
    println!("connected to tenant {tenant} as {name}");

    // No call is stopped half-way: the id of the created object would be lost.
    run(&lms, &lms.cancel_on(interrupted())).await
}

fn client_of(sandbox: &Sandbox) -> LmsBuilder {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
}

/// Works with a client that is cancelled by Ctrl-C, and deletes the created objects with one that is not.
async fn run(lms: &Lms, cancellable: &Lms) -> Result<(), Failure> {
    // The calls that delete the created objects, from the last to the first, even after an error or Ctrl-C. A call is
    // a future: it is sent when it is awaited.
    let mut clean_up = Vec::new();
    let worked = work(cancellable, lms, &mut clean_up).await;
    let mut cleaned = Ok(());
    while let Some(deletion) = clean_up.pop() {
        cleaned = cleaned.and(deletion.await);
    }
    if cleaned.is_ok() {
        println!("cleaned up");
    }
    worked?;
    cleaned?;
    println!("done");
    Ok(())
}

async fn work(lms: &Lms, cleaner: &Lms, clean_up: &mut Vec<CallFuture<()>>) -> Result<(), Failure> {
    // Required values are arguments. Optional values have setters, such as `.published(true)`.
    let run = fresh_name();
    let course = lms.add_course(format!("Lifting safely {run}")).await?;
    let course = course.require_id()?;
    clean_up.push(cleaner.delete_course(course).call());
    println!("added course {course}");

    // Adds the learner once, however often it is called.
    let learner = types::AddLearner::builder("Jo", "Bell", format!("jo.bell.{run}@acme.example"))
        .phone_number("+44 20 7946 0000")
        .generate_password(true);
    let learner = lms.ensure_learner(learner).await?;
    let learner = learner.value().require_id()?;
    clean_up.push(cleaner.delete_learner(learner).call());
    println!("added learner {learner}");

    // One enrolment of one learner: a scope without a learner or a course does not compile. Ending
    // one that does not exist is not an error.
    let unenrolled = cleaner.unenrol(EnrolmentScope::learner_in_course(learner, course));
    clean_up.push(Box::pin(async { unenrolled.await.map(|_| ()) }));
    let enrolment = types::AddEnrolment::builder(course, learner);
    lms.ensure_enrolment(enrolment).await?;
    println!("enrolled the learner in the course");

    // Lists are paginated. `.items()` and `.pages()` request all pages.
    count("learners", lms.list_learners()).await?;
    count("enrolments", lms.list_enrolments()).await?;
    count("topics", lms.list_topics()).await?;
    count("topic progress", lms.list_topic_progress()).await?;
    count("completions", lms.list_course_completions()).await?;
    count("custom fields", lms.list_user_fields()).await?;

    // A PUT replaces the whole learner. This reads the learner first, so that only the surname changes.
    let edit = lms.update_learner(learner, |l| l.surname = "Bell-Ray".to_owned());
    let edited = edit.await?;
    let phone_number = edited.value().phone_number.as_ref();
    let phone_number = phone_number.ok_or("the phone number was lost")?;
    println!("renamed the learner; the phone number is still {phone_number}");

    // The service copies a course in the background. The handle can also be polled in another process, by the id of its
    // task.
    let name = format!("Lifting safely {run}, for a client");
    let copy = lms.duplicate_course(course, |copy| copy.name(name)).await?;
    let (cleaner, copying) = (cleaner.clone(), cleaner.course_copy(copy.task_id().clone()));
    clean_up.push(Box::pin(async move {
        // The copy continues at the server, also after an error or Ctrl-C.
        let copied = copying.wait().await?;
        cleaner.delete_course(copied.require_id()?).await
    }));
    let bar = ProgressBar::new(100);
    let mut progress = copy.progress();
    while let Some(state) = progress.try_next().await? {
        let position = state.progress.and_then(|progress| progress.try_into().ok());
        bar.set_position(position.unwrap_or_default());
    }
    bar.finish_and_clear();
    println!("copied the course to {}", copy.wait().await?.require_id()?);
    Ok(())
}

/// Reads a complete list and prints the number of its items.
async fn count<L: List<Transport = Policies>>(what: &str, list: L) -> Result<(), Failure> {
    let bar = ProgressBar::no_length();
    let mut items = list.items();
    while items.try_next().await?.is_some() {
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("read {} {what}", bar.position());
    Ok(())
}

/// A name that is unique to this run.
fn fresh_name() -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), std::process::id())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::future::try_join_all;

    use super::*;

    /// More requests than a whole run sends.
    const MOST: usize = 40;

    #[tokio::test]
    async fn it_leaves_nothing_wherever_it_is_stopped() -> Result<(), Failure> {
        // At the same time, because each run waits for the copy of a course.
        let runs = (0..MOST).map(async |requests| {
            let sandbox = Arc::new(Sandbox::builder().start().await?);
            let lms = client_of(&sandbox).build()?;
            let journal = Arc::clone(&sandbox);
            let stop = async move {
                while journal.requests().is_ok_and(|sent| sent.len() < requests) {
                    tokio::task::yield_now().await;
                }
            };
            let ended = run(&lms, &lms.cancel_on(stop)).await;
            assert!(lms.list_courses().collect_all().await?.is_empty());
            assert!(lms.list_learners().collect_all().await?.is_empty());
            Ok::<_, Failure>(ended.is_ok())
        });
        let ended = try_join_all(runs).await?;
        let stopped = ended.iter().filter(|is_whole| !**is_whole).count();
        assert!((11..MOST).contains(&stopped), "{ended:?}");
        Ok(())
    }
}
