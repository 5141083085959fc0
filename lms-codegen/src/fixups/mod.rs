//! Changes of progenitor's output, on the syntax tree.

mod setters;
mod types;

pub(crate) use setters::change_setters;
pub(crate) use types::change_types;
