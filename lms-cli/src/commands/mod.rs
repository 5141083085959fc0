//! The commands of the operations, and `api`.

pub(crate) mod api;
pub(crate) mod arguments;
mod call;
mod copies;
pub(crate) mod edit;
mod enrolments;
mod ensure;
mod input;
mod read;
pub(crate) mod run;
mod typed;
pub(crate) mod write;
