//! The commands of the operations, and `api`.

pub(crate) mod api;
pub(crate) mod arguments;
mod call;
mod copies;
pub(crate) mod edit;
mod enrolments;
mod input;
mod read;
pub(crate) mod run;
pub(crate) mod write;
