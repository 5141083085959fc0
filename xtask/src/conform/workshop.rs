//! Where the checkers live and work, and how they get there.
//!
//! Everything is below target/conform: Python environments, npm packages, derived documents, logs. What is installed
//! is what the pins in tests/conform/ say, in full; it is installed again when they change and not otherwise.

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::{Context as _, bail};

use super::running::Program;

const INSTALLING: Duration = Duration::from_secs(600);

pub(crate) struct Workshop {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// target/conform.
    pub(crate) folder: PathBuf,
    logs: AtomicUsize,
}

impl Workshop {
    pub(crate) fn open(root: &Path) -> anyhow::Result<Self> {
        let root = root
            .canonicalize()
            .with_context(|| format!("there is no workspace at {}", root.display()))?;
        let folder = root.join("target/conform");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self {
            root,
            folder,
            logs: AtomicUsize::new(0),
        })
    }

    /// Keeps other runs out until the file is dropped, and clears away the logs of the last one.
    ///
    /// Two runs in one folder would take each other's documents and logs.
    pub(crate) fn alone(&self) -> anyhow::Result<File> {
        let file = File::create(self.file("lock"))?;
        file.try_lock()
            .context("another run is at work in target/conform; wait for it to end")?;
        let logs = self.file("logs");
        if logs.exists() {
            fs::remove_dir_all(&logs)?;
        }
        fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
        Ok(file)
    }

    /// A file of conform/.
    pub(crate) fn ours(&self, path: &str) -> PathBuf {
        self.root.join("tests/conform").join(path)
    }

    /// A file to work with.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// A log of its own for everything that is run, in the order in which it is.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        let number = self.logs.fetch_add(1, Ordering::Relaxed) + 1;
        self.folder.join(format!("logs/{number:03}-{name}.log"))
    }

    /// An empty folder to work in.
    pub(crate) fn empty(&self, path: &str) -> anyhow::Result<PathBuf> {
        let folder = self.file(path);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A Python environment with what tests/conform/python/NAME.txt pins; gives back its bin folder.
    pub(crate) fn python(&self, name: &str) -> anyhow::Result<PathBuf> {
        let pins = self.ours(&format!("python/{name}.txt"));
        let place = self.file(&format!("python-{name}"));
        let bin = place.join("bin");
        Self::install(&[&pins], &place, || {
            need(
                "python3",
                &["-c", "import ensurepip, venv"],
                &["python3", "python3-venv"],
            )?;
            Program::new("python3", self.log(&format!("venv-{name}")))
                .args(["-m", "venv"])
                .arg(&place)
                .run(INSTALLING)?;
            Program::new(bin.join("pip"), self.log(&format!("pip-{name}")))
                .args([
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--no-deps",
                    "--requirement",
                ])
                .arg(&pins)
                .run(INSTALLING)?;
            Ok(())
        })?;
        Ok(bin)
    }

    /// The npm packages that tests/conform/npm/package-lock.json pins; gives back the folder they are in.
    pub(crate) fn npm(&self) -> anyhow::Result<PathBuf> {
        let (package, lock) = (
            self.ours("npm/package.json"),
            self.ours("npm/package-lock.json"),
        );
        let place = self.file("npm");
        Self::install(&[&package, &lock], &place, || {
            need("npm", &["--version"], &["nodejs", "npm"])?;
            fs::create_dir_all(&place)?;
            fs::copy(&package, place.join("package.json"))?;
            fs::copy(&lock, place.join("package-lock.json"))?;
            Program::new("npm", self.log("npm"))
                .args([
                    "ci",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ])
                .folder(&place)
                .run(INSTALLING)?;
            Ok(())
        })?;
        Ok(place)
    }

    /// Does `install` unless what is at `place` was made from the same pins.
    pub(crate) fn install(
        pins: &[&Path],
        place: &Path,
        install: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut wanted = String::new();
        for pin in pins {
            wanted += &fs::read_to_string(pin)
                .with_context(|| format!("cannot read {}", pin.display()))?;
        }
        let mark = place.join("installed");
        if fs::read_to_string(&mark).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        install().with_context(|| format!("cannot install into {}", place.display()))?;
        fs::write(mark, wanted)?;
        Ok(())
    }

    /// The version that a requirements file pins.
    pub(crate) fn python_pin(&self, name: &str, package: &str) -> String {
        fs::read_to_string(self.ours(&format!("python/{name}.txt")))
            .unwrap_or_default()
            .lines()
            .filter_map(|line| line.split_once("=="))
            .find(|(found, _)| *found == package)
            .map(|(_, version)| version.trim().to_owned())
            .unwrap_or_default()
    }

    /// The version that package.json pins.
    pub(crate) fn npm_pin(&self, package: &str) -> String {
        fs::read_to_string(self.ours("npm/package.json"))
            .ok()
            .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
            .and_then(|json| Some(json["dependencies"][package].as_str()?.to_owned()))
            .unwrap_or_default()
    }

    /// Builds the program of a workspace member, which has the member's name, and gives back where it is.
    pub(crate) fn build(&self, package: &str) -> anyhow::Result<PathBuf> {
        Program::new(crate::cargo(), self.log(&format!("build-{package}")))
            .args(["build", "--quiet", "--locked", "--package", package])
            .folder(&self.root)
            .run(Duration::from_secs(900))?;
        let metadata = Program::new(crate::cargo(), self.log("metadata"))
            .args(["metadata", "--locked", "--no-deps", "--format-version=1"])
            .folder(&self.root)
            .run(Duration::from_secs(60))?;
        let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
        let target = metadata["target_directory"]
            .as_str()
            .context("cargo does not say where it builds")?;
        Ok(Path::new(target).join("debug").join(package))
    }
}

/// Makes sure that a program is there, from the system's packages if it must be.
fn need(program: &str, probe: &[&str], packages: &[&str]) -> anyhow::Result<()> {
    let there = || {
        Command::new(program)
            .args(probe)
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if there() {
        return Ok(());
    }
    for arguments in [vec!["update"], [&["install", "--yes"], packages].concat()] {
        // What it says is of no interest when it works, and what is missing is said below when it does not.
        let _ = Command::new("apt-get").args(arguments).output();
    }
    if !there() {
        bail!(
            "{program} is missing; install it ({}) and run this again",
            packages.join(", ")
        );
    }
    Ok(())
}

/// A port of this machine that nobody listens on now, for servers that cannot find one themselves.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}
