//! The program as its users run it: a process with arguments, an environment and streams, against a sandbox.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test should stop where it fails"
)]

#[cfg(unix)]
mod doctor;
#[cfg(target_os = "linux")]
mod fleet;
#[cfg(unix)]
mod guide;
#[cfg(unix)]
mod help;
mod import;
mod jobs;
mod limits;
mod output;
mod picture;
mod program;
mod remind;
mod reports;
mod row_ledger;
mod row_results;
mod rows;
mod schema;
mod scripts;
#[cfg(unix)]
mod shells;
#[cfg(unix)]
mod skill;
mod tenants;
#[cfg(unix)]
mod terminal;
