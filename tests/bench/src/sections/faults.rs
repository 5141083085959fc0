//! What a job of many calls comes to at a tenant that fails now and then, or that takes only so many requests a second.
//!
//! The sandbox plans the faults, keeps a journal of what it was asked, and is looked through at the end without faults:
//! so it is known which calls were made twice, and of which of them the subject believed the wrong thing.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use lms_sandbox::{
    DropPoint, Effect, FaultPlan, FaultRule, Operation, Population, RetryAfter, Sandbox, When,
};
use serde::Deserialize;

use crate::{
    Bench,
    findings::{Axis, Cell, Line, LineKind, Part, Plot, Row, Scale, Table, Unit},
    page,
    spread::Spread,
    subject::{self, Subject},
    tenant::Tenant,
};

/// Which share of the requests is a fault.
const SHARES: [f64; 4] = [0.0, 0.01, 0.05, 0.2];
/// Which of them README.md tells of.
const CLAIMED: f64 = 0.05;
/// What the job asks for. Tokens, and the learners that it is about, are not disturbed.
const DISTURBED: [Operation; 5] = [
    Operation::GetLearnerById,
    Operation::ListEnrolments,
    Operation::ListCourses,
    Operation::AddCourse,
    Operation::EditLearner,
];
/// How many requests a second the tenant takes that has a limit, and how many at once.
const PER_SECOND: u32 = 200;
const BURST: u32 = 20;

const WAYS: [Way; 4] = [
    Way {
        name: "loop, at once",
        program: "bench-faults-naive",
        argument: "0",
    },
    Way {
        name: "loop, 100 ms later",
        program: "bench-faults-naive",
        argument: "100",
    },
    Way {
        name: "lms-ext",
        program: "bench-faults",
        argument: "once",
    },
    Way {
        name: "lms-ext, until done",
        program: "bench-faults",
        argument: "until-done",
    },
];
/// Of them, the loop and the client that README.md tells of.
const LOOP: usize = 1;
const UNTIL_DONE: usize = 3;

struct Way {
    name: &'static str,
    program: &'static str,
    argument: &'static str,
}

/// What the tenant does to requests.
#[derive(Clone, Copy)]
enum Trouble {
    /// This share of them is a fault.
    Faults(f64),
    Limit,
}

impl Trouble {
    fn in_words(self) -> String {
        match self {
            Self::Faults(share) => page::figure(share, Unit::Share),
            Self::Limit => format!("{PER_SECOND}/s"),
        }
    }

    fn plan(self, seed: u64) -> FaultPlan {
        let plan = FaultPlan::seeded(seed);
        let rule = |effect, when| FaultRule::new(effect).on(DISTURBED).when(when);
        match self {
            Self::Limit => {
                let limit = Effect::RateLimit {
                    per_second: PER_SECOND,
                    burst: BURST,
                    retry_after: RetryAfter::Absent,
                };
                plan.with(rule(limit, When::Always))
            }
            Self::Faults(share) => {
                let faults = [
                    Effect::status(500),
                    Effect::status(503),
                    Effect::RateLimited {
                        retry_after: RetryAfter::Absent,
                        wait: Duration::ZERO,
                    },
                    Effect::Drop {
                        at: DropPoint::Before,
                    },
                    Effect::Drop {
                        at: DropPoint::After,
                    },
                ];
                let each = share / faults.len() as f64;
                let mut left = 1.0;
                faults.into_iter().fold(plan, |plan, effect| {
                    // A rule is asked about what those before it have left.
                    let chance = each / left;
                    left -= each;
                    plan.with(rule(effect, When::Chance(chance)))
                })
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Report {
    seconds: f64,
    added: Vec<u32>,
    failed: Vec<u32>,
    in_doubt: Vec<u32>,
}

/// What was measured of one subject in one trouble, run by run.
#[derive(Default)]
struct Outcome {
    seconds: Vec<f64>,
    requests: Vec<f64>,
    refused: Vec<f64>,
    failed: Vec<f64>,
    in_doubt: Vec<f64>,
    doubled: Vec<f64>,
    wrong: Vec<f64>,
}

/// What one subject did in each trouble.
type Outcomes = Vec<(Trouble, Vec<Outcome>)>;

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let programs = subject::build(&bench.root)?;
    let mut outcomes = Outcomes::new();
    let calls = bench.either(10_000, 200);
    let limited_calls = bench.either(1_000, 200);
    let troubles = SHARES
        .map(Trouble::Faults)
        .into_iter()
        .chain([Trouble::Limit]);
    for trouble in troubles {
        // Few rounds where they are long: waits, not the machine, then say how long.
        let (calls, rounds) = match trouble {
            Trouble::Faults(share) if share < 0.1 => (calls, 5),
            Trouble::Faults(_) => (calls, 3),
            Trouble::Limit => (limited_calls, 3),
        };
        let mut ways: Vec<_> = WAYS.iter().map(|_| Outcome::default()).collect();
        for round in 0..bench.either(rounds, 1) {
            for (way, outcome) in WAYS.iter().zip(&mut ways) {
                let program = Subject::new(programs.join(way.program)).arg(way.argument);
                let look = Subject::new(programs.join("bench-faults")).arg("look");
                run(trouble.plan(round), calls, program, look, outcome)
                    .with_context(|| format!("{} at {}", way.name, trouble.in_words()))?;
            }
        }
        outcomes.push((trouble, ways));
    }
    parts(&outcomes, calls, limited_calls)
}

fn run(
    plan: FaultPlan,
    calls: u32,
    program: Subject,
    look: Subject,
    outcome: &mut Outcome,
) -> anyhow::Result<()> {
    let population = Population {
        learners: 200,
        courses: 4,
        ..Population::default()
    };
    let tenant = Tenant::start(Sandbox::builder().population(population).faults(plan))?;
    let program = tenant.tell(program).arg(calls.to_string());
    let (report, traffic) = watched(tenant.sandbox(), || program.run::<Report>())?;
    tenant.sandbox().faults().clear();
    let there: BTreeMap<u32, u32> = tenant.tell(look).arg("0").run()?;

    let Report {
        seconds,
        added,
        failed,
        in_doubt,
    } = report;
    let lost = added.iter().filter(|number| !there.contains_key(number));
    let made = failed.iter().filter(|number| there.contains_key(number));
    let doubled: u32 = there.values().map(|times| times - 1).sum();
    outcome.seconds.push(seconds);
    outcome
        .requests
        .push(f64::from(traffic.requests) / f64::from(calls));
    outcome
        .refused
        .push(f64::from(traffic.refused) / f64::from(traffic.requests));
    outcome.failed.push(failed.len() as f64);
    outcome.in_doubt.push(in_doubt.len() as f64);
    outcome.doubled.push(doubled.into());
    outcome.wrong.push((lost.count() + made.count()) as f64);
    Ok(())
}

#[derive(Default)]
struct Traffic {
    requests: u32,
    refused: u32,
}

/// Does something, and counts the requests meanwhile: the journal does not hold that many.
fn watched<T>(
    sandbox: &Sandbox,
    work: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<(T, Traffic)> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let counting = scope.spawn(|| {
            let mut traffic = Traffic::default();
            loop {
                let last = over.load(Ordering::SeqCst);
                for request in sandbox.take_requests() {
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
                    return traffic;
                }
                thread::sleep(Duration::from_millis(50));
            }
        });
        let done = work();
        over.store(true, Ordering::SeqCst);
        let traffic = counting
            .join()
            .ok()
            .context("the counting of requests broke off")?;
        Ok((done?, traffic))
    })
}

fn parts(outcomes: &Outcomes, calls: u32, limited_calls: u32) -> anyhow::Result<Vec<Part>> {
    let mut parts = vec![
        Part::Text(format!(
            "The job is {} calls by 16 tasks: of ten, seven read a learner or enrolments, two add a course, and one \
             replaces a learner. A fault is a 500, a 503, a 429, a connection that closes before the request is carried \
             out, or one that closes after it was: a fifth of the faults each. (In the last rows there are none, and \
             the tenant takes {PER_SECOND} requests a second, {BURST} at once, which nothing announces; the job is {} \
             calls there.) The loop is what is soon written around a call of reqwest: whatever fails is sent again, up \
             to three times in all. lms-ext has its defaults, which are three attempts too: it does not repeat an \
             addition that may have been processed, and says so. That is to be looked at, by listing the courses, \
             and whatever is not there is added again: the last row of each. Against its word are courses that a \
             subject counts as failed and that are there, or as added and that are not.",
            page::number(calls.into()),
            page::number(limited_calls.into()),
        )),
        Part::Table(table(outcomes)?),
        Part::Plot(plot(
            outcomes,
            "faults-doubled",
            "Courses that are there twice",
            "courses",
            |outcome| &outcome.doubled,
        )?),
        Part::Plot(plot(
            outcomes,
            "faults-time",
            "How long the job takes",
            "seconds",
            |outcome| &outcome.seconds,
        )?),
    ];
    if let Some(claim) = claim(outcomes, calls) {
        parts.insert(1, Part::Claim(claim));
    }
    Ok(parts)
}

fn claim(outcomes: &Outcomes, calls: u32) -> Option<String> {
    let is_claimed = |trouble| matches!(trouble, Trouble::Faults(share) if share == CLAIMED);
    let (_, ways) = outcomes.iter().find(|(trouble, _)| is_claimed(*trouble))?;
    let of = |way: usize, figures: fn(&Outcome) -> &Vec<f64>| {
        Some(page::number(Spread::of(figures(ways.get(way)?))?.median))
    };
    Some(format!(
        "{} calls at a tenant where {} of the requests fail: a loop that repeats what failed adds {} courses twice, \
         lms-ext {}.",
        page::number(calls.into()),
        page::figure(CLAIMED, Unit::Share),
        of(LOOP, |outcome| &outcome.doubled)?,
        of(UNTIL_DONE, |outcome| &outcome.doubled)?,
    ))
}

fn table(outcomes: &Outcomes) -> anyhow::Result<Table> {
    let columns = [
        "faults, way",
        "time",
        "requests a call",
        "answered 429",
        "failed",
        "in doubt, and said so",
        "there twice",
        "there, or not, against its word",
    ];
    let mut rows = Vec::new();
    for (trouble, ways) in outcomes {
        for (way, outcome) in WAYS.iter().zip(ways) {
            let figures = [
                (&outcome.seconds, Unit::Seconds),
                (&outcome.requests, Unit::Items),
                (&outcome.refused, Unit::Share),
                (&outcome.failed, Unit::Items),
                (&outcome.in_doubt, Unit::Items),
                (&outcome.doubled, Unit::Items),
                (&outcome.wrong, Unit::Items),
            ];
            let cells = figures.map(|(figures, unit)| {
                let spread = Spread::of(figures).context("no round")?;
                // Most counts are the same in every round.
                Ok(if spread.least == spread.most {
                    Cell::Count(spread.median, unit)
                } else {
                    Cell::Figure(spread, unit)
                })
            });
            rows.push(Row {
                name: format!("{}, {}", trouble.in_words(), way.name),
                cells: cells.into_iter().collect::<anyhow::Result<_>>()?,
            });
        }
    }
    Ok(Table {
        columns: columns.map(str::to_owned).into(),
        rows,
    })
}

fn plot(
    outcomes: &Outcomes,
    name: &str,
    title: &str,
    up: &str,
    figures: fn(&Outcome) -> &Vec<f64>,
) -> anyhow::Result<Plot> {
    let mut lines = Vec::new();
    for (index, way) in WAYS.iter().enumerate() {
        let mut points = Vec::new();
        for (trouble, ways) in outcomes {
            let Trouble::Faults(share) = trouble else {
                continue;
            };
            let outcome = ways.get(index).context("no such way")?;
            let spread = Spread::of(figures(outcome)).context("no round")?;
            points.push((share * 100.0, spread));
        }
        lines.push(Line {
            name: way.name.to_owned(),
            kind: LineKind::Measured,
            points,
        });
    }
    Ok(Plot {
        name: name.to_owned(),
        title: title.to_owned(),
        across: Axis {
            title: "faults, in percent of the requests".to_owned(),
            scale: Scale::Linear,
        },
        up: Axis {
            title: up.to_owned(),
            scale: Scale::Linear,
        },
        lines,
    })
}
