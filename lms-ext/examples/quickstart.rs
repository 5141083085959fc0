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

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

use indicatif::ProgressBar;
use lms_ext::{CourseCopy, List, LmsBuilder, prelude::*};
use lms_sandbox::Sandbox;
use tokio::signal::ctrl_c;

/// Shown in one line.
type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    match run_until_ctrl_c().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` includes the server's message.
            eprintln!("quickstart: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run_until_ctrl_c() -> Result<(), Failure> {
    let (builder, _sandbox) = tenant().await?;
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    tokio::spawn(async move {
        if ctrl_c().await.is_ok() {
            eprintln!("stopping after this step; press Ctrl-C again to leave what was created");
            stop.store(true, Ordering::Relaxed);
        }
        if ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
    run(builder, &|| stopped.load(Ordering::Relaxed)).await
}

/// Asked between two steps. A step is not dropped in between: its request may have been processed already, and the id of
/// what it created would be lost.
type Stopped<'a> = &'a (dyn Fn() -> bool + Sync);

fn check(stopped: Stopped<'_>) -> Result<(), Failure> {
    if stopped() {
        return Err("stopped".into());
    }
    Ok(())
}

async fn run(builder: LmsBuilder, stopped: Stopped<'_>) -> Result<(), Failure> {
    // One client for the whole program. It obtains a token for the first request and refreshes it before it expires.
    // Clones share connections, the token and limits.
    let lms = builder
        .application(concat!("quickstart/", env!("CARGO_PKG_VERSION")))
        .build()?;
    println!("working on {}", lms.base_url());

    // `test` checks the connection, `me` the credentials.
    let tenant = lms.test().call().await?.tid.unwrap_or_default();
    let name = lms.me().call().await?.name.unwrap_or_default();
    println!("connected to tenant {tenant} as {name}");
    let mut made = Made::default();
    let worked = work(&lms, &mut made, stopped).await;
    // Deletes what was created, even after an error or Ctrl-C.
    let cleaned = clean_up(&lms, &made).await;
    worked?;
    cleaned?;
    println!("done");
    Ok(())
}

async fn work(lms: &Lms, made: &mut Made, stopped: Stopped<'_>) -> Result<(), Failure> {
    // Bodies have builders, too. A missing required field is an error before the request is sent.
    let name = fresh_name();
    let course = types::AddCourse::builder().name(format!("Lifting safely {name}"));
    let course = lms.add_course().body(course).call().await?;
    let course = course.require_id()?.clone();
    made.course = Some(course.clone());
    println!("added course {course}");
    check(stopped)?;

    // Adds the learner once, however often it is called.
    let learner = types::AddLearner::builder()
        .firstname("Jo")
        .surname("Bell")
        .email(format!("jo.bell.{name}@acme.example"))
        .phone_number("+44 20 7946 0000")
        .generate_password(true);
    let learner = lms.ensure_learner(learner).await?.into_inner();
    let learner = learner.require_id()?.clone();
    made.learner = Some(learner.clone());
    println!("added learner {learner}");
    check(stopped)?;

    let enrolment = types::AddEnrolment::builder()
        .course(&course)
        .user(&learner);
    lms.ensure_enrolment(enrolment).await?;
    println!("enrolled the learner in the course");
    check(stopped)?;

    // Lists are paginated. `.items()` and `.pages()` request all pages.
    count("learners", lms.list_learners(), stopped).await?;
    count("enrolments", lms.list_enrolments(), stopped).await?;
    count("topics", lms.list_topics(), stopped).await?;
    count("topic progress", lms.list_topic_progress(), stopped).await?;
    count("completions", lms.list_course_completions(), stopped).await?;
    count("custom fields", lms.list_user_fields(), stopped).await?;

    // A PUT replaces the whole learner. This reads the learner first, so that only the surname changes.
    let edited = lms
        .update_learner(&learner, |l| l.surname = "Bell-Ray".to_owned())
        .await?;
    let Some(phone_number) = &edited.value().phone_number else {
        return Err("the phone number was lost".into());
    };
    println!("renamed the learner; the phone number is still {phone_number}");
    check(stopped)?;

    // The service copies a course in the background. The handle can be polled, awaited, or stored and resumed by
    // another process.
    let client = format!("Lifting safely {name}, for a client");
    let copy = lms
        .duplicate_course(&course, |copy| copy.name(client))
        .await?;
    let copy = made.copy.insert(copy);
    let bar = ProgressBar::new(100);
    let mut progress = copy.progress();
    while let Some(state) = progress.try_next().await? {
        let position = state.progress.and_then(|progress| progress.try_into().ok());
        bar.set_position(position.unwrap_or_default());
        check(stopped)?;
    }
    bar.finish_and_clear();
    let copied = copy.wait().await?;
    println!("copied the course to {}", copied.require_id()?);
    Ok(())
}

/// Reads a whole list and prints the number of its items.
async fn count<L: List>(what: &str, list: L, stopped: Stopped<'_>) -> Result<(), Failure> {
    let bar = ProgressBar::no_length();
    let mut items = list.items();
    while items.try_next().await?.is_some() {
        bar.inc(1);
        check(stopped)?;
    }
    bar.finish_and_clear();
    println!("read {} {what}", bar.position());
    Ok(())
}

async fn clean_up(lms: &Lms, made: &Made) -> Result<(), Error> {
    if let (Some(learner), Some(course)) = (&made.learner, &made.course) {
        // One enrolment of one learner: a scope without a learner or a course does not compile. It is no error if there is
        // none.
        lms.unenrol(EnrolmentScope::learner_in_course(learner, course))
            .await?;
    }
    // It goes on at the server, also after an error or Ctrl-C.
    let copied = match &made.copy {
        Some(copy) => copy.wait().await.map(Some),
        None => Ok(None),
    };
    if let Some(course) = &made.course {
        lms.delete_course().id(course).call().await?;
    }
    if let Some(learner) = &made.learner {
        lms.delete_learner().id(learner).call().await?;
    }
    if let Some(copied) = copied? {
        lms.delete_course().id(copied.require_id()?).call().await?;
    }
    println!("cleaned up");
    Ok(())
}

/// What this run created.
#[derive(Default)]
struct Made {
    course: Option<ids::CourseId>,
    learner: Option<ids::LearnerId>,
    copy: Option<CourseCopy>,
}

/// The tenant of the environment, or a sandbox, which runs until it is dropped.
async fn tenant() -> Result<(LmsBuilder, Option<Sandbox>), Failure> {
    match LmsBuilder::from_env() {
        Ok(builder) => Ok((builder, None)),
        // None of the three variables is set.
        Err(error) if error.fields().len() == 3 => {
            let sandbox = Sandbox::builder().demo().start().await?;
            println!(
                "LMS_BASE_URL, LMS_CLIENT_ID and LMS_CLIENT_SECRET are not set: a sandbox with demo data is used"
            );
            let builder = Lms::builder(sandbox.base_url())
                .client_credentials(sandbox.client_id(), sandbox.client_secret());
            Ok((builder, Some(sandbox)))
        }
        Err(error) => Err(error.into()),
    }
}

/// A name that is unique to this run.
fn fresh_name() -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), std::process::id())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test]
    async fn it_leaves_nothing_wherever_it_is_stopped() -> Result<(), Failure> {
        let sandbox = Sandbox::builder().start().await?;
        let builder = || {
            Lms::builder(sandbox.base_url())
                .client_credentials(sandbox.client_id(), sandbox.client_secret())
        };
        let lms = builder().build()?;
        for stopped_after in 0.. {
            let checks = AtomicUsize::new(0);
            let stopped = || checks.fetch_add(1, Ordering::Relaxed) >= stopped_after;
            let ended = run(builder(), &stopped).await;
            assert!(lms.list_courses().collect_all().await?.is_empty());
            assert!(lms.list_learners().collect_all().await?.is_empty());
            if ended.is_ok() {
                assert!(stopped_after > 10, "{stopped_after} checks");
                break;
            }
        }
        Ok(())
    }
}
