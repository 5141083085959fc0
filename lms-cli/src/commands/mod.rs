//! The commands of the operations, and `api`.

#![expect(
    dead_code,
    reason = "what is known about a write is also for those of many objects"
)]

pub(crate) mod api;
mod applied;
pub(crate) mod arguments;
mod body;
mod call;
mod copies;
mod edit;
mod enrolments;
mod ensure;
mod input;
mod invalid;
mod learners;
pub(crate) mod plan;
mod read;
pub(crate) mod run;
mod stdin;
mod typed;
mod value;
mod write;
