//! A command with its values: the input of the code of each operation, for one object as for a row of a file.

use std::time::Duration;

use lms_ext::{Lms, OperationInfo, RawRequest, WriteMode};

use super::{applied::Problem, input::Input};
use crate::{
    failure::Failure,
    operations::{
        lookup::{self, of_operation},
        table::Command,
    },
};

/// A command with its values.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) command: &'static Command,
    pub(super) operation: &'static OperationInfo,
    pub(super) input: Input,
    pub(super) mode: WriteMode,
    pub(super) if_not_exists: bool,
    /// Time for which the command waits for the copy of a course; `None` if it does not wait.
    pub(super) wait: Option<Duration>,
}

impl Call {
    /// The request, without a body.
    pub(super) fn request(&self, lms: &Lms) -> Result<RawRequest, Failure> {
        let request = lms.raw_operation(self.operation, &self.input.path(self.command))?;
        let query = self.input.query.iter();
        Ok(query.fold(request, |request, (name, value)| request.query(name, value)))
    }

    pub(super) fn is_dry_run(&self) -> bool {
        self.mode == WriteMode::DryRun
    }
}

/// A request of an operation that this program needs besides that of its command.
pub(super) fn raw(lms: &Lms, operation: &str, path: &[&str]) -> Result<RawRequest, Problem> {
    let found = of_operation(operation).and_then(lookup::operation);
    let found = found.ok_or_else(|| {
        Failure::fault(format!(
            "{operation} is not an operation of this program's client"
        ))
    })?;
    Ok(lms.raw_operation(found, path)?)
}
