//! How close do clients get to limits that they do not know?
//!
//! A simulation with a clock of its own: nothing is sent, and a job of hours takes milliseconds. It drives the source
//! files of lms-ext's rate limiter, which read no clock.

mod cases;
mod clients;
#[path = "../../../../../lms-ext/src/send/rate_limit/schedule.rs"]
#[expect(
    dead_code,
    reason = "lms-ext uses all of it, the simulation only a part"
)]
mod schedule;
mod service;
mod simulation;
#[path = "../../../../../lms-ext/src/send/rate_limit/throttle.rs"]
mod throttle;

use crate::{
    bench::Bench,
    findings::{Cell, Part, Row},
    spread::Spread,
    units::{self, Unit},
};
use cases::{CHANGE_AT, CHANGES, JOBS, NOISE, SHARED, changing, noisy, shared};
use clients::{AwsCubic, Client, FixedBackoff, Ours, RetriesOnly};
use service::RetryAfter;
use simulation::{Case, Report, ideal, run};

type NewClient = fn() -> Box<dyn Client>;

/// The clients of the tables, in the order of their columns.
const CLIENTS: [NewClient; 3] = [
    || Box::new(Ours::new()),
    || Box::new(AwsCubic::default()),
    || Box::new(FixedBackoff),
];

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<Part>> {
    let runs = bench.either(25, 1);
    let columns = |first: &'static str| {
        [
            first,
            "lms-ext",
            "AWS SDKs' CUBIC",
            "fixed backoff",
            "lms-ext before",
        ]
    };
    Ok(vec![
        Part::text(
            "A simulation with a clock of its own. The first table has jobs at limits that the client does not know: the \
             time until every call is accepted, as a multiple of the time of a client that knows the limit, and the \
             share of requests that are refused once the client has settled (after 10 s, or two windows). Medians of 25 \
             runs; every response takes 50 ms, give or take a fifth. A call is sent up to three times; one that fails is \
             made again. Fixed backoff sends a call again after 100 ms. The last column was measured once, before the \
             previous algorithm was replaced.",
        ),
        Part::table(columns("limit and job"), jobs(runs)),
        Part::text(
            "Refusals without a reason: the time of 20,000 calls by 16 tasks, as a multiple of the time that the retries \
             of lms-ext take without adaptive throttling.",
        ),
        Part::table(columns("refused"), noise(runs)),
        Part::text(
            "Four clients of 16 tasks share a token bucket: the ratio of the largest to the least share in four minutes, \
             and the share of refused requests.",
        ),
        Part::table(columns("limit"), shares(runs)),
        Part::text("A limit changes: seconds until the client sends at 90 % of the new one."),
        Part::table(columns("limit"), changes(runs)),
    ])
}

fn jobs(runs: u64) -> Vec<Row> {
    let row = |job: &cases::Job| {
        let ideal = ideal(&job.case);
        let case = Case {
            end: (10.0 * ideal).max(60.0),
            ..job.case
        };
        // Fixed backoff sends millions of requests while an hour passes.
        let runs = if ideal > 1_000.0 { runs.min(5) } else { runs };
        let text = |(ratio, refused): (f64, f64)| {
            format!(
                "{}, {}",
                units::figure(ratio, Unit::Times),
                units::figure(refused, Unit::Share)
            )
        };
        let cell = |client: &NewClient| {
            let reports = reports(&case, *client, runs);
            Cell::Text(text((
                median(&reports, |report| report.seconds / ideal),
                median(&reports, refused),
            )))
        };
        let name = format!("{}: {}", job.name, units::figure(ideal, Unit::Seconds));
        Row::new(name, cells(cell, Cell::Text(text(job.before))))
    };
    JOBS.iter().map(row).collect()
}

fn noise(runs: u64) -> Vec<Row> {
    let row = |(share, before): &(f64, f64)| {
        let case = noisy(*share);
        let alone = reports(&case, || Box::new(RetriesOnly), runs);
        let alone = median(&alone, |report| report.seconds);
        let cell = |client: &NewClient| {
            let reports = reports(&case, *client, runs);
            let ratio = median(&reports, |report| report.seconds) / alone;
            Cell::Count(ratio, Unit::Times)
        };
        let name = units::figure(*share, Unit::Share);
        Row::new(name, cells(cell, Cell::Count(*before, Unit::Times)))
    };
    NOISE.iter().map(row).collect()
}

fn shares(runs: u64) -> Vec<Row> {
    let row = |(limit, retry_after, before): &(f64, RetryAfter, f64)| {
        let case = shared(*limit, *retry_after);
        let cell = |client: &NewClient| {
            let reports = reports(&case, *client, runs.min(9));
            let unfairness = |report: &Report| {
                let most = report.accepted.iter().copied().fold(0.0, f64::max);
                most / report.accepted.iter().copied().fold(f64::MAX, f64::min)
            };
            Cell::Text(format!(
                "{}, {}",
                units::figure(median(&reports, unfairness), Unit::Times),
                units::figure(median(&reports, refused), Unit::Share)
            ))
        };
        let name = named(units::figure(*limit, Unit::PerSecond), *retry_after);
        Row::new(name, cells(cell, Cell::Count(*before, Unit::Times)))
    };
    SHARED.iter().map(row).collect()
}

fn changes(runs: u64) -> Vec<Row> {
    let row = |(from, to, retry_after, before): &(f64, f64, RetryAfter, f64)| {
        let case = changing(*from, *to, *retry_after);
        let cell = |client: &NewClient| {
            let reports = reports(&case, *client, runs.min(9));
            let seconds = median(&reports, |report| recovery(report, *to));
            Cell::Count(seconds, Unit::Seconds)
        };
        let name = format!("{from} to {}", units::figure(*to, Unit::PerSecond));
        Row::new(
            named(name, *retry_after),
            cells(cell, Cell::Count(*before, Unit::Seconds)),
        )
    };
    CHANGES.iter().map(row).collect()
}

/// Returns the seconds from the change to the first three in which requests are accepted at 90 % of the new limit.
fn recovery(report: &Report, to: f64) -> f64 {
    let after = report.accepted_by_second.get(CHANGE_AT as usize..);
    let seconds = after.and_then(|seconds| {
        seconds
            .windows(3)
            .position(|three| three.iter().sum::<f64>() >= 0.9 * 3.0 * to)
    });
    seconds.map_or(f64::INFINITY, |seconds| seconds as f64 + 1.0)
}

fn refused(report: &Report) -> f64 {
    report.refused / report.requests.max(1.0)
}

fn named(name: String, retry_after: RetryAfter) -> String {
    match retry_after {
        RetryAfter::Absent => name,
        _ => format!("{name}, with `Retry-After`"),
    }
}

fn reports(case: &Case, client: NewClient, runs: u64) -> Vec<Report> {
    (0..runs).map(|seed| run(case, client, seed)).collect()
}

fn median(reports: &[Report], figure: impl Fn(&Report) -> f64) -> f64 {
    let figures: Vec<_> = reports.iter().map(figure).collect();
    Spread::of(&figures).map_or(f64::NAN, |spread| spread.median)
}

fn cells(cell: impl Fn(&NewClient) -> Cell, before: Cell) -> Vec<Cell> {
    CLIENTS.iter().map(cell).chain([before]).collect()
}
