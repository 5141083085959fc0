//! A command with its values: the input of the code of each operation, for one object as for a row of a file.

pub(crate) mod applied;
pub(crate) mod body;
pub(crate) mod input;
pub(crate) mod invalid;
pub(crate) mod label;
pub(crate) mod stdin;
pub(crate) mod value;

use std::time::Duration;

use lms_ext::{Lms, OperationInfo, RawRequest, WriteMode};

use self::input::{Input, Place};
use crate::{
    failure::Failure,
    operations::{
        lookup::{self, of_operation},
        table::Command,
    },
};

/// A command with its values.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) command: &'static Command,
    pub(crate) operation: &'static OperationInfo,
    pub(crate) input: Input,
    pub(crate) mode: WriteMode,
    pub(crate) if_not_exists: bool,
    /// Time for which the command waits for the copy of a course; `None` if it does not wait.
    pub(crate) wait: Option<Duration>,
    /// The id of the task that an earlier attempt has begun.
    pub(crate) begun: Option<String>,
}

impl Call {
    /// The request, without a body.
    pub(crate) fn request(&self, lms: &Lms) -> Result<RawRequest, Failure> {
        let request = lms.raw_operation(self.operation, &self.input.path(self.command))?;
        let query = self.input.at(Place::Query);
        let query = query.flat_map(|(field, texts)| texts.iter().map(|text| (field.name, text)));
        Ok(query.fold(request, |request, (name, text)| request.query(name, text)))
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        self.mode == WriteMode::DryRun
    }
}

/// A request of an operation that this program needs besides that of its command.
pub(crate) fn raw(lms: &Lms, operation: &str, path: &[&str]) -> Result<RawRequest, Failure> {
    let found = of_operation(operation).and_then(lookup::operation);
    let found = found.ok_or_else(|| {
        Failure::fault(format!(
            "{operation} is not an operation of this program's client"
        ))
    })?;
    Ok(lms.raw_operation(found, path)?)
}
