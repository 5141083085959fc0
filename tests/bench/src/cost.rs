//! What running a command costs: the time it takes, and the processor time of all that it starts.

use std::{
    fs,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, bail};

/// Of one run, in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// On all cores together, in the program and in the system.
    pub(crate) processor: f64,
    /// On the clock.
    pub(crate) wall: f64,
}

/// The ticks of /proc in a second; the same on every architecture that Rust runs Linux on.
const TICKS: f64 = 100.0;

/// Runs it to its end, and gives back what it cost; that it fails is an error with what it said.
///
/// Nothing else may be started by this program at the same time: the processor time is that of all its children.
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

/// The processor time of all children that have ended and theirs, in seconds.
fn children() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("there is no /proc/self/stat")?;
    // The name of the program, in parentheses, may hold anything; the state is the first field after it.
    let (_, fields) = stat
        .rsplit_once(") ")
        .context("/proc/self/stat cannot be read")?;
    let mut ticks = fields.split(' ').skip(13);
    let mut next = || -> anyhow::Result<f64> {
        let text = ticks.next().context("/proc/self/stat ends too early")?;
        Ok(text.parse()?)
    };
    Ok((next()? + next()?) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_child_of_a_child_is_counted() {
        let busy = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'";
        let cost = of(Command::new("sh").args(["-c", busy])).unwrap();
        assert!(cost.processor > 0.0);
    }

    #[test]
    fn a_failure_says_what_the_program_said() {
        let error = of(Command::new("sh").args(["-c", "echo not today >&2; exit 3"])).unwrap_err();
        assert!(error.to_string().contains("not today"), "{error}");
    }
}
