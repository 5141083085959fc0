//! Makes the generated parts of this workspace from an OpenAPI document.
//!
//! One document drives everything that is generated: the raw client, the table of operations that
//! `lms-ext` is built on, typed mocks, the JSON forms of the document and the reference page. Two drivers call the
//! functions here and no others: `cargo xtask regen`, whose output is checked in, and the build script
//! of `lms-client`, which makes a client from a tenant's own document when its `tenant-document` feature
//! is on. Both therefore produce the same code from the same document.
//!
//! ```
//! # fn main() -> Result<(), lms_codegen::Error> {
//! let document = lms_codegen::Document::parse(r##"
//! openapi: 3.0.3
//! info: { title: Example, version: "1" }
//! servers: [{ url: "https://tenant.example/api/v1" }]
//! paths:
//!   /test:
//!     get:
//!       operationId: test
//!       security: []
//!       responses: { "200": { description: It answered. } }
//! "##)?;
//! let code = lms_codegen::client(&document, "an example")?;
//! assert!(code.contains("pub fn test(&self) -> builder::Test"));
//! # Ok(())
//! # }
//! ```
//!
//! Every function is a pure one from a [`Document`] to text: nothing is read or written here, and the
//! same document always gives the same bytes.

mod amend;
mod check;
mod client;
mod document;
mod error;
mod lighten;
mod local;
mod mocks;
mod operations;
mod reference;
mod split_send;

pub use client::client;
pub use document::{Document, Operation, Parameter, ParameterPlace, Response};
pub use error::Error;
pub use local::local_json;
pub use mocks::mocks;
pub use operations::operations;
pub use reference::reference;

/// The document as JSON, for tools that do not read YAML.
///
/// Keys stay in the order in which they were written.
pub fn openapi_json(document: &Document) -> String {
    // A `Value` with string keys always serializes; `to_string` on it cannot fail.
    format!("{:#}\n", document.value())
}

/// The notice at the head of every generated Rust file.
fn header(origin: &str) -> String {
    format!(
        "// @generated from {origin} by `cargo xtask regen`.\n\
         // Do not edit: change the document, then run that command again.\n\n"
    )
}
