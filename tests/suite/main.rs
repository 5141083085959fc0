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

mod sandbox;
mod script;

mod calls;
mod cancellation;
mod concurrent;
mod corpus;
mod course_copy;
mod dependents;
mod edits;
mod ensure;
mod errors;
mod loopback;
mod mocks;
mod model;
mod operations;
mod paging;
mod paths;
mod rate_limits;
mod raw;
mod redirects;
mod retries;
mod secrets;
mod soak;
mod spans;
mod timeouts;
mod tls;
mod tokens;
mod unenrol;
mod values;
