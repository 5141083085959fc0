//! Counts the instructions of one call with callgrind.
//!
//! The difference between a long and a short run leaves out start and end. Two runs are enough, since instructions do not
//! depend on the load of the machine.

use std::process::Stdio;

use anyhow::{Context as _, bail};

use crate::subject::Subject;

/// Returns the instructions of one call of a subject whose last argument is the number of calls.
pub(crate) fn instructions(subject: &Subject, few: u32, many: u32) -> anyhow::Result<f64> {
    let run = |calls: u32| count(&subject.clone().arg(calls.to_string()));
    let (fewer, more) = (run(few)?, run(many)?);
    Ok((more - fewer) / f64::from(many - few))
}

fn count(subject: &Subject) -> anyhow::Result<f64> {
    let output = subject
        .under(
            "valgrind",
            ["--tool=callgrind", "--callgrind-out-file=/dev/null"],
        )
        .stdin(Stdio::null())
        .output()
        .context("cannot run valgrind; install it (Debian: apt-get install valgrind)")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{subject:?} failed under callgrind: {}", said.trim());
    }
    said.lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok())
        .with_context(|| format!("callgrind counted nothing of {subject:?}: {}", said.trim()))
}
