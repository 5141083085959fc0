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
    env,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use indicatif::{ProgressBar, ProgressStyle};
use lms_ext::{List, prelude::*};
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
    let tenant = Tenant::find().await?;
    println!("working on {}{}", tenant.base_url, tenant.note);

    // One client for the whole program. It obtains a token for the first request and refreshes it before it expires.
    // Clones share connections, the token and limits.
    let lms = Lms::builder(&tenant.base_url)
        .client_credentials(&tenant.client_id, tenant.client_secret.as_str())
        .application(concat!("quickstart/", env!("CARGO_PKG_VERSION")))
        .build()?;

    connect(&lms).await?;
    let mut made = Made::default();
    let worked = work(&lms, &mut made).await;
    // Deletes what was created, even after an error.
    let cleaned = clean_up(&lms, &made).await;
    worked.and(cleaned)?;
    println!("done");
    Ok(())
}

/// `test` checks the connection, `me` the credentials.
async fn connect(lms: &Lms) -> Result<(), Error> {
    let test = lms.test().call().await?;
    let me = lms.me().call().await?;
    println!(
        "connected to tenant {} as {}",
        test.tid.unwrap_or_default(),
        me.name.unwrap_or_default()
    );
    Ok(())
}

async fn work(lms: &Lms, made: &mut Made) -> Result<(), Failure> {
    // Bodies have builders, too. A missing required field is an error before the request is sent.
    let name = fresh_name();
    let course = lms
        .add_course()
        .body(types::AddCourse::builder().name(format!("Lifting safely {name}")))
        .call()
        .await?;
    let course = made.course(course.id)?;
    println!("added course {course}");

    let learner = lms
        .add_learner()
        .body(
            types::AddLearner::builder()
                .firstname("Jo")
                .surname("Bell")
                .email(format!("jo.bell.{name}@acme.example"))
                .phone_number("+44 20 7946 0000")
                .generate_password(true)
                .send_email(false),
        )
        .call()
        .await?;
    let learner = made.learner(learner.id)?;
    println!("added learner {learner}");

    lms.add_enrolment()
        .body(
            types::AddEnrolment::builder()
                .course(&course)
                .user(&learner),
        )
        .call()
        .await?;
    println!("enrolled the learner in the course");

    // Lists are paginated. `.items()` and `.pages()` request all pages.
    count("learners", lms.list_learners()).await?;
    count("enrolments", lms.list_enrolments()).await?;
    count("topics", lms.list_topics()).await?;
    count("topic progress", lms.list_topic_progress()).await?;
    count("completions", lms.list_course_completions()).await?;
    count("custom fields", lms.list_user_fields()).await?;

    // A PUT replaces the whole learner. This reads the learner first, so that only the surname changes.
    lms.update_learner(&learner, |l| l.surname = "Bell-Ray".to_owned())
        .await?;
    let edited = lms.get_learner_by_id().id(&learner).call().await?;
    println!(
        "renamed the learner to {}; the phone number is still {}",
        edited.surname.unwrap_or_default(),
        edited.phone_number.unwrap_or_default()
    );

    // The service copies a course in the background. The handle can be polled, awaited, or stored and resumed by
    // another process.
    let copy = lms
        .duplicate_course(&course, |d| {
            d.name(format!("Lifting safely {name}, for a client"))
        })
        .await?;
    let bar = bar(100, "copying the course {bar:30} {pos}%");
    let mut progress = copy.progress();
    while let Some(progress) = progress.try_next().await? {
        bar.set_position(
            progress
                .progress
                .and_then(|p| u64::try_from(p).ok())
                .unwrap_or(0),
        );
    }
    bar.finish_and_clear();
    let copied = made.course(copy.wait().await?.id)?;
    println!("copied the course to {copied}");
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

async fn clean_up(lms: &Lms, made: &Made) -> Result<(), Failure> {
    if let (Some(learner), Some(course)) = (&made.learner, made.courses.first()) {
        // One enrolment of one learner: a scope without a learner or a course does not compile. After an early error, there
        // is no enrolment.
        let removed = lms
            .unenrol(EnrolmentScope::learner_in_course(learner, course))
            .await;
        if let Err(error) = removed
            && !error.is_not_found()
        {
            return Err(error.into());
        }
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

impl Made {
    fn course(&mut self, id: Option<ids::CourseId>) -> Result<ids::CourseId, Failure> {
        let id = id.ok_or("the course in the response has no id")?;
        self.courses.push(id.clone());
        Ok(id)
    }

    fn learner(&mut self, id: Option<ids::LearnerId>) -> Result<ids::LearnerId, Failure> {
        let id = id.ok_or("the learner in the response has no id")?;
        self.learner = Some(id.clone());
        Ok(id)
    }
}

/// The tenant to work on, and the sandbox, if it is one.
struct Tenant {
    base_url: String,
    client_id: String,
    client_secret: String,
    note: &'static str,
    _sandbox: Option<Sandbox>,
}

impl Tenant {
    async fn find() -> Result<Self, Failure> {
        const NAMES: [&str; 3] = ["LMS_BASE_URL", "LMS_CLIENT_ID", "LMS_CLIENT_SECRET"];
        let [base_url, client_id, client_secret] = NAMES.map(|name| env::var(name).ok());
        match (base_url, client_id, client_secret) {
            (Some(base_url), Some(client_id), Some(client_secret)) => Ok(Self {
                base_url,
                client_id,
                client_secret,
                note: "",
                _sandbox: None,
            }),
            (None, None, None) => {
                let sandbox = Sandbox::builder().demo().start().await?;
                Ok(Self {
                    base_url: sandbox.base_url().to_owned(),
                    client_id: sandbox.client_id().to_owned(),
                    client_secret: sandbox.client_secret().to_owned(),
                    note: ", a sandbox with a demo tenant; set LMS_BASE_URL, LMS_CLIENT_ID and LMS_CLIENT_SECRET to work on a real one",
                    _sandbox: Some(sandbox),
                })
            }
            _ => {
                let missing = NAMES.into_iter().filter(|name| env::var(name).is_err());
                let missing: Vec<_> = missing.collect();
                Err(format!(
                    "{} must be set as well, or none of the three",
                    missing.join(" and ")
                )
                .into())
            }
        }
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
