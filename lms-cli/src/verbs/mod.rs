//! The effects of commands that write: a file for each operation that does more than to send its request.

mod add_enrolment;
mod add_learner;
pub(crate) mod copy;
mod edit;
mod ensure;
pub(crate) mod plain;
mod remove_enrolment;
mod verb;

pub(crate) use self::verb::Verb;
use self::{
    add_enrolment::AddEnrolment, add_learner::AddLearner, copy::Copy, edit::Edit,
    remove_enrolment::RemoveEnrolment,
};
use crate::operations::table::Command;

/// All other operations.
struct Plain;

impl Verb for Plain {
    fn operations(&self) -> &'static [&'static str] {
        &[]
    }
}

static VERBS: [&dyn Verb; 5] = [&AddLearner, &AddEnrolment, &RemoveEnrolment, &Edit, &Copy];

/// The behaviour of a command.
pub(crate) fn of(command: &Command) -> &'static dyn Verb {
    let mut verbs = VERBS.into_iter();
    let found = verbs.find(|verb| verb.operations().contains(&command.operation));
    found.unwrap_or(&Plain)
}
