//! What the document says about each operation, for the commands and their output.

#[rustfmt::skip]
mod generated;
pub(crate) mod lookup;
pub(crate) mod table;
