//! What does it cost to export whole collections with `lms-sync`, compared with only reading them?

use std::{env, fs, path::Path, process::Command};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    server::{Program, Size},
    spread::{Spread, each},
    subject::{self, Subject},
    units::{self, Unit},
};

/// A job of `lms-bench-sync`.
struct Job {
    name: &'static str,
    /// Its name in the report.
    title: &'static str,
    needs: Needs,
}

/// What a job needs beside the tenant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// A PostgreSQL server, which `.ci/postgres` starts.
    Postgres,
}

/// The first one is what the others are compared with.
const JOBS: [Job; 7] = [
    Job::new("walk", "reading alone", Needs::Nothing),
    Job::new("csv", "CSV", Needs::Nothing),
    Job::new("parquet", "Parquet", Needs::Nothing),
    Job::new("sqlite", "SQLite, a new mirror", Needs::Nothing),
    Job::new(
        "sqlite-again",
        "SQLite, a mirror that is up to date",
        Needs::Nothing,
    ),
    Job::new("postgres", "PostgreSQL, a new mirror", Needs::Postgres),
    Job::new(
        "postgres-again",
        "PostgreSQL, a mirror that is up to date",
        Needs::Postgres,
    ),
];

/// The environment variable with the URL of the server.
const SERVER: &str = "LMS_TEST_POSTGRES";

impl Job {
    const fn new(name: &'static str, title: &'static str, needs: Needs) -> Self {
        Self { name, title, needs }
    }
}

#[derive(Deserialize)]
struct Exported {
    rows: u32,
    wall: f64,
    processor: f64,
    peak: f64,
}

/// The runs of each job with one tenant.
struct Found {
    size: Size,
    rows: u32,
    jobs: Vec<(&'static Job, Vec<Exported>)>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build_package(&bench.root, "lms-bench-sync")?;
    let sandbox = Program::build(bench)?;
    let sizes = bench
        .either([20_000, 200_000], [300, 600])
        .map(|learners| Size {
            learners,
            enrolments_per_learner: 5,
        });
    let rounds = bench.either(3, 1);
    let folder = bench.root.join("target/bench/sync");
    let server = env::var(SERVER).ok();
    let mut found = Vec::new();
    for size in sizes {
        let tenant = sandbox.in_file(size)?;
        let export = |job: &Job| -> anyhow::Result<Exported> {
            let program = Subject::new(programs.join("lms-bench-sync"));
            tenant.tell(program.arg(job.name).arg(&folder)).run()
        };
        let possible = JOBS
            .iter()
            .filter(|job| job.needs == Needs::Nothing || server.is_some());
        let mut of_size = Found {
            size,
            rows: 0,
            jobs: possible.map(|job| (job, Vec::new())).collect(),
        };
        for _ in 0..rounds {
            empty(&folder, server.as_deref())?;
            for (job, runs) in &mut of_size.jobs {
                let exported = export(job)?;
                if of_size.rows == 0 {
                    of_size.rows = exported.rows;
                }
                ensure!(
                    exported.rows == of_size.rows,
                    "{} has {} of {} rows",
                    job.name,
                    exported.rows,
                    of_size.rows
                );
                runs.push(exported);
            }
        }
        found.push(of_size);
    }
    empty(&folder, server.as_deref())?;
    parts(&found)
}

/// Removes what the last round wrote.
fn empty(folder: &Path, server: Option<&str>) -> anyhow::Result<()> {
    if let Some(server) = server {
        let drop = "DROP SCHEMA IF EXISTS bench CASCADE";
        let status = Command::new("psql")
            .args([server, "--no-psqlrc", "--quiet", "--command", drop])
            .env("PGOPTIONS", "--client-min-messages=warning")
            .status()
            .context("cannot run psql")?;
        ensure!(status.success(), "psql cannot drop the mirror");
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

fn parts(found: &[Found]) -> anyhow::Result<Vec<Part>> {
    let [few, many] = found else {
        anyhow::bail!("two tenants are measured");
    };
    let walls = |of: &[Exported]| each(of, |run| run.wall);
    let (_, walk) = many.jobs.first().context("nothing was measured")?;
    let figure_of = |name: &str, figure: fn(&[f64], &[f64]) -> Option<Spread>| {
        let mut jobs = many.jobs.iter();
        let (_, runs) = jobs.find(|(job, _)| job.name == name)?;
        figure(&walls(runs), &walls(walk))
    };
    let ratio = |name: &str| figure_of(name, Spread::of_ratios);
    let (csv, parquet) = ratio("csv").zip(ratio("parquet")).context("no exports")?;
    let per_second = |name: &str| {
        let seconds = figure_of(name, |walls, _| Spread::of(walls))?.median;
        Some(units::figure(
            f64::from(many.rows) / seconds,
            Unit::PerSecond,
        ))
    };
    let mirrors = [("sqlite", "SQLite"), ("postgres", "PostgreSQL")];
    let mirrors = mirrors
        .iter()
        .filter_map(|(job, name)| Some(format!("{} ({name})", per_second(job)?)));
    let peaks = many.jobs[1..].iter().flat_map(|(_, runs)| runs);
    let peak = peaks.map(|run| run.peak).fold(0.0, f64::max);
    let rows = many
        .jobs
        .iter()
        .zip(&few.jobs)
        .map(|((job, runs), (_, few))| {
            Row::new(
                job.title,
                vec![
                    Cell::figure(
                        &each(runs, |run| f64::from(run.rows) / run.wall),
                        Unit::PerSecond,
                    ),
                    Cell::ratio(&walls(runs), &walls(walk)),
                    Cell::ratio(
                        &each(runs, |run| run.processor),
                        &each(walk, |run| run.processor),
                    ),
                    Cell::figure(&each(few, |run| run.peak), Unit::Bytes),
                    Cell::figure(&each(runs, |run| run.peak), Unit::Bytes),
                ],
            )
        });
    let count = |rows: u32| units::number(f64::from(rows));
    let mut parts = vec![
        Part::Claim(format!(
            "Exporting {} enrolments and {} learners with lms-sync takes {} (CSV) and {} (Parquet) of the time of reading \
             them, and rows arrive in a new mirror at {}. Each has completeness records and takes at most {} of memory.",
            count(many.size.learners * many.size.enrolments_per_learner),
            count(many.size.learners),
            units::figure(csv.median, Unit::Times),
            units::figure(parquet.median, Unit::Times),
            mirrors.collect::<Vec<_>>().join(" and "),
            units::figure(peak, Unit::Bytes)
        )),
        Part::text(
            "All learners and enrolments of a tenant in pages of the service's default size, with the checkpoints after each \
             page, the journal and the completeness records of a usual export. *Reading alone* is the same walk with the same \
             records, which writes nothing. The sandbox runs as a process on the same machine, so both compete for its cores \
             and no request waits for a network, in whose waits an export would write; *CPU* is the CPU time of the exporting \
             process, *memory* its peak (`VmHWM`). Up to half a million keys are in memory, by which duplicates are \
             recognised.",
        ),
        Part::table(
            [
                format!("{} rows", count(many.rows)),
                "rows per second".to_owned(),
                "time, reading = 1".to_owned(),
                "CPU, reading = 1".to_owned(),
                format!("memory, {} rows", count(few.rows)),
                format!("memory, {} rows", count(many.rows)),
            ],
            rows.collect(),
        ),
    ];
    parts.push(Part::text(if many.jobs.len() == JOBS.len() {
        "PostgreSQL runs on the same machine, too, and does not wait for its disk."
    } else {
        "PostgreSQL was not measured, because there was no server: `.ci/postgres cargo xtask bench --only sync` starts one."
    }));
    Ok(parts)
}
