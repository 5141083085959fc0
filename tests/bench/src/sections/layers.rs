//! Do the layers cost anything?

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Context as _, ensure};
use lms_sandbox::{Population, Sandbox};
use serde::Deserialize;

use crate::{
    Bench, callgrind,
    findings::{Cell, Part, Row, Table, Unit},
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
};

/// What the generated clients that we compare with are called, and where `cargo xtask peers` put them.
#[derive(Deserialize)]
struct Peers {
    openapi_generator: OpenapiGenerator,
    openapi_python_client: OpenapiPythonClient,
}

#[derive(Deserialize)]
struct OpenapiGenerator {
    version: String,
    program: PathBuf,
}

#[derive(Deserialize)]
struct OpenapiPythonClient {
    version: String,
    python: PathBuf,
    packages: String,
}

/// More than any subject frees at once, in bytes.
const FREED_IS_KEPT: &str = "33554432";

/// What a subject says of its calls.
#[derive(Deserialize)]
struct Took {
    calls: f64,
    wall: f64,
    processor: f64,
    rows: f64,
    bytes: f64,
}

/// A thing to do, and all who can do it; the first is what the others are compared with.
struct Contest {
    title: &'static str,
    contestants: Vec<Contestant>,
    warm_up: u32,
    calls: u32,
    /// How many calls callgrind looks at, in the shorter and in the longer run.
    counted: (u32, u32),
}

struct Contestant {
    name: String,
    subject: Subject,
    kind: Kind,
    wall: Vec<f64>,
    processor: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Compiled,
    /// Its instructions are mostly its interpreter's.
    Interpreted,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let peers: Peers = Subject::new(subject::cargo().get_program())
        .arg("run")
        .arg("--quiet")
        .arg("--package")
        .arg("xtask")
        .arg("--manifest-path")
        .arg(bench.root.join("Cargo.toml"))
        .arg("--")
        .arg("peers")
        .run()
        .context("the generated clients to compare with are not there")?;
    let programs = subject::build(&bench.root)?;
    // openapi-generator's client cannot read the lifetime of a token as a number, which is how the tutorial shows it.
    let tenant = Tenant::start(
        Sandbox::builder()
            .population(Population::default())
            .quirks(["expires-in-string"]),
    )?;
    let own = |name: &str, subject: &str, job: &str| {
        let program = Subject::new(programs.join("bench-layers"));
        Contestant::new(
            name,
            tenant.tell(program.arg(subject).arg(job)),
            Kind::Compiled,
        )
    };
    let contestants = |job: &str| {
        let rust = &peers.openapi_generator;
        let python = &peers.openapi_python_client;
        let script = bench
            .root
            .join("tests/bench/peers/openapi_python_client.py");
        vec![
            own("by hand: reqwest, serde", "hand", job),
            own("lms-client, `.send()`", "raw", job),
            own("lms-ext, `.call()`", "ext", job),
            Contestant::new(
                &format!("openapi-generator {}, Rust", rust.version),
                tenant.tell(Subject::new(&rust.program).arg(job)),
                Kind::Compiled,
            ),
            Contestant::new(
                &format!("openapi-python-client {}", python.version),
                tenant
                    .tell(Subject::new(&python.python).arg(script).arg(job))
                    .env("PYTHONPATH", &python.packages)
                    .env("PYTHONDONTWRITEBYTECODE", "1"),
                Kind::Interpreted,
            ),
        ]
    };
    let mut contests = [
        Contest {
            title: "One learner, every field read",
            contestants: contestants("learner"),
            warm_up: bench.either(200, 5),
            calls: bench.either(5000, 10),
            counted: bench.either((50, 450), (5, 15)),
        },
        Contest {
            title: "A page of 200 learners, every field read",
            contestants: contestants("page"),
            warm_up: bench.either(20, 1),
            calls: bench.either(600, 2),
            counted: bench.either((10, 60), (1, 3)),
        },
        Contest {
            title: "A page of 200 learners, two fields read",
            contestants: vec![
                own("by hand: reqwest, serde", "hand", "contacts"),
                own("lms-ext, `.call_as()`", "ext", "contacts"),
                own("lms-ext, `.items_as()`", "walk", "contacts"),
            ],
            warm_up: bench.either(20, 1),
            calls: bench.either(600, 2),
            counted: bench.either((10, 60), (1, 3)),
        },
    ];
    for _ in 0..bench.either(11, 2) {
        for contest in &mut contests {
            contest.round()?;
        }
    }
    let mut parts = vec![Part::Text(
        "All of them call one sandbox over loopback, one call after the other on one connection that is kept, on one \
         thread, without TLS and without compression, and every field of an answer is read into a type unless it says \
         otherwise. lms-ext does so with every policy at its default. The time on the clock includes the sandbox's; \
         the processor's time is the client's alone, and so are the instructions, which callgrind counted; those of \
         an interpreter say nothing and were not. Times are ratios to the first row, run by run. glibc is told to \
         keep memory that was freed: left alone, it gives some of it back after each page and takes it again, or does \
         not, as sizes fall out, and that takes more time than the clients differ by."
            .to_owned(),
    )];
    let mut ratios = BTreeMap::new();
    for contest in &contests {
        let (text, table, ext) = contest.found()?;
        parts.extend([Part::Text(text), Part::Table(table)]);
        ratios.insert(contest.title, ext);
    }
    let [learner, page, _] = &contests;
    parts.push(Part::Claim(format!(
        "A page of 200 learners through lms-ext takes {:.2} times the instructions of reqwest and serde by hand, a \
         single learner {:.2} times, with tokens, repeats, limits and spans in place.",
        ratios.get(page.title).context("no page was measured")?,
        ratios.get(learner.title).context("no learner was measured")?,
    )));
    Ok(parts)
}

impl Contestant {
    fn new(name: &str, subject: Subject, kind: Kind) -> Self {
        // Both, since setting one ends glibc's own way of choosing the other.
        let subject = subject
            .env("MALLOC_TRIM_THRESHOLD_", FREED_IS_KEPT)
            .env("MALLOC_MMAP_THRESHOLD_", FREED_IS_KEPT);
        Self {
            name: name.to_owned(),
            subject,
            kind,
            wall: Vec::new(),
            processor: Vec::new(),
        }
    }
}

impl Contest {
    /// Has everybody do it once, and sees that they read the same.
    fn round(&mut self) -> anyhow::Result<()> {
        let mut read = None;
        for contestant in &mut self.contestants {
            let took: Took = contestant
                .subject
                .clone()
                .arg(self.warm_up.to_string())
                .arg(self.calls.to_string())
                .run()
                .with_context(|| format!("{}, {}", contestant.name, self.title))?;
            contestant.wall.push(took.wall / took.calls);
            contestant.processor.push(took.processor / took.calls);
            let found = (took.rows / took.calls, took.bytes / took.calls);
            let expected = read.get_or_insert(found);
            ensure!(
                found == *expected,
                "{}, {}: rows and bytes of a call are {found:?}, not {expected:?}",
                contestant.name,
                self.title
            );
        }
        Ok(())
    }

    /// A heading, the table, and how many times the instructions of the first the last of ours takes.
    fn found(&self) -> anyhow::Result<(String, Table, f64)> {
        let [first, ..] = &*self.contestants else {
            anyhow::bail!("nobody took part in {}", self.title);
        };
        let (few, many) = self.counted;
        let mut by_hand = None;
        let mut ext = f64::NAN;
        let mut rows = Vec::new();
        for contestant in &self.contestants {
            let mut cells = vec![
                ratio(&contestant.wall, &first.wall)?,
                ratio(&contestant.processor, &first.processor)?,
                figure(&contestant.processor)?,
            ];
            if contestant.kind == Kind::Compiled {
                let subject = contestant
                    .subject
                    .clone()
                    .arg(self.warm_up.min(20).to_string());
                let instructions = callgrind::instructions(&subject, few, many)?;
                let times = instructions / *by_hand.get_or_insert(instructions);
                if contestant.name.starts_with("lms-ext") {
                    ext = times;
                }
                cells.push(Cell::Count(instructions, Unit::Instructions));
                cells.push(Cell::Count(times, Unit::Times));
            } else {
                cells.extend([Cell::None, Cell::None]);
            }
            rows.push(Row {
                name: contestant.name.clone(),
                cells,
            });
        }
        let columns = [
            "client",
            "time on the clock",
            "processor's time",
            "processor's time of a call",
            "instructions of a call",
            "instructions",
        ];
        let table = Table {
            columns: columns.map(str::to_owned).into(),
            rows,
        };
        Ok((format!("**{}**", self.title), table, ext))
    }
}

fn ratio(figures: &[f64], to: &[f64]) -> anyhow::Result<Cell> {
    let spread = Spread::of_ratios(figures, to).context("nothing was measured")?;
    Ok(Cell::Figure(spread, Unit::Times))
}

fn figure(figures: &[f64]) -> anyhow::Result<Cell> {
    let spread = Spread::of(figures).context("nothing was measured")?;
    Ok(Cell::Figure(spread, Unit::Seconds))
}
