//! Time and refused requests of clients that do not know the limit, in the scenarios of `docs/performance.md`.

use lms_ext::LmsBuilder;
use lms_fuzz::limits::{
    Job, Limit, Report,
    RetryAfter::{Absent, Right, Seconds},
};

const fn bucket(per_second: f64, burst: f64) -> Limit {
    Limit::Bucket { per_second, burst }
}

const BROWN_OUT: Limit = Limit::BrownOut {
    per_second: 100.0,
    low: 10.0,
    during: (30.0, 60.0),
};
const SLOW_START: Limit = Limit::SlowStart {
    first: 5.0,
    last: 100.0,
    seconds: 60.0,
};
const RANDOM: Job = Job {
    random: 0.15,
    ..Job::new(Limit::None, Absent, 16, 5_000)
};
const FOUR: Job = Job {
    clients: 4,
    ..Job::new(bucket(100.0, 100.0), Absent, 64, 8_000)
};

/// The jobs, and the goal for their time, as a multiple of the time of a client that knows the limit.
#[rustfmt::skip]
const SCENARIOS: [(&str, Job, f64); 16] = [
    ("token bucket, 10/s", Job::new(bucket(10.0, 20.0), Absent, 32, 1_000), 1.6),
    ("the same with `Retry-After`", Job::new(bucket(10.0, 20.0), Right, 32, 1_000), 1.3),
    ("token bucket, 200/s", Job::new(bucket(200.0, 20.0), Absent, 16, 6_000), 1.6),
    ("the same with `Retry-After`", Job::new(bucket(200.0, 20.0), Right, 16, 6_000), 1.3),
    ("600 in a fixed minute", Job::new(Limit::Fixed(600, 60.0), Absent, 16, 3_000), 1.6),
    ("the same with `Retry-After`", Job::new(Limit::Fixed(600, 60.0), Right, 16, 3_000), 1.3),
    ("600 in a sliding minute", Job::new(Limit::Sliding(600, 60.0), Absent, 16, 3_000), 1.6),
    ("the same with `Retry-After`", Job::new(Limit::Sliding(600, 60.0), Right, 16, 3_000), 1.3),
    ("4 in flight", Job::new(Limit::InFlight(4), Absent, 32, 4_000), 1.6),
    ("15 % refused at random", RANDOM, 1.3),
    ("the same with `Retry-After: 1`", Job { retry_after: Seconds(1), ..RANDOM }, 1.3),
    ("100/s, and 10/s for half a minute", Job::new(BROWN_OUT, Absent, 32, 6_000), 1.6),
    ("the same with `Retry-After`", Job::new(BROWN_OUT, Right, 32, 6_000), 1.3),
    ("5/s to 100/s in a minute", Job::new(SLOW_START, Absent, 32, 6_000), 1.6),
    ("the same with `Retry-After`", Job::new(SLOW_START, Right, 32, 6_000), 1.3),
    ("four clients at 100/s", FOUR, 1.6),
];

/// Limits that are raised tenfold.
const RAISED: [(f64, f64); 3] = [(2.0, 20.0), (10.0, 100.0), (20.0, 200.0)];
const MOST_REFUSED: f64 = 0.08;
/// Factor by which a median of five runs, and one of fewer, may exceed the goals.
const SPREAD_OF_MEDIANS: f64 = 1.05;
const SPREAD: f64 = 1.2;
/// Share of a raised limit that is used, and the seconds after which it is.
const USED: (f64, f64) = (0.8, 45.0);

async fn reports(job: Job, settings: impl Fn(LmsBuilder) -> LmsBuilder) -> Vec<Report> {
    let mut reports = Vec::new();
    // One run takes long enough; the full tests measure the median.
    let runs = match crate::full() {
        true => 5,
        // Chance, and clients that take the refusals of the others for random, make some runs much worse than most.
        false if job.random > 0.0 || job.clients > 1 => 3,
        false => 1,
    };
    for seed in 1..=runs {
        fastrand::seed(seed);
        reports.push(job.run(&settings).await);
    }
    reports
}

fn median(reports: &[Report], figure: impl Fn(&Report) -> f64) -> f64 {
    let mut figures: Vec<_> = reports.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Prints the rows of the table with `--no-capture`.
#[tokio::test(start_paused = true)]
async fn every_scenario_meets_its_goal() {
    let mut missed = Vec::new();
    for (name, job, goal) in SCENARIOS {
        let ideal = if job.limit == Limit::None {
            let alone = reports(job, LmsBuilder::without_adaptive_throttling).await;
            median(&alone, |report| report.seconds)
        } else {
            job.ideal()
        };
        let reports = reports(job, |builder| builder).await;
        let times = median(&reports, |report| report.seconds / ideal);
        let refused = median(&reports, |report| report.refused(job.settled()));
        #[expect(
            clippy::print_stdout,
            reason = "the rows of the table in docs/performance.md"
        )]
        let () = println!(
            "| {name} | {ideal:.0} s | {times:.2} | {:.1} % |",
            100.0 * refused
        );
        let spread = if crate::full() {
            SPREAD_OF_MEDIANS
        } else {
            SPREAD
        };
        // Refusals at random cannot be avoided.
        if times > spread * goal || refused > spread * MOST_REFUSED && job.random == 0.0 {
            missed.push((name, times, refused));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_is_raised_tenfold_is_used_within_45_seconds() {
    for (from, to) in RAISED {
        for retry_after in [Absent, Right] {
            let job = Job {
                change: Some((60.0, bucket(to, to))),
                ..Job::new(
                    bucket(from, from),
                    retry_after,
                    64,
                    (60.0 * (from + to)) as usize,
                )
            };
            let reports = reports(job, |builder| builder).await;
            let seconds = median(&reports, |report| job.used_after(report, USED.0));
            #[expect(
                clippy::print_stdout,
                reason = "the rows of the table in docs/performance.md"
            )]
            let () = println!("| {from}/s to {to}/s, {retry_after:?} | {seconds:.0} s |");
            assert!(
                seconds <= USED.1,
                "{from} to {to}, {retry_after:?}: {seconds}"
            );
        }
    }
}
