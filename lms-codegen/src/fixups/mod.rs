//! Changes of typify's output, on the syntax tree.

mod enums;
mod types;

pub(crate) use enums::open_enums;
pub(crate) use types::change_types;
