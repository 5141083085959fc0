//! The folder of a release, as a user gets it: checksums, the archive, and `pip install` of the wheel.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use serde_json::{Value, from_str};

use super::{Context, dist, running::Program, tenant::Tenant, toolchain::Toolchain};
use crate::workspace::output;

/// Maximum time from `pip install` to the first table.
const FIRST_TABLE: Duration = Duration::from_secs(60);

pub(crate) fn check(context: &Context<'_>, _: &Tenant) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    // The profile of the static program, so that both share the compiled code.
    let folder = dist::make(toolchain, "dev", "dist")?;
    let checksums = file(&folder, ".sha256")?;
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--strict"]).arg(checksums);
    let checked = output(sums.current_dir(&folder))?;
    ensure!(
        checked.lines().count() == 3,
        "not all files are checked: {checked}"
    );
    let dependencies = dependencies(&file(&folder, ".cdx.json")?)?;
    let pages = archive(
        &file(&folder, ".tar.gz")?,
        &toolchain.empty("install-archive")?,
    )?;
    let taken = first_table(toolchain, &file(&folder, ".whl")?)?;
    Ok(format!(
        "{dependencies} dependencies, {pages} man pages, and the first table {:.0} s after `pip install`",
        taken.as_secs_f64()
    ))
}

/// The file of the release whose name ends so.
fn file(folder: &Path, end: &str) -> anyhow::Result<PathBuf> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths = entries.iter().map(fs::DirEntry::path);
    let found = paths.find(|path| path.to_string_lossy().ends_with(end));
    found.with_context(|| format!("the folder has no {end}"))
}

/// The number of dependencies that the SBOM lists.
fn dependencies(sbom: &Path) -> anyhow::Result<usize> {
    let sbom: Value = from_str(&fs::read_to_string(sbom)?)?;
    let dependencies = sbom["components"].as_array();
    let dependencies = dependencies.context("the list of dependencies is empty")?;
    for name in ["lms-ext", "rustls", "libsqlite3-sys"] {
        let listed = dependencies.iter().any(|one| one["name"] == name);
        ensure!(listed, "{name} is not among the dependencies");
    }
    Ok(dependencies.len())
}

/// Installs the wheel into an empty environment. Returns the time to the first table.
fn first_table(toolchain: &Toolchain, wheel: &Path) -> anyhow::Result<Duration> {
    let environment = toolchain.empty("install")?;
    Program::new("python3", toolchain.log("install-venv"))
        .args(["-m", "venv"])
        .arg(&environment)
        .run(FIRST_TABLE)?;
    let started = Instant::now();
    let bin = environment.join("bin");
    Program::new(bin.join("pip"), toolchain.log("install-pip"))
        .args("install --quiet --disable-pip-version-check --no-index".split(' '))
        .arg(wheel)
        .run(FIRST_TABLE)?;
    let table = Program::new(bin.join("lms"), toolchain.log("install-table"))
        .args("--sandbox learners list --output table --limit 5".split(' '))
        .run(FIRST_TABLE)?;
    ensure!(table.lines().count() == 1 + 5, "there is no table: {table}");
    let taken = started.elapsed();
    ensure!(taken < FIRST_TABLE, "the first table took {taken:?}");
    Ok(taken)
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
    // The section in which `cargo audit bin` finds the list of dependencies.
    let program = fs::read(folder.join("lms"))?;
    let section = b".dep-v0";
    ensure!(
        program.windows(section.len()).any(|part| part == section),
        "the program does not contain the list of its dependencies"
    );
    for file in "LICENSE-MIT README.md completions/_lms completions/lms.bash".split(' ') {
        ensure!(folder.join(file).exists(), "the archive has no {file}");
    }
    Ok(fs::read_dir(folder.join("man"))?.count())
}
