//! Loading of a tenant by dlt, Airbyte's declarative CDK and target-postgres, compared with `lms`.
//!
//! They are Python programs, so tests/bench/peers/sync/compare.py runs and times all of them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, bail};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    spread::{Spread, each},
    subject,
    units::{self, Unit},
};

/// The versions of the loaders and their dependencies, for the workspace.
const PEERS: &str = "tests/bench/peers/sync/requirements.txt";
const TARGET_POSTGRES: &str = "tests/conform/python/target-postgres.txt";
/// The newest version of faucet-cli that builds with the Rust version of the workspace.
const FAUCET: &str = "1.0.1";

/// Number of measurements of a quick loader.
const ROUNDS: u32 = 3;
/// Above these seconds, once is enough: the start of a program no longer counts, and the figures hardly differ.
const ONCE_ABOVE: u32 = 60;

#[derive(Deserialize)]
struct Times {
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

/// Seconds: elapsed, and of the CPU.
#[derive(Deserialize)]
struct Run(f64, f64);

impl Way {
    fn elapsed(&self) -> Vec<f64> {
        each(&self.runs, |run| run.0)
    }

    fn processor(&self) -> Vec<f64> {
        each(&self.runs, |run| run.1)
    }
}

#[derive(Deserialize)]
struct Reports {
    rows: u32,
    versions: BTreeMap<String, String>,
    faults: Vec<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    fault: String,
    /// Of lms, dlt, the CDK and faucet-cli.
    results: Vec<Loaded>,
}

#[derive(Deserialize)]
struct Loaded {
    rows: u32,
    /// The rows that existed all the time and were not loaded.
    missing: u32,
    success: bool,
    ended: bool,
}

#[expect(
    clippy::too_many_lines,
    reason = "the tables of a section, one after the other"
)]
pub(crate) fn speed(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let target = python(bench, "target-postgres", TARGET_POSTGRES)?.join("target-postgres");
    let learners = bench.learners.unwrap_or(bench.either(200_000, 60));
    let rounds = bench.either(ROUNDS, 1);
    let mut command = compare(bench, "speed", Some(".ci/postgres"))?;
    command
        .arg(target)
        .args([learners, rounds, ONCE_ABOVE].map(|number| number.to_string()));
    let times: Times = run(&mut command)?;
    let against = |into: &str, loader: &str| {
        let of = |of: &&Way| of.into == into && of.loader.starts_with(loader);
        let base = times.ways.iter().find(|way| way.into == into)?;
        let way = times.ways.iter().find(of)?;
        let ratios = Spread::of_ratios(&way.elapsed(), &base.elapsed())?;
        Some(units::rough(ratios.median, Unit::Items))
    };
    let claimed = (|| {
        Some(format!(
            "`lms mirror` loads {} rows of a tenant into PostgreSQL {} times as fast as dlt and {} times as fast as Airbyte's \
             declarative CDK.",
            units::number(f64::from(times.rows)),
            against("PostgreSQL", "dlt")?,
            against("PostgreSQL", "the declarative CDK")?,
        ))
    })();
    let mut rows = Vec::new();
    for way in &times.ways {
        let mut of_destination = times.ways.iter().filter(|other| other.into == way.into);
        let base = of_destination.next().unwrap_or(way);
        let rates = each(&way.runs, |run| f64::from(times.rows) / run.0);
        rows.push(Row::new(
            &*way.into,
            vec![
                Cell::Text(way.loader.clone()),
                Cell::figure(&rates, Unit::PerSecond),
                Cell::ratio(&way.elapsed(), &base.elapsed()),
                Cell::ratio(&way.processor(), &base.processor()),
            ],
        ));
    }
    Ok(vec![
        Part::Claim(claimed.context("a loader was not measured")?),
        Part::text(format!(
            "All learners and enrolments of a sandbox, in pages of its default size, by {}, each with its default settings. The \
             sandbox is one process on the same machine, and all compete for its cores. Each loader is a process, whose time \
             includes starting it, and loads into an empty destination. Each ran {}, or once if that took more than {}. *Nothing* is a reader that counts the records of \
             `lms tap` and the CDK, and a destination of dlt that drops them. The CDK loads into databases by PyAirbyte. dlt's \
             files are not compressed, like those of `lms export`. *CPU* is the CPU time of a loader, without that of the \
             sandbox and of the database. Times and CPU are compared with the first loader of each destination. Only `lms` \
             writes a completeness record, and [not all of the others notice that rows are \
             missing](#other-loaders-and-a-faulty-tenant).",
            list(&times.versions),
            if rounds == 1 {
                "once".to_owned()
            } else {
                format!("{rounds} times")
            },
            units::figure(f64::from(ONCE_ABOVE), Unit::Seconds),
        )),
        Part::table(
            [
                format!("{} rows into", units::number(f64::from(times.rows))),
                "with".to_owned(),
                "rows per second".to_owned(),
                "time, first = 1".to_owned(),
                "CPU, first = 1".to_owned(),
            ],
            rows,
        ),
    ])
}

pub(crate) fn faults(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let faucet = faucet(bench)?;
    let reports: Reports = run(compare(bench, "faults", None)?.arg(faucet))?;
    let of_all = units::number(f64::from(reports.rows));
    let cell = |loaded: &Loaded| {
        Cell::Text(match loaded {
            Loaded { ended: false, .. } => "does not end".to_owned(),
            Loaded { success: false, .. } => "failure".to_owned(),
            Loaded {
                missing: 0, rows, ..
            } if *rows <= reports.rows => "complete".to_owned(),
            Loaded {
                missing: 0, rows, ..
            } => format!(
                "**success with {} of {of_all} rows**",
                units::number(f64::from(*rows))
            ),
            Loaded { missing, .. } => format!(
                "**success, {} of {of_all} rows are missing**",
                units::number(f64::from(*missing))
            ),
        })
    };
    let rows = reports.faults.iter().map(|fault| {
        let cells = fault.results.iter().map(cell);
        Row::new(&*fault.fault, cells.collect())
    });
    let rows = rows.collect();
    Ok(vec![
        Part::text(format!(
            "{of_all} enrolments, loaded by `lms export`, by dlt's REST source into DuckDB, by Airbyte's declarative CDK and by \
             faucet-cli into a file ({}), each with its default settings. In the first rows, one request of a sandbox fails in \
             the middle of the list. In the others, a server misreports, or its rows move. *Failure* is an exit code or a status that \
             says so. *Missing* rows existed all the time, and their ids were not loaded. After a failure of lms, no file has changed, and the next \
             run reads from the first page again.",
            list(&reports.versions)
        )),
        Part::table(["fault", "lms", "dlt", "Airbyte's CDK", "faucet-cli"], rows),
    ])
}

/// Installs faucet-cli into target/bench, unless it is there, and returns the folder of its program.
fn faucet(bench: &Bench) -> anyhow::Result<PathBuf> {
    let folder = bench.root.join("target/bench/faucet");
    let mut install = subject::cargo();
    install.args([
        "install",
        "--quiet",
        "--locked",
        "faucet-cli",
        "--version",
        FAUCET,
    ]);
    install.args([
        "--no-default-features",
        "--features",
        "source-rest,sink-jsonl",
    ]);
    // Does nothing if this version is there.
    succeed(install.arg("--root").arg(&folder))?;
    Ok(folder.join("bin"))
}

fn list(versions: &BTreeMap<String, String>) -> String {
    let versions = versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    versions.collect::<Vec<_>>().join(", ")
}

/// The command that runs the loaders, under another program of the workspace if one is given.
fn compare(bench: &Bench, mode: &str, under: Option<&str>) -> anyhow::Result<Command> {
    let python = python(bench, "peers", PEERS)?.join("python");
    subject::build_package(&bench.root, "lms-cli")?;
    let programs = subject::build_package(&bench.root, "lms-sandbox")?;
    let mut command = match under {
        None => Command::new(&python),
        Some(program) => {
            let mut command = Command::new(bench.root.join(program));
            command.arg(&python);
            command
        }
    };
    command
        .arg(bench.root.join("tests/bench/peers/sync/compare.py"))
        .arg(mode)
        .arg(programs);
    Ok(command)
}

/// Runs a command whose output is JSON.
fn run<T: DeserializeOwned>(command: &mut Command) -> anyhow::Result<T> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("compare.py ended with {}", output.status);
    }
    serde_json::from_slice(&output.stdout).context("cannot parse the output of compare.py")
}

/// Installs pinned packages into target/bench, unless they are there, and returns the folder of their programs.
fn python(bench: &Bench, name: &str, pins: &str) -> anyhow::Result<PathBuf> {
    let pins = bench.root.join(pins);
    let expected =
        fs::read_to_string(&pins).with_context(|| format!("cannot read {}", pins.display()))?;
    let folder = bench
        .root
        .join("target/bench")
        .join(format!("python-{name}"));
    let (bin, marker) = (folder.join("bin"), folder.join("installed"));
    if fs::read_to_string(&marker).is_ok_and(|found| found == expected) {
        return Ok(bin);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let need = bench.root.join(".ci/need");
    succeed(Command::new(need).args(["python3=python3", "ensurepip.py=python3-venv"]))?;
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(bin.join("pip"));
    pip.args([
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ]);
    succeed(pip.arg("--requirement").arg(&pins))?;
    fs::write(marker, expected)?;
    Ok(bin)
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let program = Path::new(command.get_program()).to_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    if !status.success() {
        bail!("{} ended with {status}", program.display());
    }
    Ok(())
}
