//! Maintenance tasks, run as `cargo xtask <task>`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program prints its results"
)]

mod api;
mod bench;
mod conform;
mod regen;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context as _, bail};
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
    /// Build the clients of other generators for the benchmarks, and print their paths.
    Peers,
    /// Generate code, JSON and reference page from spec/openapi.yaml.
    Regen(regen::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Api(arguments) => api::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Conform(arguments) => conform::run(&arguments),
        Task::Peers => conform::peer_clients::run(),
        Task::Regen(arguments) => regen::run(&arguments),
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

/// The workspace in which cargo runs this program. In a target folder that several checkouts share, it may have been built
/// in another one.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())).join("..")
}

/// The cargo that runs this program, or the one in PATH.
fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The target directory of a workspace.
fn target_directory(root: &Path) -> anyhow::Result<PathBuf> {
    let metadata = output(
        Command::new(cargo())
            .args(["metadata", "--locked", "--no-deps", "--format-version=1"])
            .current_dir(root),
    )?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str();
    Ok(target
        .context("cargo metadata has no target directory")?
        .into())
}

/// Runs a program to its end and returns its standard output.
fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}
