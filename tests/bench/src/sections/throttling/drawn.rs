//! Limits and jobs that are drawn from a seed over the ranges that occur.

use fastrand::Rng;

use super::{
    service::{
        Limit,
        RetryAfter::{Absent, Always, True, Zero},
    },
    simulation::{Case, ideal},
};

/// One drawn limit and job.
pub(super) struct DrawnCase {
    pub(super) kind: &'static str,
    pub(super) case: Case,
    /// The time of a client that knows the limit.
    pub(super) ideal: f64,
}

const SEED: u64 = 2027;
/// Of each kind.
const CASES: usize = 24;
/// Seconds of the longest job. Two windows of an hour fit into it.
const LONGEST: f64 = 7_500.0;
/// Factor by which a limit must lengthen a job, at least, for the case to count.
const MET: f64 = 1.2;

type Draw = fn(&mut Rng, f64) -> Limit;

#[rustfmt::skip]
const KINDS: [(&str, Draw); 6] = [
    (SMALL_BURSTS, |rng, rate| bucket(rate, rate * between(rng, 0.01, 0.2))),
    (LARGE_BURSTS, |rng, rate| bucket(rate, rate * between(rng, 0.5, 20.0))),
    (SECOND, |rng, rate| window(rng, rate, 1.0)),
    (MINUTE, |rng, rate| window(rng, rate, 60.0)),
    (HOUR, |rng, rate| window(rng, rate, 3_600.0)),
    (IN_FLIGHT, |rng, _| Limit::InFlight(between(rng, 1.0, 64.0) as u32)),
];

const SMALL_BURSTS: &str = "token bucket, burst of up to a fifth of a second";
const LARGE_BURSTS: &str = "token bucket, burst of half a second and more";
const SECOND: &str = "fixed or sliding second";
const MINUTE: &str = "fixed or sliding minute";
const HOUR: &str = "fixed or sliding hour";
const IN_FLIGHT: &str = "requests in flight";

/// Cases with something in common. `before` is what the previous algorithm of lms-ext made of them: the median time as a
/// multiple of the ideal, the median share of refused requests, and how many cases met all goals.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) holds: fn(&DrawnCase) -> bool,
    pub(super) before: (f64, f64, usize),
}

const fn group(
    name: &'static str,
    holds: fn(&DrawnCase) -> bool,
    before: (f64, f64, usize),
) -> Group {
    Group {
        name,
        holds,
        before,
    }
}

#[rustfmt::skip]
pub(super) const GROUPS: [Group; 15] = [
    group(SMALL_BURSTS, |drawn| drawn.kind == SMALL_BURSTS, (1.34, 0.00790, 2)),
    group(LARGE_BURSTS, |drawn| drawn.kind == LARGE_BURSTS, (1.06, 0.04550, 3)),
    group(SECOND, |drawn| drawn.kind == SECOND, (1.77, 0.01150, 1)),
    group(MINUTE, |drawn| drawn.kind == MINUTE, (1.35, 0.01080, 5)),
    group(HOUR, |drawn| drawn.kind == HOUR, (1.03, 0.00000, 22)),
    group(IN_FLIGHT, |drawn| drawn.kind == IN_FLIGHT, (2.49, 0.00150, 0)),
    group("`Retry-After` absent", |drawn| matches!(drawn.case.retry_after, Absent), (1.45, 0.00140, 13)),
    group("`Retry-After` right", |drawn| matches!(drawn.case.retry_after, True), (1.21, 0.00600, 12)),
    group("`Retry-After: 0`", |drawn| matches!(drawn.case.retry_after, Zero), (1.09, 0.10800, 1)),
    group("`Retry-After` of 1, 5 or 30 s, which is wrong", |drawn| matches!(drawn.case.retry_after, Always(_)), (1.48, 0.00610, 7)),
    group("0.1–5 % also refused without a reason", |drawn| drawn.case.noise > 0.0, (1.55, 0.00150, 6)),
    group("the limit changes", |drawn| drawn.case.change.is_some(), (1.08, 0.00330, 12)),
    group("one client", |drawn| drawn.case.clients == 1, (1.23, 0.00610, 26)),
    group("two to four clients", |drawn| drawn.case.clients > 1, (1.49, 0.00300, 7)),
    group("all", |_| true, (1.29, 0.00580, 33)),
];

/// Draws all cases. They are the same each time.
pub(super) fn cases() -> Vec<DrawnCase> {
    let mut rng = Rng::with_seed(SEED);
    let mut cases = Vec::new();
    for (kind, draw) in KINDS {
        let met = std::iter::repeat_with(|| case(&mut rng, kind, draw)).flatten();
        cases.extend(met.take(CASES));
    }
    cases
}

/// Draws a case; `None` when its job does not meet its limit, or takes too long.
fn case(rng: &mut Rng, kind: &'static str, draw: Draw) -> Option<DrawnCase> {
    let rate = between(rng, 1.0, 2_000.0);
    let limit = draw(rng, rate);
    let clients = if rng.u8(..4) == 0 {
        rng.usize(2..=4)
    } else {
        1
    };
    let tasks = between(rng, 1.0, 64.0) as usize;
    let calls = between(rng, 100.0, 100_000.0) as usize / clients;
    let retry_after = match rng.u8(..10) {
        0..4 => Absent,
        4..7 => True,
        7 => Zero,
        _ => Always([1.0, 5.0, 30.0][rng.usize(..3)]),
    };
    let noise = if rng.u8(..4) == 0 {
        between(rng, 0.001, 0.05)
    } else {
        0.0
    };
    let changes = rng.u8(..5) == 0;
    let factor = between(rng, 0.2, 5.0);
    let mut case = Case {
        limit,
        retry_after,
        noise,
        tasks,
        calls,
        clients,
        change: None,
        settled: limit.settled(),
        end: f64::INFINITY,
    };
    let alone = ideal(&Case {
        limit: Limit::None,
        ..case
    });
    if (calls * clients) as f64 / rate > 2.0 * LONGEST {
        return None;
    }
    let mut least = ideal(&case);
    if least < MET * alone {
        return None;
    }
    if changes {
        case.change = Some((least / 2.0, limit.times(factor)));
        least = ideal(&case);
    }
    case.end = (10.0 * least).max(60.0);
    (least < LONGEST).then_some(DrawnCase {
        kind,
        case,
        ideal: least,
    })
}

fn bucket(per_second: f64, burst: f64) -> Limit {
    Limit::Bucket {
        per_second,
        burst: burst.max(1.0),
    }
}

fn window(rng: &mut Rng, rate: f64, seconds: f64) -> Limit {
    let requests = (rate * seconds) as u32;
    if rng.bool() {
        Limit::FixedWindow { requests, seconds }
    } else {
        Limit::SlidingWindow { requests, seconds }
    }
}

/// Draws a number whose logarithm is spread evenly.
fn between(rng: &mut Rng, least: f64, most: f64) -> f64 {
    least * (most / least).powf(rng.f64())
}
