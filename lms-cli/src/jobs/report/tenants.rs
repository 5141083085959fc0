//! The report of several tenants, as one list.

use std::sync::Arc;

use clap::{ArgMatches, parser::ValueSource};

use super::{
    cache,
    read::{Asked, Message, read},
    rows::objects,
};
use crate::{
    args::has,
    context::Context,
    exit::Exit,
    failure::Failure,
    output::Printer,
    selection::Selection,
    tenants::{self, Ended, Rows},
};

/// Prints the rows of each tenant as they arrive.
///
/// # Errors
///
/// Usage, for an output that is for one tenant.
pub(super) async fn run(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    printer: Printer,
    asked: Arc<Asked>,
) -> Result<(), Failure> {
    let given = |name: &&&str| {
        has(matches, name) && matches.value_source(name) == Some(ValueSource::CommandLine)
    };
    if let Some(option) = ["to", "as", "with-header"].iter().find(given) {
        return Err(Failure::usage(format!("--{option} is for one tenant"))
            .advice("run the report for each profile, or leave out the option"));
    }
    tenants::print(context, selection, printer, |context, rows| {
        one(context, rows, matches.clone(), asked.clone())
    })
    .await
}

async fn one(
    context: Context,
    mut rows: Rows,
    matches: ArgMatches,
    asked: Arc<Asked>,
) -> Result<Ended, Failure> {
    let database = cache::open(&context, &matches, &asked.report.needs).await?;
    let reading = read(database, asked.clone(), async |message| match message {
        Message::Header(header) => {
            header.lines().iter().for_each(|line| context.note(line));
            Ok(true)
        }
        Message::Rows(page) => rows.send(objects(&asked.report.columns, &page)?).await,
        Message::End => Ok(true),
    });
    let decided = match reading.await {
        // Not every tenant has every course.
        Err(failure) if failure.exit() == Exit::NotFound => {
            context.line(failure.message());
            Ok(())
        }
        decided => decided,
    };
    Ok(rows.ended(decided))
}
