//! `import`, `history` and `undo`: people from a file of HR, by the plans of `lms-plan`.

mod apply;
mod file;
mod history;
mod init;
mod plan;
pub(crate) mod show;

use clap::{ArgMatches, Command};

pub(crate) use self::apply::AppliedPlan;
use crate::{
    context::Context,
    failure::Failure,
    profile::config::{write_private, write_private_by},
};

/// The commands.
pub(crate) fn commands() -> Vec<Command> {
    vec![
        Command::new("import")
            .about("Import people from a file of HR: plan, review, apply")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(init::command())
            .subcommand(plan::command())
            .subcommand(apply::command()),
        history::command(),
        history::undo_command(),
    ]
}

/// Runs a command; `None` if there is none of this name.
pub(crate) async fn run(
    context: &Context,
    name: &str,
    matches: &ArgMatches,
) -> Option<Result<(), Failure>> {
    Some(match (name, matches.subcommand()) {
        ("import", Some(("init", matches))) => init::run(context, matches),
        ("import", Some(("plan", matches))) => plan::run(context, matches).await,
        ("import", Some(("apply", matches))) => apply::run(context, matches).await,
        ("history", _) => history::run(context, matches).await,
        ("undo", _) => history::undo(context, matches).await,
        _ => return None,
    })
}
