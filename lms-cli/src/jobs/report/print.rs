//! Prints the rows of a report as they arrive.

use clap::ArgMatches;
use lms_sync::{ColumnKind, Value};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::value::to_raw_value;
use tokio::sync::mpsc;

use super::{Message, sources::Header};
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

/// Prints what arrives. The inner result is that of printing. A list that lacks rows is not ended, so that no reader takes it
/// for the complete report.
pub(super) async fn messages(
    context: &Context,
    matches: &ArgMatches,
    columns: &[(String, ColumnKind)],
    mut messages: mpsc::Receiver<Message>,
) -> Result<Result<(), Failure>, Failure> {
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let mut printer = Printer::new(context, None)?.of_fields(names)?;
    let with_header = matches.get_flag("with-header");
    while let Some(message) = messages.recv().await {
        let printed = match message {
            Message::Header(header) => {
                printer = printer.in_object(&*header)?;
                announce(context, &header, &mut printer, with_header)
            }
            Message::Rows(rows) => {
                let rows = rows.iter().map(|row| to_raw_value(&Object(columns, row)));
                let rows: Result<Vec<_>, _> = rows.collect();
                let rows = rows.map_err(|error| Failure::fault(error.to_string()))?;
                printer.page(rows.iter().map(|row| &**row))
            }
            Message::End => return Ok(printer.finish()),
        };
        if printed.is_err() || printer.has_no_reader() {
            return Ok(printed);
        }
    }
    Ok(Ok(()))
}

/// Says what the report rests on: on stderr, or as part of the output.
fn announce(
    context: &Context,
    header: &Header,
    printer: &mut Printer,
    with_header: bool,
) -> Result<(), Failure> {
    match printer.format() {
        Format::Json => {}
        Format::Csv if with_header => printer.comment(&header.lines())?,
        Format::Ndjson if with_header => {
            let object = to_raw_value(header).map_err(|error| Failure::fault(error.to_string()))?;
            printer.line(&object)?;
        }
        _ => header.lines().iter().for_each(|line| context.note(line)),
    }
    Ok(())
}
