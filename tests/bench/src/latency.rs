//! Time to read a complete collection when every request takes 5, 50 or 200 ms.
//!
//! The sandbox delays every request by the same time, any number of them concurrently. The ideal time is thus known: the
//! number of requests, divided by the concurrency, times the latency.

use std::time::{Duration, Instant};

use anyhow::ensure;
use lms_ext::prelude::*;
use lms_sandbox::{Operation, Population, Sandbox};

use crate::{
    Bench,
    figures::{Spread, Unit, cell, figure, number, ratio, rough, table},
    programs::Tenant,
};

/// Number of courses that are read concurrently; 1 reads all enrolments as one list.
const CONCURRENCY: [u32; 4] = [1, 4, 16, 64];
/// Milliseconds and concurrency of the figures in README.md.
const CLAIMED: (u64, u32) = (50, 16);

const COLUMNS: &str =
    "latency, way | requests | ideal | time | time, ideal = 1 | faster than page after page";

/// The measurements of one way to read.
struct Way {
    milliseconds: u64,
    concurrency: u32,
    requests: u32,
    seconds: Vec<f64>,
}

pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let (learners, courses) = bench.either((7_200, 128), (400, 8));
    let population = Population {
        learners,
        courses,
        enrolments_per_learner: 4,
        seed: 1,
    };
    let rows = learners * population.enrolments_per_learner;
    let tenant = Tenant::start(Sandbox::builder().population(population))?;
    let mut ways = Vec::new();
    // Few rounds where reading takes half a minute and the times hardly differ.
    for (milliseconds, rounds) in
        bench.either([(5, 5), (50, 5), (200, 3)], [(5, 1), (50, 1), (200, 1)])
    {
        ways.extend(slow(&tenant, milliseconds, rounds, rows)?);
    }
    let written = number(rows.into());
    let mut parts = vec![
        "### Network latency\n".to_owned(),
        format!(
            "The tenant has {written} enrolments in {courses} courses, and the sandbox delays every request by 5, 50 or 200 ms, any \
             number of them concurrently. The enrolments are read page after page (`list_enrolments().items()`), and course by \
             course (`enrolments_by_course().concurrency(n)`), which lists the courses first and reads the pages of one course in \
             sequence. *Ideal* is the number of requests, divided by the concurrency, times the latency. The actual time also \
             includes the sandbox on the same cores, and timers that round up to a millisecond. Every run read the same \
             enrolments.\n"
        ),
    ];
    let time = |concurrency| {
        let is_claimed =
            |way: &&Way| (way.milliseconds, way.concurrency) == (CLAIMED.0, concurrency);
        let median = Spread::of(&ways.iter().find(is_claimed)?.seconds)?.median;
        Some(rough(median, Unit::Seconds))
    };
    if let (Some(pages), Some(concurrent)) = (time(1), time(CLAIMED.1)) {
        parts.push(format!(
            "**Reading {written} enrolments at {} ms per request takes {pages} page after page, and {concurrent} with {} \
             courses concurrently.**\n",
            CLAIMED.0, CLAIMED.1
        ));
    }
    parts.push(table(
        COLUMNS,
        &ways
            .chunks(CONCURRENCY.len())
            .flat_map(lines)
            .collect::<Vec<_>>(),
    ));
    Ok(parts)
}

/// Reads in every way at one latency.
fn slow(tenant: &Tenant, milliseconds: u64, rounds: u32, rows: u32) -> anyhow::Result<Vec<Way>> {
    let Tenant { sandbox, runtime } = tenant;
    let faults = sandbox.faults();
    faults.clear();
    faults.add(&format!("all: always: delay {milliseconds}ms"))?;
    let mut ways: Vec<_> = CONCURRENCY
        .map(|concurrency| Way {
            milliseconds,
            concurrency,
            requests: 0,
            seconds: Vec::new(),
        })
        .into();
    for _ in 0..rounds {
        for way in &mut ways {
            let lms = Lms::builder(sandbox.base_url())
                .client_credentials(sandbox.client_id(), sandbox.client_secret())
                .build()?;
            // Gets the token and connects before the measurement.
            runtime.block_on(async { lms.me().call().await })?;
            sandbox.clear_requests();
            let started = Instant::now();
            let mut ids = runtime.block_on(read(&lms, way.concurrency))?;
            way.seconds.push(started.elapsed().as_secs_f64());
            ids.sort_unstable();
            ids.dedup();
            ensure!(
                ids.len() == usize::try_from(rows)?,
                "{} of {rows} enrolments were read",
                ids.len()
            );
            way.requests = 0;
            for operation in [Operation::ListEnrolments, Operation::ListCourses] {
                way.requests += u32::try_from(sandbox.requests_to(operation)?.len())?;
            }
        }
    }
    Ok(ways)
}

async fn read(lms: &Lms, concurrency: u32) -> Result<Vec<String>, Error> {
    let mut ids = Vec::new();
    let mut add =
        |enrolment: &types::Enrolment| ids.extend(enrolment.id.as_ref().map(ToString::to_string));
    if concurrency == 1 {
        let mut enrolments = lms.list_enrolments().items();
        while let Some(enrolment) = enrolments.try_next().await? {
            add(&enrolment);
        }
    } else {
        let mut enrolments = lms.enrolments_by_course().concurrency(concurrency as usize);
        while let Some(enrolment) = enrolments.try_next().await? {
            add(&enrolment);
        }
    }
    Ok(ids)
}

/// The rows of the table for one latency. The first way reads page after page.
fn lines(ways: &[Way]) -> Vec<Vec<String>> {
    let line = |way: &Way| {
        let latency = Duration::from_millis(way.milliseconds).as_secs_f64();
        let ideal = f64::from(way.requests) / f64::from(way.concurrency) * latency;
        let (name, faster) = match way.concurrency {
            1 => ("page after page".to_owned(), String::new()),
            many => (
                format!("{many} courses concurrently"),
                ratio(&ways[0].seconds, &way.seconds),
            ),
        };
        vec![
            format!("{} ms, {name}", way.milliseconds),
            number(way.requests.into()),
            figure(ideal, Unit::Seconds),
            cell(&way.seconds, Unit::Seconds),
            ratio(&way.seconds, &vec![ideal; way.seconds.len()]),
            faster,
        ]
    };
    ways.iter().map(line).collect()
}
