//! Installs the tools and manages their files.
//!
//! Everything is in target/conform: Python environments, npm packages, derived documents, logs. The versions of all
//! packages are pinned in tests/conform/. A change of the pins installs them again.

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use anyhow::Context as _;

use super::running::Program;

const INSTALL_TIMEOUT: Duration = Duration::from_secs(600);

pub(crate) struct Toolchain {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// target/conform.
    pub(crate) folder: PathBuf,
    logs: AtomicUsize,
}

impl Toolchain {
    pub(crate) fn open(root: &Path) -> anyhow::Result<Self> {
        let root = root
            .canonicalize()
            .with_context(|| format!("no workspace at {}", root.display()))?;
        let folder = root.join("target/conform");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Self {
            root,
            folder,
            logs: AtomicUsize::new(0),
        })
    }

    /// Locks the folder until the file is dropped, and removes the logs of the last run.
    pub(crate) fn lock(&self) -> anyhow::Result<File> {
        let file = File::create(self.file("lock"))?;
        file.try_lock()
            .context("another run uses target/conform; wait until it ends")?;
        let logs = self.file("logs");
        if logs.exists() {
            fs::remove_dir_all(&logs)?;
        }
        fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
        Ok(file)
    }

    /// A file of tests/conform/.
    pub(crate) fn ours(&self, path: &str) -> PathBuf {
        self.root.join("tests/conform").join(path)
    }

    /// A file of target/conform/.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// A new log file, numbered in the order of use.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        let number = self.logs.fetch_add(1, Ordering::Relaxed) + 1;
        self.folder.join(format!("logs/{number:03}-{name}.log"))
    }

    /// A new empty folder.
    pub(crate) fn empty(&self, path: &str) -> anyhow::Result<PathBuf> {
        let folder = self.file(path);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Installs the packages of tests/conform/python/NAME.txt, and returns the folder of their programs.
    pub(crate) fn python(&self, name: &str) -> anyhow::Result<PathBuf> {
        let pins = self.ours(&format!("python/{name}.txt"));
        let folder = self.file(&format!("python-{name}"));
        let bin = folder.join("bin");
        Self::install(&[&pins], &folder, || {
            self.need(&["python3=python3", "ensurepip.py=python3-venv"])?;
            Program::new("python3", self.log(&format!("venv-{name}")))
                .args(["-m", "venv"])
                .arg(&folder)
                .run(INSTALL_TIMEOUT)?;
            Program::new(bin.join("pip"), self.log(&format!("pip-{name}")))
                .args([
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    // Most modules are never imported.
                    "--no-compile",
                    "--no-deps",
                    "--requirement",
                ])
                .arg(&pins)
                .run(INSTALL_TIMEOUT)?;
            Ok(())
        })?;
        Ok(bin)
    }

    /// Installs the packages of tests/conform/NAME/package-lock.json, and returns their folder.
    pub(crate) fn npm(&self, name: &str) -> anyhow::Result<PathBuf> {
        let [package, lock] =
            ["package.json", "package-lock.json"].map(|file| self.ours(name).join(file));
        let folder = self.file(name);
        Self::install(&[&package, &lock], &folder, || {
            self.need(&["node>=20=nodejs", "npm=npm"])?;
            fs::create_dir_all(&folder)?;
            fs::copy(&package, folder.join("package.json"))?;
            fs::copy(&lock, folder.join("package-lock.json"))?;
            Program::new("npm", self.log(name))
                .args("ci --ignore-scripts --no-audit --no-fund --loglevel=error".split(' '))
                .folder(&folder)
                .run(INSTALL_TIMEOUT)?;
            Ok(())
        })?;
        Ok(folder)
    }

    /// Installs system packages that are missing, each by itself.
    pub(crate) fn need(&self, pairs: &[&str]) -> anyhow::Result<()> {
        crate::workspace::output(Command::new(self.root.join(".ci/need")).args(pairs))?;
        Ok(())
    }

    /// Calls `install` unless `folder` was installed from the same pins. Other checks that need the folder wait.
    pub(crate) fn install(
        pins: &[&Path],
        folder: &Path,
        install: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut expected = String::new();
        for pin in pins {
            expected += &fs::read_to_string(pin)
                .with_context(|| format!("cannot read {}", pin.display()))?;
        }
        let lock = folder.with_added_extension("lock");
        let lock =
            File::create(&lock).with_context(|| format!("cannot write {}", lock.display()))?;
        lock.lock()?;
        let marker = folder.join("installed");
        if fs::read_to_string(&marker).is_ok_and(|found| found == expected) {
            return Ok(());
        }
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        install().with_context(|| format!("cannot install into {}", folder.display()))?;
        fs::write(marker, expected)?;
        Ok(())
    }
}

/// A free port of this machine, for servers that cannot listen on port 0.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no free port")?;
    Ok(listener.local_addr()?.port())
}
