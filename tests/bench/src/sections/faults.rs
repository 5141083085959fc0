//! Results of a job of many calls when requests fail or are throttled.
//!
//! The sandbox injects faults and records every request. At the end, its courses are listed without faults: that shows
//! which were added twice, and which were reported wrongly.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use lms_sandbox::{Effect, FaultPlan, FaultRule, Operation, Population, Sandbox, When};
use serde::Deserialize;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
    units::{self, Unit},
};

/// The shares of requests that fail.
const SHARES: [f64; 4] = [0.0, 0.01, 0.05, 0.2];
/// The share of the figures in README.md.
const CLAIMED: f64 = 0.05;
/// The operations of the job. Requests for tokens, and for the learners that it needs, do not fail.
const DISTURBED: [Operation; 5] = [
    Operation::GetLearnerById,
    Operation::ListEnrolments,
    Operation::ListCourses,
    Operation::AddCourse,
    Operation::EditLearner,
];
/// The faults, in equal parts.
const FAULTS: [&str; 5] = [
    "status 500",
    "status 503",
    "rate-limited absent",
    "drop before",
    "drop after",
];
/// The rate limit, in requests per second, and its burst.
const PER_SECOND: u32 = 200;
const BURST: u32 = 20;

const WAYS: [Way; 4] = [
    way("loop, retrying at once", "bench-faults-naive", "0"),
    way("loop, retrying after 100 ms", "bench-faults-naive", "100"),
    way("lms-ext", "bench-faults", "once"),
    way("lms-ext, until done", "bench-faults", "until-done"),
];
/// The two ways of the figures in README.md.
const LOOP: usize = 1;
const UNTIL_DONE: usize = 3;

struct Way {
    name: &'static str,
    program: &'static str,
    argument: &'static str,
}

const fn way(name: &'static str, program: &'static str, argument: &'static str) -> Way {
    Way {
        name,
        program,
        argument,
    }
}

#[derive(Clone, Copy)]
enum Trouble {
    /// This share of the requests fails.
    Faults(f64),
    RateLimit,
}

impl Trouble {
    fn name(self) -> String {
        match self {
            Self::Faults(share) => units::figure(share, Unit::Share),
            Self::RateLimit => format!("{PER_SECOND}/s"),
        }
    }

    fn plan(self, seed: u64) -> anyhow::Result<FaultPlan> {
        let mut plan = FaultPlan::seeded(seed);
        let mut add = |when: When, effect: &str| -> anyhow::Result<()> {
            let effect: Effect = effect.parse().map_err(anyhow::Error::msg)?;
            let rule = FaultRule::new(effect).on(DISTURBED).when(when);
            plan = std::mem::take(&mut plan).with(rule);
            Ok(())
        };
        match self {
            Self::RateLimit => add(
                When::Always,
                &format!("rate-limit {PER_SECOND}/s burst {BURST} absent"),
            )?,
            Self::Faults(share) => {
                let each = share / FAULTS.len() as f64;
                let mut left = 1.0;
                for effect in FAULTS {
                    // A rule sees only the requests that the rules before it left alone.
                    add(When::Chance(each / left), effect)?;
                    left -= each;
                }
            }
        }
        Ok(plan)
    }
}

#[derive(Debug, Deserialize)]
struct Report {
    seconds: f64,
    added: Vec<u32>,
    failed: Vec<u32>,
    ambiguous: Vec<u32>,
}

/// The figures of a row, in the order of [`COLUMNS`].
type Outcome = [Vec<f64>; 7];
/// The outcomes of each way, for each trouble.
type Outcomes = Vec<(Trouble, [Outcome; 4])>;

const COLUMNS: [(&str, Unit); 7] = [
    ("time", Unit::Seconds),
    ("requests per call", Unit::Items),
    ("responses with 429", Unit::Share),
    ("failed", Unit::Items),
    ("reported as ambiguous", Unit::Items),
    ("added twice", Unit::Items),
    ("reported wrongly", Unit::Items),
];
const DOUBLED: usize = 5;

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let mut outcomes = Outcomes::new();
    let calls = bench.either(10_000, 200);
    let limited_calls = bench.either(1_000, 200);
    let troubles = SHARES
        .map(Trouble::Faults)
        .into_iter()
        .chain([Trouble::RateLimit]);
    for trouble in troubles {
        // Few rounds where they are long: those spend their time waiting, and hardly differ.
        let (calls, rounds) = match trouble {
            Trouble::Faults(share) if share < 0.1 => (calls, 5),
            Trouble::Faults(_) => (calls, 3),
            Trouble::RateLimit => (limited_calls, 3),
        };
        let mut ways = <[Outcome; 4]>::default();
        for round in 0..bench.either(rounds, 1) {
            for (way, outcome) in WAYS.iter().zip(&mut ways) {
                let program = Subject::new(programs.join(way.program)).arg(way.argument);
                let count = Subject::new(programs.join("bench-faults")).arg("count");
                let figures = run(trouble.plan(round)?, calls, program, count)
                    .with_context(|| format!("{} at {}", way.name, trouble.name()))?;
                for (all, figure) in outcome.iter_mut().zip(figures) {
                    all.push(figure);
                }
            }
        }
        outcomes.push((trouble, ways));
    }
    Ok(parts(&outcomes, calls, limited_calls))
}

fn run(plan: FaultPlan, calls: u32, program: Subject, count: Subject) -> anyhow::Result<[f64; 7]> {
    let population = Population {
        learners: 200,
        courses: 4,
        ..Population::default()
    };
    let tenant = Tenant::start(Sandbox::builder().population(population).faults(plan))?;
    let program = tenant.tell(program).arg(calls.to_string());
    let (report, traffic) = watched(tenant.sandbox(), || program.run::<Report>())?;
    tenant.sandbox().faults().clear();
    let existing: BTreeMap<u32, u32> = tenant.tell(count).arg("0").run()?;

    let Report {
        seconds,
        added,
        failed,
        ambiguous,
    } = report;
    let lost = added.iter().filter(|number| !existing.contains_key(number));
    let added_anyway = failed.iter().filter(|number| existing.contains_key(number));
    let doubled: u32 = existing.values().map(|times| times - 1).sum();
    Ok([
        seconds,
        f64::from(traffic.requests) / f64::from(calls),
        f64::from(traffic.refused) / f64::from(traffic.requests),
        failed.len() as f64,
        ambiguous.len() as f64,
        doubled.into(),
        (lost.count() + added_anyway.count()) as f64,
    ])
}

#[derive(Default)]
struct Traffic {
    requests: u32,
    refused: u32,
}

/// Counts the requests while `work` runs; the sandbox does not keep that many.
fn watched<T>(
    sandbox: &Sandbox,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<(T, Traffic)> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let counting = scope.spawn(|| -> anyhow::Result<Traffic> {
            let mut traffic = Traffic::default();
            loop {
                let last = over.load(Ordering::SeqCst);
                for request in sandbox.take_requests()? {
                    if request
                        .operation
                        .is_some_and(|operation| DISTURBED.contains(&operation))
                    {
                        traffic.requests += 1;
                        let refused = request.status.is_some_and(|status| status.as_u16() == 429);
                        traffic.refused += u32::from(refused);
                    }
                }
                if last {
                    return Ok(traffic);
                }
                thread::sleep(Duration::from_millis(50));
            }
        });
        let done = work();
        over.store(true, Ordering::SeqCst);
        let traffic = counting
            .join()
            .ok()
            .context("counting the requests panicked")??;
        Ok((done?, traffic))
    })
}

fn parts(outcomes: &Outcomes, calls: u32, limited_calls: u32) -> Vec<Part> {
    let columns = ["faults, way"].into_iter();
    let mut parts = vec![
        Part::text(format!(
            "The job is {} calls in 16 tasks: of ten calls, seven read a learner or enrolments, two add a course, and \
             one replaces a learner. The faults are, in equal parts: 500, 503, 429, a connection that closes before \
             the request is processed, and one that closes after it. In the last rows nothing fails, but the sandbox \
             has an unannounced limit of {PER_SECOND} requests per second with a burst of {BURST}, and the job is {} \
             calls. The loop is simple code around reqwest: it sends every failed request again, three attempts in \
             all. lms-ext has its defaults, also three attempts: it does not retry an addition that may \
             have been processed, and reports it as ambiguous. *Until done* then lists the courses, and adds again \
             what is missing. *Reported wrongly* are courses that were reported as failed but exist, or as added but \
             do not.",
            units::number(calls.into()),
            units::number(limited_calls.into()),
        )),
        Part::table(columns.chain(COLUMNS.map(|(name, _)| name)), rows(outcomes)),
    ];
    parts.splice(1..1, claim(outcomes, calls).map(Part::Claim));
    parts
}

fn claim(outcomes: &Outcomes, calls: u32) -> Option<String> {
    let is_claimed = |trouble| matches!(trouble, Trouble::Faults(share) if share == CLAIMED);
    let (_, ways) = outcomes.iter().find(|(trouble, _)| is_claimed(*trouble))?;
    let doubled = |way: usize| Some(units::number(Spread::of(&ways[way][DOUBLED])?.median));
    Some(format!(
        "When {1} of the requests of {0} calls fail, a loop that retries adds {2} courses twice, and lms-ext {3}.",
        units::number(calls.into()),
        units::figure(CLAIMED, Unit::Share),
        doubled(LOOP)?,
        doubled(UNTIL_DONE)?,
    ))
}

fn rows(outcomes: &Outcomes) -> Vec<Row> {
    let row = |trouble: Trouble, way: &Way, outcome: &Outcome| {
        let cells = outcome.iter().zip(COLUMNS);
        Row::new(
            format!("{}, {}", trouble.name(), way.name),
            cells
                .map(|(figures, (_, unit))| Cell::figure(figures, unit))
                .collect(),
        )
    };
    outcomes
        .iter()
        .flat_map(|(trouble, ways)| {
            let ways = WAYS.iter().zip(ways);
            ways.map(|(way, outcome)| row(*trouble, way, outcome))
        })
        .collect()
}
