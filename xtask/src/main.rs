//! Maintenance tasks, run as `cargo xtask <task>`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program prints its results"
)]

mod api;
mod bench;
mod conform;
mod features;
mod regen;
mod release_check;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Maintenance tasks of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List the public API of the crates in docs/api, to review breaking changes.
    Api(api::Arguments),
    /// Run the benchmarks and write docs/benchmarks.md.
    Bench(bench::Arguments),
    /// Check the document, the sandbox and the client with independent tools.
    Conform(conform::Arguments),
    /// Write the folder of a release to target/dist: program, completions, man pages, wheel, checksums, dependencies.
    Dist,
    /// Generate code and JSON from spec/openapi.yaml.
    Regen(regen::Arguments),
    /// Run the long forms of the tests, before a release. Takes hours.
    ReleaseCheck(release_check::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Api(arguments) => api::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Conform(arguments) => conform::run(&arguments),
        Task::Dist => conform::dist::run(),
        Task::Regen(arguments) => regen::run(&arguments),
        Task::ReleaseCheck(arguments) => release_check::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The chain of causes without a backtrace: it names the location in the document.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
