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

const CHECKS: [Check; 20] = [
    (
        "kills",
        "exports and mirrors that are killed 200 times for each sink",
        ".ci/postgres .ci/tests --workspace --test sync kill:: -- --include-ignored",
    ),
    (
        "fleet",
        "four processes that mirror 300 tenants and are killed 120 times",
        ".ci/postgres .ci/tests --workspace --test cli fleet:: -- --include-ignored --test-threads=1",
    ),
    (
        "release-build",
        "the tests of lms with a program without debug assertions",
        ".ci/tests --release --package lms-cli --test cli",
    ),
    (
        "exercise",
        "all tests after the exercise of CONTRIBUTING.md in a copy",
        ".ci/tests --workspace --test exercise -- --ignored",
    ),
    (
        "features",
        "each feature by itself, and each pair of libraries for TLS",
        ".ci/features --each",
    ),
    (
        "windows",
        "`lms` for Windows compiles, with its C libraries",
        ".ci/windows",
    ),
    (
        "fault-pairs",
        "exports, mirrors and taps with every pair of faults",
        ".ci/postgres .ci/tests --workspace --test sync faults:: -- --include-ignored",
    ),
    (
        "lying-tenant",
        "a million tenants that change and lie, read into every kind of destination",
        ".ci/tests --workspace --test model no_row",
    ),
    (
        "values",
        "2,000 tenants with arbitrary JSON, in every format and with a stop at every page",
        ".ci/postgres .ci/tests --workspace --test model values:: -- --include-ignored",
    ),
    (
        "power-cuts",
        "exports, mirrors and token files after 5,000 power cuts each, ledgers after 2,000",
        ".ci/need strace=strace && .ci/tests --workspace --test model --test power -- --ignored power::a after_a_power_cut",
    ),
    (
        "people",
        "an import of 50,000 people within 150 MB and few requests",
        ".ci/tests --workspace --test cli fifty_thousand_people -- --ignored",
    ),
    (
        "promises",
        "every operation with every effect of the sandbox, 25 times each",
        ".ci/tests --workspace --test suite promises::",
    ),
    (
        "soak",
        "ten minutes of mixed load with faults, without a leak",
        ".ci/tests --workspace --test suite soak:: -- --include-ignored --nocapture",
    ),
    (
        "static-program",
        "a static `lms` works in an empty folder",
        "cargo xtask conform --only static-program",
    ),
    (
        "install",
        "the folder of a release is complete, and `pip install` brings `lms`",
        "cargo xtask conform --only install",
    ),
    (
        "rust-versions",
        "every published crate builds with the Rust that it declares",
        ".ci/rust-version --build",
    ),
    (
        "publish",
        "crates.io accepts every published crate, which builds from its package",
        "cargo publish --dry-run --workspace --locked",
    ),
    (
        "archives",
        "cargo-dist accepts its configuration, and lists an archive for every target",
        ".ci/tool dist plan",
    ),
    (
        "fuzzing",
        "libFuzzer searches five minutes with each target",
        "for corpus in tests/fuzz/corpus/*; do
             found=target/fuzz/${corpus##*/}
             mkdir -p \"$found\"
             .ci/tool fuzz run --fuzz-dir tests/fuzz -s none \"${corpus##*/}\" \"$found\" \"$corpus\" \
                 -- -max_total_time=300 -max_len=4096
         done",
    ),
    (
        "advisories",
        "no dependency has a known vulnerability",
        ".ci/tool deny check advisories",
    ),
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for (name, about, _) in CHECKS {
            println!("{name:16}{about}");
        }
        return Ok(());
    }
    let known = |name: &String| CHECKS.iter().any(|(known, ..)| known == name);
    if let Some(name) = arguments.only.iter().find(|name| !known(name)) {
        bail!("no check {name:?}; --list prints all");
    }
    let selected = |(name, ..): &Check| {
        arguments.only.is_empty() || arguments.only.iter().any(|only| only == name)
    };
    let checks: Vec<_> = CHECKS.into_iter().filter(selected).collect();
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
    use std::{
        fs,
        path::{Path, PathBuf},
    };

    use super::CHECKS;

    /// The sources of a test binary: NAME.rs or the folder NAME, below the tests of some crate.
    fn sources(name: &str) -> String {
        let root = crate::workspace::root();
        let crates = fs::read_dir(&root).unwrap();
        let mut pending: Vec<PathBuf> = crates
            .flat_map(|folder| {
                let tests = folder.unwrap().path().join("tests");
                [tests.join(format!("{name}.rs")), tests.join(name)]
            })
            .chain([root.join("tests").join(name)])
            .filter(|path| path.exists())
            .collect();
        let mut text = String::new();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending.extend(
                    fs::read_dir(path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text += &fs::read_to_string(path).unwrap();
            }
        }
        text
    }

    /// Returns `true` if the filter names a module, or a part of the name of a function.
    fn matches(filter: &str, sources: &str) -> bool {
        let (module, function) = filter.rsplit_once("::").unwrap_or((filter, ""));
        let has_module = sources.contains(&format!("mod {module};"));
        let has_function = |name: &str| {
            let named = |line: &str| line.contains("fn ") && line.contains(name);
            sources.lines().any(named)
        };
        match function {
            "" => has_module || !filter.contains("::") && has_function(filter),
            name => has_module && has_function(name),
        }
    }

    #[test]
    fn every_filter_of_a_check_or_a_step_names_a_test() {
        let steps =
            fs::read_to_string(Path::new(&crate::workspace::root()).join(".ci/run")).unwrap();
        let lines = steps
            .lines()
            .chain(CHECKS.iter().map(|(.., command)| *command));
        let mut checked = 0;
        for line in lines.filter(|line| line.contains(".ci/tests")) {
            let words: Vec<_> = line
                .split_whitespace()
                .take_while(|word| *word != "--")
                .collect();
            let is_name = |at: usize| words[at - 1] == "--test";
            let (mut all, mut filters) = (String::new(), Vec::new());
            for at in words
                .iter()
                .position(|word| word.ends_with(".ci/tests"))
                .unwrap()
                + 2..words.len()
            {
                match words[at] {
                    name if is_name(at) => all += &sources(name),
                    option if option.starts_with("--") || words[at - 1].starts_with("--") => {}
                    filter => filters.push(filter),
                }
            }
            for filter in filters {
                assert!(matches(filter, &all), "{line}: nothing matches {filter:?}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }
}
