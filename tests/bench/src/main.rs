//! `cargo xtask bench`: measures the workspace next to the alternatives.
//!
//! docs/benchmarks.md holds the results. A section is replaced when it is measured, and the others stay as they are.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

mod dependents;
mod exports;
mod figures;
mod latency;
mod layers;
mod programs;
mod report;

use std::{path::PathBuf, process::ExitCode, time::Instant};

use anyhow::{Context as _, bail};
use clap::Parser;

/// Measures the workspace and writes docs/benchmarks.md.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Bench {
    /// Measure only this section and keep the others; can be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the sections and measure none.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Fail when README.md has other figures than docs/benchmarks.md.
    #[arg(long, conflicts_with_all = ["only", "list"])]
    check: bool,
    /// Measure little, to see that everything runs, and save nothing.
    #[arg(long)]
    smoke: bool,
    /// The root of the workspace; by default the one that cargo runs this program in.
    #[arg(long, default_value_os_t = root(), hide_default_value = true)]
    root: PathBuf,
}

impl Bench {
    /// Returns `full` for a run that is saved, and `smoke` for one that is not.
    fn either<T>(&self, full: T, smoke: T) -> T {
        if self.smoke { smoke } else { full }
    }
}

struct Section {
    /// Its name on the command line.
    name: &'static str,
    title: &'static str,
    subject: &'static str,
    /// Returns paragraphs and tables of Markdown.
    measure: fn(&Bench) -> anyhow::Result<Vec<String>>,
}

/// All sections, in the order of the report.
#[rustfmt::skip]
const SECTIONS: [Section; 3] = [
    Section { name: "layers", title: "Layers and latency", subject: "What each layer adds to a call, compared with hand-written reqwest code, and the time to read a collection from a slow tenant.", measure: layers::measure },
    Section { name: "exports", title: "Exports and loaders", subject: "Time and memory of loading a tenant with `lms`, dlt and Airbyte's declarative CDK.", measure: exports::measure },
    Section { name: "dependents", title: "Building a dependent", subject: "Build time and size of programs that depend on the crates.", measure: dependents::measure },
];

/// In a target folder that several checkouts share, this program may have been built in another one.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())).join("../..")
}

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
