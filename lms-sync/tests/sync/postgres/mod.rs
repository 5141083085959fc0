//! Mirrors in a real PostgreSQL, which `.ci/postgres` starts.

mod connection;
mod kit;
mod mirror;
pub mod server;
mod shared;
