//! The main job, from the first connection to the last clean-up. Read it from top to bottom: it is the tutorial.
//!
//! ```sh
//! cargo run -p lms-ext --example quickstart
//! ```
//!
//! With `LMS_BASE_URL`, `LMS_CLIENT_ID` and `LMS_CLIENT_SECRET` set it works on that tenant, and takes away
//! everything that it put there. With none of them set it starts a sandbox of its own.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example speaks to whoever runs it"
)]

use std::{
    env,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use indicatif::{ProgressBar, ProgressStyle};
use lms_ext::{List, prelude::*};
use lms_sandbox::Sandbox;

/// One sentence for whoever runs this.
type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` adds what the tenant said to what the client knows.
            eprintln!("quickstart: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Failure> {
    let tenant = Tenant::find().await?;
    println!("working on {}{}", tenant.address, tenant.note);

    // One client for the whole program. It fetches a token when it first needs one and replaces it before it
    // runs out; clones of it share connections, token and limits.
    let lms = Lms::builder(&tenant.address)
        .client_credentials(&tenant.client_id, tenant.client_secret.as_str())
        .application(concat!("quickstart/", env!("CARGO_PKG_VERSION")))
        .build()?;

    connect(&lms).await?;
    let mut made = Made::default();
    let worked = work(&lms, &mut made).await;
    // What was put there goes, whether the work went well or not.
    let cleaned = clean_up(&lms, &made).await;
    worked.and(cleaned)?;
    println!("done");
    Ok(())
}

/// `test` shows that requests arrive, `me` that the credentials are good.
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
    // Bodies have builders too; what the service requires and is not given is an error before anything is sent.
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
                .phone_number("+44 20 7946 0000".to_owned())
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

    // A list comes in pages that a cursor joins. `.items()` and `.pages()` follow it to the end.
    count("learners", lms.list_learners()).await?;
    count("enrolments", lms.list_enrolments()).await?;
    count("topics", lms.list_topics()).await?;
    count("topic progress", lms.list_topic_progress()).await?;
    count("completions", lms.list_course_completions()).await?;
    count("custom fields", lms.list_user_fields()).await?;

    // The service replaces a learner by what it is sent. This reads first, so nothing but the surname changes.
    lms.update_learner(&learner, |l| l.surname = "Bell-Ray".to_owned())
        .await?;
    let edited = lms.get_learner_by_id().id(&learner).call().await?;
    println!(
        "renamed the learner to {}; the phone number is still {}",
        edited.surname.unwrap_or_default(),
        edited.phone_number.unwrap_or_default()
    );

    // Copying a course is a task at the tenant. The handle can be watched, awaited, or stored and resumed by
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

/// Walks a whole list and says how much there was.
async fn count<L: List>(what: &str, list: L) -> Result<(), Error> {
    let bar = bar(0, &format!("{what} {{bar:30}} {{pos}} of {{len}}"));
    let mut rows = 0;
    let mut pages = list.pages();
    while let Some(page) = pages.try_next().await? {
        rows += page.items.len() as u64;
        // How many the tenant says there are; not every tenant does.
        let there_are = page.number_found.and_then(|found| found.try_into().ok());
        bar.set_length(there_are.unwrap_or(rows));
        bar.set_position(rows);
    }
    bar.finish_and_clear();
    println!("walked {rows} {what}");
    Ok(())
}

async fn clean_up(lms: &Lms, made: &Made) -> Result<(), Failure> {
    if let (Some(learner), Some(course)) = (&made.learner, made.courses.first()) {
        // One enrolment of one learner. What would end others as well does not compile. When it never came
        // to the enrolment, there is none to end.
        let ended = lms
            .unenrol(EnrolmentScope::learner_in_course(learner, course))
            .await;
        if let Err(error) = ended
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

/// What this run put into the tenant.
#[derive(Default)]
struct Made {
    courses: Vec<String>,
    learner: Option<String>,
}

impl Made {
    fn course(&mut self, id: Option<String>) -> Result<String, Failure> {
        let id = id.ok_or("the tenant gave the course no id")?;
        self.courses.push(id.clone());
        Ok(id)
    }

    fn learner(&mut self, id: Option<String>) -> Result<String, Failure> {
        let id = id.ok_or("the tenant gave the learner no id")?;
        self.learner = Some(id.clone());
        Ok(id)
    }
}

/// Where to work, and the sandbox that has to live as long as the work, if it is one.
struct Tenant {
    address: String,
    client_id: String,
    client_secret: String,
    note: &'static str,
    _sandbox: Option<Sandbox>,
}

impl Tenant {
    async fn find() -> Result<Self, Failure> {
        const NAMES: [&str; 3] = ["LMS_BASE_URL", "LMS_CLIENT_ID", "LMS_CLIENT_SECRET"];
        let [address, client_id, client_secret] = NAMES.map(|name| env::var(name).ok());
        match (address, client_id, client_secret) {
            (Some(address), Some(client_id), Some(client_secret)) => Ok(Self {
                address,
                client_id,
                client_secret,
                note: "",
                _sandbox: None,
            }),
            (None, None, None) => {
                let sandbox = Sandbox::builder().demo().start().await?;
                Ok(Self {
                    address: sandbox.base_url().to_owned(),
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

/// A bar on a terminal, nothing elsewhere.
fn bar(length: u64, template: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(length).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Something that no earlier run used, so that runs do not meet each other's learners.
fn fresh_name() -> String {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    format!("{:x}-{:x}", now.as_micros(), std::process::id())
}
