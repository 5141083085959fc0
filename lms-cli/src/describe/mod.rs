//! Descriptions of the program: JSON Schema, completion and man pages.

mod candidates;
pub(crate) mod completion;
pub(crate) mod man;
pub(crate) mod outputs;
mod quoting;
pub(crate) mod schema;
