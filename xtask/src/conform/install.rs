//! The folder of a release, as a user gets it: checksums, the archive, and `pip install` of the wheel.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::{Value, from_str};

use super::{
    context::{Context, Target},
    dist,
    running::Program,
};
use crate::workspace::output;

/// From `pip install` to the first table.
const FIRST_TABLE: Duration = Duration::from_secs(60);

pub(crate) fn check(context: &Context<'_>, _: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    // The profile of the static program, so that both share what is compiled.
    let folder = dist::make(toolchain, "dev", "dist")?;
    let one = |end: &str| -> anyhow::Result<_> {
        let entries = fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths = entries.iter().map(fs::DirEntry::path);
        let found = paths.find(|path| path.to_string_lossy().ends_with(end));
        found.with_context(|| format!("the folder has no {end}"))
    };
    let mut sums = Command::new("sha256sum");
    let checked = output(
        sums.args(["--check", "--strict"])
            .arg(one(".sha256")?)
            .current_dir(&folder),
    )?;
    ensure!(
        checked.lines().count() == 3,
        "not all files are checked: {checked}"
    );

    let dependencies: Value = from_str(&fs::read_to_string(one(".cdx.json")?)?)?;
    let dependencies = dependencies["components"].as_array();
    let dependencies = dependencies.context("the list of dependencies is empty")?;
    for name in ["lms-ext", "rustls", "libsqlite3-sys"] {
        let listed = dependencies.iter().any(|one| one["name"] == name);
        ensure!(listed, "{name} is not among the dependencies");
    }

    let pages = archive(&one(".tar.gz")?, &toolchain.empty("install-archive")?)?;

    let environment = toolchain.empty("install")?;
    Program::new("python3", toolchain.log("install-venv"))
        .args(["-m", "venv"])
        .arg(&environment)
        .run(FIRST_TABLE)?;
    let started = Instant::now();
    let bin = environment.join("bin");
    Program::new(bin.join("pip"), toolchain.log("install-pip"))
        .args([
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-index",
        ])
        .arg(one(".whl")?)
        .run(FIRST_TABLE)?;
    let table = Program::new(bin.join("lms"), toolchain.log("install-table"))
        .args([
            "--sandbox",
            "learners",
            "list",
            "--output",
            "table",
            "--limit",
            "5",
        ])
        .run(FIRST_TABLE)?;
    ensure!(table.lines().count() == 1 + 5, "there is no table: {table}");
    let taken = started.elapsed();
    ensure!(taken < FIRST_TABLE, "the first table took {taken:?}");
    Ok(format!(
        "{} dependencies, {pages} man pages, and the first table {:.0} s after `pip install`",
        dependencies.len(),
        taken.as_secs_f64()
    ))
}

/// Unpacks the archive, runs its program, and returns the number of its man pages.
fn archive(archive: &Path, folder: &Path) -> anyhow::Result<usize> {
    output(
        Command::new("tar")
            .args(["--extract", "--strip-components", "1", "--file"])
            .arg(archive)
            .arg("--directory")
            .arg(folder),
    )?;
    let version = output(Command::new(folder.join("lms")).arg("--version"))?;
    ensure!(
        version.trim() == concat!("lms ", env!("CARGO_PKG_VERSION")),
        "{version}"
    );
    for file in [
        "LICENSE-MIT",
        "README.md",
        "completions/_lms",
        "completions/lms.bash",
    ] {
        ensure!(folder.join(file).exists(), "the archive has no {file}");
    }
    Ok(fs::read_dir(folder.join("man"))?.count())
}
