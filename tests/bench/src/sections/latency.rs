//! Time to read a complete collection when every request takes 5, 50 or 200 ms.
//!
//! The sandbox delays every request by the same time, any number of them concurrently. The ideal time is thus known: the
//! number of requests, divided by the concurrency, times the latency.

use std::time::Duration;

use anyhow::ensure;
use lms_sandbox::{Effect, FaultPlan, FaultRule, Operation, Population, Sandbox};
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
    units::{self, Unit},
};

/// Number of courses that are read concurrently; 1 reads all enrolments as one list.
const CONCURRENCY: [u32; 4] = [1, 4, 16, 64];
/// Milliseconds and concurrency of the figures in README.md.
const CLAIMED: (u64, u32) = (50, 16);

#[derive(Debug, Deserialize)]
struct Report {
    seconds: f64,
    rows: u32,
    hash: u64,
}

/// The measurements at one latency.
struct Slow {
    milliseconds: u64,
    ways: Vec<Way>,
}

struct Way {
    concurrency: u32,
    requests: u32,
    seconds: Vec<f64>,
}

impl Way {
    fn ideal(&self, milliseconds: u64) -> f64 {
        f64::from(self.requests) / f64::from(self.concurrency) * seconds(milliseconds)
    }
}

fn seconds(milliseconds: u64) -> f64 {
    Duration::from_millis(milliseconds).as_secs_f64()
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let (learners, courses) = bench.either((7_200, 128), (400, 8));
    let population = Population {
        learners,
        courses,
        enrolments_per_learner: 4,
        seed: 1,
    };
    let tenant = Tenant::start(Sandbox::builder().population(population))?;
    let programs = subject::build(&bench.root)?;
    let runner = Runner {
        tenant: &tenant,
        program: tenant.tell(Subject::new(programs.join("bench-latency"))),
        rows: population.learners * population.enrolments_per_learner,
    };
    // Few rounds where reading takes half a minute and the times hardly differ.
    let latencies = bench.either([(5, 5), (50, 5), (200, 3)], [(5, 1), (50, 1), (200, 1)]);
    let mut all = Vec::new();
    for (milliseconds, rounds) in latencies {
        all.push(runner.slow(milliseconds, rounds)?);
    }
    Ok(parts(&all, population))
}

struct Runner<'a> {
    tenant: &'a Tenant,
    program: Subject,
    rows: u32,
}

impl Runner<'_> {
    fn slow(&self, milliseconds: u64, rounds: u32) -> anyhow::Result<Slow> {
        let delay = FaultRule::new(Effect::delay(Duration::from_millis(milliseconds)));
        self.tenant
            .sandbox()
            .faults()
            .replace(FaultPlan::default().with(delay))?;
        let mut ways: Vec<_> = CONCURRENCY
            .map(|concurrency| Way {
                concurrency,
                requests: 0,
                seconds: Vec::new(),
            })
            .into();
        let mut hash = None;
        for _ in 0..rounds {
            for way in &mut ways {
                let name = match way.concurrency {
                    1 => "listing",
                    _ => "concurrent",
                };
                let (report, requests) = self.run(name, way.concurrency)?;
                ensure!(
                    report.rows == self.rows && *hash.get_or_insert(report.hash) == report.hash,
                    "{} of {} enrolments were read with a concurrency of {}, or not the same ones",
                    report.rows,
                    self.rows,
                    way.concurrency
                );
                way.seconds.push(report.seconds);
                way.requests = requests;
            }
        }
        Ok(Slow { milliseconds, ways })
    }

    /// Runs one way of reading, and counts its requests for enrolments and courses.
    fn run(&self, way: &str, concurrency: u32) -> anyhow::Result<(Report, u32)> {
        self.tenant.sandbox().clear_requests();
        let program = self.program.clone().arg(way).arg(concurrency.to_string());
        let report = program.run()?;
        let mut requests = 0;
        for operation in [Operation::ListEnrolments, Operation::ListCourses] {
            requests += self.tenant.sandbox().requests_to(operation)?.len();
        }
        Ok((report, u32::try_from(requests)?))
    }
}

fn parts(all: &[Slow], population: Population) -> Vec<Part> {
    let rows = population.learners * population.enrolments_per_learner;
    let rows = units::number(f64::from(rows));
    let mut parts = vec![
        Part::text(format!(
            "The tenant has {rows} enrolments in {} courses, and the sandbox delays every request by 5, 50 or 200 ms, \
             any number of them concurrently. The enrolments are read page after page (`list_enrolments().items()`), \
             and course by course (`enrolments_by_course().concurrency(n)`), which lists the courses first and reads \
             the pages of one course in sequence. *Ideal* is the number of requests, divided by the concurrency, times \
             the latency. The actual time also includes start and end, the sandbox on the same cores, and timers that \
             round up to a millisecond. Every run read the same enrolments.",
            population.courses
        )),
        Part::table(
            [
                "latency, way",
                "requests",
                "ideal",
                "time",
                "time, ideal = 1",
                "faster than page after page",
            ],
            all.iter().flat_map(ways).collect(),
        ),
    ];
    parts.splice(1..1, claim(all, &rows).map(Part::Claim));
    parts
}

fn claim(all: &[Slow], rows: &str) -> Option<String> {
    let (milliseconds, concurrency) = CLAIMED;
    let slow = all.iter().find(|slow| slow.milliseconds == milliseconds)?;
    let time = |concurrency| {
        let mut ways = slow.ways.iter();
        let way = ways.find(|way| way.concurrency == concurrency)?;
        let median = Spread::of(&way.seconds)?.median;
        Some(units::rough(median, Unit::Seconds))
    };
    Some(format!(
        "Reading {rows} enrolments at {milliseconds} ms per request takes {} page after page, and {} with \
         {concurrency} courses concurrently.",
        time(1)?,
        time(concurrency)?
    ))
}

fn ways(slow: &Slow) -> Vec<Row> {
    let listing: &[f64] = slow.ways.first().map_or(&[], |way| &way.seconds);
    let row = |way: &Way| {
        let ideal = way.ideal(slow.milliseconds);
        let (name, faster) = match way.concurrency {
            1 => ("page after page".to_owned(), Cell::None),
            many => (
                format!("{many} courses concurrently"),
                Cell::ratio(listing, &way.seconds),
            ),
        };
        Row::new(
            format!("{} ms, {name}", slow.milliseconds),
            vec![
                Cell::Count(way.requests.into(), Unit::Items),
                Cell::Count(ideal, Unit::Seconds),
                Cell::figure(&way.seconds, Unit::Seconds),
                over(&way.seconds, ideal),
                faster,
            ],
        )
    };
    slow.ways.iter().map(row).collect()
}

fn over(seconds: &[f64], ideal: f64) -> Cell {
    Cell::ratio(seconds, &vec![ideal; seconds.len()])
}
