//! Prints the rows of a report as they arrive, or writes them to a file.

use std::path::Path;

use clap::ArgMatches;
use lms_sync::ColumnKind;
use serde_json::value::to_raw_value;

#[cfg(feature = "parquet")]
use super::parquet::ParquetFile;
use super::{
    read::{Message, objects},
    row::Row,
    sources::Header,
};
use crate::{
    context::Context,
    failure::Failure,
    format::Format,
    output::{About, Printer},
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
pub(super) fn to_workbook(printer: Printer, matches: &ArgMatches, about: &About) -> Printer {
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
