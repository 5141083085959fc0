//! What does it cost to export a whole collection with `lms-sync`, compared with only reading it?

use std::{fs, path::Path};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    server::Program,
    spread::{Spread, each},
    subject::{self, Subject},
    units::{self, Unit},
};

/// The jobs of `lms-bench-sync`, each with its name in the report. The first one is what the others are compared with.
const JOBS: [(&str, &str); 5] = [
    ("walk", "reading alone"),
    ("csv", "CSV"),
    ("parquet", "Parquet"),
    ("sqlite", "SQLite, a new mirror"),
    ("sqlite-again", "SQLite, a mirror that is up to date"),
];

#[derive(Deserialize)]
struct Exported {
    rows: u32,
    wall: f64,
    processor: f64,
    peak: f64,
}

/// The runs of each job with one tenant.
struct Found {
    rows: u32,
    jobs: Vec<Vec<Exported>>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build_package(&bench.root, "lms-bench-sync")?;
    let sandbox = Program::build(bench)?;
    let sizes = bench.either([10_000, 100_000], [300, 600]);
    let rounds = bench.either(3, 1);
    let folder = bench.root.join("target/bench/sync");
    let mut found = Vec::new();
    for size in sizes {
        let server = sandbox.in_file(size)?;
        let export = |job: &str| -> anyhow::Result<Exported> {
            let program = Subject::new(programs.join("lms-bench-sync"));
            server.tell(program.arg(job).arg(&folder)).run()
        };
        let mut of_size = Found {
            rows: 0,
            jobs: JOBS.iter().map(|_| Vec::new()).collect(),
        };
        for _ in 0..rounds {
            empty(&folder)?;
            for ((job, _), runs) in JOBS.iter().zip(&mut of_size.jobs) {
                let exported = export(job)?;
                if of_size.rows == 0 {
                    of_size.rows = exported.rows;
                }
                ensure!(
                    exported.rows == of_size.rows,
                    "{job} has {} of {} rows",
                    exported.rows,
                    of_size.rows
                );
                runs.push(exported);
            }
        }
        found.push(of_size);
    }
    empty(&folder)?;
    parts(&found)
}

fn empty(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

fn parts(found: &[Found]) -> anyhow::Result<Vec<Part>> {
    let [few, many] = found else {
        anyhow::bail!("two tenants are measured");
    };
    let walls = |index: usize| each(&many.jobs[index], |run| run.wall);
    let ratio = |index: usize| Spread::of_ratios(&walls(index), &walls(0));
    let (csv, parquet) = ratio(1).zip(ratio(2)).context("no exports")?;
    let peaks = many.jobs[1..].iter().flatten().map(|run| run.peak);
    let size = |found: &Found| units::number(f64::from(found.rows));
    let rows = JOBS.iter().enumerate().map(|(index, (_, name))| {
        let (runs, walk) = (&many.jobs[index], &many.jobs[0]);
        Row::new(
            *name,
            vec![
                Cell::figure(
                    &each(runs, |run| f64::from(run.rows) / run.wall),
                    Unit::PerSecond,
                ),
                Cell::ratio(&walls(index), &walls(0)),
                Cell::ratio(
                    &each(runs, |run| run.processor),
                    &each(walk, |run| run.processor),
                ),
                Cell::figure(&each(&few.jobs[index], |run| run.peak), Unit::Bytes),
                Cell::figure(&each(runs, |run| run.peak), Unit::Bytes),
            ],
        )
    });
    Ok(vec![
        Part::Claim(format!(
            "Exporting {} enrolments with lms-sync takes {} (CSV) and {} (Parquet) of the time of reading them, with a \
             completeness record, and at most {} of memory.",
            size(many),
            units::figure(csv.median, Unit::Times),
            units::figure(parquet.median, Unit::Times),
            units::figure(peaks.fold(0.0, f64::max), Unit::Bytes)
        )),
        Part::text(
            "All enrolments of a tenant in pages of the service's default size, with the checkpoints after each page, the \
             journal and the completeness record of a usual export. *Reading alone* is the same walk with the same record, \
             which writes nothing. The sandbox runs as a process on the same machine, so both compete for its cores and no \
             request waits for a network, in whose waits an export would write; *CPU* is the CPU time of the exporting \
             process, *memory* its peak (`VmHWM`). Up to half a million keys are in memory, by \
             which duplicates are recognised.",
        ),
        Part::table(
            [
                format!("{} enrolments", size(many)),
                "rows per second".to_owned(),
                "time, reading = 1".to_owned(),
                "CPU, reading = 1".to_owned(),
                format!("memory, {} rows", size(few)),
                format!("memory, {} rows", size(many)),
            ],
            rows.collect(),
        ),
    ])
}
