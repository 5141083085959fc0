//! The command of an operation with its values, and what comes of it.

pub(crate) mod applied;
pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod input;
pub(crate) mod invalid;
pub(crate) mod label;
pub(crate) mod plan;
pub(crate) mod stdin;
pub(crate) mod typed;
pub(crate) mod value;
