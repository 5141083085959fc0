//! The report of several tenants, as one list.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use clap::ArgMatches;

use super::{
    asked::Asked,
    cache, print,
    read::{objects, read},
};
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    output::{About, Printer},
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
    let to = matches.get_one::<String>("to").map(String::as_str);
    if to.and_then(print::ending) == Some("parquet") {
        return Err(Failure::usage(
            "--to: for several tenants, name a file that ends with .xlsx",
        ));
    }
    let (about, answer) = (About::default(), Answer::default());
    let printer = print::to_workbook(printer, matches, &about);
    tenants::print(context, selection, printer, |context, rows| {
        let (asked, about, answer) = (asked.clone(), about.clone(), answer.clone());
        one(context, rows, matches.clone(), asked, (about, answer))
    })
    .await?;
    answer.take().unwrap_or(Ok(()))
}

/// Success if a tenant has every object that the options name, and otherwise the failure of the first one. Each tenant needs the
/// objects of rules.
type Answer = Rc<RefCell<Option<Result<(), Failure>>>>;

async fn one(
    context: Context,
    mut rows: Rows,
    matches: ArgMatches,
    asked: Arc<Asked>,
    (about, answer): (About, Answer),
) -> Result<Ended, Failure> {
    let database = cache::open(&context, &matches, &asked.report.needs).await?;
    let reading = read(database, asked.clone(), async |(header, page)| {
        if let Some(header) = header {
            header.lines().iter().for_each(|line| context.note(line));
            about.borrow_mut().extend(header.about());
        }
        rows.print(&objects(&asked.columns, &page)?)
    });
    let decided = match reading.await {
        // Not every tenant has every course.
        Err(failure) if failure.exit() == Exit::NotFound => {
            context.line(failure.message());
            let mut answer = answer.borrow_mut();
            if answer.is_none() || asked.rules.is_some() {
                *answer = Some(Err(failure));
            }
            Ok(())
        }
        read => {
            let mut answer = answer.borrow_mut();
            if answer.is_none() || asked.rules.is_none() {
                *answer = Some(Ok(()));
            }
            read.and_then(|verdict| verdict)
        }
    };
    if let Err(failure) = &decided {
        let tenant = context.tenant.as_deref().unwrap_or_default();
        let line = format!("{tenant}: error: {}", failure.message());
        about.borrow_mut().push(line);
    }
    Ok(rows.ended(decided))
}
