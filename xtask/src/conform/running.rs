//! Child processes that never outlive this one.
//!
//! A server must not be left running after an error or a kill, and a tool that hangs must not block the run. Each program
//! runs under a small shell that reads from a pipe of this process. When the pipe closes, the shell kills the program.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

/// Runs its arguments until they end or standard input is closed.
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

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time after which a program that was asked to end is killed.
const GRACE: Duration = Duration::from_secs(10);

/// Maximum number of lines of output in an error.
const TAIL: usize = 40;

/// A program to run.
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
        // Python would store compiled modules next to their sources, which are also those of this workspace.
        command.env("PYTHONPYCACHEPREFIX", log.with_file_name("pycache"));
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

    /// Runs the program and returns its output. A failure is an error with the last lines of the output.
    pub(crate) fn run(self, timeout: Duration) -> anyhow::Result<String> {
        let mut running = self.start()?;
        let status = running.wait(timeout)?;
        if !status.success() {
            bail!("{} failed ({status})\n{}", running.name, running.tail());
        }
        running.output()
    }
}

/// A running program, which is ended on drop.
pub(crate) struct Running {
    child: Child,
    name: String,
    log: PathBuf,
}

impl Running {
    fn wait(&mut self, timeout: Duration) -> anyhow::Result<ExitStatus> {
        self.poll(timeout, "did not end", |running| {
            Ok(running.child.try_wait()?)
        })
    }

    /// Waits until `ready`, which gets the output so far, returns a value.
    pub(crate) fn wait_until<T>(
        &mut self,
        timeout: Duration,
        mut ready: impl FnMut(&str) -> Option<T>,
    ) -> anyhow::Result<T> {
        self.poll(timeout, "was not ready", |running| {
            if let Some(found) = ready(&running.output()?) {
                return Ok(Some(found));
            }
            match running.child.try_wait()? {
                None => Ok(None),
                Some(status) => {
                    bail!(
                        "{} ended early ({status})\n{}",
                        running.name,
                        running.tail()
                    )
                }
            }
        })
    }

    fn poll<T>(
        &mut self,
        timeout: Duration,
        failure: &str,
        mut check: impl FnMut(&mut Self) -> anyhow::Result<Option<T>>,
    ) -> anyhow::Result<T> {
        let end = Instant::now() + timeout;
        loop {
            if let Some(found) = check(self)? {
                return Ok(found);
            }
            if Instant::now() >= end {
                bail!(
                    "{} {failure} within {} s\n{}",
                    self.name,
                    timeout.as_secs(),
                    self.tail()
                );
            }
            sleep(POLL_INTERVAL);
        }
    }

    /// The output so far.
    pub(crate) fn output(&self) -> anyhow::Result<String> {
        let bytes =
            fs::read(&self.log).with_context(|| format!("cannot read {}", self.log.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The file that the output is written to.
    pub(crate) fn log(&self) -> &Path {
        &self.log
    }

    /// The last lines of the output, and the file with the rest.
    pub(crate) fn tail(&self) -> String {
        let output = self.output().unwrap_or_default();
        let lines: Vec<_> = output.lines().collect();
        let tail = lines[lines.len().saturating_sub(TAIL)..].join("\n  ");
        format!("  {tail}\n  (full output in {})", self.log.display())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let end = Instant::now() + GRACE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() >= end {
                // Errors cannot be reported from `drop`.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            sleep(POLL_INTERVAL);
        }
    }
}

// The tests look for processes in /proc.
#[cfg(all(test, target_os = "linux"))]
mod tests;
