//! Changes of progenitor's output, on the syntax tree.

mod enums;
mod required;
mod setters;
mod types;

pub(crate) use enums::open_enums;
pub(crate) use required::{Starts, require_fields};
pub(crate) use setters::change_setters;
pub(crate) use types::change_types;
