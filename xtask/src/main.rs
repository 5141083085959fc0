//! The maintainers' chores, run as `cargo xtask <chore>`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program speaks on standard output and standard error"
)]

mod api;
mod bench;
mod conform;
mod regen;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

/// The maintainers' chores of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Write what the crates offer to docs/api, so that a breaking change is seen in a review.
    Api(api::Arguments),
    /// Measure the workspace beside what a user would pick instead, and write docs/benchmarks.md.
    Bench(bench::Arguments),
    /// Have the document, the sandbox and the client checked by tools from outside.
    Conform(conform::Arguments),
    /// Make the generated clients that the benchmarks compare with, and say where they are.
    Peers,
    /// Make everything that is generated from spec/openapi.yaml.
    Regen(regen::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Api(arguments) => api::run(&arguments),
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Conform(arguments) => conform::run(&arguments),
        Chore::Peers => conform::compared::run(),
        Chore::Regen(arguments) => regen::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line per cause and no backtrace: the causes name the place in the document.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this program, or the one there is.
fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}
