//! `cargo xtask bench`: what the workspace costs, beside what a user would pick instead.
//!
//! Every section measures its subjects in turn, in one run on one machine, and keeps what it found in
//! docs/benchmarks/NAME.json. docs/benchmarks.md and its plots are drawn from those files alone: no figure in them was
//! typed by hand, and a section can be measured again without the others.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program speaks on standard output and standard error"
)]

mod callgrind;
mod cost;
mod findings;
mod machine;
mod page;
mod plot;
mod sections;
mod server;
mod spread;
mod subject;
mod tenant;

use std::{path::PathBuf, process::ExitCode, time::Instant};

use anyhow::{Context as _, bail};
use clap::Parser;
use findings::Findings;
use sections::{SECTIONS, Section};

/// Measures the workspace and writes docs/benchmarks.md.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Arguments {
    /// Measure this section alone and keep the others as they are; repeatable.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Say which sections there are, and measure none.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Draw the page again from what was measured before, and measure nothing.
    #[arg(long, conflicts_with_all = ["only", "list"])]
    draw: bool,
    /// Fail when the page is not what would be drawn from what was measured.
    #[arg(long, conflicts_with_all = ["only", "list", "draw"])]
    check: bool,
    /// Measure little, to see that everything runs; nothing is kept.
    #[arg(long)]
    smoke: bool,
    /// The root of the workspace; by default the one this program was built in.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../.."), hide_default_value = true)]
    root: PathBuf,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As much as figures need that are kept.
    Full,
    /// As little as shows that it runs.
    Smoke,
}

/// What a section is given to work with.
#[derive(Debug)]
pub(crate) struct Bench {
    /// The workspace.
    pub(crate) root: PathBuf,
    pub(crate) effort: Effort,
}

impl Bench {
    /// One number for a run that is kept, another for one that only shows that it works.
    pub(crate) fn either<T>(&self, full: T, smoke: T) -> T {
        match self.effort {
            Effort::Full => full,
            Effort::Smoke => smoke,
        }
    }
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
            println!("{:14}{}", section.name, section.about);
        }
        return Ok(());
    }
    let root = arguments
        .root
        .canonicalize()
        .with_context(|| format!("there is no workspace at {}", arguments.root.display()))?;
    if arguments.check {
        return page::check(&root);
    }
    if arguments.draw {
        return page::draw(&root);
    }
    let chosen = choose(&arguments.only)?;
    let effort = if arguments.smoke {
        Effort::Smoke
    } else {
        Effort::Full
    };
    let bench = Bench { root, effort };
    for section in chosen {
        measure(&bench, section).with_context(|| format!("measuring {}", section.name))?;
    }
    if bench.effort == Effort::Full {
        page::draw(&bench.root)?;
    }
    Ok(())
}

fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Section>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| SECTIONS.iter().all(|section| section.name != **name))
    {
        bail!("there is no section {unknown:?}; --list shows those there are");
    }
    Ok(SECTIONS
        .iter()
        .filter(|section| names.is_empty() || names.iter().any(|name| name == section.name))
        .collect())
}

fn measure(bench: &Bench, section: &Section) -> anyhow::Result<()> {
    println!("--- {}: {}", section.name, section.about);
    let started = Instant::now();
    let parts = (section.measure)(bench)?;
    let findings = Findings::now(&bench.root, started.elapsed(), parts)?;
    println!("{}", page::section(section, &findings));
    if bench.effort == Effort::Full {
        findings.save(&bench.root, section.name)?;
    }
    Ok(())
}
