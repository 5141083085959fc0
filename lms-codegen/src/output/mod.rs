//! The generated files: a function for each.

mod builders;
mod client;
mod collections;
mod commands;
mod docs;
mod json;
mod operations;
mod safer;
mod secrets;

pub use client::client;
pub use collections::collections;
pub use commands::{command_schemas, commands};
pub use json::openapi_json;
