//! Reads the rows of a report, on a thread of its own.

use std::{mem, sync::Arc, thread};

use lms_sync::{
    Collection, ColumnKind,
    mirror::{MirrorReader, Query},
};
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::{
    asked::Asked,
    group::Counted,
    key::Values,
    only::Filter,
    row::{NamedRow, Row},
    sources::{Header, left_out},
    standing,
};
use crate::{failure::Failure, jobs::database::Database};

/// Number of rows that are read before they are printed.
const CHUNK: usize = 500;

/// A message of the thread: rows, the first ones with the header.
pub(super) type Message = (Option<Box<Header>>, Vec<Row>);

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

/// A report on a mirror, with ids in place of names.
pub(super) struct Opened {
    pub(super) asked: Asked,
    filters: Vec<Filter>,
    /// The values of the keys by which rows are counted.
    pub(super) groups: Vec<Values>,
    pub(super) header: Header,
}

impl Opened {
    /// Passes the rows that meet the conditions to `take`, with the values of the groups. Blocks.
    ///
    /// # Errors
    ///
    /// Those of the mirror, and not found if a condition has a value that neither a row nor a learner has.
    pub(super) fn rows(
        &mut self,
        mirror: &mut MirrorReader<'_>,
        take: &mut dyn FnMut(&NamedRow<'_>, &[Values]),
    ) -> Result<(), Failure> {
        let (asked, query, filters) = (&self.asked, self.asked.query(), &mut self.filters);
        mirror.query(&query, &mut |found| {
            let row = match asked.rules.as_ref().filter(|_| asked.report.decides()) {
                Some(rules) => {
                    let found = NamedRow(query.columns, &found);
                    standing::row(rules, asked.now, &found, &asked.report.columns)
                }
                None => Some(found),
            };
            let Some(row) = row else { return };
            let row = NamedRow(&asked.report.columns, &row);
            // Each of them sees each row.
            let met = filters.iter_mut().map(|filter| filter.meets(&row));
            if met.filter(|is_met| !is_met).count() == 0 {
                take(&row, &self.groups);
            }
        })?;
        let mut filters = self.filters.iter_mut();
        filters.try_for_each(|filter| filter.check(&asked.report, asked.rules.as_ref(), mirror))
    }
}

impl Asked {
    /// Finds the objects that the report names, and what it rests on. Blocks.
    pub(super) fn opened(
        &self,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        tenant: Option<&str>,
    ) -> Result<Opened, Failure> {
        let (mut asked, chosen) = self.resolved(mirror)?;
        // Before the values of a field are asked for, which cost many requests.
        let keys = self.only.iter().map(|one| &one.key).chain(&self.groups);
        let values = keys.map(|key| key.values(&asked.report, mirror, tenant));
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        let groups = values.split_off(self.only.len());
        asked.add_needs(mirror)?;
        let mut header = Header::read(&asked, mirror, chosen, place)?;
        let filters = asked.only.iter().zip(values);
        let filters = filters
            .map(|(one, values)| one.of_mirror(values, &asked.report, mirror, &mut header.notes));
        let filters = filters.collect::<Result<_, _>>()?;
        header.left_out = left_out(&asked, mirror)?;
        Ok(Opened {
            asked,
            filters,
            groups,
            header,
        })
    }

    /// The query for the rows.
    fn query(&self) -> Query<'_> {
        let report = &self.report;
        Query {
            sql: &report.sql,
            parameters: &self.values,
            columns: match report.decides() {
                true => &report.facts,
                false => &report.columns,
            },
            order: &report.order,
        }
    }

    /// Adds the collections that the queries read and the header of a report lacks, unless one of those that it has is not
    /// mirrored. The empty table of a collection that was never mirrored would look like a tenant without such rows.
    fn add_needs(&mut self, mirror: &mut MirrorReader<'_>) -> Result<(), Failure> {
        let records = mirror.records()?;
        let is_read = |known: &Collection| records.iter().any(|of| of.collection == known.name);
        if !self.report.needs.iter().all(|known| is_read(known)) {
            return Ok(());
        }
        let counted = [("n".to_owned(), ColumnKind::Integer)];
        let mut needs = mirror.collections_of(&self.query())?;
        for check in &self.report.checks {
            let count = Query {
                sql: &check.sql,
                columns: &counted,
                order: &[],
                ..self.query()
            };
            needs.extend(mirror.collections_of(&count)?);
        }
        let names: Vec<&str> = needs.iter().map(|known| known.name).collect();
        self.report.also_needs(&names);
        Ok(())
    }

    /// Sends the messages. Blocks.
    fn send(
        &self,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        sender: &mpsc::Sender<Message>,
    ) -> Result<Verdict, Failure> {
        let mut opened = self.opened(mirror, place, None)?;
        let verdict = opened.header.verdict();
        // With the first rows, because the report may have no answer.
        let mut header = Some(Box::new(mem::take(&mut opened.header)));
        // Without a receiver, the command has ended.
        let mut send_rows = |rows| drop(sender.blocking_send((header.take(), rows)));
        let mut rows = Vec::new();
        let mut take = |row| {
            rows.push(row);
            if rows.len() == CHUNK {
                send_rows(mem::take(&mut rows));
            }
        };
        match self.groups.is_empty() {
            true => opened.rows(mirror, &mut |row, _| take(row.select(&self.columns)))?,
            false => {
                let mut counted = Counted::by(self.groups.clone());
                opened.rows(mirror, &mut |row, values| counted.add(row, values, None))?;
                counted.rows(&self.columns, &mut take);
            }
        }
        send_rows(rows);
        Ok(verdict)
    }
}

/// Rows of a query as JSON objects.
pub(super) fn objects(
    columns: &[(String, ColumnKind)],
    rows: &[Row],
) -> Result<Vec<Box<RawValue>>, Failure> {
    let objects = rows.iter().map(|row| to_raw_value(&NamedRow(columns, row)));
    Ok(objects.collect::<Result<_, _>>()?)
}
