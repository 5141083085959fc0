//! Prints the rows of a report as they arrive, or writes them to a file; those of several tenants as one list.

use std::{cell::RefCell, path::Path, rc::Rc, sync::Arc};

use clap::ArgMatches;
use lms_sync::ColumnKind;
use serde_json::value::to_raw_value;

#[cfg(feature = "parquet")]
use super::parquet::ParquetFile;
use super::{
    asked::Asked,
    cache,
    read::{Message, objects, read},
    row::Row,
    sources::Header,
};
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    output::{About, Printer},
    selection::Selection,
    tenants::{self, Ended, Rows},
};

/// The destination of the rows.
pub(super) struct Output<'a> {
    context: &'a Context,
    /// The name of the file.
    to: Option<&'a str>,
    in_output: bool,
    columns: Vec<(String, ColumnKind)>,
    printer: Printer,
    about: About,
    #[cfg(feature = "parquet")]
    parquet: Option<ParquetFile>,
}

pub(super) fn ending(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

/// The path of a file whose name says in which format it is written.
pub(super) fn named(path: &str) -> Result<String, String> {
    match ending(path) {
        Some("parquet") if cfg!(feature = "parquet") => Ok(path.to_owned()),
        Some("xlsx") if cfg!(feature = "xlsx") => Ok(path.to_owned()),
        Some(name @ ("parquet" | "xlsx")) => {
            Err(format!("this program was built without its feature {name}"))
        }
        _ => Err("name a file that ends with .xlsx or .parquet; for CSV and JSON, redirect the output: -o csv > report.csv".to_owned()),
    }
}

/// A printer into the workbook of the option `to`, if it names one.
fn to_workbook(printer: Printer, matches: &ArgMatches, about: &About) -> Printer {
    let to = matches.get_one::<String>("to").map(String::as_str);
    match (to, to.and_then(ending).and_then(Format::of)) {
        (Some(to), Some(format)) => printer.into_file(to, format, about),
        _ => printer,
    }
}

impl<'a> Output<'a> {
    pub(super) fn new(
        context: &'a Context,
        matches: &'a ArgMatches,
        printer: Printer,
        columns: Vec<(String, ColumnKind)>,
    ) -> Self {
        let about = About::default();
        Self {
            context,
            to: matches.get_one::<String>("to").map(String::as_str),
            in_output: matches.get_flag("with-header"),
            columns,
            printer: to_workbook(printer, matches, &about),
            about,
            #[cfg(feature = "parquet")]
            parquet: None,
        }
    }

    /// Prints a message. Returns `false` if the output has no reader any more.
    pub(super) fn take(&mut self, (header, rows): Message) -> Result<bool, Failure> {
        if let Some(header) = header {
            self.begin(&header)?;
        }
        self.rows(&rows)?;
        Ok(!self.printer.has_no_reader())
    }

    /// Names the sources of the report: on stderr, or as part of the output.
    fn begin(&mut self, header: &Header) -> Result<(), Failure> {
        #[cfg(feature = "parquet")]
        if let Some(path) = self.to.filter(|path| ending(path) == Some("parquet")) {
            self.parquet = Some(ParquetFile::create(path, header, &self.columns)?);
        }
        self.about.borrow_mut().extend(header.about());
        match self.printer.format() {
            _ if self.to.is_some() => self.note(header),
            Format::Csv if self.in_output => self.printer.comment(&header.lines())?,
            Format::Ndjson if self.in_output => self.printer.line(&to_raw_value(header)?)?,
            // A member of the object, unless a filter prints parts of the rows alone.
            Format::Json if self.context.jq.is_none() => {}
            _ => self.note(header),
        }
        self.printer.in_object(header)
    }

    fn note(&self, header: &Header) {
        let lines = header.lines();
        lines.iter().for_each(|line| self.context.note(line));
    }

    fn rows(&mut self, rows: &[Row]) -> Result<(), Failure> {
        #[cfg(feature = "parquet")]
        if let Some(file) = &mut self.parquet {
            return file.write(rows);
        }
        let objects = objects(&self.columns, rows)?;
        self.printer.page(objects.iter().map(|row| &**row))
    }

    /// Ends a list that lacks no row. Another one is not ended, so that no reader takes it for the complete report.
    pub(super) fn end(self) -> Result<(), Failure> {
        #[cfg(feature = "parquet")]
        if let Some(file) = self.parquet {
            return file.finish(self.context);
        }
        self.printer.finish()
    }
}

/// Prints the rows of each tenant as they arrive.
pub(super) async fn of_tenants(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    printer: Printer,
    asked: Arc<Asked>,
) -> Result<(), Failure> {
    let to = matches.get_one::<String>("to").map(String::as_str);
    if to.and_then(ending) == Some("parquet") {
        return Err(Failure::usage(
            "--to: for several tenants, name a file that ends with .xlsx",
        ));
    }
    let (about, answers) = (About::default(), Answers::default());
    let has_rules = asked.rules.is_some();
    let printer = to_workbook(printer, matches, &about);
    tenants::print(context, selection, printer, |context, rows| {
        let (asked, about, answers) = (asked.clone(), about.clone(), answers.clone());
        one(context, rows, matches.clone(), asked, (about, answers))
    })
    .await?;
    let answers = answers.take();
    // Each tenant needs the objects of rules, and one of them those of other options.
    match answers.iter().any(Result::is_ok) && !has_rules {
        true => Ok(()),
        false => answers.into_iter().collect(),
    }
}

/// The failure of each tenant that lacks an object that the options name.
type Answers = Rc<RefCell<Vec<Result<(), Failure>>>>;

async fn one(
    context: Context,
    mut rows: Rows,
    matches: ArgMatches,
    asked: Arc<Asked>,
    (about, answers): (About, Answers),
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
            answers.borrow_mut().push(Err(failure));
            Ok(())
        }
        read => {
            answers.borrow_mut().push(Ok(()));
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
