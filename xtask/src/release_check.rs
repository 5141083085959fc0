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

struct Check {
    name: &'static str,
    about: &'static str,
    /// A command for bash, in the workspace and with `LMS_TESTS=full`.
    command: &'static str,
}

const CHECKS: [Check; 10] = [
    Check {
        name: "kills",
        about: "exports and mirrors that are killed 200 times for each sink",
        command: ".ci/postgres .ci/tests --workspace --test sync kill:: -- --include-ignored",
    },
    Check {
        name: "fault-pairs",
        about: "exports, mirrors and taps with every pair of faults",
        command: ".ci/postgres .ci/tests --workspace --test sync faults:: -- --include-ignored",
    },
    Check {
        name: "promises",
        about: "every operation with every effect of the sandbox, 25 times each",
        command: ".ci/tests --workspace --test suite promises::",
    },
    Check {
        name: "model",
        about: "5,000 random sequences of calls, compared with a model",
        command: ".ci/tests --workspace --test suite model::",
    },
    Check {
        name: "soak",
        about: "ten minutes of mixed load with faults, without a leak",
        command: ".ci/tests --workspace --test suite soak:: -- --nocapture",
    },
    Check {
        name: "sandbox-kills",
        about: "a sandbox that is killed 100 times under load",
        command: ".ci/tests --workspace --test running killed",
    },
    Check {
        name: "static-program",
        about: "a static `lms` works in an empty folder",
        command: "cargo xtask conform --only static-program",
    },
    Check {
        name: "mutants",
        about: "the checkers of `cargo xtask conform` notice every mutation",
        command: "cargo xtask conform --mutants",
    },
    Check {
        name: "fuzzing",
        about: "libFuzzer searches five minutes with each target",
        command: "for corpus in tests/fuzz/corpus/*; do
                      found=target/fuzz/${corpus##*/}
                      mkdir -p \"$found\"
                      .ci/tool fuzz run --fuzz-dir tests/fuzz -s none \"${corpus##*/}\" \"$found\" \"$corpus\" \
                          -- -max_total_time=300 -max_len=4096
                  done",
    },
    Check {
        name: "advisories",
        about: "no dependency has a known vulnerability",
        command: ".ci/tool deny check advisories",
    },
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for check in &CHECKS {
            println!("{:16}{}", check.name, check.about);
        }
        return Ok(());
    }
    let known = |name: &String| CHECKS.iter().any(|check| check.name == name);
    if let Some(name) = arguments.only.iter().find(|name| !known(name)) {
        bail!("no check {name:?}; --list prints all");
    }
    let selected = |check: &&Check| {
        arguments.only.is_empty() || arguments.only.iter().any(|name| name == check.name)
    };
    let checks: Vec<_> = CHECKS.iter().filter(selected).collect();
    let mut outcomes = Vec::new();
    for (index, check) in checks.iter().enumerate() {
        let number = index + 1;
        println!(
            "\n=== {number} of {}: {}: {}",
            checks.len(),
            check.name,
            check.about
        );
        let started = Instant::now();
        outcomes.push((check.name, succeeds(check)?, started.elapsed()));
    }
    summarize(&outcomes)
}

fn succeeds(check: &Check) -> anyhow::Result<bool> {
    let status = Command::new("bash")
        .args(["-ec", check.command])
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
