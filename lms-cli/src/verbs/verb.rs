//! The trait of an operation.

use std::pin::Pin;

use lms_ext::Lms;
use lms_plan::Action;

use super::plain;
use crate::{
    calls::{Call, applied::Applied, input::Place, invalid::Invalid},
    failure::Failure,
    operations::table::{Command, Field},
};

/// A future of a method.
pub(crate) type Doing<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// The behaviour of a command that writes. The defaults send the request of the operation.
pub(crate) trait Verb: Sync {
    /// The operations, by their ids in the document.
    fn operations(&self) -> &'static [&'static str];

    /// Returns `true` if the command changes fields of an object that exists, and keeps the others.
    fn is_edit(&self) -> bool {
        false
    }

    /// Returns `true` if the command can wait for what it has started.
    fn waits(&self) -> bool {
        false
    }

    /// Help of the option that looks up the object first, so that the command can be repeated; `None` without the option.
    fn if_not_exists(&self) -> Option<&'static str> {
        None
    }

    /// The fields of steps after an addition, which require that option.
    fn steps(&self, _: &'static Command) -> Vec<(Place, &'static Field)> {
        Vec::new()
    }

    /// Fails if the values cannot be sent. Sends nothing.
    fn check(&self, call: &Call) -> Result<(), Invalid> {
        plain::check_required(call)
    }

    /// A line for people before the change.
    fn note(&self, _: &Call) -> Option<&'static str> {
        None
    }

    /// The object that the call adds or changes, of which there is one; `None` if two equal calls make two objects.
    fn target(&self, call: &Call) -> Option<Vec<String>> {
        plain::target(call)
    }

    /// Makes the change, or in a dry run only determines it.
    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        Box::pin(plain::send(lms, call))
    }

    /// The step for the ledger: the learner that the call is about, and the values, without secrets. Before the change
    /// without its result.
    fn step(&self, call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
        plain::step(call, applied)
    }
}
