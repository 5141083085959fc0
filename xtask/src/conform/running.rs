//! A program that is running, and that ends.
//!
//! Whatever happens to this program, a server it started must not be left behind, and a tool that hangs must not hang
//! the run. So each one runs below a small shell that reads from a pipe this program holds: when the pipe closes, because
//! of a timeout, an error or a kill, the shell ends the program by its own process id.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

/// Runs its arguments until they end or standard input does.
const KEEPER: &str = r#"
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
{ read -r _ <&3; kill "$program" 2>/dev/null; } &
watcher=$!
exec 3<&-
wait "$program"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
"#;

/// How often is looked whether something has happened.
const LOOK: Duration = Duration::from_millis(50);

/// How long a program may take to end when told to.
const GRACE: Duration = Duration::from_secs(10);

/// How many lines of a failed program's output are shown.
const TAIL: usize = 40;

/// A program to be run.
pub(crate) struct Program {
    command: Command,
    name: String,
    log: PathBuf,
}

impl Program {
    /// The program at `path`, whose output goes to `log`.
    pub(crate) fn new(path: impl AsRef<OsStr>, log: PathBuf) -> Self {
        let name = Path::new(path.as_ref())
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "keeper"]).arg(path);
        Self { command, name, log }
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn start(mut self) -> anyhow::Result<Running> {
        let log = File::create(&self.log)
            .with_context(|| format!("cannot write {}", self.log.display()))?;
        let child = self
            .command
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", self.name))?;
        Ok(Running {
            child,
            name: self.name,
            log: self.log,
        })
    }

    /// Runs it to its end; anything but success is an error with the tail of what it said.
    ///
    /// Gives back all that it said.
    pub(crate) fn run(self, patience: Duration) -> anyhow::Result<String> {
        let mut running = self.start()?;
        let status = running.wait(patience)?;
        if !status.success() {
            bail!("{} failed ({status})\n{}", running.name, running.tail());
        }
        running.output()
    }
}

/// A program that is running; it ends when this is dropped.
pub(crate) struct Running {
    child: Child,
    name: String,
    log: PathBuf,
}

impl Running {
    fn wait(&mut self, patience: Duration) -> anyhow::Result<ExitStatus> {
        let end = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= end {
                bail!(
                    "{} did not end within {} s\n{}",
                    self.name,
                    patience.as_secs(),
                    self.tail()
                );
            }
            sleep(LOOK);
        }
    }

    /// Waits until `ready` finds what it looks for in the output, or elsewhere.
    pub(crate) fn wait_until<T>(
        &mut self,
        patience: Duration,
        mut ready: impl FnMut(&str) -> Option<T>,
    ) -> anyhow::Result<T> {
        let end = Instant::now() + patience;
        loop {
            if let Some(found) = ready(&self.output()?) {
                return Ok(found);
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended early ({status})\n{}", self.name, self.tail());
            }
            if Instant::now() >= end {
                bail!(
                    "{} was not ready within {} s\n{}",
                    self.name,
                    patience.as_secs(),
                    self.tail()
                );
            }
            sleep(LOOK);
        }
    }

    /// All that it has said so far.
    pub(crate) fn output(&self) -> anyhow::Result<String> {
        let bytes =
            fs::read(&self.log).with_context(|| format!("cannot read {}", self.log.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Where all that it says goes.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// The last lines of what it said, and where the rest is.
    pub(crate) fn tail(&self) -> String {
        let output = self.output().unwrap_or_default();
        let lines: Vec<_> = output.lines().collect();
        let tail = lines[lines.len().saturating_sub(TAIL)..].join("\n  ");
        format!("  {tail}\n  (all of it is in {})", self.log.display())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let end = Instant::now() + GRACE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() >= end {
                // Nothing more can be done, and nobody is left to be told.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            sleep(LOOK);
        }
    }
}

// They look for processes where Linux shows them.
#[cfg(all(test, target_os = "linux"))]
mod tests;
