//! Prints the rows of a report as they arrive, or writes them to a file.

use clap::ArgMatches;
use lms_sync::{ColumnKind, Value};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::to_raw_value;
use tokio::sync::mpsc::Receiver;

use super::{
    file::{self, ReportFile},
    read::{Message, Row},
    sources::Header,
};
use crate::{context::Context, failure::Failure, format::Format, output::Printer};

/// A row as an object.
struct Object<'a>(&'a [(String, ColumnKind)], &'a [Value]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for ((name, _), value) in self.0.iter().zip(self.1) {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

/// Where the rows go.
pub(super) struct Output<'a> {
    context: &'a Context,
    with_header: bool,
    columns: Vec<(String, ColumnKind)>,
    printer: Printer,
    /// The path of the file, if they go to one.
    to: Option<&'a String>,
    file: Option<ReportFile>,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        context: &'a Context,
        matches: &'a ArgMatches,
        columns: Vec<(String, ColumnKind)>,
    ) -> Result<Self, Failure> {
        let to = matches.get_one::<String>("to");
        to.map_or(Ok(()), |path| file::check(path))?;
        let names = columns.iter().map(|(name, _)| name.clone()).collect();
        Ok(Self {
            context,
            with_header: matches.get_flag("with-header"),
            printer: Printer::new(context, None)?.of_fields(names)?,
            columns,
            to,
            file: None,
        })
    }

    /// Prints the rows as they arrive. A list that lacks rows is not ended, so that no reader takes it for the complete
    /// report.
    pub(super) async fn take(mut self, mut messages: Receiver<Message>) -> Result<(), Failure> {
        while let Some(message) = messages.recv().await {
            match message {
                Message::Header(header) => self = self.begin(&header)?,
                Message::Rows(rows) => self.rows(&rows)?,
                Message::End => {
                    return match self.file {
                        Some(file) => file.finish(self.context),
                        None => self.printer.finish(),
                    };
                }
            }
            if self.printer.has_no_reader() {
                break;
            }
        }
        self.file.map_or(Ok(()), ReportFile::discard)
    }

    /// Names the sources of the report: on stderr, or as part of the output.
    fn begin(mut self, header: &Header) -> Result<Self, Failure> {
        if let Some(path) = self.to {
            self.file = Some(ReportFile::create(path, header, &self.columns)?);
        }
        let format = self.printer.format();
        let in_output = self.with_header && self.to.is_none();
        match format {
            Format::Csv if in_output => self.printer.comment(&header.lines())?,
            Format::Ndjson if in_output => {
                let object =
                    to_raw_value(header).map_err(|error| Failure::fault(error.to_string()))?;
                self.printer.line(&object)?;
            }
            Format::Json if self.to.is_none() => {}
            _ => header
                .lines()
                .iter()
                .for_each(|line| self.context.note(line)),
        }
        self.printer = self.printer.in_object(header)?;
        Ok(self)
    }

    fn rows(&mut self, rows: &[Row]) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            return file.write(rows);
        }
        let rows = rows
            .iter()
            .map(|row| to_raw_value(&Object(&self.columns, row)));
        let rows: Result<Vec<_>, _> = rows.collect();
        let rows = rows.map_err(|error| Failure::fault(error.to_string()))?;
        self.printer.page(rows.iter().map(|row| &**row))
    }
}
