//! Runs the command of an operation.

use clap::ArgMatches;
use lms_ext::{OPERATIONS, OperationInfo, RawRequest};

use super::{
    copies, edit, enrolments,
    input::Input,
    read,
    table::{COMMANDS, Command, Output},
    write,
};
use crate::{context::Context, failure::Failure, session::Session};

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

/// The command of these words.
pub(crate) fn find(resource: &str, verb: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.resource == resource && command.verb == verb)
}

/// The operation of a command.
pub(super) fn operation(command: &Command) -> Option<&'static OperationInfo> {
    OPERATIONS
        .iter()
        .find(|known| known.id == command.operation)
}

/// Runs a command.
pub(crate) async fn run(
    context: &Context,
    command: &'static Command,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    let operation = operation(command).ok_or_else(|| {
        Failure::fault(format!(
            "{} is not an operation of this program's client",
            command.operation
        ))
    })?;
    // Before a connection is made, so that a mistake in the arguments is the first thing that is reported.
    let input = Input::read(context, command, matches)?;
    let session = Session::open(context).await?;
    let call = Call {
        context,
        session: &session,
        command,
        operation,
        matches,
        input,
    };
    match (command.operation, &command.output) {
        ("edit_learner" | "edit_course", _) => edit::run(call).await,
        ("delete_enrolment", _) => enrolments::remove(call).await,
        ("add_duplicate_course" | "view_duplicate_course", _) => copies::run(call).await,
        (_, Output::List { item, .. }) => read::list(call, item).await,
        _ if operation.is_read() => read::object(call).await,
        _ => write::run(call).await,
    }
}
