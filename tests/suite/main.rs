//! The suite across the crates: it drives the public interfaces only.
//!
//! One binary, one module per theme. Behaviour is tested against the sandbox; what no tenant would send,
//! and everything that takes time, against a [`script`].

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that goes wrong is to stop where it does"
)]

mod script;

mod calls;
mod duplicate;
mod edits;
mod ensure;
mod generation;
mod mocks;
mod operations;
mod pages;
mod paths;
mod side_by_side;
mod secrets;
mod tokens;
mod repeats;
mod errors;
mod limits;
mod cancellation;
mod spans;
mod pace;
mod unenrol;
mod values;
