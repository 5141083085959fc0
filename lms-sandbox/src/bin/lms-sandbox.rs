//! `lms-sandbox serve` runs the sandbox on a port of this machine until Ctrl-C.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use jiff::fmt::friendly::SpanParser;
use lms_sandbox::{
    DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Effect, FaultPlan, FaultRule, Population, Sandbox,
    SandboxBuilder,
};

/// A sandbox of the learning-management API, for development and tests.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API until Ctrl-C or SIGTERM.
    Serve(Serve),
}

#[derive(Args)]
struct Serve {
    /// The address to listen on; port 0 means a free port.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The `tid` of the tenant, by which exports and mirrors tell tenants apart.
    #[arg(long, value_name = "ID", default_value = "t1")]
    tenant_id: String,
    /// The client id for token requests; a demo id by default.
    #[arg(long, value_name = "ID", env = "LMS_SANDBOX_CLIENT_ID")]
    client_id: Option<String>,
    /// The client secret for token requests; a demo secret by default.
    #[arg(
        long,
        value_name = "SECRET",
        env = "LMS_SANDBOX_CLIENT_SECRET",
        hide_env_values = true
    )]
    client_secret: Option<String>,
    /// Store the tenant in this file; in memory by default.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Fill an empty tenant with demo data.
    #[arg(long)]
    demo: bool,
    /// Fill an empty tenant with this number of learners, instead of demo data.
    #[arg(long, value_name = "N", conflicts_with = "demo")]
    learners: Option<u32>,
    /// The number of courses.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "learners")]
    courses: u32,
    /// The number of enrolments of each learner.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "learners")]
    enrolments_per_learner: u32,
    /// The seed for generated data; the same seed gives the same data in the same version.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Lifetime of tokens: 300s, 500ms, 5m.
    #[arg(long, value_name = "TIME", default_value = "300s", value_parser = duration)]
    token_lifetime: Duration,
    /// The maximum page size.
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_page: usize,
    /// Add faults for unusual behaviour in all operations: nulls, undocumented fields, timestamps without a zone, small
    /// and empty pages, 429s and HTML 503s.
    #[arg(long)]
    unusual: bool,
    /// Add a fault (repeatable): "TARGET: WHEN: EFFECT", such as "listLearners: every 3: status 503 html".
    #[arg(long = "fault", value_name = "RULE", long_help = fault_help())]
    faults: Vec<FaultRule>,
    /// Read faults from this JSON file: {"seed": 7, "rules": ["lists: every 3: status 503"]}. Those of --fault are
    /// added after them.
    #[arg(long, value_name = "FILE")]
    fault_plan: Option<PathBuf>,
    /// The seed for probabilities and random delays; overrides the seed of the file.
    #[arg(long, value_name = "N")]
    fault_seed: Option<u64>,
    /// Serve the control API at this address, to change the faults, read the requests, advance the clock, and add
    /// progress, completions and records; port 0 means a free port.
    #[arg(long, value_name = "ADDR:PORT")]
    control: Option<SocketAddr>,
    /// Allow addresses that other machines can reach. The traffic is not encrypted.
    #[arg(long)]
    allow_remote: bool,
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
    // Installed before the first line is printed, so that a signal right after it is not lost.
    let mut stopped = pin!(stop_signal()?);
    let (builder, notes) = configure(options)?;
    let sandbox = tokio::select! {
        started = builder.start() => started?,
        () = &mut stopped => {
            writeln!(std::io::stderr(), "lms-sandbox: stopped before all data was generated")?;
            // The thread that generates data cannot be stopped in another way. The data file is marked as incomplete.
            std::process::exit(1);
        }
    };
    // Standard output has only the lines that scripts wait for.
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

/// The sandbox that the options describe, and the text to print once it listens.
fn configure(options: Serve) -> Result<(SandboxBuilder, Vec<String>), Box<dyn std::error::Error>> {
    let mut builder = Sandbox::builder()
        .tenant_id(options.tenant_id.as_str())
        .listen(options.listen)
        .token_lifetime(options.token_lifetime)
        .max_page(options.max_page)
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
        writeln!(std::io::stderr(), "generating {learners} learners")?;
        builder = builder.population(Population {
            learners,
            courses: options.courses,
            enrolments_per_learner: options.enrolments_per_learner,
            seed: options.seed,
        });
    }
    if let Some(address) = options.control {
        builder = builder.control(address);
    }
    if options.allow_remote {
        builder = builder.allow_remote();
    }
    Ok((builder, notes))
}

fn fault_help() -> String {
    format!(
        "Add a fault (repeatable): \"TARGET: WHEN: EFFECT\", such as \"listLearners: every 3: status 503 html\"\n\n\
         TARGET  all, or a comma-separated list of operations such as listLearners, methods such as GET, and lists\n\
         WHEN    always, chance 0.1, nth 3, every 3, first 3, after 3\n\
         EFFECT  {}",
        Effect::FORMS.join("\n        ")
    )
}

fn fault_plan(options: &Serve) -> Result<FaultPlan, Box<dyn std::error::Error>> {
    let mut plan = match &options.fault_plan {
        None => FaultPlan::default(),
        Some(file) => {
            let name = file.display();
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("could not read the fault plan {name}: {error}"))?;
            FaultPlan::from_json(&text).map_err(|error| format!("{name}: {error}"))?
        }
    };
    plan.seed = options.fault_seed.unwrap_or(plan.seed);
    plan.rules.extend(options.faults.iter().cloned());
    if options.unusual {
        plan.rules.extend(FaultPlan::unusual().rules);
    }
    Ok(plan)
}

/// Completes at the first Ctrl-C or SIGTERM after this function returns.
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

/// Parses a duration; a number without a unit is in seconds.
fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    SpanParser::new()
        .parse_unsigned_duration(text)
        .map_err(|_| "write a duration such as 300s, 500ms or 5m".into())
}
