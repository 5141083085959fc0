//! The sandbox as a program of its own, for what is to be known about it alone.
//!
//! In a process of its own its time on a processor is told apart from the subject's. Large tenants are kept in
//! target/bench, so that a million learners are made once for all sections and runs. A file that another version of
//! the sandbox filled, or that was not filled to its end, is not used again.

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
    Bench,
    subject::{self, Subject},
};

/// A sandbox that runs for as long as this is kept.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    base_url: String,
}

/// The program, built for release.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
    /// Where data files are kept.
    folder: PathBuf,
}

impl Program {
    pub(crate) fn build(bench: &Bench) -> anyhow::Result<Self> {
        let path = subject::build_package(&bench.root, "lms-sandbox")?.join("lms-sandbox");
        let folder = bench.root.join("target/bench");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self { path, folder })
    }

    /// A tenant in memory, as tests have it.
    pub(crate) fn in_memory(&self, learners: u32) -> anyhow::Result<Server> {
        self.start(learners, None)
    }

    /// A tenant in a file, which is filled when it is not there.
    pub(crate) fn in_file(&self, learners: u32) -> anyhow::Result<Server> {
        let file = self.folder.join(format!("{learners}-learners.sqlite"));
        let whole = file.with_extension("whole");
        let version = self.version()?;
        if fs::read_to_string(&whole).is_ok_and(|of| of == version) {
            return self.start(learners, Some(&file));
        }
        for ending in ["whole", "sqlite", "sqlite-wal", "sqlite-shm"] {
            let old = file.with_extension(ending);
            if old.exists() {
                fs::remove_file(&old)
                    .with_context(|| format!("cannot remove {}", old.display()))?;
            }
        }
        let server = self.start(learners, Some(&file))?;
        fs::write(&whole, version)?;
        Ok(server)
    }

    /// What tells this build of the sandbox from others.
    fn version(&self) -> anyhow::Result<String> {
        let metadata = fs::metadata(&self.path)?;
        let built = metadata.modified()?.duration_since(UNIX_EPOCH)?;
        Ok(format!("{} {}", metadata.len(), built.as_nanos()))
    }

    fn start(&self, learners: u32, file: Option<&Path>) -> anyhow::Result<Server> {
        let log = self.folder.join(format!("{learners}-learners.log"));
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
            .args(["--learners", &learners.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?);
        if let Some(file) = file {
            command.arg("--data").arg(file);
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
                "the sandbox of {learners} learners does not start: {}",
                fs::read_to_string(&log).unwrap_or_default().trim()
            );
        };
        address.clone_into(&mut server.base_url);
        Ok(server)
    }
}

impl Server {
    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Tells a subject where the tenant is.
    pub(crate) fn tell(&self, subject: Subject) -> Subject {
        subject.told_of(&self.base_url, DEMO_CLIENT_ID, DEMO_CLIENT_SECRET)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // What was acknowledged is in the file; there is nothing to do about a process that has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
