//! How long do the views of a mirror in SQLite take, compared with reading the rows that they are made of?

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, ensure};
use lms_sandbox::Sandbox;
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
    units::{self, Unit},
};

/// The largest ratio of a query to the scan. A view that looks for the rows of an enrolment without an index takes several
/// thousand times as long.
const LIMIT: f64 = 30.0;

#[derive(Deserialize)]
struct Queried {
    rows: BTreeMap<String, f64>,
    /// The first one is the scan.
    queries: Vec<String>,
    /// Of each query, in each round.
    seconds: Vec<Vec<f64>>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build_package(&bench.root, "lms-bench-sync")?;
    let folder = bench.root.join("target/bench/views");
    fs::create_dir_all(&folder)?;
    let tenant = Tenant::start(Sandbox::builder().demo())?;
    // The demo tenant has 650 learners.
    let [copies, rounds] = bench.either([50, 5], [10, 3]);
    let program = Subject::new(programs.join("lms-bench-sync"))
        .arg("views")
        .arg(&folder)
        .arg(copies.to_string())
        .arg(rounds.to_string());
    let queried: Queried = tenant.tell(program).run()?;
    fs::remove_dir_all(folder)?;
    let (scan, seconds) = queried
        .seconds
        .split_first()
        .context("nothing was measured")?;
    let names = queried.queries.iter().skip(1);
    for (name, seconds) in names.clone().zip(seconds) {
        let ratio = Spread::of_ratios(seconds, scan)
            .context("no rounds")?
            .median;
        ensure!(
            ratio < LIMIT,
            "{name} takes {ratio:.0} times as long as reading the rows"
        );
    }
    let row = |name: &String, seconds: &[f64]| {
        let cells = [
            Cell::figure(seconds, Unit::Seconds),
            Cell::ratio(seconds, scan),
        ];
        Row::new(name, cells.into())
    };
    let count = |table: &str| units::number(queried.rows.get(table).copied().unwrap_or_default());
    let rows = queried.queries.iter().zip(&queried.seconds);
    Ok(vec![
        Part::text(format!(
            "A mirror in SQLite of {} learners, {} enrolments, {} rows of topic progress and {} completions, whose ids are in no \
             order. *Reading the rows* is a scan of these four tables. Each query is made by a new connection, which reads all \
             of its rows.",
            count("learners"),
            count("enrolments"),
            count("topic_progress"),
            count("course_completions")
        )),
        Part::table(
            ["query", "time", "reading the rows = 1"],
            rows.map(|(name, seconds)| row(name, seconds)).collect(),
        ),
    ])
}
