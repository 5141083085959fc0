//! The report of several tenants, as one list.

use std::sync::Arc;

use clap::ArgMatches;
use serde_json::value::to_raw_value;
use tokio::sync::mpsc;

use super::{
    cache,
    definition::Definition,
    parameters::Values,
    read::{Message, read},
    rows::Object,
};
use crate::{
    args::has,
    context::Context,
    exit::Exit,
    failure::Failure,
    jobs::blocking,
    output::Printer,
    selection::Selection,
    tenants::{self, Ended, Rows},
};

/// A report with the values of its parameters.
pub(super) struct Asked {
    pub(super) report: Definition,
    pub(super) values: Values,
    pub(super) now: String,
}

/// Prints the rows of each tenant as they arrive.
///
/// # Errors
///
/// Usage, for an output that is for one tenant.
pub(super) async fn run(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    asked: Asked,
) -> Result<(), Failure> {
    let of_one = ["to", "as", "with-header"];
    let given = |name: &&str| {
        has(matches, name)
            && matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine)
    };
    if let Some(option) = of_one.iter().find(|name| given(name)) {
        return Err(Failure::usage(format!("--{option} is for one tenant"))
            .advice("run the report for each profile, or leave out the option"));
    }
    let names = asked.report.columns.iter().map(|(name, _)| name.clone());
    let printer = Printer::new(context, None)?.of_fields(names.collect())?;
    let (asked, matches) = (Arc::new(asked), matches.clone());
    tenants::print(context, selection, printer, move |context, rows| {
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
    let (sender, mut receiver) = mpsc::channel(4);
    let reading = asked.clone();
    let read = blocking(move || {
        let Asked {
            report,
            values,
            now,
        } = &*reading;
        read(&database, report, values, now, &sender)
    });
    let send = async {
        while let Some(message) = receiver.recv().await {
            match message {
                Message::Header(header) => {
                    header.lines().iter().for_each(|line| context.note(line));
                }
                Message::Rows(page) => {
                    let columns = &asked.report.columns;
                    let page = page.iter().map(|row| to_raw_value(&Object(columns, row)));
                    let page: Result<Vec<_>, _> = page.collect();
                    let page = page.map_err(|error| Failure::fault(error.to_string()))?;
                    if !rows.send(page).await? {
                        break;
                    }
                }
                Message::End => break,
            }
        }
        drop(receiver);
        Ok::<_, Failure>(())
    };
    let (decided, sent) = tokio::join!(read, send);
    sent?;
    let decided = match decided {
        // Not every tenant has every course.
        Err(failure) if failure.exit() == Exit::NotFound => {
            context.line(failure.message());
            Ok(())
        }
        decided => decided,
    };
    Ok(rows.ended(decided))
}
