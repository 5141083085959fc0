//! `cargo xtask bench`: measures the workspace next to the alternatives.
//!
//! docs/benchmarks.md holds the results. A section is replaced when it is measured, and the others stay as they are.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

mod arguments;
mod dependents;
mod exports;
mod figures;
mod latency;
mod layers;
mod programs;
mod report;

use std::{process::ExitCode, time::Instant};

use anyhow::{Context as _, bail};
use arguments::Bench;
use clap::Parser as _;
use report::{SECTIONS, Section};

fn main() -> ExitCode {
    match run(Bench::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut bench: Bench) -> anyhow::Result<()> {
    if bench.list {
        for section in &SECTIONS {
            println!("{:12}{}", section.name, section.subject);
        }
        return Ok(());
    }
    let root = bench.root.canonicalize();
    bench.root = root.with_context(|| format!("no workspace at {}", bench.root.display()))?;
    if bench.check {
        return report::check(&bench.root);
    }
    let is_known = |name: &&String| SECTIONS.iter().any(|section| section.name == **name);
    if let Some(unknown) = bench.only.iter().find(|name| !is_known(name)) {
        bail!("there is no section {unknown:?}; `--list` shows the sections");
    }
    let is_chosen = |section: &&Section| {
        bench.only.is_empty() || bench.only.iter().any(|name| name == section.name)
    };
    for section in SECTIONS.iter().filter(is_chosen) {
        println!("--- {}: {}", section.name, section.subject);
        let started = Instant::now();
        let parts = (section.measure)(&bench)
            .with_context(|| format!("measuring {}", section.name))?
            .join("\n");
        let provenance = report::provenance(&bench.root, started.elapsed().as_secs())?;
        let text = format!("{}\n\n{parts}\n{provenance}", section.subject);
        println!("{text}");
        if !bench.smoke {
            report::save(&bench.root, section.title, &text)?;
        }
    }
    Ok(())
}
