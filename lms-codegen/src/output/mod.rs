//! The generated files: a function for each.

mod client;
mod collections;
mod commands;
mod conversions;
mod docs;
mod json;
mod operations;
mod requests;
mod safer;
mod sandbox;
mod secrets;
mod setters;
mod type_builders;

pub use client::client;
pub use collections::collections;
pub use commands::{command_schemas, commands};
pub use json::openapi_json;
pub use sandbox::sandbox;
