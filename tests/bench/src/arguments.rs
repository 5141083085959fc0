//! The arguments of the program.

use std::path::PathBuf;

use clap::Parser;

/// Measures the workspace and writes docs/benchmarks.md.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Bench {
    /// Measure only this section and keep the others; can be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// List the sections and measure none.
    #[arg(long, conflicts_with = "only")]
    pub(crate) list: bool,
    /// Fail when README.md has other figures than docs/benchmarks.md.
    #[arg(long, conflicts_with_all = ["only", "list"])]
    pub(crate) check: bool,
    /// Measure little, to see that everything runs, and save nothing.
    #[arg(long)]
    pub(crate) smoke: bool,
    /// The root of the workspace; by default the one that cargo runs this program in.
    #[arg(long, default_value_os_t = root(), hide_default_value = true)]
    pub(crate) root: PathBuf,
}

impl Bench {
    /// Returns `full` for a run that is saved, and `smoke` for one that is not.
    pub(crate) fn either<T>(&self, full: T, smoke: T) -> T {
        if self.smoke { smoke } else { full }
    }
}

/// In a target folder that several checkouts share, this program may have been built in another one.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())).join("../..")
}
