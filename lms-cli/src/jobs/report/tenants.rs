//! The report of several tenants, as one list.

use std::sync::Arc;

use clap::ArgMatches;

use super::{
    asked::Asked,
    cache,
    read::{Message, objects, read},
};
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    output::Printer,
    selection::Selection,
    tenants::{self, Ended, Rows},
};

/// Prints the rows of each tenant as they arrive.
pub(super) async fn run(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    printer: Printer,
    asked: Arc<Asked>,
) -> Result<(), Failure> {
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
    });
    let decided = match reading.await {
        // Not every tenant has every course.
        Err(failure) if failure.exit() == Exit::NotFound => {
            context.line(failure.message());
            Ok(())
        }
        read => read.and_then(|verdict| verdict),
    };
    Ok(rows.ended(decided))
}
