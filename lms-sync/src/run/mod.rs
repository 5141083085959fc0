//! Runs an export: reads collections into a sink one after the other, and handles failures.
//!
//! The sink works on other threads, so that writing overlaps with reading. A collection that fails does not stop the others.

mod export;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod from_mirror;
mod lookup;
mod summary;
mod writer;

use std::time::Duration;

pub use export::Export;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use from_mirror::export_mirror;
pub use summary::{Outcome, RunProgress, RunSummary};

use writer::Writer;

use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    extract::{Batch, Budget, Consumer, Extract, drive, identity},
    protocol::{CollectionState, Lookups, Sink},
    record::{Completeness, CompletenessRecord, age_of},
};

/// An extract of the rows that are not stored, with the observations of the last run.
async fn begin(
    extract: Extract,
    state: CollectionState,
    writer: &mut Writer,
) -> Result<Extract, Error> {
    let collection = extract.collection();
    let extract = match state {
        CollectionState::Fresh => extract,
        CollectionState::Resume(checkpoint) if checkpoint.has_columns_of(collection) => {
            let keys = writer.keys(collection).await?;
            extract.resume_with(&checkpoint, keys)?
        }
        // The stored rows have other columns, or are too old.
        CollectionState::Resume(_) | CollectionState::Done(_) => {
            writer.call(move |sink| sink.restart(collection)).await?;
            extract
        }
    };
    let previous = writer.call(move |sink| sink.previous(collection)).await?;
    Ok(match previous {
        Some(record) => extract.after(&record),
        None => extract,
    })
}

impl Export {
    /// Runs the export, or continues an interrupted one. Returns when every collection has been tried or the run was
    /// cancelled.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) for an export without collections, or with a partition that cannot be checked;
    /// [`Tenant`](crate::ErrorKind::Tenant) when the tenant cannot be reached or does not accept the credentials;
    /// [`Locked`](crate::ErrorKind::Locked) with the process and the host when another run uses the destination;
    /// [`OtherRun`](crate::ErrorKind::OtherRun) with the differences when it has an unfinished run with other arguments, or the
    /// data of another tenant; [`Foreign`](crate::ErrorKind::Foreign) when it has something that no export wrote;
    /// [`Permission`](crate::ErrorKind::Permission) and [`Destination`](crate::ErrorKind::Destination) for its other failures. If
    /// a collection fails, the error is in its [`Outcome`] instead, and the others are read.
    ///
    /// # Panics
    ///
    /// Outside of a Tokio runtime, and if the sink panics.
    pub async fn run(mut self, sink: impl Sink + 'static) -> Result<RunSummary, Error> {
        self.sort();
        let extracts = self.extracts()?;
        let tenant = identity(&self.lms).await?;
        let plan = self.plan(tenant.tenant_id.clone());
        let mut writer = Writer::new(sink);
        let states = writer.call(move |sink| sink.begin(&plan)).await?;
        let mut summary = RunSummary::default();
        let (total, mut left) = (extracts.len(), self.max_requests);
        for (position, (mut extract, state)) in (1..).zip(extracts.into_iter().zip(states)) {
            let collection = extract.collection();
            let extract = match state {
                CollectionState::Done(record) if !is_older(&record, self.max_age) => {
                    summary.collections.push(Outcome {
                        collection,
                        record: *record,
                        error: None,
                    });
                    continue;
                }
                state => {
                    extract.tenant = Some(tenant.clone());
                    begin(extract, state, &mut writer).await?
                }
            };
            let hopeless = summary.is_unreachable();
            let budget = left.map(|left| left / (total - position + 1) as u64);
            let number = (position, total);
            let outcome = self
                .outcome(extract, &mut writer, number, budget, hopeless)
                .await?;
            left = left.map(|left| left.saturating_sub(outcome.record.requests));
            let error = outcome.error.as_ref();
            summary.cancelled = error.is_some_and(|error| error.kind() == ErrorKind::Cancelled);
            summary.collections.push(outcome);
            if summary.cancelled {
                break;
            }
        }
        if !summary.cancelled {
            publish(&mut summary, &mut writer).await?;
        }
        writer.call(|sink| sink.end()).await?;
        Ok(summary)
    }

    /// Reads a collection to its end, unless it is known that this is hopeless, and commits or aborts it.
    async fn outcome(
        &mut self,
        mut extract: Extract,
        writer: &mut Writer,
        (position, collections): (usize, usize),
        budget: Option<u64>,
        is_hopeless: bool,
    ) -> Result<Outcome, Error> {
        let collection = extract.collection();
        let progress = RunProgress {
            collection: collection.name,
            position,
            collections,
            rows: 0,
            pages: 0,
            number_found: None,
            budget: budget.filter(|_| collection.is_derived()),
        };
        if let (Some(requests), false) = (progress.budget, is_hopeless) {
            let reads = writer.call(move |sink| sink.reads(collection)).await?;
            let reads = reads.ok_or_else(|| {
                Error::usage(format!(
                    "{} cannot be read within a budget here: only a mirror keeps the rows of earlier runs; remove `max_requests`",
                    collection.name
                ))
            })?;
            extract.reading.budget = Some(Budget::new(requests, self.refresh_within, reads));
        }
        let read = match is_hopeless {
            true => Err(ErrorKind::Tenant.error(
                "it was not tried, because the tenant could not be reached for several minutes",
            )),
            false => self.read(&mut extract, writer, progress).await,
        };
        let (record, error) = match read {
            Ok(record) => (record, None),
            Err(error) => {
                let record = extract.record_of_failure(&error);
                let aborted = writer.abort(collection, record.clone()).await;
                (record, Some(aborted.err().unwrap_or(error)))
            }
        };
        Ok(Outcome {
            collection,
            record,
            error,
        })
    }

    /// Reads a collection to its end, and commits it. Returns its record.
    async fn read(
        &mut self,
        extract: &mut Extract,
        writer: &mut Writer,
        progress: RunProgress,
    ) -> Result<CompletenessRecord, Error> {
        let collection = extract.collection();
        let mut destination = Destination {
            writer,
            collection,
            progress,
            on_progress: &mut *self.on_progress,
        };
        let mut read = drive(extract, &mut destination, &mut self.cancel).await;
        if let Some(budget) = &extract.reading.budget {
            let reads = budget.reads.clone();
            let set = writer.call(move |sink| sink.set_reads(collection, reads));
            read = read.and(set.await);
        }
        read?;
        // Nothing is deleted because of a list that changed.
        let record = extract.record();
        let lookups = match record.is_complete() {
            true => {
                let tenant = extract.tenant.clone();
                lookup::missing(&self.lms, collection, tenant, writer, &mut self.cancel).await?
            }
            false => Lookups::new(),
        };
        let of_sink = record.clone();
        let commit = writer.call(move |sink| sink.commit(collection, &of_sink, lookups));
        commit.await.map(|()| record)
    }
}

/// Returns `true` if a collection was read longer ago than `age`.
fn is_older(record: &CompletenessRecord, age: Duration) -> bool {
    age_of(&record.ended).is_none_or(|since| since > age)
}

/// Publishes the collections that are committed.
async fn publish(summary: &mut RunSummary, writer: &mut Writer) -> Result<(), Error> {
    for (collection, error) in writer.call(|sink| sink.publish()).await? {
        if let Some(record) = summary.refuse(collection, error) {
            writer.abort(collection, record).await?;
        }
    }
    for outcome in &mut summary.collections {
        let (collection, record) = (outcome.collection, &outcome.record);
        let had_budget =
            record.oldest_read.is_some() || record.completeness == Completeness::Partial;
        // After a run with a budget, the record is about all rows that the sink has.
        if outcome.error.is_none()
            && had_budget
            && let Some(record) = writer.call(move |sink| sink.previous(collection)).await?
        {
            outcome.record = record;
        }
    }
    Ok(())
}

/// Passes batches to the sink, and reports progress.
struct Destination<'a> {
    writer: &'a mut Writer,
    collection: &'static Collection,
    progress: RunProgress,
    on_progress: &'a mut (dyn FnMut(&RunProgress) + Send),
}

impl Consumer for Destination<'_> {
    async fn take(&mut self, batch: Batch) -> Result<(), Error> {
        let (at, progress) = (&batch.checkpoint, &mut self.progress);
        (progress.rows, progress.pages) = (at.rows(), at.pages());
        // The number of a derived collection counts the items of a list, and not its rows.
        let number_found = at.number_found();
        progress.number_found = number_found.filter(|_| !self.collection.is_derived());
        (self.on_progress)(progress);
        self.writer.write(batch).await
    }

    async fn restart(&mut self) -> Result<(), Error> {
        let collection = self.collection;
        self.writer.call(move |sink| sink.restart(collection)).await
    }
}
