//! Memory and time of reading complete collections.

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

/// One way to read all learners.
struct Way {
    name: &'static str,
    job: &'static str,
    /// The job of the hand-written program that does the same.
    by_hand: &'static str,
}

const fn way(name: &'static str, job: &'static str, by_hand: &'static str) -> Way {
    Way { name, job, by_hand }
}

const WAYS: [Way; 5] = [
    way("lms-ext, `.items()`", "items", "hand"),
    way(
        "lms-ext, `.items().without_read_ahead()`",
        "items-alone",
        "hand",
    ),
    way("hand-written, page after page", "hand", "hand"),
    way(
        "lms-ext, `.items_as()` with two fields",
        "items-as",
        "hand-contacts",
    ),
    way("hand-written, two fields", "hand-contacts", "hand-contacts"),
];

#[derive(Clone, Deserialize)]
struct Listed {
    learners: u32,
    bytes: u64,
    wall: f64,
    processor: f64,
    peak: f64,
}

struct Found {
    way: &'static Way,
    /// The runs of each size.
    listings: Vec<Vec<Listed>>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let sandbox = Program::build(bench)?;
    let sizes = bench.either([10_000, 100_000, 1_000_000], [500, 1_000, 2_000]);
    let rounds = bench.either(5, 2);
    let mut found: Vec<_> = WAYS
        .iter()
        .map(|way| Found {
            way,
            listings: Vec::new(),
        })
        .collect();
    for size in sizes {
        let server = sandbox.in_file(size)?;
        for found in &mut found {
            found.listings.push(Vec::new());
        }
        let mut bytes = None;
        for _ in 0..rounds {
            for found in &mut found {
                let program = Subject::new(programs.join("bench-listing")).arg(found.way.job);
                let listed: Listed = server.tell(program).run()?;
                ensure!(
                    listed.learners == size && listed.bytes == *bytes.get_or_insert(listed.bytes),
                    "{} read {} of {size} learners, or not all of their addresses",
                    found.way.job,
                    listed.learners
                );
                if let Some(listings) = found.listings.last_mut() {
                    listings.push(listed);
                }
            }
        }
    }
    parts(&sizes, &found)
}

fn parts(sizes: &[u32; 3], found: &[Found]) -> anyhow::Result<Vec<Part>> {
    let sizes = sizes.map(|size| units::number(f64::from(size)));
    let [least, middle, most] = &sizes;
    let items = named(found, "items")?;
    let [first, last] = ends(items);
    let (peak, growth) = Spread::of(&last)
        .zip(Spread::of_ratios(&last, &first))
        .context("no listings")?;
    let memory = found.iter().map(memory).collect();
    let speed = found
        .iter()
        .map(|subject| Ok(speed(subject, named(found, subject.way.by_hand)?)))
        .collect::<anyhow::Result<_>>()?;
    Ok(vec![
        Part::Claim(format!(
            "Reading {most} learners needs {} of memory, {} than {least} learners.",
            units::rough(peak.median, Unit::Bytes),
            units::compared(growth.median, ["less", "more"])
        )),
        Part::text(
            "All learners of a tenant, in pages of 200. Each learner is counted, and its email address is read. \
             *Memory* is the peak of the whole process (`VmHWM`).",
        ),
        Part::table(
            [
                "memory".to_owned(),
                format!("{least} learners"),
                format!("{middle} learners"),
                format!("{most} learners"),
                format!("{most} : {least}"),
            ],
            memory,
        ),
        Part::text(format!(
            "The time of this, for {most} learners. The sandbox runs as a process on the same machine; *CPU* is the CPU time of \
             all threads of the reading process. Each row is compared, round by round, with the hand-written program that reads \
             the same: a loop with reqwest and serde, which gets one token, and neither retries nor checks anything.",
        )),
        Part::table(
            [
                "time",
                "learners per second",
                "time, hand-written = 1",
                "CPU per learner",
                "CPU, hand-written = 1",
            ],
            speed,
        ),
    ])
}

fn memory(found: &Found) -> Row {
    let [first, last] = ends(found);
    let mut cells: Vec<_> = found
        .listings
        .iter()
        .map(|listings| Cell::figure(&each(listings, |listing| listing.peak), Unit::Bytes))
        .collect();
    cells.push(Cell::ratio(&last, &first));
    Row::new(found.way.name, cells)
}

fn speed(found: &Found, by_hand: &Found) -> Row {
    let (listings, hand) = (largest(found), largest(by_hand));
    let learners = |listing: &Listed| f64::from(listing.learners);
    let ratio = |of: fn(&Listed) -> f64| Cell::ratio(&each(listings, of), &each(hand, of));
    Row::new(
        found.way.name,
        vec![
            Cell::figure(
                &each(listings, |listing| learners(listing) / listing.wall),
                Unit::PerSecond,
            ),
            ratio(|listing| listing.wall),
            Cell::figure(
                &each(listings, |listing| listing.processor / learners(listing)),
                Unit::Seconds,
            ),
            ratio(|listing| listing.processor),
        ],
    )
}

fn named<'a>(found: &'a [Found], job: &str) -> anyhow::Result<&'a Found> {
    found
        .iter()
        .find(|found| found.way.job == job)
        .with_context(|| format!("{job} was not measured"))
}

/// The runs with the largest tenant.
fn largest(found: &Found) -> &[Listed] {
    found.listings.last().map_or(&[], |listings| listings)
}

/// The peaks of memory for the smallest and for the largest tenant.
fn ends(found: &Found) -> [Vec<f64>; 2] {
    [found.listings.first(), found.listings.last()].map(|listings| {
        listings.map_or_else(Vec::new, |listings| each(listings, |listing| listing.peak))
    })
}
