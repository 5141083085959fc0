//! `nightly-sync people.csv`: see README.md.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

use std::{fs::File, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use lms_ext::{LmsArgs, WriteMode};
use nightly_sync::{completions, people, sync};

/// Synchronizes learners with an HR export, and collects completions.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The export: a CSV file with the columns firstname, surname, email and courses.
    people: PathBuf,
    /// The CSV file that collects completions.
    #[arg(long, value_name = "FILE", default_value = "completions.csv")]
    completions: PathBuf,
    /// Change nothing; print what would be done.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    lms: LmsArgs,
}

// One thread is enough for sequential calls.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Arguments::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("nightly-sync: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let file = arguments.people.display();
    let export = File::open(&arguments.people).with_context(|| format!("cannot open {file}"))?;
    let people = people::read(export).with_context(|| format!("cannot read {file}"))?;
    let lms = arguments.lms.builder()?;
    let lms = lms.application(concat!("nightly-sync/", env!("CARGO_PKG_VERSION")));
    let lms = lms.job().build()?;
    let (mode, would) = match arguments.dry_run {
        true => (WriteMode::DryRun, "would have "),
        false => (WriteMode::Apply, ""),
    };

    // A bar on a terminal, nothing in a log.
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} people, {eta} left")?;
    let bar = ProgressBar::new(people.len() as u64).with_style(style);
    let report = sync::sync(&lms, &people, mode, || bar.inc(1)).await;
    bar.finish_and_clear();
    for (line, error) in &report.problems {
        // `{:#}` adds the message of the service.
        eprintln!("{file}:{line}: {error:#}");
    }
    let (added, changed, enrolled) = (report.added, report.changed, report.enrolled);
    let problems = report.problems.len();
    println!(
        "{would}added {added} learners, renamed {changed}, enrolled {enrolled}; {problems} problems"
    );
    if let Some(error) = report.stopped {
        return Err(error).context("stopped before the end of the export; run it again");
    }

    let new = completions::export(&lms, &arguments.completions, mode).await?;
    let file = arguments.completions.display();
    println!("{would}written {new} new completions to {file}");
    Ok(match report.problems.is_empty() {
        true => ExitCode::SUCCESS,
        // See README.md.
        false => ExitCode::from(3),
    })
}
