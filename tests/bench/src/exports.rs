//! Loading of a tenant by dlt, Airbyte's declarative CDK and target-postgres, compared with `lms`.
//!
//! They are Python programs, so tests/bench/peers/compare.py runs and measures all of them.

use std::{collections::BTreeMap, process::Command};

use anyhow::Context as _;
use serde::Deserialize;

use crate::{
    Bench,
    figures::{Spread, Unit, cell, each, figure, number, ratio, rough, table},
    programs,
};

/// Above these seconds, once is enough: the start of a program no longer counts, and the figures hardly differ.
const ONCE_ABOVE: u32 = 60;

#[derive(Deserialize)]
struct Report {
    rows: u32,
    versions: BTreeMap<String, String>,
    ways: Vec<Way>,
}

/// The way in which a tenant was loaded.
#[derive(Deserialize)]
struct Way {
    into: String,
    loader: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    /// Seconds: elapsed, and of the CPU.
    wall: f64,
    processor: f64,
    /// Bytes.
    memory: f64,
}

impl Way {
    fn wall(&self) -> Vec<f64> {
        each(&self.runs, |run| run.wall)
    }

    fn processor(&self) -> Vec<f64> {
        each(&self.runs, |run| run.processor)
    }
}

impl Report {
    /// The time of a loader as a multiple of that of the first one of this destination.
    fn against(&self, into: &str, loader: &str) -> Option<String> {
        let mut ways = self.ways.iter().filter(|way| way.into == into);
        let base = ways.next()?;
        let way = ways.find(|way| way.loader.starts_with(loader))?;
        let median = Spread::of_ratios(&way.wall(), &base.wall())?.median;
        Some(rough(median, Unit::Items))
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |way: &Way| {
            let mut of_destination = self.ways.iter().filter(|other| other.into == way.into);
            let base = of_destination.next().unwrap_or(way);
            let rates = each(&way.runs, |run| f64::from(self.rows) / run.wall);
            vec![
                way.into.replace("PostgreSQL", "PostgreSQL, `fsync = off`"),
                way.loader.clone(),
                cell(&rates, Unit::PerSecond),
                ratio(&way.wall(), &base.wall()),
                ratio(&way.processor(), &base.processor()),
                cell(&each(&way.runs, |run| run.memory), Unit::Bytes),
            ]
        };
        self.ways.iter().map(row).collect()
    }
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<String>> {
    programs::build(&bench.root, "lms-cli")?;
    let folder = programs::build(&bench.root, "lms-sandbox")?;
    let (learners, rounds) = bench.either((60_000, 3), (60, 1));
    let mut compare = Command::new(bench.root.join("tests/bench/peers/run"));
    compare
        .arg(folder)
        .args([learners, rounds, ONCE_ABOVE].map(|number| number.to_string()));
    let report: Report = programs::json(&mut compare)?;
    let claim = |loader| report.against("PostgreSQL", loader);
    let (dlt, cdk) = claim("dlt")
        .zip(claim("the declarative CDK"))
        .context("a loader was not measured")?;
    let rows = number(report.rows.into());
    let versions: Vec<_> = report
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    Ok(vec![
        format!(
            "**`lms mirror` loads {rows} rows of a tenant into PostgreSQL (with `fsync = off`) {dlt} times as fast as dlt and {cdk} times as fast as \
             Airbyte's declarative CDK.**\n"
        ),
        format!(
            "All learners and enrolments of a sandbox, in pages of its default size, by {}, each with its default settings. The \
             sandbox is one process on the same machine, and all compete for its cores. Each loader is a process, whose time \
             includes starting it, and loads into an empty destination. Each ran {rounds} times, or once if that took more than \
             {}. *Nothing* is a reader that counts the records of `lms tap` and the CDK, and a destination of dlt that drops \
             them. The CDK loads into databases by PyAirbyte. dlt's files are not compressed, like those of `lms export`. *CPU* \
             is the CPU time of a loader, without that of the sandbox and of the database; *memory* is the peak of its largest \
             process. Times and CPU are compared with the first loader of each destination. Only `lms` writes a completeness \
             record. PostgreSQL does not wait for its disk (`fsync = off`): with its default settings, all of them would be slower.\n",
            versions.join(", "),
            figure(ONCE_ABOVE.into(), Unit::Seconds),
        ),
        table(
            &format!(
                "{rows} rows into | with | rows per second | time, first = 1 | CPU, first = 1 | memory"
            ),
            &report.rows(),
        ),
    ])
}
