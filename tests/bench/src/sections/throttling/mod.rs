//! How close do clients get to limits that they do not know?
//!
//! A simulation with a clock of its own: nothing is sent, and a job of hours takes milliseconds. It drives the source
//! files of lms-ext's rate limiter, which read no clock.

mod cases;
#[path = "../../../../../lms-ext/src/send/rate_limit/chance.rs"]
mod chance;
mod clients;
#[path = "../../../../../lms-ext/src/send/rate_limit/curve.rs"]
mod curve;
mod drawn;
#[path = "../../../../../lms-ext/src/send/rate_limit/in_flight_cap.rs"]
mod in_flight_cap;
#[path = "../../../../../lms-ext/src/send/rate_limit/outage.rs"]
mod outage;
#[path = "../../../../../lms-ext/src/send/rate_limit/overload.rs"]
mod overload;
#[path = "../../../../../lms-ext/src/send/rate_limit/sample.rs"]
mod sample;
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
use cases::{CHANGES, JOBS, NOISE, SHARED, changing, noisy, shared};
use clients::{AwsCubic, Client, FixedBackoff, Ours, RetriesOnly};
use drawn::DrawnCase;
use service::RetryAfter;
use simulation::{Case, Report, ideal, run};

type NewClient = fn() -> Box<dyn Client>;

/// The clients of the tables, in the order of their columns.
const CLIENTS: [NewClient; 3] = [
    || Box::new(Ours::new()),
    || Box::new(AwsCubic::default()),
    || Box::new(FixedBackoff),
];

/// The goals that no client reaches, and those that lms-ext misses.
const MISSES: &str = "\
Where the goals are missed: `Retry-After` is in whole seconds, and all calls wait for it. lms-ext tries a higher rate \
every ten seconds and is refused, which costs a tenth of the time. In the job of 50 s at 200 in a sliding second, it \
also has to look for the limit first: a window accepts nothing while it refuses, so the first refusals do not show it. \
Where 30 s are asked for instead of a fraction of a second, no client that waits as long is near the ideal. At \
one request per second, 2 % are one refusal in 50 s: the job of 99 s may be refused once after its first ten seconds, \
and lms-ext is still looking for the limit then. How long a window of a minute lasts is only known after the second \
one, so jobs of one or two windows wait longer than necessary. Several clients that share a cap on requests in flight \
do not see each other's requests, so it does not look like a cap to them. A client that is throttled without \
`Retry-After` follows each refusal, so refusals at random slow it down further where there is also a limit.";

/// Why the shares are as unequal as they are.
const SHARES: &str = "\
A client learns about the others only by being refused. The rate of lms-ext grows by a fraction of itself, so that \
the same constants fit any limit, and by an absolute amount, by which slower clients catch up. Shares are still as \
random as refusals: one of four clients at 100/s that is refused 1.5 % is refused 90 times in four minutes, give or \
take nine. So they become more equal with time. Below 25/s, a client alone at its limit would be refused more than 2 \
% if it grew as fast, so it tries higher rates less often, and it grows by less. It cannot tell that it shares the \
limit until several ceilings in a row are refused before they are reached. Then it tries as often as a faster client, \
so four clients at 20/s are refused more. The rate of the AWS SDKs' CUBIC grows by absolute amounts alone: its shares \
are nearer to each other, but it is refused 9 % at 20/s and takes 3.5 times as long as necessary at 1,000/s.";

/// The measurement of the changes, and the reason why one of them is found late.
const CHANGED: &str = "\
A limit changes: seconds until the client sends at 90 % of the new one. The change may be at any moment between two \
refusals: medians over ten of them. With `Retry-After` a try costs a second, so lms-ext makes one every ten seconds, \
and finds a limit that is five times as high a little later than that.";

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
            "Limits and jobs drawn from a seed: rates of 1 to 2,000 a second, 1 to 64 tasks, jobs of 100 to 100,000 calls \
             of up to two hours. They were not chosen, but versions of lms-ext were compared by them. Each cell is the median time, the median share of \
             refused requests once settled, and how many of the drawn cases meet every goal: 1.15 times the ideal (1.5 \
             times for jobs of less than ten seconds), 2 % refused, and shares of several clients within 20 %. Requests \
             that are refused at random are not counted as refused.",
        ),
        Part::table(columns("drawn limits"), drawn_limits()),
        Part::text(MISSES),
        Part::text(
            "Refusals without a reason: the time of 20,000 calls by 16 tasks, as a multiple of the time that the retries \
             of lms-ext take without adaptive throttling.",
        ),
        Part::table(columns("refused"), noise(runs)),
        Part::text(
            "Four clients of 16 tasks share a token bucket: the ratio of the largest to the least share in four minutes \
             and in twenty, and the share of refused requests. The last column has the ratio in four minutes.",
        ),
        Part::table(columns("limit"), shares(runs)),
        Part::text(SHARES),
        Part::text(CHANGED),
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

/// The result of a client in a drawn case.
struct Outcome {
    ratio: f64,
    refused: f64,
    good: bool,
}

fn drawn_limits() -> Vec<Row> {
    let cases = drawn::cases();
    let outcomes: Vec<Vec<_>> = CLIENTS
        .iter()
        .map(|client| cases.iter().map(|drawn| outcome(drawn, *client)).collect())
        .collect();
    let row = |group: &drawn::Group| {
        let text = |(ratio, refused, good): (f64, f64, usize), of: usize| {
            Cell::Text(format!(
                "{}, {}, {good} of {of}",
                units::figure(ratio, Unit::Times),
                units::figure(refused, Unit::Share),
            ))
        };
        let cell = |outcomes: &Vec<Outcome>| {
            let chosen: Vec<_> = cases
                .iter()
                .zip(outcomes)
                .filter(|(drawn, _)| (group.holds)(drawn))
                .map(|(_, outcome)| outcome)
                .collect();
            let good = chosen.iter().filter(|outcome| outcome.good).count();
            let ratio = median(&chosen, |outcome| outcome.ratio);
            let refused = median(&chosen, |outcome| outcome.refused);
            text((ratio, refused, good), chosen.len())
        };
        let of = cases.iter().filter(|drawn| (group.holds)(drawn)).count();
        let before = text(group.before, of);
        Row::new(
            group.name,
            outcomes.iter().map(cell).chain([before]).collect(),
        )
    };
    drawn::GROUPS.iter().map(row).collect()
}

fn outcome(drawn: &DrawnCase, client: NewClient) -> Outcome {
    let report = run(&drawn.case, client, 0);
    let ratio = report.seconds / drawn.ideal;
    let longest = if drawn.ideal > 10.0 { 1.15 } else { 1.5 };
    let refused = refused(&report);
    let fair = drawn.case.clients == 1 || unfairness(&report) <= 1.2;
    Outcome {
        ratio,
        refused,
        good: ratio <= longest && refused <= 0.02 && fair,
    }
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
        let cell = |client: &NewClient| {
            let [four, twenty] = [4.0, 20.0].map(|minutes| {
                let case = shared(*limit, *retry_after, minutes);
                reports(&case, *client, runs.min(9))
            });
            Cell::Text(format!(
                "{}, {}, {}",
                units::figure(median(&four, unfairness), Unit::Times),
                units::figure(median(&twenty, unfairness), Unit::Times),
                units::figure(median(&twenty, refused), Unit::Share)
            ))
        };
        let name = named(units::figure(*limit, Unit::PerSecond), *retry_after);
        Row::new(name, cells(cell, Cell::Count(*before, Unit::Times)))
    };
    SHARED.iter().map(row).collect()
}

fn changes(runs: u64) -> Vec<Row> {
    let row = |(from, to, retry_after, before): &(f64, f64, RetryAfter, f64)| {
        let cell = |client: &NewClient| {
            let recoveries: Vec<_> = (0..runs)
                .map(|seed| {
                    // Refusals are up to ten seconds apart, and the change may be anywhere between them.
                    let at = 60 + seed as usize % 10;
                    let case = changing(*from, *to, *retry_after, at as f64);
                    recovery(&run(&case, *client, seed), at, *to)
                })
                .collect();
            Cell::Count(median(&recoveries, |seconds| *seconds), Unit::Seconds)
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
fn recovery(report: &Report, changed_at: usize, to: f64) -> f64 {
    let after = report.accepted_by_second.get(changed_at..);
    let seconds = after.and_then(|seconds| {
        seconds
            .windows(3)
            .position(|three| three.iter().sum::<f64>() >= 0.9 * 3.0 * to)
    });
    seconds.map_or(f64::INFINITY, |seconds| seconds as f64 + 1.0)
}

/// Returns the ratio of the largest share to the least; 1 when no client has had one.
fn unfairness(report: &Report) -> f64 {
    let most = report.accepted.iter().copied().fold(0.0, f64::max);
    let least = report.accepted.iter().copied().fold(f64::MAX, f64::min);
    if most > 0.0 { most / least } else { 1.0 }
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

fn median<T>(reports: &[T], figure: impl Fn(&T) -> f64) -> f64 {
    let figures: Vec<_> = reports.iter().map(figure).collect();
    Spread::of(&figures).map_or(f64::NAN, |spread| spread.median)
}

fn cells(cell: impl Fn(&NewClient) -> Cell, before: Cell) -> Vec<Cell> {
    CLIENTS.iter().map(cell).chain([before]).collect()
}
