//! The commands of the operations, and `api`.

pub(crate) mod api;
pub(crate) mod arguments;
mod dry_run;
mod ending;
pub(crate) mod from;
mod from_options;
mod planned;
mod read;
mod references;
mod shown_names;
mod tenants;
mod write;

use clap::ArgMatches;
use lms_ext::WriteMode;

use crate::{
    args::{IF_NOT_EXISTS, given, has, is_set},
    calls::{Call, input::Input, stdin::Stdin},
    context::Context,
    failure::Failure,
    operations::{
        lookup,
        table::{Command, Output},
    },
    output::Printer,
    session::Session,
    verbs::copy,
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
    let mut stdin = Stdin::of(context);
    let mut call = Call {
        command,
        operation,
        input: Input::read(context, command, matches, &mut stdin)?,
        mode: match context.dry_run {
            true => WriteMode::DryRun,
            false => WriteMode::Apply,
        },
        if_not_exists: is_set(matches, IF_NOT_EXISTS),
        wait: given(matches, "wait-timeout").filter(|_| is_set(matches, "wait")),
        begun: None,
    };
    if has(matches, "from") {
        return Box::pin(from::run(context, matches, call, &mut stdin)).await;
    }
    if !operation.is_read() {
        write::check(&call).map_err(|invalid| invalid.of_options(command))?;
    }
    if let Some(selection) = &context.selection {
        return tenants::run(context, selection, matches, call).await;
    }
    let session = Session::open(context).await?;
    let lms = &session.lms;
    if operation.is_read() && !matches!(command.output, Output::List { .. }) && call.wait.is_none()
    {
        let printer = Printer::new(context, command.output.schema())?;
        return printer.object(&references::object(context, lms, call).await?);
    }
    let known = references::resolve(context, lms, &mut call).await?;
    match &command.output {
        _ if let Some(time) = call.wait
            && !context.dry_run =>
        {
            copy::run(context, lms, &call, time).await
        }
        Output::List { item, .. } => {
            read::list(context, call.request(lms)?, matches, Some((lms, item))).await
        }
        _ => write::run(context, &session, &call, &known).await,
    }
}
