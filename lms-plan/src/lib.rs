#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "a failing test stops here"
    )
)]

mod apply;
mod decide;
mod error;
mod hash;
mod ledger;
mod mapping;
mod names;
mod people;
mod plan;
mod send;
mod tenant;
mod undo;
mod who;

pub use apply::{Applied, Apply};
pub use decide::plan_import;
pub use error::{Error, ErrorKind};
pub use ledger::{Ledger, MAYBE_DONE, RecordedStep, Reminder, Run, Status, StepState};
pub use mapping::{Create, Guard, Guards, Leavers, Mapping, Rule, read_toml};
pub use names::{Object, Objects, Unresolved, folded};
pub use people::{People, Person, column_key};
pub use plan::{
    Action, Course, Edit, FieldChange, Group, Input, Note, Plan, Purpose, Situation, Step, group_of,
};
pub use send::{Operations, Problem, Sending};
pub use tenant::Tenant;
pub use undo::plan_undo;
pub use who::{Condition, texts};
