//! A command with its values and a client: what the code of each command is given.

use clap::ArgMatches;
use lms_ext::{OperationInfo, RawRequest};

use super::input::Input;
use crate::{context::Context, failure::Failure, operations::table::Command, session::Session};

/// A command with its values, connected to a tenant.
pub(super) struct Call<'a> {
    pub(super) context: &'a Context,
    pub(super) session: &'a Session,
    pub(super) command: &'static Command,
    pub(super) operation: &'static OperationInfo,
    pub(super) matches: &'a ArgMatches,
    pub(super) input: Input,
}

impl Call<'_> {
    /// The request, without a body.
    pub(super) fn request(&self) -> Result<RawRequest, Failure> {
        let lms = &self.session.lms;
        let request = lms.raw_operation(self.operation, &self.input.path)?;
        let query = self.input.query.iter();
        Ok(query.fold(request, |request, (name, value)| request.query(name, value)))
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.matches
            .try_get_one::<bool>(name)
            .ok()
            .flatten()
            .copied()
            .unwrap_or_default()
    }
}
