//! A package whose build is measured.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::{Context as _, ensure};

use crate::{
    cost::{self, Cost},
    subject::cargo,
};

/// The name of the program of every package.
pub(crate) const PROGRAM: &str = "dependent";

/// A package with a program.
#[derive(Debug)]
pub(crate) struct Package {
    /// Folder in which cargo runs.
    pub(crate) folder: PathBuf,
    /// A target folder that nothing else uses.
    pub(crate) target: PathBuf,
}

/// The cost of a build, and the size of the program in bytes.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) cost: Cost,
    pub(crate) size: f64,
    pub(crate) stripped: f64,
}

impl Package {
    /// Counts the packages that are built, including its own.
    pub(crate) fn crates(&self) -> anyhow::Result<usize> {
        let output = self
            .cargo("tree")
            .args(["--edges", "normal,build", "--prefix", "none"])
            .args(["--format", "{p}"])
            .output()
            .context("cannot run cargo")?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let tree = String::from_utf8(output.stdout)?;
        let packages: BTreeSet<_> = tree
            .lines()
            .map(|line| line.trim_end_matches(" (*)"))
            .filter(|line| !line.is_empty())
            .collect();
        Ok(packages.len())
    }

    /// Builds it from an empty target folder.
    pub(crate) fn cold(&self) -> anyhow::Result<Built> {
        // Downloads are not measured.
        cost::of(&mut self.cargo("fetch"))?;
        if self.target.exists() {
            fs::remove_dir_all(&self.target)?;
        }
        let cost = cost::of(&mut self.build())?;
        let program = self.target.join("release").join(PROGRAM);
        let stripped = self.target.join("stripped");
        cost::of(Command::new("strip").arg("-o").arg(&stripped).arg(&program))
            .context("cannot run `strip`; install binutils")?;
        Ok(Built {
            cost,
            size: bytes(&program)?,
            stripped: bytes(&stripped)?,
        })
    }

    /// Builds it again after a change of a source file, and returns the elapsed seconds.
    pub(crate) fn warm(&self, source: &Path) -> anyhow::Result<f64> {
        fs::File::open(source)?.set_modified(SystemTime::now())?;
        Ok(cost::of(&mut self.build())?.wall)
    }

    fn build(&self) -> Command {
        let mut cargo = self.cargo("build");
        cargo.args(["--release", "--quiet"]);
        cargo
    }

    /// Returns a cargo without the settings of the cargo that runs this program.
    fn cargo(&self, verb: &str) -> Command {
        let mut cargo = cargo();
        for variable in [
            "CARGO_BUILD_JOBS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_INCREMENTAL",
            "RUSTC_WRAPPER",
            "RUSTFLAGS",
        ] {
            cargo.env_remove(variable);
        }
        cargo
            .arg(verb)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target);
        cargo
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "programs are smaller than 2^53 bytes"
)]
fn bytes(file: &Path) -> anyhow::Result<f64> {
    Ok(fs::metadata(file)?.len() as f64)
}
