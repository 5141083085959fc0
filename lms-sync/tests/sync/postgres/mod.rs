//! Mirrors in a real PostgreSQL, which `.ci/postgres` starts.

mod connection;
mod kit;
mod locks;
mod mirror;
pub mod server;
mod shared;
