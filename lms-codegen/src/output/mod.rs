//! The generated files: a function for each, except the raw client.

mod collections;
mod commands;
mod conversions;
mod docs;
mod facade;
mod json;
mod operations;
mod requests;
mod safer;
mod sandbox;
mod secrets;
mod setters;
mod type_builders;

pub use collections::collections;
pub use commands::{command_schemas, commands};
pub use facade::facade;
pub use json::openapi_json;
pub use sandbox::sandbox;
