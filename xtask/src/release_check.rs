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
    use std::{
        fs,
        path::{Path, PathBuf},
    };

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
    fn contributing_lists_every_check() {
        let page = fs::read_to_string(crate::workspace::root().join("CONTRIBUTING.md")).unwrap();
        for (name, ..) in super::checks() {
            assert!(page.contains(&format!("\n| `{name}`: ")), "{name}");
        }
    }

    #[test]
    fn every_filter_of_a_check_or_a_step_names_a_test() {
        let steps =
            fs::read_to_string(Path::new(&crate::workspace::root()).join(".ci/run")).unwrap();
        let lines = steps
            .lines()
            .chain(super::checks().map(|(.., command)| command));
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
