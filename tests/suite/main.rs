//! Tests of the public interfaces, across the crates.
//!
//! One binary with a module for each theme. Behaviour is tested against the sandbox. Responses that the sandbox never sends,
//! and everything that takes time, are tested against a [`script`].

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test should stop where it fails"
)]

#[macro_use]
#[path = "../../lms-client/tests/common/mod.rs"]
mod types_of_the_document;

mod servers;

use std::{fs, panic, path::Path, thread};

use lms_fuzz::{TARGETS, script};

mod belongs;
mod blocking;
mod bulk;
mod cancel_on;
mod concurrent;
mod course_copy;
mod dependents;
mod documentation;
mod edits;
mod ensure;
mod errors;
mod keep_alive;
mod loopback;
mod metrics;
mod mistakes;
mod modules;
mod paging;
mod paths;
mod promises;
mod rate_limits;
mod raw;
mod redirects;
mod requests;
mod retries;
mod scripted;
mod secrets;
mod soak;
mod spans;
mod stalls;
mod timeouts;
mod tls;
mod tokens;
mod tower;
mod unenrol;
mod upsert;
mod values;
mod write_locks;

/// The rows of a table, one in a line, with `=>` between their cells.
fn rows<const CELLS: usize>(table: &str) -> Vec<[&str; CELLS]> {
    let lines = table.lines().map(str::trim);
    let mut rows = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let cells: Vec<_> = line.split("=>").map(str::trim).collect();
        rows.push(cells.try_into().unwrap_or_else(|_| panic!("{line}")));
    }
    rows
}

/// Returns `true` if tests run in their long form, as in `cargo xtask release-check`.
fn full() -> bool {
    std::env::var("LMS_TESTS").is_ok_and(|tests| tests == "full")
}

/// Runs every input of the fuzzing corpus through the property that it is for. The properties are in `tests/fuzz/`.
#[test]
fn every_input_that_was_kept_meets_the_promise_it_is_for() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    assert_eq!(fs::read_dir(&corpus).unwrap().count(), TARGETS.len());
    thread::scope(|scope| {
        for (name, promise) in TARGETS {
            let inputs_of = corpus.join(name);
            scope.spawn(move || {
                let mut inputs = 0;
                for entry in fs::read_dir(inputs_of).unwrap() {
                    let path = entry.unwrap().path();
                    let input = fs::read(&path).unwrap();
                    let outcome = panic::catch_unwind(|| promise(&input));
                    assert!(outcome.is_ok(), "{} breaks its promise", path.display());
                    inputs += 1;
                }
                assert!(inputs > 0, "{name} has no inputs");
            });
        }
    });
}
