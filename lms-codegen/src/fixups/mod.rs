//! Changes of progenitor's output, on the syntax tree.

mod awaiting;
mod optimize;
mod safety;
mod setters;
mod split_send;

pub(crate) use awaiting::add_awaiting;
pub(crate) use optimize::optimize;
pub(crate) use safety::fix;
pub(crate) use setters::change_setters;
pub(crate) use split_send::split_send;
