//! Prints the rows of a report as they arrive, or writes them to a file.

use clap::ArgMatches;
use lms_sync::ColumnKind;
use serde_json::value::{RawValue, to_raw_value};

use super::{
    file::{self, ReportFile},
    read::{Message, Row},
    rows::objects,
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
    /// `true` if no row is missing.
    has_ended: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        context: &'a Context,
        matches: &'a ArgMatches,
        printer: Printer,
        columns: Vec<(String, ColumnKind)>,
    ) -> Result<Self, Failure> {
        let to = matches.get_one::<String>("to");
        to.map_or(Ok(()), |path| file::check(path))?;
        let as_xapi = has(matches, "as");
        Ok(Self {
            context,
            with_header: matches.get_flag("with-header") && !as_xapi,
            printer: match as_xapi {
                true => printer.in_format(Format::Ndjson),
                false => printer,
            },
            as_xapi,
            tenant: String::new(),
            left_out: 0,
            columns,
            to,
            file: None,
            has_ended: false,
        })
    }

    /// Prints a message. Returns `false` if the output has no reader any more.
    pub(super) fn take(&mut self, message: Message) -> Result<bool, Failure> {
        match message {
            Message::Header(header) => self.begin(&header)?,
            Message::Rows(rows) => self.rows(&rows)?,
            Message::End => self.has_ended = true,
        }
        Ok(!self.printer.has_no_reader())
    }

    /// Names the sources of the report: on stderr, or as part of the output.
    fn begin(&mut self, header: &Header) -> Result<(), Failure> {
        if let Some(path) = self.to {
            self.file = Some(ReportFile::create(path, header, &self.columns)?);
        }
        self.tenant.clone_from(&header.tenant);
        let in_output = self.with_header && self.to.is_none();
        match self.printer.format() {
            Format::Csv if in_output => self.printer.comment(&header.lines())?,
            Format::Ndjson if in_output => self.printer.line(&raw(header)?)?,
            // A member of the object, unless a filter prints parts of the rows alone.
            Format::Json if self.to.is_none() && self.context.jq.is_none() => {}
            _ => header
                .lines()
                .iter()
                .for_each(|line| self.context.note(line)),
        }
        self.printer.in_object(header)
    }

    fn rows(&mut self, rows: &[Row]) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            return file.write(rows);
        }
        let mut objects = objects(&self.columns, rows)?;
        if self.as_xapi {
            let statements = objects
                .iter()
                .filter_map(|row| xapi::statement(&self.tenant, row));
            objects = statements.map(|of| raw(&of)).collect::<Result<_, _>>()?;
            self.left_out += rows.len() - objects.len();
        }
        self.printer.page(objects.iter().map(|row| &**row))
    }

    /// Ends a list that lacks no row. Another one is not ended, so that no reader takes it for the complete report.
    pub(super) fn end(self) -> Result<(), Failure> {
        if !self.has_ended {
            return Ok(());
        }
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
}

fn raw(value: &impl serde::Serialize) -> Result<Box<RawValue>, Failure> {
    to_raw_value(value).map_err(|error| Failure::fault(error.to_string()))
}
