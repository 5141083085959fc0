//! Cost that each layer adds to a call.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use lms_sandbox::{Population, Sandbox};
use serde::Deserialize;

use crate::{
    bench::Bench,
    callgrind,
    findings::{Cell, Part, Row},
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
    units::{self, Unit},
};

/// More than any program frees at once, in bytes.
const KEEP_FREED_MEMORY: &str = "33554432";

#[derive(Deserialize)]
struct Took {
    calls: f64,
    wall: f64,
    processor: f64,
    rows: f64,
    bytes: f64,
}

/// One job, and the clients that do it; the others are compared with the first.
struct Contest {
    title: &'static str,
    clients: Vec<Client>,
    warm_up: u32,
    calls: u32,
    /// The numbers of calls in the shorter and in the longer run under callgrind.
    counted: (u32, u32),
}

struct Client {
    name: String,
    subject: Subject,
    wall: Vec<f64>,
    processor: Vec<f64>,
}

#[expect(
    clippy::too_many_lines,
    reason = "the tables of a section, one after the other"
)]
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let tenant = Tenant::start(Sandbox::builder().population(Population::default()))?;
    let client = |name: &str, subject: &str, job: &str| {
        let program = Subject::new(programs.join("bench-layers"));
        Client::new(name, tenant.tell(program.arg(subject).arg(job)))
    };
    let clients = |job: &str| {
        vec![
            client("hand-written: reqwest, serde", "hand", job),
            client("lms-client, `.send()`", "raw", job),
            client("lms-ext, `.call()`", "ext", job),
        ]
    };
    let mut contests = [
        Contest {
            title: "One learner, all fields",
            clients: clients("learner"),
            warm_up: bench.either(200, 5),
            calls: bench.either(5000, 10),
            counted: bench.either((50, 450), (5, 15)),
        },
        Contest {
            title: "A page of 200 learners, all fields",
            clients: clients("page"),
            warm_up: bench.either(20, 1),
            calls: bench.either(600, 2),
            counted: bench.either((10, 60), (1, 3)),
        },
        Contest {
            title: "A page of 200 learners, two fields",
            clients: vec![
                client("hand-written: reqwest, serde", "hand", "contacts"),
                client("lms-ext, `.call_as()`", "ext", "contacts"),
                client("lms-ext, `.items_as()`", "listing", "contacts"),
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
    let mut parts = vec![Part::text(
        "All clients call one sandbox over loopback, one call after the other on one connection and one thread, without \
         TLS and compression. lms-ext has its defaults. *Time* includes the sandbox; *CPU* and *instructions*, which \
         callgrind counts, are those of the client alone. Ratios are to the first row, run by run. glibc is configured \
         to keep freed memory. By default, it returns some memory to the system after a page and requests it again, \
         depending on sizes, which would take more time than the clients differ by.",
    )];
    let mut ratios = BTreeMap::new();
    for contest in &contests {
        let (table, ext) = contest.table()?;
        parts.extend([Part::text(format!("**{}**", contest.title)), table]);
        ratios.insert(contest.title, ext);
    }
    let of = |contest: &Contest| {
        let ratio = ratios.get(contest.title).copied().flatten();
        ratio.with_context(|| format!("{} was not measured", contest.title))
    };
    let [learner, page, _] = &contests;
    let ((learner, _), (page, time)) = (of(learner)?, of(page)?);
    let time = if (time.least..time.most).contains(&1.0) {
        "the same time, within the noise".to_owned()
    } else {
        format!("{} time", units::compared(time.median, ["less", "more"]))
    };
    parts.push(Part::Claim(format!(
        "Reading a page of 200 learners through lms-ext executes {} instructions than hand-written reqwest and serde \
         code, in {time}; a single learner {}.",
        units::compared(page, ["fewer", "more"]),
        units::compared(learner, ["fewer", "more"]),
    )));
    Ok(parts)
}

impl Client {
    fn new(name: &str, subject: Subject) -> Self {
        // Both, since glibc stops adjusting one of them when the other is set.
        let subject = subject
            .env("MALLOC_TRIM_THRESHOLD_", KEEP_FREED_MEMORY)
            .env("MALLOC_MMAP_THRESHOLD_", KEEP_FREED_MEMORY);
        Self {
            name: name.to_owned(),
            subject,
            wall: Vec::new(),
            processor: Vec::new(),
        }
    }
}

impl Contest {
    /// Runs every client once, and checks that all read the same.
    fn round(&mut self) -> anyhow::Result<()> {
        let mut read = None;
        for client in &mut self.clients {
            let took: Took = client
                .subject
                .clone()
                .arg(self.warm_up.to_string())
                .arg(self.calls.to_string())
                .run()
                .with_context(|| format!("{}, {}", client.name, self.title))?;
            client.wall.push(took.wall / took.calls);
            client.processor.push(took.processor / took.calls);
            let found = (took.rows / took.calls, took.bytes / took.calls);
            let expected = read.get_or_insert(found);
            ensure!(
                found == *expected,
                "{}, {}: items and bytes of a call are {found:?}, not {expected:?}",
                client.name,
                self.title
            );
        }
        Ok(())
    }

    /// Returns the table, and the instructions of lms-ext in relation to the first client.
    fn table(&self) -> anyhow::Result<(Part, Option<(f64, Spread)>)> {
        let first = self.clients.first().context("no clients")?;
        let (few, many) = self.counted;
        let mut by_hand = None;
        let mut ext = None;
        let mut rows = Vec::new();
        for client in &self.clients {
            let warm_up = self.warm_up.min(20).to_string();
            let subject = client.subject.clone().arg(warm_up);
            let instructions = callgrind::instructions(&subject, few, many)?;
            let times = instructions / *by_hand.get_or_insert(instructions);
            if client.name.starts_with("lms-ext") {
                let time = Spread::of_ratios(&client.wall, &first.wall);
                ext = time.map(|time| (times, time));
            }
            let cells = vec![
                Cell::ratio(&client.wall, &first.wall),
                Cell::ratio(&client.processor, &first.processor),
                Cell::figure(&client.processor, Unit::Seconds),
                Cell::Count(instructions, Unit::Instructions),
                Cell::Count(times, Unit::Times),
            ];
            rows.push(Row::new(&client.name, cells));
        }
        let columns = [
            "client",
            "time",
            "CPU",
            "CPU per call",
            "instructions per call",
            "instructions",
        ];
        Ok((Part::table(columns, rows), ext))
    }
}
