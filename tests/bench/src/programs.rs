//! The measured programs, each in its own process, and the sandbox in this one.
//!
//! A program gets the tenant from its environment and the job from its arguments, and writes one line of JSON. A separate
//! process can run under callgrind, and its memory and CPU time do not include the sandbox.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};
use lms_sandbox::{Sandbox, SandboxBuilder};
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

/// Returns the cargo that runs this program, or the one in the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds a member of this workspace for release, and returns the folder of its programs.
pub(crate) fn build(root: &Path, package: &str) -> anyhow::Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--release", "--quiet", "--package", package]);
    output(build.current_dir(root))?;
    // This program was built into the same folder.
    let own = std::env::current_exe()?;
    let folder = own.parent().context("this program has no folder")?;
    Ok(folder.to_owned())
}

/// Runs a command, and returns its output, or an error with its messages.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a command whose output is JSON.
pub(crate) fn json<T: DeserializeOwned>(command: &mut Command) -> anyhow::Result<T> {
    serde_json::from_str(&output(command)?)
        .with_context(|| format!("cannot parse the output of {command:?}"))
}

/// A sandbox in this process, on its own threads, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Tenant {
    pub(crate) sandbox: Sandbox,
    pub(crate) runtime: Runtime,
}

impl Tenant {
    pub(crate) fn start(builder: SandboxBuilder) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let sandbox = runtime
            .block_on(builder.start())
            .context("cannot start the sandbox")?;
        Ok(Self { sandbox, runtime })
    }

    /// A command with the address and the credentials of this tenant.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("LMS_BASE_URL", self.sandbox.base_url())
            .env("LMS_CLIENT_ID", self.sandbox.client_id())
            .env("LMS_CLIENT_SECRET", self.sandbox.client_secret());
        command
    }
}
