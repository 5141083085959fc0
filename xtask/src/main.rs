//! The maintainers' chores, run as `cargo xtask <chore>`.
#![expect(
    clippy::print_stdout,
    reason = "a command-line program speaks on standard output"
)]

mod regen;

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
    /// Make everything that is generated from spec/openapi.yaml.
    Regen(regen::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Regen(arguments) => regen::run(&arguments),
    }
}
