//! `cargo xtask bench`: builds and runs the program in tests/bench/.
//!
//! It is a separate program, so that other tasks do not compile it.

use std::{ffi::OsString, process::Command};

use anyhow::{Context as _, bail};

#[derive(Debug, clap::Args)]
// All arguments are passed on, also `--help`.
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let status = Command::new(crate::workspace::cargo())
        .args("run --release --quiet --package lms-bench --".split(' '))
        .args(&arguments.arguments)
        .current_dir(crate::workspace::root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("bench ended with {status}");
    }
    Ok(())
}
