//! The workspace that the tasks work on, and the programs that they run.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

/// The workspace in which cargo runs this program. In a target folder that several checkouts share, it may have been built
/// in another one.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())).join("..")
}

/// The cargo that runs this program, or the one in PATH.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The target directory of a workspace.
pub(crate) fn target_directory(root: &Path) -> anyhow::Result<PathBuf> {
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
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
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
