//! How long reading a whole collection takes where every request takes its time.
//!
//! What a tenant far away costs is put in by the sandbox: it holds every request up for as long, any number of them
//! at once. So the ideal is known: as many requests as there were, over as many as are on their way together, times
//! the latency.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use lms_sandbox::{Effect, FaultPlan, FaultRule, Operation, Population, Sandbox};
use serde::Deserialize;

use crate::{
    Bench,
    findings::{Axis, Cell, Line, LineKind, Part, Plot, Row, Scale, Table, Unit},
    page,
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
};

/// How many walks are under way together; 1 is one walk over all.
const AT_ONCE: [u32; 4] = [1, 4, 16, 64];
/// Which of them README.md tells of.
const CLAIMED: (u64, u32) = (50, 16);

#[derive(Debug, Deserialize)]
struct Report {
    seconds: f64,
    rows: u32,
    hash: u64,
}

/// What was measured at one latency.
struct Slow {
    milliseconds: u64,
    ways: Vec<Way>,
    /// Reading and working by turns, and reading ahead.
    in_turn: Vec<f64>,
    ahead: Vec<f64>,
    /// One call that brings next to nothing.
    round_trip: Spread,
}

struct Way {
    at_once: u32,
    requests: u32,
    seconds: Vec<f64>,
}

impl Way {
    fn ideal(&self, milliseconds: u64) -> f64 {
        f64::from(self.requests) / f64::from(self.at_once) * seconds(milliseconds)
    }
}

fn seconds(milliseconds: u64) -> f64 {
    Duration::from_millis(milliseconds).as_secs_f64()
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let population = bench.either(
        Population {
            learners: 7_200,
            courses: 128,
            enrolments_per_learner: 4,
            seed: 1,
        },
        Population {
            learners: 400,
            courses: 8,
            enrolments_per_learner: 4,
            seed: 1,
        },
    );
    let tenant = Tenant::start(Sandbox::builder().population(population))?;
    let programs = subject::build(&bench.root)?;
    let runner = Runner {
        tenant: &tenant,
        program: tenant.tell(Subject::new(programs.join("bench-latency"))),
        rows: population.learners * population.enrolments_per_learner,
        pages: bench.either(12, 3),
    };
    // Few rounds where a walk takes half a minute, and no two differ by much.
    let latencies = bench.either([(5, 5), (50, 5), (200, 3)], [(5, 1), (50, 1), (200, 1)]);
    let mut all = Vec::new();
    for (milliseconds, rounds) in latencies {
        all.push(runner.slow(milliseconds, rounds)?);
    }
    parts(&all, population, runner.pages)
}

struct Runner<'a> {
    tenant: &'a Tenant,
    program: Subject,
    rows: u32,
    pages: u32,
}

impl Runner<'_> {
    fn slow(&self, milliseconds: u64, rounds: u32) -> anyhow::Result<Slow> {
        let delay = FaultRule::new(Effect::delay(Duration::from_millis(milliseconds)));
        self.tenant
            .sandbox()
            .faults()
            .replace(FaultPlan::default().with(delay))?;
        let mut ways: Vec<_> = AT_ONCE
            .map(|at_once| Way {
                at_once,
                requests: 0,
                seconds: Vec::new(),
            })
            .into();
        let (mut in_turn, mut ahead, mut round_trips) = (Vec::new(), Vec::new(), Vec::new());
        let mut hash = None;
        for _ in 0..rounds {
            for way in &mut ways {
                let name = match way.at_once {
                    1 => "walk",
                    _ => "side-by-side",
                };
                let (report, requests) = self.run(name, way.at_once, 0)?;
                ensure!(
                    report.rows == self.rows && *hash.get_or_insert(report.hash) == report.hash,
                    "{} of {} rows were read with {} at once, or not the same ones",
                    report.rows,
                    self.rows,
                    way.at_once
                );
                way.seconds.push(report.seconds);
                way.requests = requests;
            }
            in_turn.push(
                self.run("working-in-turn", self.pages, milliseconds)?
                    .0
                    .seconds,
            );
            ahead.push(self.run("working", self.pages, milliseconds)?.0.seconds);
            let calls = 10;
            let (report, _) = self.run("calls", calls, 0)?;
            round_trips.push(report.seconds / f64::from(calls));
        }
        Ok(Slow {
            milliseconds,
            ways,
            in_turn,
            ahead,
            round_trip: Spread::of(&round_trips).context("no round")?,
        })
    }

    /// Runs one way of reading, and counts the requests for rows and courses that it took.
    fn run(&self, way: &str, number: u32, work: u64) -> anyhow::Result<(Report, u32)> {
        self.tenant.sandbox().clear_requests();
        let program = self.program.clone().arg(way).arg(number.to_string());
        let report = program.env("WORK_MS", work.to_string()).run()?;
        let requests = [Operation::ListEnrolments, Operation::ListCourses]
            .map(|operation| self.tenant.sandbox().requests_to(operation).len());
        Ok((report, u32::try_from(requests.iter().sum::<usize>())?))
    }
}

fn parts(all: &[Slow], population: Population, pages: u32) -> anyhow::Result<Vec<Part>> {
    let Population {
        learners,
        courses,
        enrolments_per_learner,
        ..
    } = population;
    let rows = page::number(f64::from(learners * enrolments_per_learner));
    let trips: Vec<_> = all
        .iter()
        .map(|slow| {
            let trip = page::figure(slow.round_trip.median, Unit::Seconds);
            format!("{trip} at {} ms", slow.milliseconds)
        })
        .collect();
    let mut parts = vec![
        Part::Text(format!(
            "The tenant has {rows} enrolments in {courses} courses and holds every request up for 5, 50 or 200 ms, any \
             number of them at once. They are read in one walk (`list_enrolments().items()`), and by walking the \
             courses side by side (`enrolments_by_course().concurrency(n)`), which lists the courses first, ends each \
             course with a page that is not full, and takes the pages of one course one after the other. Ideal is the \
             number of requests, over how many are on their way together, times the latency; the sandbox, which takes its share of the same processors, the timers, which \
             are rounded up to a millisecond, and the time to begin and to end come on top. Every run read the same \
             rows. One small call took {}.",
            trips.join(", ")
        )),
        Part::Table(table(all)?),
        Part::Plot(plot(all)?),
        Part::Text(format!(
            "Reading ahead: somebody works on each page for as long as a request is held up, {pages} pages in all. By \
             turns the two add up; a walk that reads ahead, as walks do by default, fetches the next page meanwhile."
        )),
        Part::Table(ahead(all, pages)?),
    ];
    if let Some(claim) = claim(all, &rows) {
        parts.insert(1, Part::Claim(claim));
    }
    Ok(parts)
}

fn claim(all: &[Slow], rows: &str) -> Option<String> {
    let (milliseconds, at_once) = CLAIMED;
    let slow = all.iter().find(|slow| slow.milliseconds == milliseconds)?;
    let walk = slow.ways.first()?;
    let way = slow.ways.iter().find(|way| way.at_once == at_once)?;
    let time = |way: &Way| {
        Some(page::figure(
            Spread::of(&way.seconds)?.median,
            Unit::Seconds,
        ))
    };
    Some(format!(
        "Reading {rows} enrolments at {milliseconds} ms a request: {} in one walk, {} with {at_once} courses side by \
         side.",
        time(walk)?,
        time(way)?
    ))
}

fn table(all: &[Slow]) -> anyhow::Result<Table> {
    let columns = [
        "latency, way",
        "requests",
        "ideal",
        "time",
        "over ideal",
        "faster than one walk",
    ];
    let mut rows = Vec::new();
    for slow in all {
        let walk = &slow.ways.first().context("no walk")?.seconds;
        for way in &slow.ways {
            let ideal = way.ideal(slow.milliseconds);
            let over: Vec<_> = way.seconds.iter().map(|seconds| seconds / ideal).collect();
            let (name, faster) = match way.at_once {
                1 => ("one walk".to_owned(), Cell::None),
                many => (
                    format!("{many} side by side"),
                    figure(Spread::of_ratios(walk, &way.seconds), Unit::Times)?,
                ),
            };
            rows.push(Row {
                name: format!("{} ms, {name}", slow.milliseconds),
                cells: vec![
                    Cell::Count(way.requests.into(), Unit::Items),
                    Cell::Count(ideal, Unit::Seconds),
                    figure(Spread::of(&way.seconds), Unit::Seconds)?,
                    figure(Spread::of(&over), Unit::Times)?,
                    faster,
                ],
            });
        }
    }
    Ok(Table {
        columns: columns.map(str::to_owned).into(),
        rows,
    })
}

fn ahead(all: &[Slow], pages: u32) -> anyhow::Result<Table> {
    let columns = [
        "latency and work",
        "by turns",
        "reading ahead",
        "ideal",
        "over ideal",
    ];
    let mut rows = Vec::new();
    for slow in all {
        // The first page has to be there before there is anything to work on.
        let ideal = f64::from(pages + 1) * seconds(slow.milliseconds);
        let over: Vec<_> = slow.ahead.iter().map(|seconds| seconds / ideal).collect();
        rows.push(Row {
            name: format!("{} ms", slow.milliseconds),
            cells: vec![
                figure(Spread::of(&slow.in_turn), Unit::Seconds)?,
                figure(Spread::of(&slow.ahead), Unit::Seconds)?,
                Cell::Count(ideal, Unit::Seconds),
                figure(Spread::of(&over), Unit::Times)?,
            ],
        });
    }
    Ok(Table {
        columns: columns.map(str::to_owned).into(),
        rows,
    })
}

fn figure(spread: Option<Spread>, unit: Unit) -> anyhow::Result<Cell> {
    Ok(Cell::Figure(spread.context("no round")?, unit))
}

fn plot(all: &[Slow]) -> anyhow::Result<Plot> {
    let mut lines = Vec::new();
    for kind in [LineKind::Measured, LineKind::Ideal] {
        for slow in all.iter().rev() {
            let point = |way: &Way| {
                let measured = match kind {
                    LineKind::Measured => Spread::of(&way.seconds),
                    LineKind::Ideal => Spread::of(&[way.ideal(slow.milliseconds)]),
                };
                Ok((f64::from(way.at_once), measured.context("no round")?))
            };
            let points = slow.ways.iter().map(point);
            let ideal = match kind {
                LineKind::Measured => "",
                LineKind::Ideal => ", ideal",
            };
            lines.push(Line {
                name: format!("{} ms{ideal}", slow.milliseconds),
                kind,
                points: points.collect::<anyhow::Result<_>>()?,
            });
        }
    }
    Ok(Plot {
        name: "latency".to_owned(),
        title: "Reading all enrolments of a tenant that answers late".to_owned(),
        across: Axis {
            title: "walks side by side".to_owned(),
            scale: Scale::Logarithmic,
        },
        up: Axis {
            title: "seconds".to_owned(),
            scale: Scale::Logarithmic,
        },
        lines,
    })
}
