//! What does it cost to walk over everything?

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{
    Bench,
    findings::{Axis, Cell, Line, LineKind, Part, Plot, Row, Scale, Table, Unit},
    page,
    server::Program,
    spread::Spread,
    subject::{self, Subject},
};

/// One way to walk over all learners.
struct Way {
    name: &'static str,
    job: &'static str,
    /// The way by hand that does the same.
    same_by_hand: &'static str,
    /// Whether every learner is kept to the end.
    collects: bool,
}

const WAYS: &[Way] = &[
    Way {
        name: "lms-ext, `.items()`",
        job: "items",
        same_by_hand: "hand",
        collects: false,
    },
    Way {
        name: "lms-ext, `.items().without_read_ahead()`",
        job: "items-alone",
        same_by_hand: "hand",
        collects: false,
    },
    Way {
        name: "by hand, page after page",
        job: "hand",
        same_by_hand: "hand",
        collects: false,
    },
    Way {
        name: "lms-ext, `.items_as()` a row of two fields",
        job: "items-as",
        same_by_hand: "hand-contacts",
        collects: false,
    },
    Way {
        name: "by hand, a row of two fields",
        job: "hand-contacts",
        same_by_hand: "hand-contacts",
        collects: false,
    },
    Way {
        name: "lms-ext, `.collect_all()`",
        job: "items-collected",
        same_by_hand: "hand-collected",
        collects: true,
    },
    Way {
        name: "by hand, all in a `Vec`",
        job: "hand-collected",
        same_by_hand: "hand-collected",
        collects: true,
    },
];

#[derive(Clone, Deserialize)]
struct Walked {
    learners: u32,
    bytes: u64,
    wall: f64,
    processor: f64,
    peak: f64,
}

#[derive(Deserialize)]
struct Counted {
    learners: f64,
    allocations: f64,
}

/// What was found about one way, size by size.
struct Found {
    way: &'static Way,
    /// The walks of each size, in rounds; none of a size that would take too much memory.
    walks: Vec<Vec<Walked>>,
    /// Of the two smallest sizes.
    counted: Vec<Counted>,
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
            walks: Vec::new(),
            counted: Vec::new(),
        })
        .collect();
    for (index, size) in sizes.into_iter().enumerate() {
        let largest = index + 1 == sizes.len();
        let server = sandbox.in_file(size)?;
        let walk =
            |job: &str, program: &str| server.tell(Subject::new(programs.join(program)).arg(job));
        for found in &mut found {
            found.walks.push(Vec::new());
            if !largest {
                let counter = walk(found.way.job, "bench-walking-counted");
                found.counted.push(counter.run()?);
            }
        }
        let mut bytes = None;
        for _ in 0..rounds {
            for found in &mut found {
                if largest && found.way.collects {
                    continue;
                }
                let walked: Walked = walk(found.way.job, "bench-walking").run()?;
                ensure!(
                    walked.learners == size && walked.bytes == *bytes.get_or_insert(walked.bytes),
                    "{} saw {} of {size} learners, or not all of their addresses",
                    found.way.job,
                    walked.learners
                );
                if let Some(walks) = found.walks.last_mut() {
                    walks.push(walked);
                }
            }
        }
    }
    parts(&sizes, &found)
}

fn parts(sizes: &[u32], found: &[Found]) -> anyhow::Result<Vec<Part>> {
    let (Some(&least), Some(&most)) = (sizes.first(), sizes.last()) else {
        anyhow::bail!("no sizes");
    };
    let [least, most] = [least, most].map(|size| page::number(f64::from(size)));
    let items = named(found, "items")?;
    let (peak, growth) = (
        peaks(items.walks.last().context("no walks")?)?,
        growth(items)?.context("no walks")?,
    );
    Ok(vec![
        Part::Claim(format!(
            "A walk over {most} learners needs at most {} of memory, {} what one over {least} needs.",
            page::figure(peak.median, Unit::Bytes),
            page::figure(growth.median, Unit::Times)
        )),
        Part::Text(
            "Every learner of a tenant, in pages of 200, counted and its email address looked at. *Memory* is the most \
             that the whole process ever held (`VmHWM`), from its start to its end."
                .to_owned(),
        ),
        Part::Table(memory(sizes, found)?),
        Part::Plot(plot(sizes, found)?),
        Part::Text(
            "How long that takes, of the largest tenant that the way was sent through. The tenant is a process on the \
             same machine and takes its part of it; *processor* is that of the walking process alone, all threads \
             together. A way is compared with the one by hand that reads the same, in the same round. By hand means \
             reqwest and serde in a loop, with a token that is got once, and nothing repeated or guarded against."
                .to_owned(),
        ),
        Part::Table(speed(found)?),
    ])
}

fn memory(sizes: &[u32], found: &[Found]) -> anyhow::Result<Table> {
    let number = |size: &u32| page::number(f64::from(*size));
    let mut columns = vec!["memory".to_owned()];
    columns.extend(
        sizes
            .iter()
            .map(|size| format!("{} learners", number(size))),
    );
    let ends: Vec<_> = sizes
        .last()
        .into_iter()
        .chain(sizes.first())
        .map(number)
        .collect();
    columns.push(ends.join(" : "));
    columns.push("allocations a learner".to_owned());
    let mut rows = Vec::new();
    for found in found {
        let mut cells = Vec::new();
        for walks in &found.walks {
            cells.push(if walks.is_empty() {
                Cell::None
            } else {
                Cell::Figure(peaks(walks)?, Unit::Bytes)
            });
        }
        cells.push(growth(found)?.map_or(Cell::None, |ratio| Cell::Figure(ratio, Unit::Times)));
        cells.push(match &*found.counted {
            // The difference, so that what a walk needs to begin is not in it.
            [few, many] => Cell::Count(
                (many.allocations - few.allocations) / (many.learners - few.learners),
                Unit::Items,
            ),
            _ => Cell::None,
        });
        rows.push(Row {
            name: found.way.name.to_owned(),
            cells,
        });
    }
    Ok(Table { columns, rows })
}

fn speed(found: &[Found]) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for subject in found {
        let by_hand = named(found, subject.way.same_by_hand)?;
        let (walks, hand) = (longest(subject)?, longest(by_hand)?);
        let ratio = |of: fn(&Walked) -> f64| {
            let [own, hand] = [walks, hand].map(|walks| walks.iter().map(of).collect::<Vec<_>>());
            Spread::of_ratios(&own, &hand).context("no walks")
        };
        rows.push(Row {
            name: subject.way.name.to_owned(),
            cells: vec![
                Cell::Count(walks.first().map_or(0.0, learners), Unit::Items),
                Cell::Figure(
                    spread(walks, |walk| learners(walk) / walk.wall)?,
                    Unit::PerSecond,
                ),
                Cell::Figure(ratio(|walk| walk.wall)?, Unit::Times),
                Cell::Figure(
                    spread(walks, |walk| walk.processor / learners(walk))?,
                    Unit::Seconds,
                ),
                Cell::Figure(ratio(|walk| walk.processor)?, Unit::Times),
            ],
        });
    }
    let columns = [
        "time",
        "of learners",
        "learners a second",
        "time, by hand = 1",
        "processor a learner",
        "processor, by hand = 1",
    ];
    Ok(Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    })
}

fn plot(sizes: &[u32], found: &[Found]) -> anyhow::Result<Plot> {
    let mut lines = Vec::new();
    for job in ["items", "hand", "items-collected"] {
        let found = named(found, job)?;
        let mut points = Vec::new();
        for (&size, walks) in sizes.iter().zip(&found.walks) {
            if !walks.is_empty() {
                points.push((f64::from(size), spread(walks, |walk| walk.peak / 1e6)?));
            }
        }
        lines.push(Line {
            name: found.way.name.replace('`', ""),
            kind: LineKind::Measured,
            points,
        });
    }
    let axis = |title: &str| Axis {
        title: title.to_owned(),
        scale: Scale::Logarithmic,
    };
    Ok(Plot {
        name: "collections-memory".to_owned(),
        title: "Most memory of a walk over all learners".to_owned(),
        across: axis("learners"),
        up: axis("MB"),
        lines,
    })
}

fn named<'a>(found: &'a [Found], job: &str) -> anyhow::Result<&'a Found> {
    found
        .iter()
        .find(|found| found.way.job == job)
        .with_context(|| format!("{job} was not measured"))
}

/// The walks of the largest tenant that there are any of.
fn longest(found: &Found) -> anyhow::Result<&[Walked]> {
    let walks = found.walks.iter().rev().find(|walks| !walks.is_empty());
    Ok(walks.context("no walks")?)
}

fn learners(walk: &Walked) -> f64 {
    f64::from(walk.learners)
}

fn peaks(walks: &[Walked]) -> anyhow::Result<Spread> {
    spread(walks, |walk| walk.peak)
}

/// How many times the memory of the smallest tenant the largest one takes.
fn growth(found: &Found) -> anyhow::Result<Option<Spread>> {
    let (Some(first), Some(last)) = (found.walks.first(), found.walks.last()) else {
        return Ok(None);
    };
    let [last, first] = [last, first].map(|walks| {
        let peaks: Vec<_> = walks.iter().map(|walk| walk.peak).collect();
        peaks
    });
    Ok(Spread::of_ratios(&last, &first))
}

fn spread(walks: &[Walked], of: impl Fn(&Walked) -> f64) -> anyhow::Result<Spread> {
    let figures: Vec<_> = walks.iter().map(of).collect();
    Spread::of(&figures).context("no walks")
}
