//! Reads the rows of a report, on a thread of its own.

use lms_sync::{
    ColumnKind, Error,
    mirror::{MirrorReader, Query},
};
use serde_json::{Map, Value};
use tokio::sync::mpsc::Sender;

use super::{
    definition::{Definition, ParameterKind},
    parameters::Values,
    sources::Header,
};
use crate::{failure::Failure, jobs::database::Database};

/// Number of rows that are read before they are printed.
const CHUNK: usize = 500;

/// The messages of the thread, in this order. Without an end, rows are missing.
pub(super) enum Message {
    Header(Box<Header>),
    Rows(Vec<Row>),
    End,
}

/// A row of a report.
pub(super) type Row = Vec<lms_sync::Value>;

/// Sends the header and the rows of a report. Blocks.
pub(super) fn read(
    database: &Database,
    report: &Definition,
    values: &Values,
    now: &str,
    sender: &Sender<Message>,
) -> Result<(), Failure> {
    database.read(|mirror| {
        let header = Header::new(
            (&report.name, &report.needs),
            mirror.records()?,
            (now.to_owned(), shown(values)),
            &database.argument(),
        );
        let header = match header {
            Ok(header) => header,
            Err(failure) => return Ok(Err(failure)),
        };
        if let Err(unknown) = check_names(mirror, report, values)? {
            return Ok(Err(unknown));
        }
        let verdict = header.verdict();
        // Without a receiver, the command has ended.
        let send = |message| drop(sender.blocking_send(message));
        send(Message::Header(Box::new(header)));
        let mut rows = Vec::new();
        let query = Query {
            sql: &report.sql,
            parameters: values,
            columns: &report.columns,
            order: &report.order,
        };
        mirror.query(&query, &mut |row| {
            rows.push(row);
            if rows.len() == CHUNK {
                send(Message::Rows(std::mem::take(&mut rows)));
            }
        })?;
        send(Message::Rows(rows));
        send(Message::End);
        Ok::<_, Error>(verdict)
    })?
}

/// Fails with not found if a parameter has a name that no object in the mirror has.
fn check_names(
    mirror: &mut MirrorReader<'_>,
    report: &Definition,
    values: &Values,
) -> Result<Result<(), Failure>, Error> {
    for parameter in &report.parameters {
        let value = values.iter().find(|(name, ..)| *name == parameter.name);
        if let (ParameterKind::Name(named), Some((_, _, lms_sync::Value::Text(name)))) =
            (parameter.kind, value)
            && let Err(unknown) = named.check(mirror, name)?
        {
            return Ok(Err(unknown));
        }
    }
    Ok(Ok(()))
}

/// The values of parameters for the header of a report. A file of people is not repeated there.
fn shown(values: &Values) -> Map<String, Value> {
    let shown = values.iter().filter(|(name, kind, value)| {
        name != "at" && *kind != ColumnKind::Json && !value.is_null()
    });
    shown
        .filter_map(|(name, _, value)| Some((name.clone(), serde_json::to_value(value).ok()?)))
        .collect()
}
