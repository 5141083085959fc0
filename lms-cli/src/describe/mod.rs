//! Descriptions of the program: JSON Schema, completions and man pages.

pub(crate) mod completion;
pub(crate) mod man;
mod outputs;
pub(crate) mod schema;
