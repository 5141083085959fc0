//! `lms-sandbox serve`: the service on a port of this machine, until Ctrl-C.

mod filling;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use lms_sandbox::{
    DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, FaultPlan, FaultRule, Live, Population, Quirks, Sandbox,
};

/// The whole learning-management service, embedded.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves the API until Ctrl-C or SIGTERM, and at `/` its reference, for a browser.
    Serve(Serve),
}

#[derive(Args)]
struct Serve {
    /// Where to listen; port 0 is a free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The client id that token requests must carry; a demo one if not given.
    #[arg(long, value_name = "ID", env = "LMS_SANDBOX_CLIENT_ID")]
    client_id: Option<String>,
    /// The client secret that token requests must carry; a demo one if not given.
    #[arg(
        long,
        value_name = "SECRET",
        env = "LMS_SANDBOX_CLIENT_SECRET",
        hide_env_values = true
    )]
    client_secret: Option<String>,
    /// Keep the tenant in this file; in memory if not given.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Fill an empty tenant with demo data.
    #[arg(long)]
    demo: bool,
    /// Fill an empty tenant with this many learners, in the place of demo data.
    #[arg(long, value_name = "N", conflicts_with = "demo")]
    learners: Option<u32>,
    /// With this many courses.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "learners")]
    courses: u32,
    /// And with this many enrolments of each learner.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "learners")]
    enrolments_per_learner: u32,
    /// Which people, courses and progress: one seed always gives one tenant.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Let a learner complete a topic each time this has passed: 10s, 500ms, 5m.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    live: Option<Duration>,
    /// How long tokens are good: 300s, 500ms, 5m.
    #[arg(long, value_name = "TIME", default_value = "300s", value_parser = duration)]
    token_lifetime: Duration,
    /// The most rows a page has.
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_page: usize,
    /// A peculiarity of the tenant, repeatable: expires-in-string, nulls, extra-fields, zoneless-timestamps,
    /// empty-pages[=N], rate-limit[=N], html-503[=N], max-page[=N], or all.
    #[arg(long = "quirk", value_name = "NAME")]
    quirks: Vec<String>,
    /// Something to go wrong, repeatable: "TARGET: WHEN: EFFECT", such as "listLearners: every 3: status 503 html".
    #[arg(long = "fault", value_name = "RULE", long_help = fault_help())]
    faults: Vec<FaultRule>,
    /// Take faults from this JSON file; those of --fault come after them.
    #[arg(long, value_name = "FILE")]
    fault_plan: Option<PathBuf>,
    /// What chances and jitter are drawn from, in the place of the file's seed; 0 if there is neither.
    #[arg(long, value_name = "N")]
    fault_seed: Option<u64>,
    /// Serve the control endpoint here, to change the faults, read the requests and move the clock; port 0 is a free
    /// one.
    #[arg(long, value_name = "ADDR:PORT")]
    control: Option<SocketAddr>,
    /// Allow an address that other machines can reach. The traffic is not encrypted.
    #[arg(long)]
    allow_remote: bool,
}

impl std::fmt::Debug for Serve {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serve")
            .field("listen", &self.listen)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let Command::Serve(options) = Cli::parse().command;
    match serve(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "lms-sandbox: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(options: Serve) -> Result<(), Box<dyn std::error::Error>> {
    // Listened for before anything can be connected to, so that a signal right after the first line is not lost.
    let mut stopped = pin!(stop_signal()?);
    let mut builder = Sandbox::builder()
        .reference_page()
        .listen(options.listen)
        .token_lifetime(options.token_lifetime)
        .max_page(options.max_page)
        .quirks(Quirks::parse(options.quirks.iter().map(String::as_str))?)
        .faults(fault_plan(&options)?);
    let mut notes = Vec::new();
    if let Some(id) = options.client_id {
        builder = builder.client_id(id);
    } else {
        notes.push(format!("client id: {DEMO_CLIENT_ID}"));
    }
    if let Some(secret) = options.client_secret {
        builder = builder.client_secret(secret);
    } else {
        notes.push(format!("client secret: {DEMO_CLIENT_SECRET}"));
    }
    if let Some(file) = options.data {
        builder = builder.data_file(file);
    }
    if options.demo {
        builder = builder.demo_seed(options.seed);
    }
    if let Some(learners) = options.learners {
        builder = builder
            .population(Population {
                learners,
                courses: options.courses,
                enrolments_per_learner: options.enrolments_per_learner,
                seed: options.seed,
            })
            .on_fill(filling::reporter());
    }
    if let Some(every) = options.live {
        builder = builder.live(Live {
            every,
            seed: options.seed,
        });
    }
    if let Some(address) = options.control {
        builder = builder.control(address);
    }
    if options.allow_remote {
        builder = builder.allow_remote();
    }
    let sandbox = tokio::select! {
        started = builder.start() => started?,
        () = &mut stopped => {
            writeln!(std::io::stderr(), "lms-sandbox: stopped before the tenant was filled")?;
            // What fills it cannot be stopped otherwise. A data file is marked as unfinished until it is full.
            std::process::exit(1);
        }
    };
    // Standard output has the lines that a script waits for, and no others.
    writeln!(std::io::stdout(), "listening on {}", sandbox.base_url())?;
    if let Some(url) = sandbox.control_url() {
        writeln!(std::io::stdout(), "control on {url}")?;
    }
    std::io::stdout().flush()?;
    for note in notes {
        writeln!(std::io::stderr(), "{note}")?;
    }
    stopped.await;
    sandbox.stop().await;
    Ok(())
}

fn fault_help() -> String {
    format!(
        "Something to go wrong, repeatable: \"TARGET: WHEN: EFFECT\", such as \"listLearners: every 3: status 503 html\"\n\n\
         TARGET  all, or some of these with commas between them: an operation such as listLearners, a method such as \
         GET, lists\n\
         WHEN    always, chance 0.1, nth 3, every 3, first 3, after 3\n\
         EFFECT  {}",
        FaultRule::EFFECTS.join("\n        ")
    )
}

fn fault_plan(options: &Serve) -> Result<FaultPlan, Box<dyn std::error::Error>> {
    let mut plan = match &options.fault_plan {
        None => FaultPlan::default(),
        Some(file) => {
            let name = file.display();
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("the fault plan {name} cannot be read: {error}"))?;
            FaultPlan::from_json(&text).map_err(|error| format!("{name}: {error}"))?
        }
    };
    plan.seed = options.fault_seed.unwrap_or(plan.seed);
    plan.rules.extend(options.faults.iter().cloned());
    Ok(plan)
}

/// Ends at Ctrl-C or SIGTERM, the first of which is remembered from the moment this returns.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut interrupt, mut terminate) = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Reads a number with a unit; a number alone is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: u64 = number
        .parse()
        .map_err(|_| "write a whole number and a unit, such as 300s or 500ms")?;
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number.saturating_mul(60))),
        "h" => Ok(Duration::from_secs(number.saturating_mul(3_600))),
        other => Err(format!("{other} is not a unit; use ms, s, m or h")),
    }
}
