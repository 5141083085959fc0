//! A tour of the client, from the first connection to the clean-up. Read it from top to bottom.
//!
//! ```sh
//! cargo run -p lms-ext --example quickstart
//! ```
//!
//! With `LMS_BASE_URL`, `LMS_CLIENT_ID` and `LMS_CLIENT_SECRET` set, it works on that tenant and deletes all that it
//! created. Otherwise it starts a sandbox.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the example reports its progress"
)]

use std::{
    process::ExitCode,
    time::{Duration, SystemTime},
};

use indicatif::{ProgressBar, ProgressStyle};
use lms_ext::{List, LmsBuilder, prelude::*};
use lms_sandbox::Sandbox;

/// Shown in one line.
type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` includes the server's message.
            eprintln!("quickstart: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Failure> {
    // One client for the whole program. It obtains a token for the first request and refreshes it before it expires.
    // Clones share connections, the token and limits.
    let (builder, _sandbox) = tenant().await?;
    let lms = builder
        .application(concat!("quickstart/", env!("CARGO_PKG_VERSION")))
        .build()?;
    println!("working on {}", lms.base_url());

    // `test` checks the connection, `me` the credentials.
    let tenant = lms.test().call().await?.tid.unwrap_or_default();
    let name = lms.me().call().await?.name.unwrap_or_default();
    println!("connected to tenant {tenant} as {name}");
    let mut made = Made::default();
    let worked = work(&lms, &mut made).await;
    // Deletes what was created, even after an error.
    let cleaned = clean_up(&lms, &made).await;
    worked?;
    cleaned?;
    println!("done");
    Ok(())
}

async fn work(lms: &Lms, made: &mut Made) -> Result<(), Failure> {
    // Bodies have builders, too. A missing required field is an error before the request is sent.
    let name = fresh_name();
    let course = types::AddCourse::builder().name(format!("Lifting safely {name}"));
    let course = lms.add_course().body(course).call().await?;
    let course = course.require_id()?.clone();
    made.courses.push(course.clone());
    println!("added course {course}");

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

    let enrolment = types::AddEnrolment::builder()
        .course(&course)
        .user(&learner);
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
    let edited = lms
        .update_learner(&learner, |l| l.surname = "Bell-Ray".to_owned())
        .await?;
    let Some(phone_number) = &edited.value().phone_number else {
        return Err("the phone number was lost".into());
    };
    println!("renamed the learner; the phone number is still {phone_number}");

    // The service copies a course in the background. The handle can be polled, awaited, or stored and resumed by
    // another process.
    let client = format!("Lifting safely {name}, for a client");
    let copy = lms
        .duplicate_course(&course, |copy| copy.name(client))
        .await?;
    let bar = bar(100, "copying the course {bar:30} {pos}%");
    let mut progress = copy.progress();
    while let Some(progress) = progress.try_next().await? {
        bar.set_position(
            progress
                .progress
                .and_then(|p| p.try_into().ok())
                .unwrap_or(0),
        );
    }
    bar.finish_and_clear();
    let copied = copy.wait().await?;
    made.courses.push(copied.require_id()?.clone());
    println!("copied the course to {}", copied.require_id()?);
    Ok(())
}

/// Reads a whole list and prints the number of its items.
async fn count<L: List>(what: &str, list: L) -> Result<(), Error> {
    let bar = bar(0, &format!("{what} {{bar:30}} {{pos}} of {{len}}"));
    let mut items = 0;
    let mut pages = list.pages();
    while let Some(page) = pages.try_next().await? {
        items += page.items.len() as u64;
        // Optional: not every server sends the total.
        let total = page.number_found.and_then(|found| found.try_into().ok());
        bar.set_length(total.unwrap_or(items));
        bar.set_position(items);
    }
    bar.finish_and_clear();
    println!("read {items} {what}");
    Ok(())
}

async fn clean_up(lms: &Lms, made: &Made) -> Result<(), Error> {
    if let (Some(learner), Some(course)) = (&made.learner, made.courses.first()) {
        // One enrolment of one learner: a scope without a learner or a course does not compile. It is no error if there is
        // none.
        lms.unenrol(EnrolmentScope::learner_in_course(learner, course))
            .await?;
    }
    for course in &made.courses {
        lms.delete_course().id(course).call().await?;
    }
    if let Some(learner) = &made.learner {
        lms.delete_learner().id(learner).call().await?;
    }
    println!("cleaned up");
    Ok(())
}

/// What this run created.
#[derive(Default)]
struct Made {
    courses: Vec<ids::CourseId>,
    learner: Option<ids::LearnerId>,
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

/// A progress bar, visible only on a terminal.
fn bar(length: u64, template: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(length).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A name that is unique to this run.
fn fresh_name() -> String {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), std::process::id())
}
