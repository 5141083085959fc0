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

use lms_fuzz::script;

mod belongs;
mod blocking;
mod bulk;
mod calls;
mod cancel_on;
mod concurrent;
mod corpus;
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
