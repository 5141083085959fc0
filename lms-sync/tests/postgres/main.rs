//! Mirrors in a real PostgreSQL, which `.ci/postgres` starts for this command. One binary with a module for each topic.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a failing test should stop where it fails"
)]

mod connection;
mod kill;
mod kit;
mod mirror;
mod server;
