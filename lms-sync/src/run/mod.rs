//! Runs: reads collections into a sink, goes on where an earlier run stopped, and reports how complete the result is.
//!
//! The sink works on a thread of its own and takes batches from a short queue, so that writing overlaps with reading. A
//! collection that fails does not stop the others.

mod writer;

use std::{collections::HashMap, fmt, future::Future, pin::Pin};

use futures_util::future::join_all;
use lms_ext::Lms;

use writer::Writer;

use crate::{
    collection::{self, Collection, collection},
    error::{Error, ErrorKind},
    extract::{Batch, Consumer, Extract, check_filter, drive, find_cut},
    plan::{CollectionPlan, Plan},
    protocol::{Sink, Standing},
    record::CompletenessRecord,
};

/// Is told of a collection that is not allowed.
type OnRefusal = dyn FnMut(&'static Collection, &Error) + Send;

/// Reads collections into a sink.
///
/// ```no_run
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
/// use lms_sync::{Export, sink::files::{FilesOptions, FilesSink, Format}};
///
/// let sink = FilesSink::new("out", FilesOptions::new(Format::Csv));
/// let summary = Export::new(&lms)
///     .collections(["learners", "course_completions"])?
///     .on_progress(|progress| eprintln!("{}: {} rows", progress.collection, progress.rows))
///     .run(sink)
///     .await?;
/// assert!(summary.is_complete());
/// # Ok(())
/// # }
/// ```
#[must_use = "an export does nothing until it is run"]
pub struct Export {
    lms: Lms,
    plans: Vec<CollectionPlan>,
    page_size: Option<u32>,
    concurrency: Option<usize>,
    keep_extra: bool,
    ignore_number_found: bool,
    on_progress: Box<dyn FnMut(&RunProgress) + Send>,
    on_refusal: Box<OnRefusal>,
    cancel: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// How far a run is; passed to [`Export::on_progress`] after each page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// The collection that is read.
    pub collection: &'static str,
    /// Its position among the collections of the run, from 1.
    pub position: usize,
    /// The number of collections of the run.
    pub collections: usize,
    /// The rows so far, those before a resume included.
    pub rows: u64,
    /// The pages so far.
    pub pages: u64,
    /// The number of rows that the service stated, if it does.
    pub number_found: Option<i64>,
}

/// What a run did with each collection.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunSummary {
    /// The outcome of each collection, in the order of the run.
    pub collections: Vec<Outcome>,
    /// Whether the run was cancelled. Started again with the same arguments, it goes on.
    pub cancelled: bool,
}

impl RunSummary {
    /// Whether every collection is complete and committed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut outcomes = self.collections.iter();
        outcomes.all(|outcome| outcome.record.complete && outcome.error.is_none())
    }
}

/// What a run did with a collection.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The collection.
    pub collection: &'static Collection,
    /// How it was read. Complete only if it was committed, too.
    pub record: CompletenessRecord,
    /// Why it is not complete.
    pub error: Option<Error>,
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export")
            .field("collections", &self.plans)
            .finish_non_exhaustive()
    }
}

impl Export {
    /// An export of a tenant, at first without collections.
    pub fn new(lms: &Lms) -> Self {
        Self {
            lms: lms.clone(),
            plans: Vec::new(),
            page_size: None,
            concurrency: None,
            keep_extra: true,
            ignore_number_found: false,
            on_progress: Box::new(|_| {}),
            on_refusal: Box::new(|_, _| {}),
            cancel: Box::pin(std::future::pending()),
        }
    }

    /// Adds collections by name. A name that was added before is ignored.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if there is no such collection.
    pub fn collections<'a>(
        mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        for name in names {
            let known = collection(name).ok_or_else(|| unknown(name))?;
            if !self.plans.iter().any(|plan| plan.name == name) {
                self.plans.push(CollectionPlan::new(known));
            }
        }
        Ok(self)
    }

    /// Reads only the rows of a collection that a [filter](Collection::filters) selects.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the collection was not added, or its operation has no such filter.
    pub fn filter(mut self, name: &str, filter: &str, value: &str) -> Result<Self, Error> {
        let plan = self.planned(name)?;
        let known = collection(name).ok_or_else(|| unknown(name))?;
        check_filter(known, filter, value)?;
        plan.filters.insert(filter.to_owned(), value.to_owned());
        Ok(self)
    }

    /// Reads a list in parts, several of them concurrently, if the service's numbers show that the parts are the whole list:
    /// see [`Extract::cut`].
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the collection was not added, or cannot be cut by this filter.
    pub fn cut(mut self, name: &str, filter: &str) -> Result<Self, Error> {
        let known = collection(name).ok_or_else(|| unknown(name))?;
        find_cut(known, filter)?;
        self.planned(name)?.cut = Some(filter.to_owned());
        Ok(self)
    }

    /// The plan of a collection that was added.
    fn planned(&mut self, name: &str) -> Result<&mut CollectionPlan, Error> {
        let mut plans = self.plans.iter_mut();
        plans.find(|plan| plan.name == name).ok_or_else(|| {
            Error::usage(format!("{name} is not exported; add the collection first"))
        })
    }

    /// The number of items to ask for in each page; by default the service decides.
    pub fn page_size(mut self, items: u32) -> Self {
        self.page_size = Some(items);
        self
    }

    /// The maximum number of calls in flight for a collection that is [derived](Collection::is_derived) or
    /// [cut](Self::cut); 8 by default, and never more than the client allows. A run may go on with another number.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = Some(calls);
        self
    }

    /// Leaves `_extra` empty, instead of keeping the fields that have no column.
    pub fn without_extra(mut self) -> Self {
        self.keep_extra = false;
        self
    }

    /// Does not take `number_found` for the number of rows: a list that ends after fewer rows may be complete. What the
    /// service counts is not documented.
    pub fn ignore_number_found(mut self) -> Self {
        self.ignore_number_found = true;
        self
    }

    /// Calls `listener` after each page.
    pub fn on_progress(mut self, listener: impl FnMut(&RunProgress) + Send + 'static) -> Self {
        self.on_progress = Box::new(listener);
        self
    }

    /// Calls `listener` for each collection that the credentials do not allow, before anything is read.
    ///
    /// A run of several collections asks for one item of each of their lists first. The refused ones
    /// [fail](Outcome::error), and the others are read.
    pub fn on_refusal(
        mut self,
        listener: impl FnMut(&'static Collection, &Error) + Send + 'static,
    ) -> Self {
        self.on_refusal = Box::new(listener);
        self
    }

    /// Stops the run at a checkpoint when the future completes, for example after Ctrl-C.
    pub fn cancel_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.cancel = Box::pin(signal);
        self
    }

    fn plan(&self) -> Plan {
        let mut plan = Plan::new(self.lms.base_url(), self.plans.clone());
        let options = [
            (
                "page size",
                self.page_size
                    .map_or_else(String::new, |items| items.to_string()),
            ),
            ("extra fields", self.keep_extra.to_string()),
            ("ignore number_found", self.ignore_number_found.to_string()),
        ];
        for (name, value) in options {
            plan.options.insert(name.to_owned(), value);
        }
        plan
    }

    /// Runs the export, or goes on with one that was interrupted.
    ///
    /// # Errors
    ///
    /// What is known before anything is read: an export without collections, and the errors of [`Sink::begin`]. The failure
    /// of a collection is in its [`Outcome`] instead.
    ///
    /// # Panics
    ///
    /// Outside of a Tokio runtime, and if the sink panics.
    pub async fn run(mut self, sink: impl Sink + 'static) -> Result<RunSummary, Error> {
        if self.plans.is_empty() {
            return Err(Error::usage("no collection is exported; name at least one"));
        }
        for plan in &self.plans {
            let known = plan.collection().ok_or_else(|| unknown(&plan.name))?;
            self.extract(plan, known)?.check()?;
        }
        let (mut writer, standings) = Writer::begin(sink, self.plan()).await?;
        let mut summary = RunSummary {
            collections: Vec::new(),
            cancelled: false,
        };
        let plans = std::mem::take(&mut self.plans);
        let mut refused = self.find_refused(&plans, &standings).await?;
        let total = plans.len();
        for (index, (plan, standing)) in plans.iter().zip(standings).enumerate() {
            let known = plan.collection().ok_or_else(|| unknown(&plan.name))?;
            let outcome = if let Standing::Done(record) = standing {
                Outcome {
                    collection: known,
                    record: *record,
                    error: None,
                }
            } else {
                let mut extract = self.extract(plan, known)?;
                if let Standing::Resume(checkpoint) = standing {
                    let keys = writer.keys(known).await?;
                    extract = extract.resume(&checkpoint)?;
                    if let Some(keys) = keys {
                        extract = extract.with_seen(keys);
                    }
                }
                match refused.remove(known.name) {
                    Some(error) => give_up(&extract, &mut writer, error).await,
                    None => self.read(extract, &mut writer, (index + 1, total)).await,
                }
            };
            let cancelled = outcome
                .error
                .as_ref()
                .is_some_and(|error| error.kind() == ErrorKind::Cancelled);
            summary.collections.push(outcome);
            if cancelled {
                summary.cancelled = true;
                break;
            }
        }
        writer.end().await?;
        Ok(summary)
    }

    /// The collections that are not allowed, of those after the first one: that is asked for next anyway.
    async fn find_refused(
        &mut self,
        plans: &[CollectionPlan],
        standings: &[Standing],
    ) -> Result<HashMap<&'static str, Error>, Error> {
        let unread = plans
            .iter()
            .zip(standings)
            .filter(|(_, standing)| !matches!(standing, Standing::Done(_)));
        let mut extracts = Vec::new();
        for (plan, _) in unread.skip(1) {
            let known = plan.collection().ok_or_else(|| unknown(&plan.name))?;
            extracts.push(self.extract(plan, known)?);
        }
        let checks = extracts.iter().map(Extract::check_access);
        let mut refused = HashMap::new();
        for (extract, checked) in extracts.iter().zip(join_all(checks).await) {
            if let Err(error) = checked {
                (self.on_refusal)(extract.collection(), &error);
                refused.insert(extract.collection().name, error);
            }
        }
        Ok(refused)
    }

    fn extract(&self, plan: &CollectionPlan, known: &'static Collection) -> Result<Extract, Error> {
        let mut extract = Extract::new(&self.lms, known);
        for (name, value) in &plan.filters {
            extract = extract.filter(name, value)?;
        }
        if let Some(filter) = &plan.cut {
            extract = extract.cut(filter)?;
        }
        if let Some(items) = self.page_size {
            extract = extract.page_size(items);
        }
        if let Some(calls) = self.concurrency {
            extract = extract.concurrency(calls);
        }
        if !self.keep_extra {
            extract = extract.without_extra();
        }
        if self.ignore_number_found {
            extract = extract.ignore_number_found();
        }
        Ok(extract)
    }

    /// Reads a collection to its end, and commits or aborts it.
    async fn read(
        &mut self,
        mut extract: Extract,
        writer: &mut Writer,
        (position, collections): (usize, usize),
    ) -> Outcome {
        let collection = extract.collection();
        let mut destination = Destination {
            writer,
            collection,
            position,
            collections,
            on_progress: &mut *self.on_progress,
        };
        let read = drive(&mut extract, &mut destination, &mut self.cancel).await;
        let committed = match read {
            Ok(()) => {
                let record = extract.record();
                let committed = writer.commit(collection, record.clone()).await;
                committed.map(|()| record)
            }
            Err(error) => Err(error),
        };
        match committed {
            Ok(record) => Outcome {
                collection,
                record,
                error: None,
            },
            Err(error) => give_up(&extract, writer, error).await,
        }
    }
}

/// Aborts a collection because of an error.
async fn give_up(extract: &Extract, writer: &mut Writer, error: Error) -> Outcome {
    let collection = extract.collection();
    let record = extract.record_of_failure(&error);
    let aborted = writer.abort(collection, record.clone()).await;
    Outcome {
        collection,
        record,
        error: Some(aborted.err().unwrap_or(error)),
    }
}

/// Passes batches to the thread of the sink, and reports progress.
struct Destination<'a> {
    writer: &'a mut Writer,
    collection: &'static Collection,
    position: usize,
    collections: usize,
    on_progress: &'a mut (dyn FnMut(&RunProgress) + Send),
}

impl Consumer for Destination<'_> {
    async fn take(&mut self, batch: Batch) -> Result<(), Error> {
        (self.on_progress)(&RunProgress {
            collection: self.collection.name,
            position: self.position,
            collections: self.collections,
            rows: batch.checkpoint.rows(),
            pages: batch.checkpoint.pages(),
            number_found: batch.checkpoint.number_found(),
        });
        self.writer.write(batch).await
    }

    async fn restart(&mut self) -> Result<(), Error> {
        self.writer.restart(self.collection).await
    }
}

fn unknown(name: &str) -> Error {
    Error::usage(format!(
        "there is no collection {name:?}; there are {}",
        collection::names()
    ))
}
