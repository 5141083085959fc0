//! The measured programs, each in its own process.
//!
//! A subject gets the tenant from its environment and the job from its arguments, and writes one line of JSON. A separate
//! process can run under callgrind, and its memory and CPU time do not include the sandbox or this program.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};
use serde::de::DeserializeOwned;

/// Builds the subjects of this workspace for release, and returns the folder of the programs.
pub(crate) fn build(root: &Path) -> anyhow::Result<PathBuf> {
    build_package(root, "lms-bench-subjects")
}

/// Builds a member of this workspace for release, and returns the folder of its programs.
pub(crate) fn build_package(root: &Path, package: &str) -> anyhow::Result<PathBuf> {
    let status = cargo()
        .args(["build", "--release", "--quiet", "--package", package])
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cannot build {package}");
    }
    // This program was built into the same folder.
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program has no folder")?;
    Ok(folder.to_owned())
}

/// Returns the cargo that runs this program, or the one in the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A program to measure, with its arguments and environment.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(String, String)>,
}

impl Subject {
    pub(crate) fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
        }
    }

    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the variables that the examples of the workspace also read.
    pub(crate) fn with_tenant(self, base_url: &str, client_id: &str, client_secret: &str) -> Self {
        self.env("LMS_BASE_URL", base_url)
            .env("LMS_CLIENT_ID", client_id)
            .env("LMS_CLIENT_SECRET", client_secret)
    }

    /// Runs it and parses its output.
    pub(crate) fn run<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        let output = self
            .command(&self.program)
            .args(&self.arguments)
            .output()
            .with_context(|| format!("cannot run {}", self.program.display()))?;
        if !output.status.success() {
            bail!(
                "{} failed with {}: {}",
                self.program.display(),
                output.status,
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("cannot parse the output of {}", self.program.display()))
    }

    /// Returns a command that runs it under another program.
    pub(crate) fn under<const N: usize>(&self, program: &str, arguments: [&str; N]) -> Command {
        let mut command = self.command(Path::new(program));
        command
            .args(arguments)
            .arg(&self.program)
            .args(&self.arguments);
        command
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}
