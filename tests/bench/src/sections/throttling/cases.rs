//! The limits, the jobs, and what the algorithm that this one replaced did with them.

use super::{
    service::{Limit, RetryAfter},
    simulation::Case,
};

/// A job at a limit. `before` is what the simulation found for the previous algorithm of lms-ext: the time, as a multiple
/// of the ideal, and the share of refused requests once settled.
pub(super) struct Job {
    pub(super) name: &'static str,
    pub(super) case: Case,
    pub(super) before: (f64, f64),
}

const fn bucket(per_second: f64, burst: f64) -> Limit {
    Limit::Bucket { per_second, burst }
}

const fn fixed(requests: u32, seconds: f64) -> Limit {
    Limit::FixedWindow { requests, seconds }
}

const fn sliding(requests: u32, seconds: f64) -> Limit {
    Limit::SlidingWindow { requests, seconds }
}

const fn job(
    name: &'static str,
    limit: Limit,
    retry_after: RetryAfter,
    (tasks, calls): (usize, usize),
    before: (f64, f64),
) -> Job {
    let case = Case {
        limit,
        retry_after,
        noise: 0.0,
        tasks,
        calls,
        clients: 1,
        change: None,
        settled: limit.settled(),
        end: 50_000.0,
    };
    Job { name, case, before }
}

use RetryAfter::{Absent, Always, True, Zero};

#[rustfmt::skip]
pub(super) const JOBS: &[Job] = &[
    job("bucket 200/s, burst 20; 1,000 calls, 20 tasks", bucket(200.0, 20.0), Absent, (20, 1_000), BEFORE[0]),
    job("the same with `Retry-After`", bucket(200.0, 20.0), True, (20, 1_000), BEFORE[1]),
    job("bucket 1/s, burst 1; 100 calls, 8 tasks", bucket(1.0, 1.0), Absent, (8, 100), BEFORE[2]),
    job("bucket 5/s, burst 5; 1,000 calls, 16 tasks", bucket(5.0, 5.0), Absent, (16, 1_000), BEFORE[3]),
    job("bucket 20/s, burst 20; 2,000 calls, 32 tasks", bucket(20.0, 20.0), Absent, (32, 2_000), BEFORE[4]),
    job("the same with `Retry-After`", bucket(20.0, 20.0), True, (32, 2_000), BEFORE[5]),
    job("the same with `Retry-After: 0`", bucket(20.0, 20.0), Zero, (32, 2_000), BEFORE[6]),
    job("bucket 20/s, burst 200; 2,000 calls, 32 tasks", bucket(20.0, 200.0), Absent, (32, 2_000), BEFORE[7]),
    job("bucket 200/s, burst 20; 10,000 calls, 16 tasks", bucket(200.0, 20.0), Absent, (16, 10_000), BEFORE[8]),
    job("the same with `Retry-After`", bucket(200.0, 20.0), True, (16, 10_000), BEFORE[9]),
    job("bucket 200/s, burst 2,000; 20,000 calls, 64 tasks", bucket(200.0, 2_000.0), True, (64, 20_000), BEFORE[10]),
    job("bucket 1,000/s, burst 50; 100,000 calls, 64 tasks", bucket(1_000.0, 50.0), Absent, (64, 100_000), BEFORE[11]),
    job("20 in a fixed second; 2,000 calls, 32 tasks", fixed(20, 1.0), Absent, (32, 2_000), BEFORE[12]),
    job("200 in a sliding second; 10,000 calls, 32 tasks", sliding(200, 1.0), Absent, (32, 10_000), BEFORE[13]),
    job("the same with `Retry-After`", sliding(200, 1.0), True, (32, 10_000), BEFORE[14]),
    job("600 in a fixed minute; 6,000 calls, 16 tasks", fixed(600, 60.0), Absent, (16, 6_000), BEFORE[15]),
    job("the same with `Retry-After`", fixed(600, 60.0), True, (16, 6_000), BEFORE[16]),
    job("the same with `Retry-After: 1`, which is wrong", fixed(600, 60.0), Always(1.0), (16, 6_000), BEFORE[17]),
    job("600 in a sliding minute; 6,000 calls, 16 tasks", sliding(600, 60.0), Absent, (16, 6_000), BEFORE[18]),
    job("the same with `Retry-After`", sliding(600, 60.0), True, (16, 6_000), BEFORE[19]),
    job("3,600 in a fixed hour; 10,000 calls, 8 tasks", fixed(3_600, 3_600.0), True, (8, 10_000), BEFORE[20]),
    job("the same without `Retry-After`", fixed(3_600, 3_600.0), Absent, (8, 10_000), BEFORE[21]),
    job("4 in flight; 10,000 calls, 32 tasks", Limit::InFlight(4), Absent, (32, 10_000), BEFORE[22]),
    job("16 in flight; 10,000 calls, 32 tasks", Limit::InFlight(16), Absent, (32, 10_000), BEFORE[23]),
];

/// Measured with 25 runs each, by this simulation, before the previous algorithm was deleted.
#[rustfmt::skip]
const BEFORE: [(f64, f64); 24] = [
    (1.52, 0.0000), (1.75, 0.0000), (1.20, 0.1068), (1.00, 0.0227), (1.02, 0.0044), (1.03, 0.0066),
    (1.00, 0.1108), (1.00, 0.0049), (1.07, 0.0006), (1.24, 0.0007), (1.01, 0.0021), (1.10, 0.0003),
    (1.24, 0.0062), (1.25, 0.0006), (1.31, 0.0007), (1.37, 0.0148), (1.01, 0.0162), (2.04, 0.0244),
    (1.31, 0.0166), (1.02, 0.0162), (1.00, 0.0000), (1.02, 0.0000), (1.34, 0.0020), (1.44, 0.0003),
];

/// Shares of refusals without a reason, and the times of the previous algorithm as multiples of those of a client
/// without a rate limiter.
pub(super) const NOISE: [(f64, f64); 4] = [(0.001, 1.0), (0.01, 1.0), (0.02, 1.0), (0.05, 1.01)];

/// Limits per second that four clients share, and the ratio of the largest to the least share before.
pub(super) const SHARED: [(f64, RetryAfter, f64); 4] = [
    (20.0, Absent, 2.67),
    (100.0, Absent, 1.77),
    (100.0, True, 1.65),
    (1_000.0, True, 1.08),
];

/// Limits before and after a change, and the seconds that the previous algorithm took to 90 % of the new one.
pub(super) const CHANGES: [(f64, f64, RetryAfter, f64); 5] = [
    (20.0, 100.0, Absent, 31.0),
    (20.0, 100.0, True, 31.0),
    (200.0, 1_000.0, Absent, 32.0),
    (50.0, 100.0, True, 17.0),
    (100.0, 20.0, Absent, 1.0),
];

pub(super) fn noisy(noise: f64) -> Case {
    Case {
        noise,
        ..job("", Limit::None, Absent, (16, 20_000), (0.0, 0.0)).case
    }
}

pub(super) fn shared(per_second: f64, retry_after: RetryAfter, minutes: f64) -> Case {
    Case {
        clients: 4,
        settled: 60.0,
        end: 60.0 + 60.0 * minutes,
        ..endless(per_second, retry_after)
    }
}

pub(super) fn changing(from: f64, to: f64, retry_after: RetryAfter, at: f64) -> Case {
    Case {
        tasks: 64,
        change: Some((at, bucket(to, to))),
        end: 150.0,
        ..endless(from, retry_after)
    }
}

fn endless(per_second: f64, retry_after: RetryAfter) -> Case {
    let limit = bucket(per_second, per_second);
    job("", limit, retry_after, (16, 1_000_000), (0.0, 0.0)).case
}
