//! The commands of the operations, and `api`.

pub(crate) mod api;
mod applied;
pub(crate) mod arguments;
mod body;
mod call;
mod copies;
mod edit;
mod enrolments;
mod ensure;
pub(crate) mod from;
mod from_options;
mod input;
mod invalid;
pub(crate) mod label;
pub(crate) mod plan;
mod read;
mod references;
pub(crate) mod run;
mod stdin;
mod tenants;
mod typed;
mod value;
mod write;
