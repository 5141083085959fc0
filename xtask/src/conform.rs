//! `cargo xtask conform`: checks the document, the sandbox and the client with independent tools.
//!
//! Our own tests share our assumptions; these tools do not. docs/conformance.md says what each of them covers. They
//! are installed in the versions that tests/conform/ pins, and never skipped.

mod checks;
mod concurrently;
mod dbt;
pub(crate) mod dist;
mod document;
mod install;
mod objects;
mod peers;
mod prism;
mod reports;
mod running;
mod schemathesis;
mod static_program;
mod taps;
mod tenant;
mod toolchain;

use std::{
    path::PathBuf,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use anyhow::bail;
use checks::{CHECKS, Check, FOR_RELEASES};
use concurrently::concurrently;
use document::Document;
use tenant::{Context, Programs};
use toolchain::Toolchain;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run only this check. Can be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the checks and exit.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Root of the workspace; by default the one that cargo runs xtask in.
    #[arg(long, default_value_os_t = crate::workspace::root(), hide_default_value = true)]
    root: PathBuf,
}

/// The result of a check.
struct Outcome {
    check: &'static Check,
    result: anyhow::Result<String>,
    duration: Duration,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for check in &CHECKS {
            println!("{:16}{}", check.name, check.about);
        }
        return Ok(());
    }
    let checks = select(&arguments.only)?;
    let toolchain = Toolchain::open(&arguments.root)?;
    let _lock = toolchain.lock()?;
    let started = Instant::now();
    let programs = Programs::build(&toolchain)?;
    println!("built in {:.0} s", started.elapsed().as_secs_f64());
    let context = Context {
        document: Document::read(&toolchain.root)?,
        toolchain: &toolchain,
        programs: &programs,
    };
    // One more than cores, because some checks wait most of the time.
    let workers = available_parallelism().map_or(2, usize::from) + 1;
    let outcomes = concurrently(&checks, workers, |check| run_check(check, &context));
    report(&outcomes);
    let failed = outcomes
        .iter()
        .filter(|outcome| outcome.result.is_err())
        .count();
    if failed > 0 {
        bail!("{failed} of {} checks failed", outcomes.len());
    }
    println!("all passed in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn select(names: &[String]) -> anyhow::Result<Vec<&'static Check>> {
    if names.is_empty() {
        let of_every_change = |check: &&Check| !FOR_RELEASES.contains(&check.name);
        return Ok(CHECKS.iter().filter(of_every_change).collect());
    }
    names.iter().map(|name| Check::named(name)).collect()
}

fn run_check(check: &'static Check, context: &Context<'_>) -> Outcome {
    let started = Instant::now();
    let result = context
        .sandbox()
        .and_then(|tenant| (check.run)(context, &tenant));
    let summary = match &result {
        Ok(summary) => summary.clone(),
        Err(error) => format!("FAILED: {error:#}"),
    };
    // In one call, because other checks print at the same time.
    println!("--- {}: {}\n    {summary}", check.name, check.about);
    Outcome {
        check,
        result,
        duration: started.elapsed(),
    }
}

fn report(outcomes: &[Outcome]) {
    println!(
        "\n{:<16}{:<8}{:>8}  what was checked",
        "check", "result", "seconds"
    );
    for outcome in outcomes {
        let result = if outcome.result.is_ok() {
            "ok"
        } else {
            "FAILED"
        };
        let (check, seconds) = (outcome.check, outcome.duration.as_secs_f64());
        println!(
            "{:<16}{result:<8}{seconds:>8.1}  {}",
            check.name, check.about
        );
    }
    println!();
}
