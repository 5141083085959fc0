//! The commands of the operations, and `api`.

pub(crate) mod api;
pub(crate) mod arguments;
mod copies;
mod edit;
mod enrolments;
#[rustfmt::skip]
mod generated;
mod input;
mod read;
pub(crate) mod run;
pub(crate) mod table;
mod write;
