//! Prints the rows of a report as they arrive, or writes them to a file.

use clap::ArgMatches;
use lms_sync::ColumnKind;
use serde_json::value::to_raw_value;

use super::{
    file::ReportFile,
    read::{Message, Row, objects},
    sources::Header,
};
use crate::{context::Context, failure::Failure, format::Format, output::Printer};

/// The destination of the rows.
pub(super) struct Output<'a> {
    context: &'a Context,
    matches: &'a ArgMatches,
    columns: Vec<(String, ColumnKind)>,
    printer: Printer,
    file: Option<ReportFile>,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        context: &'a Context,
        matches: &'a ArgMatches,
        printer: Printer,
        columns: Vec<(String, ColumnKind)>,
    ) -> Self {
        Self {
            context,
            matches,
            columns,
            printer,
            file: None,
        }
    }

    /// Prints a message. Returns `false` if the output has no reader any more.
    pub(super) fn take(&mut self, message: Message) -> Result<bool, Failure> {
        match message {
            Message::Header(header) => self.begin(&header)?,
            Message::Rows(rows) => self.rows(&rows)?,
        }
        Ok(!self.printer.has_no_reader())
    }

    /// Names the sources of the report: on stderr, or as part of the output.
    fn begin(&mut self, header: &Header) -> Result<(), Failure> {
        let to = self.matches.get_one::<String>("to");
        if let Some(path) = to {
            self.file = Some(ReportFile::create(path, header, &self.columns)?);
        }
        let in_output = self.matches.get_flag("with-header");
        match self.printer.format() {
            _ if to.is_some() => self.note(header),
            Format::Csv if in_output => self.printer.comment(&header.lines())?,
            Format::Ndjson if in_output => self.printer.line(&to_raw_value(header)?)?,
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
        if let Some(file) = &mut self.file {
            return file.write(rows);
        }
        let objects = objects(&self.columns, rows)?;
        self.printer.page(objects.iter().map(|row| &**row))
    }

    /// Ends a list that lacks no row. Another one is not ended, so that no reader takes it for the complete report.
    pub(super) fn end(self) -> Result<(), Failure> {
        match self.file {
            Some(file) => file.finish(self.context),
            None => self.printer.finish(),
        }
    }
}
