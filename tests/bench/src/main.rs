//! `cargo xtask bench`: measures the workspace next to the alternatives.
//!
//! Every section saves its results in docs/benchmarks/NAME.json. docs/benchmarks.md is generated from those files alone,
//! so a section can be measured again without the others.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

mod bench;
mod callgrind;
mod cost;
mod findings;
mod machine;
mod package;
mod report;
mod sections;
mod server;
mod spread;
mod subject;
mod tenant;
mod units;

use std::{path::PathBuf, process::ExitCode, time::Instant};

use anyhow::{Context as _, bail};
use bench::{Bench, Effort};
use clap::Parser;
use findings::Findings;
use sections::{SECTIONS, Section};

/// Measures the workspace and writes docs/benchmarks.md.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Arguments {
    /// Measure only this section and keep the others; can be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the sections and measure none.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Write the report again from the saved results, without measuring.
    #[arg(long, conflicts_with_all = ["only", "list"])]
    draw: bool,
    /// Fail when the report differs from the saved results.
    #[arg(long, conflicts_with_all = ["only", "list", "draw"])]
    check: bool,
    /// Measure little, to see that everything runs, and save nothing.
    #[arg(long)]
    smoke: bool,
    /// Learners of the tenant of the section `loaders`, each with five enrolments; 200,000 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["list", "draw", "check"])]
    learners: Option<u32>,
    /// The root of the workspace; by default the one that cargo runs this program in.
    #[arg(long, default_value_os_t = root(), hide_default_value = true)]
    root: PathBuf,
}

/// In a target folder that several checkouts share, this program may have been built in another one.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())).join("../..")
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for section in SECTIONS {
            let when = if section.on_request {
                " Only with --only."
            } else {
                ""
            };
            println!("{:15}{}{when}", section.name, section.subject);
        }
        return Ok(());
    }
    let root = arguments
        .root
        .canonicalize()
        .with_context(|| format!("there is no workspace at {}", arguments.root.display()))?;
    if arguments.check {
        return report::check(&root);
    }
    if arguments.draw {
        return report::write(&root);
    }
    let chosen = choose(&arguments.only)?;
    let effort = if arguments.smoke {
        Effort::Smoke
    } else {
        Effort::Full
    };
    let bench = Bench {
        root,
        effort,
        learners: arguments.learners,
    };
    for section in chosen {
        measure(&bench, section).with_context(|| format!("measuring {}", section.name))?;
    }
    if bench.effort == Effort::Full {
        report::write(&bench.root)?;
    }
    Ok(())
}

fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Section>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| SECTIONS.iter().all(|section| section.name != **name))
    {
        bail!("there is no section {unknown:?}; `--list` shows the sections");
    }
    Ok(SECTIONS
        .iter()
        .filter(|section| match names {
            [] => !section.on_request,
            names => names.iter().any(|name| name == section.name),
        })
        .collect())
}

fn measure(bench: &Bench, section: &Section) -> anyhow::Result<()> {
    println!("--- {}: {}", section.name, section.subject);
    let started = Instant::now();
    let parts = (section.measure)(bench)?;
    let findings = Findings::now(&bench.root, started.elapsed(), parts)?;
    println!("{}", report::section(section, &findings));
    if bench.effort == Effort::Full {
        findings.save(&bench.root, section.name)?;
    }
    Ok(())
}
