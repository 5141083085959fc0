//! `cargo xtask release-check`: the long forms of the tests, before a release.
//!
//! `.ci/run` checks every change with a part of the cases. These are all of them, which takes hours.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run only this check. Can be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the checks and exit.
    #[arg(long, conflicts_with = "only")]
    list: bool,
}

/// The name of a check, its purpose, and its command for bash, in the workspace and with `LMS_TESTS=full`.
type Check = (&'static str, &'static str, &'static str);

/// The checks, one in a line.
const CHECKS: &str = include_str!("release-checks.txt");

fn checks() -> impl Iterator<Item = Check> {
    CHECKS.lines().filter_map(|line| {
        let mut cells = line.splitn(3, " | ");
        Some((cells.next()?, cells.next()?, cells.next()?))
    })
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for (name, about, _) in checks() {
            println!("{name:16}{about}");
        }
        return Ok(());
    }
    let exists = |name: &String| checks().any(|(check, ..)| check == name);
    if let Some(name) = arguments.only.iter().find(|name| !exists(name)) {
        bail!("no check {name:?}; --list prints all");
    }
    let selected = |(name, ..): &Check| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == name)
    };
    let checks: Vec<_> = checks().filter(selected).collect();
    let mut outcomes = Vec::new();
    for (index, (name, about, command)) in checks.iter().enumerate() {
        println!("\n=== {} of {}: {name}: {about}", index + 1, checks.len());
        let started = Instant::now();
        outcomes.push((*name, succeeds(command)?, started.elapsed()));
    }
    summarize(&outcomes)
}

fn succeeds(command: &str) -> anyhow::Result<bool> {
    let status = Command::new("bash")
        .args(["-ec", command])
        .env("LMS_TESTS", "full")
        .current_dir(crate::workspace::root())
        .status()
        .context("cannot run bash")?;
    Ok(status.success())
}

fn summarize(outcomes: &[(&str, bool, Duration)]) -> anyhow::Result<()> {
    println!("\n{:16}{:>7}  result", "check", "minutes");
    for (name, succeeded, duration) in outcomes {
        let result = if *succeeded { "ok" } else { "FAILED" };
        println!("{name:16}{:>7.1}  {result}", duration.as_secs_f64() / 60.0);
    }
    let failed = outcomes
        .iter()
        .filter(|(_, succeeded, _)| !succeeded)
        .count();
    if failed > 0 {
        bail!("{failed} of {} checks failed", outcomes.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn contributing_lists_every_check() {
        let page = crate::workspace::root().join("CONTRIBUTING.md");
        let page = std::fs::read_to_string(page).unwrap();
        for (name, ..) in super::checks() {
            assert!(page.contains(&format!("\n| `{name}`: ")), "{name}");
        }
    }
}
