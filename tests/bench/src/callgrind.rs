//! How many instructions one call takes, counted by callgrind.
//!
//! Two runs of different length are counted, so that what it takes to start and to end is in neither's difference.
//! Instructions do not depend on what else the machine does, which is why two runs are enough.

use std::process::Stdio;

use anyhow::{Context as _, bail};

use crate::subject::Subject;

/// The instructions of one call of a subject, which is told in its last argument how many calls to make.
pub(crate) fn instructions(subject: &Subject, few: u32, many: u32) -> anyhow::Result<f64> {
    let run = |calls: u32| count(&subject.clone().arg(calls.to_string()));
    let (fewer, more) = (run(few)?, run(many)?);
    Ok((more - fewer) / f64::from(many - few))
}

fn count(subject: &Subject) -> anyhow::Result<f64> {
    let output = subject
        .under("valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .stdin(Stdio::null())
        .output()
        .context("cannot run valgrind, which counts instructions; install it (Debian: apt-get install valgrind)")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{subject:?} failed under callgrind: {}", said.trim());
    }
    said.lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok())
        .with_context(|| format!("callgrind counted nothing of {subject:?}: {}", said.trim()))
}
