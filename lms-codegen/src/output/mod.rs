//! The generated files: a function for each, except the raw client.

mod collections;
mod commands;
mod docs;
mod facade;
mod operations;
mod requests;
mod sandbox;
mod secrets;
mod type_builders;

pub use collections::collections;
pub use commands::{command_schemas, commands};
pub use facade::facade;
pub use sandbox::sandbox;

use crate::document::Document;

/// The document as JSON, for tools that do not read YAML.
///
/// Keys keep their order.
pub fn openapi_json(document: &Document) -> String {
    // A `Value` with string keys always serializes; formatting it cannot fail.
    format!("{:#}\n", document.value())
}
