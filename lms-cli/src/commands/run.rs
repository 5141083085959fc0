//! Runs the command of an operation.

use clap::ArgMatches;

use super::{call::Call, copies, edit, enrolments, ensure, input::Input, read, write};
use crate::{
    context::Context,
    failure::Failure,
    operations::{
        lookup,
        table::{Command, Output},
    },
    session::Session,
};

/// Runs a command.
pub(crate) async fn run(
    context: &Context,
    command: &'static Command,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    let operation = lookup::operation(command).ok_or_else(|| {
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
        _ if ensure::is_asked(&call) => ensure::run(call).await,
        (_, Output::List { item, .. }) => read::list(call, item).await,
        _ if operation.is_read() => read::object(call).await,
        _ => write::run(call).await,
    }
}
