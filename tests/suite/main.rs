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

mod dependent;
mod sandbox;
mod script;

mod calls;
mod cancellation;
mod corpus;
mod duplicate;
mod edits;
mod elsewhere;
mod ensure;
mod errors;
mod generation;
mod limits;
mod mocks;
mod model;
mod operations;
mod pace;
mod pages;
mod paths;
mod raw;
mod repeats;
mod secrets;
mod side_by_side;
mod soak;
mod spans;
mod tls;
mod tokens;
mod unenrol;
mod values;
