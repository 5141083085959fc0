//! Cost of exporting complete collections with `lms-sync`, compared with only reading them.

use std::{env, fs, path::PathBuf, process::Command};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    server::{Program, Server, Size},
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

/// The needs of a job in addition to the tenant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// A PostgreSQL server, which `.ci/postgres` starts.
    Postgres,
}

/// The others are compared with the first one.
const JOBS: [Job; 7] = [
    Job::new("listing", "reading alone", Needs::Nothing),
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

/// The delay of a tenant that is not on the same machine.
const DELAY: &str = "lists: always: delay 20ms";

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
    let exports = Exports {
        program: programs.join("lms-bench-sync"),
        folder: bench.root.join("target/bench/sync"),
        postgres: env::var(SERVER).ok(),
    };
    let mut found = Vec::new();
    for size in sizes {
        found.push(exports.run(&sandbox.in_file(size)?, size, rounds, |_| true)?);
    }
    // Each run takes as long as the delays, so there are fewer.
    let delayed = sandbox.in_file_with(sizes[0], &[DELAY])?;
    let rounds = bench.either(2, 1);
    let distant = exports.run(&delayed, sizes[0], rounds, |job| {
        !job.name.ends_with("again")
    })?;
    exports.empty()?;
    parts(&found, &distant)
}

/// The settings of the exports.
struct Exports {
    program: PathBuf,
    folder: PathBuf,
    /// The URL of the PostgreSQL server, if there is one.
    postgres: Option<String>,
}

impl Exports {
    /// Runs the jobs in turn, each round into an empty destination.
    fn run(
        &self,
        tenant: &Server,
        size: Size,
        rounds: usize,
        chosen: impl Fn(&Job) -> bool,
    ) -> anyhow::Result<Found> {
        let possible = |job: &&Job| job.needs == Needs::Nothing || self.postgres.is_some();
        let jobs = JOBS.iter().filter(possible).filter(|job| chosen(job));
        let mut found = Found {
            size,
            rows: 0,
            jobs: jobs.map(|job| (job, Vec::new())).collect(),
        };
        for _ in 0..rounds {
            self.empty()?;
            for (job, runs) in &mut found.jobs {
                let program = Subject::new(&self.program);
                let program = program.arg(job.name).arg(&self.folder);
                let exported: Exported = tenant.tell(program).run()?;
                if found.rows == 0 {
                    found.rows = exported.rows;
                }
                ensure!(
                    exported.rows == found.rows,
                    "{} has {} of {} rows",
                    job.name,
                    exported.rows,
                    found.rows
                );
                runs.push(exported);
            }
        }
        Ok(found)
    }

    /// Removes the output of the last round.
    fn empty(&self) -> anyhow::Result<()> {
        if let Some(server) = &self.postgres {
            let drop = "DROP SCHEMA IF EXISTS bench CASCADE";
            let status = Command::new("psql")
                .args([server, "--no-psqlrc", "--quiet", "--command", drop])
                .env("PGOPTIONS", "--client-min-messages=warning")
                .status()
                .context("cannot run psql")?;
            ensure!(status.success(), "psql cannot drop the mirror");
        }
        let folder = &self.folder;
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "the tables of a section, one after the other"
)]
fn parts(found: &[Found], distant: &Found) -> anyhow::Result<Vec<Part>> {
    let [few, many] = found else {
        anyhow::bail!("two tenants are measured");
    };
    let walls = |of: &[Exported]| each(of, |run| run.wall);
    let (_, listing) = many.jobs.first().context("nothing was measured")?;
    let figure_of = |name: &str, figure: fn(&[f64], &[f64]) -> Option<Spread>| {
        let mut jobs = many.jobs.iter();
        let (_, runs) = jobs.find(|(job, _)| job.name == name)?;
        figure(&walls(runs), &walls(listing))
    };
    let ratio = |name: &str| figure_of(name, Spread::of_ratios);
    let (csv, parquet) = ratio("csv").zip(ratio("parquet")).context("no exports")?;
    let per_second = |name: &str| {
        let seconds = figure_of(name, |walls, _| Spread::of(walls))?.median;
        Some(units::rough(
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
                    Cell::ratio(&walls(runs), &walls(listing)),
                    Cell::ratio(
                        &each(runs, |run| run.processor),
                        &each(listing, |run| run.processor),
                    ),
                    Cell::figure(&each(few, |run| run.peak), Unit::Bytes),
                    Cell::figure(&each(runs, |run| run.peak), Unit::Bytes),
                ],
            )
        });
    let count = |rows: u32| units::number(f64::from(rows));
    let mut parts = vec![
        Part::Text(format!(
            "Compared with only reading {} enrolments and {} learners, an export as CSV takes {} time, and one as Parquet {}. \
             Rows arrive in a new mirror at {}. Every export writes completeness records and needs at most {} of memory.",
            count(many.size.learners * many.size.enrolments_per_learner),
            count(many.size.learners),
            units::compared(csv.median, ["less", "more"]),
            units::compared(parquet.median, ["less", "more"]),
            mirrors.collect::<Vec<_>>().join(" and "),
            units::rough(peak, Unit::Bytes)
        )),
        Part::text(
            "All learners and enrolments of a tenant in pages of the service's default size, with the checkpoints after each \
             page, the journal and the completeness records of a usual export. *Reading alone* reads the same pages \
             with the same records, and writes nothing. The sandbox runs as a process on the same machine, so both \
             compete for its cores \
             and no request waits for a network; *CPU* is the CPU time of the exporting process, *memory* its peak (`VmHWM`). \
             Up to 100,000 keys are held in memory to recognise duplicates.",
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
    let (_, distant_listing) = distant.jobs.first().context("nothing was measured")?;
    let rows = distant.jobs.iter().map(|(job, runs)| {
        let seconds = each(runs, |run| f64::from(run.rows) / run.wall);
        Row::new(
            job.title,
            vec![
                Cell::figure(&seconds, Unit::PerSecond),
                Cell::ratio(&walls(runs), &walls(distant_listing)),
            ],
        )
    });
    parts.push(Part::text(
        "The same when each page takes 20 ms to arrive, as over a network. An export writes while it waits for the next page.",
    ));
    parts.push(Part::table(
        [
            format!("{} rows, 20 ms a page", count(distant.rows)),
            "rows per second".to_owned(),
            "time, reading = 1".to_owned(),
        ],
        rows.collect(),
    ));
    parts.push(Part::text(if many.jobs.len() == JOBS.len() {
        "PostgreSQL also runs on the same machine, and does not wait for its disk."
    } else {
        "PostgreSQL was not measured, because there was no server: `.ci/postgres cargo xtask bench --only sync` starts one."
    }));
    Ok(parts)
}
