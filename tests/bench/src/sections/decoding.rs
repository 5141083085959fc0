//! What does it cost to decode a page of learners?

use std::fs;

use anyhow::{Context as _, ensure};
use lms_sandbox::{Population, Sandbox};
use serde::Deserialize;

use crate::{
    bench::Bench,
    callgrind,
    findings::{Cell, Part, Row},
    spread::each,
    subject::{self, Subject},
    tenant::Tenant,
    units::{self, Unit},
};

/// Learners on the page.
const LEARNERS: f64 = 200.0;

/// One way to decode the page.
struct Way {
    name: &'static str,
    program: &'static str,
    job: &'static str,
    /// Whether it keeps what it decoded.
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

/// A call of lms-ext without the network.
const CALLS: &[Way] = &[
    way("`.call()`: the generated types", "call"),
    way("`.call_as()`: two fields", "call-contacts"),
    way("`.call_as()`: `serde_json::Value`", "call-value"),
    Way {
        keeps: false,
        ..way("`.call_as()`: `IgnoredAny`", "call-ignored")
    },
];

/// Decoding alone; the others are compared with the first.
const READS: &[Way] = &[
    way("the generated types", "generated"),
    way("the same struct written by hand", "hand"),
    way("two fields", "contacts"),
    way("`serde_json::Value`", "value"),
    Way {
        keeps: false,
        ..way("`IgnoredAny`: parsed only", "ignored")
    },
];

const ALTERNATIVES: &[Way] = &[
    way(
        "generated, UTF-8 checked per string (`from_slice`)",
        "generated-unchecked-before",
    ),
    way("by hand, short strings inline (`compact_str`)", "compact"),
    way(
        "by hand, strings borrowed from the page (`&str`)",
        "borrowed",
    ),
    way("generated, with sonic-rs", "sonic"),
    way("generated, with simd-json", "simd"),
    Way {
        program: "bench-decoding-mimalloc",
        ..way("generated, with mimalloc", "generated")
    },
    Way {
        program: "bench-decoding-mimalloc",
        ..way("by hand, with mimalloc", "hand")
    },
    Way {
        program: "bench-decoding-mimalloc",
        ..way("`serde_json::Value`, with mimalloc", "value")
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

struct Found {
    way: &'static Way,
    /// Seconds per page, run by run.
    seconds: Vec<f64>,
    /// Per page; `None` when not counted.
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
    let bytes: f64 = tenant.tell(get).run().context("downloading the page")?;
    drop(tenant);

    let reader =
        |way: &Way, program: &str| Subject::new(programs.join(program)).arg(way.job).arg(&file);
    let mut found = Vec::new();
    for way in CALLS.iter().chain(READS).chain(ALTERNATIVES) {
        // A smoke run counts one of them.
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
                "{} decoded {} learners of {} pages",
                found.way.job,
                timed.rows,
                timed.calls
            );
            found.seconds.push(timed.processor / timed.calls);
        }
    }
    parts(bytes, &found)
}

fn parts(bytes: f64, found: &[Found]) -> anyhow::Result<Vec<Part>> {
    let (calls, rest) = found.split_at(CALLS.len());
    let (reads, alternatives) = rest.split_at(READS.len());
    let first = &reads.first().context("nothing was decoded")?.seconds;
    let table = |found: &[Found]| {
        let columns = [
            "decoded into",
            "time, generated types = 1",
            "speed",
            "instructions per learner",
            "allocations per learner",
            "allocated per learner",
        ];
        let row = |found| row(bytes, first, found);
        Part::table(columns, found.iter().map(row).collect())
    };
    Ok(vec![
        Part::text(format!(
            "One page of 200 learners, {}, with the fields that the sandbox fills. *Time* is CPU time, includes \
             freeing the result, and is compared with the generated types round by round; *allocations* include \
             reallocations.",
            units::figure(bytes, Unit::Bytes)
        )),
        table(reads),
        Part::text(
            "Whole calls of lms-ext with an `HttpClient` that returns this page from memory: everything but the network.",
        ),
        table(calls),
        Part::text(
            "Alternatives that these crates do not use, built for a generic x86-64 CPU, as a program without special \
             compiler flags is.",
        ),
        table(alternatives),
    ])
}

fn row(bytes: f64, first: &[f64], found: &Found) -> Row {
    let Found {
        way,
        seconds,
        instructions,
        counted,
    } = found;
    let speeds = each(seconds, |seconds| bytes / seconds);
    Row::new(
        way.name,
        vec![
            Cell::ratio(seconds, first),
            Cell::figure(&speeds, Unit::BytesPerSecond),
            instructions.map_or(Cell::None, |count| {
                Cell::Count(count / LEARNERS, Unit::Instructions)
            }),
            Cell::Count(counted.allocations / LEARNERS, Unit::Items),
            Cell::Count(counted.allocated / LEARNERS, Unit::Bytes),
        ],
    )
}
