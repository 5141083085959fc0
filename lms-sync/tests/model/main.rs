//! A tenant that changes while it is read, and that lies: the completeness and the deletions that follow.
//!
//! A [case](case) is a tenant of a few rows, a destination, and up to four runs. Between and during the runs, rows are inserted,
//! deleted, edited and moved, with paging by offset and by position. The tenant [lies](lie): about each field of each page of each
//! list, about single items and objects, with pages that are repeated, skipped, emptied or truncated, and with other bodies,
//! statuses and content types. It is in the process, so a case takes milliseconds.
//!
//! # What must hold
//!
//! - If a read is complete, every row that was there all the time is stored, with values that were sent.
//! - A row that exists is not deleted, and not told as removed, in any destination after any number of runs. An export may lose
//!   what one complete list lacks; a mirror and a loader of a Singer tap only what two lack. If the object of a row can be
//!   requested, a mirror deletes the row only if the tenant says that the object is gone, as it says it of an object that
//!   cannot exist, and if it finds another object, before and after. An enrolment whose learner is gone is deleted when one
//!   complete list lacks it.
//! - The same is true of a mirror whose runs have a budget of requests, which is never complete before all items were read.
//! - An incomplete read changes no published export.
//! - The tables of a mirror change together, after the last request of a run.
//! - The feed of a mirror leads from nothing to its table, and adds, changes and removes each row once.
//! - A list that is documented without a count and has stated one is expected to state one again, so it may stay incomplete.
//! - A tenant that is honest and does not change is complete in the first run. After the last case, some quiet runs bring each
//!   destination to the rows of the tenant, so what was deleted there is deleted. If nothing is left there, a mirror keeps rows
//!   whose objects can be requested.
//!
//! # What no client can know
//!
//! Some lies cannot be noticed, and so the rows that they hide are no counterexamples. The [transcript](transcript) decides which:
//! it reads the bytes that were sent, without code of the client. A row is hidden if an honest tenant that did not change, and
//! that does not have the row, could have sent the same responses. These are:
//!
//! - Lists that leave out a row while their count, if they have one, their cursors and `more` agree with the items. This needs
//!   no lie: when one row is deleted and another inserted between two pages by offset, the count is the same, and a third row
//!   is skipped. A list without a count, such as course completions or tags, can leave out anything.
//! - The response for an object that cannot exist, sent for one that does. Unless it is JSON, other objects are found.
//! - Another value in a field that is not part of the key, and another id in a list.
//! - The identity of another tenant. It hides no row: a destination belongs to the tenant that was stated first, and a run that
//!   is told of another one is refused and changes nothing. A new destination has all rows.
//!
//! # What it found
//!
//! | dimension | fault |
//! |---|---|
//! | deletion between pages by offset | a row that was there was missing from a complete read, and deleted |
//! | the same in a list of the items of another | permissions were missing |
//! | move between pages of a list without a count | a completion was missing |
//! | insertion before a run, deletion during it | the keys of the two were confused |
//! | repeated page, in place of the next one | completions were missing |
//! | empty page, skipped page or dropped item in the second list of a derived collection | its rows were missing: the list was not counted |
//! | dropped item with a count that is not a count | the count was ignored |
//! | absent id | a row without a key stood for one with a key |
//! | another id in the object that was asked for | the object was stored under it |
//! | a key of another type in it | the same |
//! | another content type and a skipped page | a page that no service sends was believed |
//! | any of these for one run | the row was deleted by the next complete run |
//! | 404 of a gateway for single objects | rows were deleted, in one run |
//! | page of another filter | the rows of one part were missing |
//! | 404 of a gateway for single items of a derived collection | their rows were missing from a complete read |
//!
//! By default, some hundred cases run, of each destination. `LMS_MODEL_CASES` and `LMS_MODEL_SEED` select more and other ones;
//! `LMS_TESTS=full` runs a million.

#![allow(
    missing_docs,
    unreachable_pub,
    missing_debug_implementations,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a failing test should stop where it fails"
)]

mod case;
mod destination;
mod lie;
mod memory;
mod oracle;
mod power;
mod server;
mod subject;
mod tenant;
mod transcript;
mod values;

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use case::{Case, cases};
use destination::{Kind, SIGNS};
use lie::{Lie, Times, Twist};
use oracle::check;
use server::Script;
use subject::Subject;
use tenant::{Paging, Part};

/// The cases of a block, which has a seed of its own.
const BLOCK: u32 = 100;

/// The cases of each block by default.
const FEW: u32 = 30;

/// The kinds of destinations in turn, the cheap ones more often.
const KINDS: [Kind; 11] = [
    Kind::Memory,
    Kind::Singer,
    Kind::Sqlite,
    Kind::Memory,
    Kind::Airbyte,
    Kind::Sqlite,
    Kind::Memory,
    Kind::Singer,
    Kind::Files,
    Kind::Sqlite,
    Kind::Budgeted,
];

/// Returns `true` if the long form of each test runs, as `cargo xtask release-check` asks for.
fn full() -> bool {
    std::env::var("LMS_TESTS").is_ok_and(|tests| tests == "full")
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |value| value.parse().unwrap())
}

/// Number of blocks that run, and how many cases of each.
fn blocks() -> (u64, u32) {
    match number("LMS_MODEL_CASES", if full() { 1_000_000 } else { 0 }) {
        0 => (KINDS.len().try_into().unwrap(), FEW),
        cases => (cases.div_ceil(BLOCK.into()), BLOCK),
    }
}

#[test]
fn no_row_that_was_there_all_the_time_is_lost_whatever_the_tenant_says() {
    let (blocks, cases) = blocks();
    let first = number("LMS_MODEL_SEED", 0);
    let next = AtomicU64::new(first);
    let work = || {
        let mut failures = Vec::new();
        while let block @ 0.. = next.fetch_add(1, Ordering::Relaxed)
            && block < first + blocks
        {
            let kind = KINDS[usize::try_from(block).unwrap() % KINDS.len()];
            failures.extend(run(block, kind, cases));
        }
        failures
    };
    let threads = thread::available_parallelism().map_or(1, Into::into);
    let failures: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_gateway_that_responds_for_single_items_of_a_derived_collection_hides_no_row() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    for (subject, part, pages) in [
        (Subject::CourseProgress, Part::Object, 3),
        (Subject::Records, Part::Object, 6),
        (Subject::Permissions, Part::Second, 1),
    ] {
        for (page, times) in
            (0..pages).flat_map(|page| [(page, Times::Once), (page, Times::Always)])
        {
            let lie = Lie {
                part,
                page,
                times,
                twist: Twist::Gateway,
            };
            let lies = Script {
                changes: Vec::new(),
                lies: vec![lie],
            };
            let case = Case {
                subject,
                paging: Paging::Keyset,
                page: 2,
                rows: 3,
                seconds: 2,
                absent: 0b10,
                runs: vec![Script::default(), lies.clone(), lies],
            };
            for kind in [Kind::Memory, Kind::Singer, Kind::Sqlite] {
                let checked = runtime.block_on(check(kind, &case));
                checked.unwrap_or_else(|error| panic!("{kind:?} {case:?}: {error}"));
            }
        }
    }
}

/// Number of blocks in which each sign has to be observed.
const BLOCKS_FOR_SIGNS: u64 = 100;

#[test]
fn every_row_of_the_table_of_evidence_has_its_case() {
    let all = all_signs();
    let missing = || SIGNS.with_borrow(|noted| &all - noted);
    assert!(missing().len() > 10);
    for block in 0..BLOCKS_FOR_SIGNS {
        // The evidence does not depend on the destination, and memory is the fastest one.
        assert_eq!(run(block, Kind::Memory, FEW), None);
        if block == 0 {
            assert_eq!(run(block, Kind::Budgeted, FEW), None);
        }
        if missing().is_empty() {
            return;
        }
    }
    assert_eq!(missing(), BTreeSet::new());
}

/// The names of all observations, as checkpoints have them.
fn all_signs() -> BTreeSet<String> {
    let source = include_str!("../../src/extract/evidence.rs");
    let (_, variants) = source.split_once("enum Sign {\n").unwrap();
    let (variants, _) = variants.split_once('}').unwrap();
    let lines = variants.lines().map(str::trim);
    let names = lines.filter(|line| !line.starts_with("//"));
    let snake = names.map(|name| {
        let mut snake = String::new();
        for letter in name.trim_end_matches(',').chars() {
            if letter.is_ascii_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        }
        snake
    });
    snake.collect()
}

/// Runs cases of a block. Returns the smallest one that fails.
fn run(block: u64, kind: Kind, number: u32) -> Option<String> {
    let config = Config {
        cases: number,
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&block.to_be_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let outcome = TestRunner::new_with_rng(config, rng).run(&cases(kind), |case| {
        let checked = catch_unwind(AssertUnwindSafe(|| runtime.block_on(check(kind, &case))));
        checked.unwrap_or_else(|_| Err(TestCaseError::fail("it panics")))
    });
    match outcome {
        Ok(()) => None,
        Err(TestError::Fail(reason, case)) => {
            Some(format!("block {block}, {kind:?}: {reason}\n{case:?}"))
        }
        Err(error) => panic!("{error}"),
    }
}
