//! What does it cost to read a page?

use std::fs;

use anyhow::{Context as _, ensure};
use lms_sandbox::{Population, Sandbox};
use serde::Deserialize;

use crate::{
    Bench, callgrind,
    findings::{Cell, Part, Row, Table, Unit},
    page,
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
};

/// How many learners are on the page.
const LEARNERS: f64 = 200.0;

/// One way to read the page.
struct Way {
    /// What it is called in the table.
    name: &'static str,
    /// Which of the programs reads it so.
    program: &'static str,
    job: &'static str,
    /// Whether it keeps what it read.
    keeps: bool,
}

const fn way(name: &'static str, job: &'static str) -> Way {
    Way {
        name,
        program: "bench-decoding",
        job,
        keeps: true,
    }
}

/// A call of lms-ext, all but the network.
const CALLS: &[Way] = &[
    way("`.call()`: the generated types", "call"),
    way("`.call_as()`: a row of two fields", "call-contacts"),
    way("`.call_as()`: `serde_json::Value`", "call-value"),
    Way {
        keeps: false,
        ..way("`.call_as()`: parsed and thrown away", "call-ignored")
    },
];

/// Reading alone. The first is what the others are compared with.
const READS: &[Way] = &[
    way("the generated types", "generated"),
    way("the same struct written by hand", "hand"),
    way("a row of two fields", "contacts"),
    way("`serde_json::Value`", "value"),
    Way {
        keeps: false,
        ..way("parsed and thrown away (`IgnoredAny`)", "ignored")
    },
];

/// What could be done instead.
const ALTERNATIVES: &[Way] = &[
    way(
        "generated, each text checked by itself (`from_slice`)",
        "generated-unchecked-before",
    ),
    way("by hand, short texts inline (`compact_str`)", "compact"),
    way("by hand, texts borrowed from the page (`&str`)", "borrowed"),
    way("generated, by sonic-rs", "sonic"),
    way("generated, by simd-json", "simd"),
    Way {
        program: "bench-decoding-mimalloc",
        ..way("generated, memory from mimalloc", "generated")
    },
    Way {
        program: "bench-decoding-mimalloc",
        ..way("by hand, memory from mimalloc", "hand")
    },
    Way {
        program: "bench-decoding-mimalloc",
        ..way("`serde_json::Value`, memory from mimalloc", "value")
    },
];

#[derive(Deserialize)]
struct Timed {
    calls: f64,
    processor: f64,
    rows: f64,
}

#[derive(Deserialize)]
struct Counted {
    allocations: f64,
    allocated: f64,
}

/// What was found about one way.
struct Found {
    way: &'static Way,
    /// Seconds a page, run by run.
    seconds: Vec<f64>,
    /// Of a page; `None` when it was not counted.
    instructions: Option<f64>,
    counted: Counted,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let file = bench.root.join("target/bench/page.json");
    fs::create_dir_all(bench.root.join("target/bench"))?;
    let tenant = Tenant::start(Sandbox::builder().population(Population::default()))?;
    let get = Subject::new(programs.join("bench-decoding"))
        .arg("get")
        .arg(&file);
    let bytes: f64 = tenant.tell(get).run().context("the page does not come")?;
    drop(tenant);

    let reader =
        |way: &Way, program: &str| Subject::new(programs.join(program)).arg(way.job).arg(&file);
    let mut found = Vec::new();
    for way in CALLS.iter().chain(READS).chain(ALTERNATIVES) {
        // One is enough to see that it works.
        let instructions = if bench.either(true, found.is_empty()) {
            let subject = reader(way, way.program).arg("2");
            let (few, many) = bench.either((10, 60), (1, 3));
            Some(callgrind::instructions(&subject, few, many)?)
        } else {
            None
        };
        found.push(Found {
            way,
            seconds: Vec::new(),
            instructions,
            counted: reader(way, "bench-decoding-counted").run()?,
        });
    }
    for _ in 0..bench.either(9, 2) {
        for found in &mut found {
            let times = reader(found.way, found.way.program)
                .arg(bench.either("100", "2"))
                .arg(bench.either("1500", "20"));
            let timed: Timed = times.run()?;
            let kept = if found.way.keeps { LEARNERS } else { 0.0 };
            ensure!(
                timed.rows.total_cmp(&(timed.calls * kept)).is_eq(),
                "{} read {} learners on {} pages",
                found.way.job,
                timed.rows,
                timed.calls
            );
            found.seconds.push(timed.processor / timed.calls);
        }
    }
    parts(bytes, found)
}

fn parts(bytes: f64, mut found: Vec<Found>) -> anyhow::Result<Vec<Part>> {
    let alternatives = found.split_off(CALLS.len() + READS.len());
    let reads = found.split_off(CALLS.len());
    let calls = found;
    let first = &reads.first().context("nothing was read")?.seconds;
    let table = |found: &[Found]| table(bytes, first, found);
    Ok(vec![
        Part::Text(format!(
            "One page of 200 learners, {}, with the fields that the sandbox fills. *Time* is that of the processor, \
             what was read is freed again within it, and is compared with that of the generated types in the same \
             round; *allocations* count what grows a second time too.",
            page::figure(bytes, Unit::Bytes)
        )),
        Part::Table(table(&reads)?),
        Part::Text(
            "Whole calls of lms-ext, whose `HttpClient` answers with that page from memory: the request is made, \
             every policy is asked, and the answer is read; nothing else is missing but the network."
                .to_owned(),
        ),
        Part::Table(table(&calls)?),
        Part::Text(
            "What could be had instead. Nothing of it is built into these crates; all of it is built for any x86-64 \
             processor, as a user's program is who sets no flags."
                .to_owned(),
        ),
        Part::Table(table(&alternatives)?),
    ])
}

fn table(bytes: f64, first: &[f64], found: &[Found]) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for Found {
        way,
        seconds,
        instructions,
        counted,
    } in found
    {
        let speeds: Vec<_> = seconds.iter().map(|seconds| bytes / seconds).collect();
        let speed = Spread::of(&speeds).context("no rounds")?;
        let ratio = Spread::of_ratios(seconds, first).context("no rounds")?;
        rows.push(Row {
            name: way.name.to_owned(),
            cells: vec![
                Cell::Figure(ratio, Unit::Times),
                Cell::Figure(speed, Unit::BytesPerSecond),
                instructions.map_or(Cell::None, |count| {
                    Cell::Count(count / LEARNERS, Unit::Instructions)
                }),
                Cell::Count(counted.allocations / LEARNERS, Unit::Items),
                Cell::Count(counted.allocated / LEARNERS, Unit::Bytes),
            ],
        });
    }
    let columns = [
        "read into",
        "time, generated types = 1",
        "speed",
        "instructions a learner",
        "allocations a learner",
        "allocated a learner",
    ];
    Ok(Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    })
}
