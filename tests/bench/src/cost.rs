//! The elapsed time of a command, and the CPU time of all processes that it starts.

use std::{
    fs,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, bail};

/// In seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// User and system time on all cores.
    pub(crate) processor: f64,
    /// Elapsed time.
    pub(crate) wall: f64,
}

/// Ticks per second in /proc; the same on every architecture.
const TICKS: f64 = 100.0;

/// Runs a command and returns its cost, or an error with its output when it fails.
///
/// No other command may run meanwhile, since the CPU time of all child processes counts.
pub(crate) fn of(command: &mut Command) -> anyhow::Result<Cost> {
    let before = children()?;
    let started = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    let wall = started.elapsed().as_secs_f64();
    if !output.status.success() {
        bail!(
            "{command:?} failed with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(Cost {
        processor: children()? - before,
        wall,
    })
}

/// The CPU time of all ended child processes and their descendants, in seconds.
pub(crate) fn children() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat")?;
    // The program name in parentheses can contain anything; the state is the first field after it.
    let (_, fields) = stat
        .rsplit_once(") ")
        .context("cannot parse /proc/self/stat")?;
    let mut ticks = fields.split(' ').skip(13);
    let mut next = || -> anyhow::Result<f64> {
        let text = ticks.next().context("cannot parse /proc/self/stat")?;
        Ok(text.parse()?)
    };
    Ok((next()? + next()?) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_time_of_a_grandchild_counts() {
        let busy = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'";
        let cost = of(Command::new("sh").args(["-c", busy])).unwrap();
        assert!(cost.processor > 0.0);
    }

    #[test]
    fn an_error_has_the_output_of_the_command() {
        let error = of(Command::new("sh").args(["-c", "echo not today >&2; exit 3"])).unwrap_err();
        assert!(error.to_string().contains("not today"), "{error}");
    }
}
