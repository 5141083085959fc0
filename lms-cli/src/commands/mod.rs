//! The commands of the operations, and `api`.

pub(crate) mod api;
pub(crate) mod arguments;
pub(crate) mod from;
mod from_options;
mod read;
mod references;
pub(crate) mod run;
mod shown_names;
mod tenants;
mod write;
