//! Prints the rows of a report as they arrive, or writes them to a file.

use clap::ArgMatches;
use lms_sync::ColumnKind;
use serde_json::value::to_raw_value;
use tokio::sync::mpsc::Receiver;

use super::{
    file::{self, ReportFile},
    read::{Message, Row},
    rows::Object,
    sources::Header,
    xapi,
};
use crate::{
    args::has, context::Context, exit::Exit, failure::Failure, format::Format, output::Printer,
};

/// The destination of the rows.
pub(super) struct Output<'a> {
    context: &'a Context,
    with_header: bool,
    columns: Vec<(String, ColumnKind)>,
    printer: Printer,
    as_xapi: bool,
    /// The tenant, and the completions that have no time.
    tenant: String,
    left_out: usize,
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
        let as_xapi = has(matches, "as");
        let printer = Printer::new(context, None)?;
        let printer = if as_xapi {
            printer.in_format(Format::Ndjson)
        } else {
            printer.of_fields(columns.iter().map(|(name, _)| name.clone()).collect())?
        };
        Ok(Self {
            context,
            with_header: matches.get_flag("with-header") && !as_xapi,
            printer,
            as_xapi,
            tenant: String::new(),
            left_out: 0,
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
                Message::End => return self.end(),
            }
            if self.printer.has_no_reader() {
                break;
            }
        }
        self.file.map_or(Ok(()), ReportFile::discard)
    }

    fn end(self) -> Result<(), Failure> {
        match self.file {
            Some(file) => file.finish(self.context)?,
            None => self.printer.finish()?,
        }
        if self.left_out == 0 {
            return Ok(());
        }
        let message = format!(
            "{} completions have no time and are left out",
            self.left_out
        );
        Err(Failure::of_job((Exit::Partial, "incomplete"), message)
            .advice("`lms mirror --time-zone` sets the zone of times that have none"))
    }

    /// Names the sources of the report: on stderr, or as part of the output.
    fn begin(mut self, header: &Header) -> Result<Self, Failure> {
        if let Some(path) = self.to {
            self.file = Some(ReportFile::create(path, header, &self.columns)?);
        }
        self.tenant.clone_from(&header.tenant);
        let format = self.printer.format();
        let in_output = self.with_header && self.to.is_none();
        match format {
            Format::Csv if in_output => self.printer.comment(&header.lines())?,
            Format::Ndjson if in_output => {
                let object =
                    to_raw_value(header).map_err(|error| Failure::fault(error.to_string()))?;
                self.printer.line(&object)?;
            }
            // A member of the object, unless a filter prints parts of the rows alone.
            Format::Json if self.to.is_none() && self.context.jq.is_none() => {}
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
        let rows: Result<Vec<_>, _> = if self.as_xapi {
            let statements = rows
                .iter()
                .filter_map(|row| xapi::statement(&self.tenant, &self.columns, row));
            let statements: Vec<_> = statements.collect();
            self.left_out += rows.len() - statements.len();
            statements.iter().map(to_raw_value).collect()
        } else {
            let rows = rows.iter();
            rows.map(|row| to_raw_value(&Object(&self.columns, row)))
                .collect()
        };
        let rows = rows.map_err(|error| Failure::fault(error.to_string()))?;
        self.printer.page(rows.iter().map(|row| &**row))
    }
}
