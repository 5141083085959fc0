//! Reads the rows of a report, on a thread of its own.

use std::{sync::Arc, thread};

use lms_sync::{
    ColumnKind, Value,
    mirror::{MirrorReader, Query},
};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::{
    asked::Asked,
    checks, only,
    required::Resolved,
    row::{NamedRow, Row},
    sources::Header,
};
use crate::{failure::Failure, jobs::database::Database};

/// Number of rows that are read before they are printed.
const CHUNK: usize = 500;

/// The messages of the thread: the header first.
pub(super) enum Message {
    Header(Box<Header>),
    Rows(Vec<Row>),
}

/// An error if a collection of the report was not complete.
pub(super) type Verdict = Result<(), Failure>;

/// Passes the header and the rows of a report to `take`, until it returns `false`. With an error, rows are missing.
pub(super) async fn read(
    database: Database,
    asked: Arc<Asked>,
    mut take: impl AsyncFnMut(Message) -> Result<bool, Failure>,
) -> Result<Verdict, Failure> {
    let (sender, mut messages) = mpsc::channel(4);
    let reader = thread::spawn(move || {
        database.read(|mirror| asked.send(mirror, &database.argument(), &sender))
    });
    while let Some(message) = messages.recv().await
        && take(message).await?
    {}
    drop(messages);
    let read = reader.join();
    read.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Asked {
    /// The report with ids in place of names, its rules, and its header. Blocks.
    pub(super) fn opened(
        &self,
        mirror: &mut MirrorReader<'_>,
        place: &str,
    ) -> Result<(Self, Option<Resolved>, Header), Failure> {
        let (mut asked, mut chosen) = self.resolved(mirror)?;
        let required = Resolved::of(&mut asked, mirror, &mut chosen.shown)?;
        only::apply(&mut asked, mirror)?;
        let read = (mirror.records()?, mirror.statuses()?);
        let mut header = Header::new(&asked, read, chosen, place)?;
        header.left_out = checks::run(&mut asked, mirror)?;
        Ok((asked, required, header))
    }

    /// Passes the rows with these columns to `take`. Blocks.
    pub(super) fn rows(
        &self,
        required: Option<Resolved>,
        mirror: &mut MirrorReader<'_>,
        columns: &[(String, ColumnKind)],
        take: &mut dyn FnMut(Row),
    ) -> Result<(), Failure> {
        if let Some(required) = required {
            return required.read(self, mirror, columns, take);
        }
        let query = Query {
            sql: &self.report.sql,
            parameters: &self.values,
            columns,
            order: &self.report.order,
        };
        Ok(mirror.query(&query, take)?)
    }

    /// Sends the messages. Blocks.
    fn send(
        &self,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        sender: &mpsc::Sender<Message>,
    ) -> Result<Verdict, Failure> {
        let (asked, required, header) = self.opened(mirror, place)?;
        let verdict = header.verdict();
        // Without a receiver, the command has ended.
        let send = |message| drop(sender.blocking_send(message));
        send(Message::Header(Box::new(header)));
        let mut rows = Vec::new();
        let mut take = |row| {
            rows.push(row);
            if rows.len() == CHUNK {
                send(Message::Rows(std::mem::take(&mut rows)));
            }
        };
        match &asked.groups {
            None => asked.rows(required, mirror, &asked.report.columns, &mut take)?,
            Some(groups) => {
                let mut counted = groups.counted();
                counted.begin(mirror, None)?;
                asked.rows(required, mirror, &groups.columns, &mut |row| {
                    counted.add(&NamedRow(&groups.columns, &row));
                })?;
                counted.rows(&asked.report.columns, &mut take);
            }
        }
        send(Message::Rows(rows));
        Ok(verdict)
    }
}

/// A row as an object.
struct Object<'a>(&'a [(String, ColumnKind)], &'a [Value]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, _)| name).zip(self.1))
    }
}

/// Rows of a query as JSON objects.
pub(super) fn objects(
    columns: &[(String, ColumnKind)],
    rows: &[Row],
) -> Result<Vec<Box<RawValue>>, Failure> {
    let objects = rows.iter().map(|row| to_raw_value(&Object(columns, row)));
    Ok(objects.collect::<Result<_, _>>()?)
}
