//! Reads the rows of a report, on a thread of its own.

use std::{sync::Arc, thread};

use lms_sync::{
    ColumnKind, Value,
    mirror::{MirrorReader, Query},
};
use serde_json::{Map, value::to_value};
use tokio::sync::mpsc;

use super::{
    definition::{Definition, ParameterKind},
    parameters::Values,
    sources::Header,
};
use crate::{
    failure::{Failure, conclude},
    jobs::database::Database,
};

/// Number of rows that are read before they are printed.
const CHUNK: usize = 500;

/// The messages of the thread, in this order. Without an end, rows are missing.
pub(super) enum Message {
    Header(Box<Header>),
    Rows(Vec<Row>),
    End,
}

/// A row of a report.
pub(super) type Row = Vec<Value>;

/// A report with the values of its parameters.
pub(super) struct Asked {
    pub(super) report: Definition,
    pub(super) values: Values,
    /// The time that durations count from.
    pub(super) now: String,
}

/// Passes the header and the rows of a report to `take`, until it returns `false`.
pub(super) async fn read(
    database: Database,
    asked: Arc<Asked>,
    mut take: impl AsyncFnMut(Message) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let (sender, mut messages) = mpsc::channel(4);
    let reader = thread::spawn(move || {
        database.read(|mirror| asked.send(mirror, &database.argument(), &sender))
    });
    let mut taken = Ok(true);
    while matches!(taken, Ok(true))
        && let Some(message) = messages.recv().await
    {
        taken = take(message).await;
    }
    drop(messages);
    let read = reader.join();
    conclude(
        read.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        taken.map(drop),
    )
}

impl Asked {
    /// Sends the messages. Blocks.
    fn send(
        &self,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        sender: &mpsc::Sender<Message>,
    ) -> Result<(), Failure> {
        let asked = self.names(mirror)?;
        let header = Header::new(
            (&self.report.name, &self.report.needs),
            mirror.records()?,
            |name, value| {
                let mut asked = asked.iter().filter(|(known, _)| *known == name);
                asked.any(|(_, ids)| ids.iter().all(|id| id == value))
            },
            (self.now.clone(), self.shown()),
            place,
        )?;
        let verdict = header.verdict();
        // Without a receiver, the command has ended.
        let send = |message| drop(sender.blocking_send(message));
        send(Message::Header(Box::new(header)));
        let mut rows = Vec::new();
        let query = Query {
            sql: &self.report.sql,
            parameters: &self.values,
            columns: &self.report.columns,
            order: &self.report.order,
        };
        mirror.query(&query, &mut |row| {
            rows.push(row);
            if rows.len() == CHUNK {
                send(Message::Rows(std::mem::take(&mut rows)));
            }
        })?;
        send(Message::Rows(rows));
        send(Message::End);
        verdict
    }

    /// For each filter, the values that select the objects that parameters name. Not found if there is no object with a name.
    fn names(
        &self,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<Vec<(&'static str, Vec<String>)>, Failure> {
        let records = mirror.records()?;
        let mut names = Vec::new();
        for parameter in &self.report.parameters {
            let value = self
                .values
                .iter()
                .find(|(name, ..)| *name == parameter.name);
            if let (ParameterKind::Name(named), Some((_, _, Value::Text(name)))) =
                (&parameter.kind, value)
                // Without its table, the header names what is missing.
                && records.iter().any(|of| of.collection == named.collection)
            {
                let found = named.find(mirror, name)?;
                names.push((named.filter, found.into_iter().map(|(id, _)| id).collect()));
            }
        }
        Ok(names)
    }

    /// The values of parameters for the header. A file of people is not repeated there.
    fn shown(&self) -> Map<String, serde_json::Value> {
        let shown = self.values.iter().filter(|(name, kind, value)| {
            name != "at" && *kind != ColumnKind::Json && !value.is_null()
        });
        shown
            .filter_map(|(name, _, value)| Some((name.clone(), to_value(value).ok()?)))
            .collect()
    }
}
