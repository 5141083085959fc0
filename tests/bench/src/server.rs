//! The sandbox as a separate process.
//!
//! This separates its CPU time from that of the measured program. Large tenants are kept in target/bench, so that a million
//! learners are created once. A file that another build of the sandbox wrote, or that is incomplete, is not reused.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::UNIX_EPOCH,
};

use anyhow::{Context as _, bail};
use lms_sandbox::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET};

use crate::{
    bench::Bench,
    subject::{self, Subject},
};

/// A running sandbox, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    base_url: String,
}

/// The size of a tenant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) learners: u32,
    pub(crate) enrolments_per_learner: u32,
}

impl Size {
    fn name(self) -> String {
        let Self {
            learners,
            enrolments_per_learner,
        } = self;
        format!("{learners}-learners-{enrolments_per_learner}")
    }
}

impl From<u32> for Size {
    /// A tenant with two enrolments for each learner.
    fn from(learners: u32) -> Self {
        Self {
            learners,
            enrolments_per_learner: 2,
        }
    }
}

/// The release build of the sandbox.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
    /// The folder of the data files.
    folder: PathBuf,
}

impl Program {
    pub(crate) fn build(bench: &Bench) -> anyhow::Result<Self> {
        let path = subject::build_package(&bench.root, "lms-sandbox")?.join("lms-sandbox");
        let folder = bench.root.join("target/bench");
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Self { path, folder })
    }

    /// Starts a tenant in a file, which is created when it is missing.
    pub(crate) fn in_file(&self, size: impl Into<Size>) -> anyhow::Result<Server> {
        self.in_file_with(size, &[])
    }

    /// Starts a tenant with faults in a file, which is created when it is missing.
    pub(crate) fn in_file_with(
        &self,
        size: impl Into<Size>,
        faults: &[&str],
    ) -> anyhow::Result<Server> {
        let size = size.into();
        let file = self.folder.join(format!("{}.sqlite", size.name()));
        let complete = file.with_extension("complete");
        let version = self.version()?;
        if fs::read_to_string(&complete).is_ok_and(|of| of == version) {
            return self.start(size, &file, faults);
        }
        for ending in ["complete", "sqlite", "sqlite-wal", "sqlite-shm"] {
            let old = file.with_extension(ending);
            if old.exists() {
                fs::remove_file(&old)
                    .with_context(|| format!("cannot remove {}", old.display()))?;
            }
        }
        let server = self.start(size, &file, faults)?;
        fs::write(&complete, version)?;
        Ok(server)
    }

    /// Identifies this build of the sandbox.
    fn version(&self) -> anyhow::Result<String> {
        let metadata = fs::metadata(&self.path)?;
        let built = metadata.modified()?.duration_since(UNIX_EPOCH)?;
        Ok(format!("{} {}", metadata.len(), built.as_nanos()))
    }

    fn start(&self, size: Size, file: &Path, faults: &[&str]) -> anyhow::Result<Server> {
        let log = self.folder.join(format!("{}.log", size.name()));
        let mut command = Command::new(&self.path);
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--token-lifetime",
                "24h",
            ])
            .args(["--client-id", DEMO_CLIENT_ID])
            .args(["--client-secret", DEMO_CLIENT_SECRET])
            .args(["--learners", &size.learners.to_string()])
            .args([
                "--enrolments-per-learner",
                &size.enrolments_per_learner.to_string(),
            ])
            .arg("--data")
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?);
        for fault in faults {
            command.args(["--fault", fault]);
        }
        let mut server = Server {
            process: command
                .spawn()
                .with_context(|| format!("cannot run {}", self.path.display()))?,
            base_url: String::new(),
        };
        let mut line = String::new();
        if let Some(output) = server.process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let Some(address) = line.trim().strip_prefix("listening on ") else {
            bail!(
                "cannot start the sandbox with {}: {}",
                size.name(),
                fs::read_to_string(&log).unwrap_or_default().trim()
            );
        };
        address.clone_into(&mut server.base_url);
        Ok(server)
    }
}

impl Server {
    /// Passes the address and the credentials to a subject.
    pub(crate) fn tell(&self, subject: Subject) -> Subject {
        subject.with_tenant(&self.base_url, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Acknowledged data is in the file, and the process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
