//! Time of the views and reports of a mirror in SQLite, compared with reading the rows that they are made of.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

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

/// The largest median of a report, in seconds.
const REPORT_LIMIT: f64 = 2.0;

/// The reports whose collections need no request for each learner.
const REPORTS: [&str; 8] = [
    "completions",
    "completions --tag emea",
    "status",
    "overdue",
    "expiring --within 3650d",
    "inactive",
    "duplicates",
    "leavers --against people.csv",
];

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
    let reports = reports(bench, &folder, rounds)?;
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
        Part::text(
            "The reports of `lms` on the same mirror: the program starts, reads the mirror, and writes all rows as CSV.",
        ),
        Part::table(["report", "time"], reports),
    ])
}

/// Runs each report several times.
fn reports(bench: &Bench, folder: &Path, rounds: u32) -> anyhow::Result<Vec<Row>> {
    let lms = subject::build_package(&bench.root, "lms-cli")?.join("lms");
    fs::write(folder.join("people.csv"), "id\nl1\nl2\nl3\n")?;
    let run = |report: &str| {
        let started = Instant::now();
        let status = Command::new(&lms)
            .arg("report")
            .args(report.split(' '))
            .args(["--mirror", "sqlite:views.db", "-o", "csv", "-q"])
            .current_dir(folder)
            .stdout(Stdio::null())
            .status()?;
        ensure!(status.success(), "the report {report} failed");
        Ok(started.elapsed().as_secs_f64())
    };
    let measured = REPORTS.iter().map(|report| {
        let seconds: Vec<f64> = (0..rounds)
            .map(|_| run(report))
            .collect::<anyhow::Result<_>>()?;
        let median = Spread::of(&seconds).context("no rounds")?.median;
        ensure!(
            median < REPORT_LIMIT,
            "the report {report} takes {median:.1} s"
        );
        let cells = [Cell::figure(&seconds, Unit::Seconds)];
        Ok(Row::new(format!("`{report}`"), cells.into()))
    });
    measured.collect()
}
