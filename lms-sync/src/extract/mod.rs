//! Extract: reads one collection as batches of rows, and accounts for every page.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
//! use lms_sync::{Extract, collection};
//!
//! let enrolments = collection("enrolments").unwrap();
//! let mut extract = Extract::new(&lms, enrolments).filter("course", "c1")?;
//! while let Some(batch) = extract.next_batch().await? {
//!     // Store the rows and `batch.checkpoint` in one step.
//! }
//! println!("{:#?}", extract.record());
//! # Ok(())
//! # }
//! ```

mod access;
mod checkpoint;
mod drive;
mod evidence;
#[cfg(feature = "sink-kit")]
mod extracted;
mod for_each;
mod identity;
mod list;
mod page;
mod pager;
mod partition;
mod parts;
mod position;
mod progress;
mod reading;
mod seen;

use lms_ext::Lms;

pub use checkpoint::ExtractCheckpoint;
pub(crate) use drive::{Consumer, drive};
#[cfg(feature = "sink-kit")]
pub use evidence::signs;
#[cfg(feature = "sink-kit")]
pub(crate) use extracted::Extracted;
pub(crate) use identity::identity;
pub(crate) use reading::{check_filter, find_partition};
pub(crate) use seen::SeenKeys;

use evidence::Sign;
use page::RawPage;
use pager::Pager;
use position::Position;
use progress::Progress;
use reading::Reading;

use crate::{
    collection::{Collection, Row, RowReader, time_zone},
    error::{Error, ErrorKind},
    record::{Completeness, CompletenessRecord},
};

/// The rows of a page, and the position after them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The collection.
    pub collection: &'static Collection,
    /// The rows, without duplicates of earlier rows. May be empty.
    pub rows: Vec<Row>,
    /// The position after these rows.
    pub checkpoint: ExtractCheckpoint,
}

/// Reads one collection.
///
/// Requests are retried and limited by the client. After an error, the extract can be continued with
/// [`next_batch`](Self::next_batch), which requests the same page again.
#[must_use = "an extract sends no request until a batch is asked for"]
#[derive(Debug)]
pub struct Extract {
    lms: Lms,
    collection: &'static Collection,
    reading: Reading,
    reader: RowReader,
    pager: Option<Pager>,
    position: Position,
    progress: Progress,
    seen: SeenKeys,
    accept_changes: bool,
    /// The tenant that the credentials belong to. `None` until it is known.
    tenant_id: Option<String>,
}

impl Extract {
    /// All rows of a collection.
    pub fn new(lms: &Lms, collection: &'static Collection) -> Self {
        Self {
            lms: lms.clone(),
            collection,
            reading: Reading::default(),
            reader: RowReader::new(collection),
            pager: None,
            position: Position::Start,
            progress: Progress::new(),
            seen: SeenKeys::default(),
            accept_changes: false,
            tenant_id: None,
        }
    }

    /// Reads only the rows that a [filter](Collection::filters) of the operation selects, for example `course` of
    /// enrolments.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the operation has no such filter, or the value is empty.
    pub fn filter(mut self, name: &str, value: impl Into<String>) -> Result<Self, Error> {
        let value = value.into();
        check_filter(self.collection, name, &value)?;
        self.reading.filters.insert(name.to_owned(), value);
        Ok(self)
    }

    /// The number of items to request in each page. By default, the service decides.
    pub fn page_size(mut self, items: u32) -> Self {
        self.reading.page_size = Some(items);
        self
    }

    /// Reads the list in parts, several of them concurrently, by one of the filters in [`partitions`](Collection::partitions): the
    /// enrolments of each course, for example.
    ///
    /// This is faster if responses take long. `number_found` of the list must be the sum of those of the parts:
    ///
    /// - Before the first part. If it is not, or if reading the parts would not be faster, the list is read without
    ///   parts, and the record [says why](CompletenessRecord::not_partitioned_because).
    /// - After the last part. If it is not, [`next_batch`](Self::next_batch) fails and the record is not complete.
    ///
    /// Rows come in another order than without parts.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the list cannot be partitioned by this filter.
    pub fn partition_by(mut self, filter: &str) -> Result<Self, Error> {
        self.reading.partitioning = Some(find_partition(self.collection, filter)?);
        Ok(self)
    }

    /// The maximum number of calls in flight for a collection that is [derived](Collection::is_derived) or
    /// [partitioning](Self::partition_by); 8 by default, and never more than the client allows.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.reading.concurrency = calls.max(1);
        self
    }

    /// Does not compare `number_found` with the number of rows: a list that ends after fewer rows may be complete.
    pub fn ignore_number_found(mut self) -> Self {
        self.reading.ignore_count = true;
        self
    }

    /// Uses the observations of an earlier run: a list that had a count and has none now is not complete.
    pub fn after(mut self, record: &CompletenessRecord) -> Self {
        self.reading.was_counted = record.number_found_last.is_some();
        self
    }

    /// Starts with this tenant, which was asked for before.
    pub(crate) fn of_tenant(mut self, tenant_id: String) -> Self {
        self.tenant_id = Some(tenant_id);
        self
    }

    /// Leaves out the fields that have no column. `_extra` then has only values that do not fit their column.
    pub fn without_extra(mut self) -> Self {
        self.reader = self.reader.without_extra();
        self
    }

    /// Takes timestamps without a time zone for those of a zone, such as `Europe/Berlin` or `+02:00`. By default, their columns
    /// in UTC are null.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if there is no such zone, or this system has no list of zones.
    pub fn time_zone(mut self, name: &str) -> Result<Self, Error> {
        self.reader = self.reader.in_zone(time_zone(name)?);
        Ok(self)
    }

    /// Continues after a checkpoint of the same collection with the same filters.
    ///
    /// A checkpoint does not contain the keys of earlier rows: pass them to [`mark_seen`](Self::mark_seen).
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the checkpoint belongs to another collection, or has a format that this release does
    /// not read. A checkpoint of another tenant ([`OtherRun`](ErrorKind::OtherRun)) or of other filters is refused by the first
    /// [`next_batch`](Self::next_batch).
    pub fn resume(mut self, checkpoint: &ExtractCheckpoint) -> Result<Self, Error> {
        checkpoint.check(self.collection)?;
        self.position = checkpoint.position.clone();
        self.progress = checkpoint.progress.clone();
        self.progress.resumes += 1;
        self.progress.all_keys = self.progress.rows == 0;
        self.seen = SeenKeys::default();
        self.pager = None;
        Ok(self)
    }

    /// Passes the [fingerprints](Row::key_fingerprint) of the keys of all rows before the checkpoint, so that duplicates of
    /// these rows are dropped.
    ///
    /// # Errors
    ///
    /// [`Destination`](ErrorKind::Destination) when there are many keys and the temporary file for them cannot be written.
    pub fn mark_seen(self, keys: impl IntoIterator<Item = u128>) -> Result<Self, Error> {
        let mut this = self.mark_some_seen(keys)?;
        this.progress.all_keys = true;
        Ok(this)
    }

    /// Passes the fingerprints of some of the keys, so that duplicates of these rows are dropped. Duplicates of other rows are
    /// not recognised.
    pub(crate) fn mark_some_seen(
        mut self,
        keys: impl IntoIterator<Item = u128>,
    ) -> Result<Self, Error> {
        for key in keys {
            self.seen.insert(key)?;
        }
        Ok(self)
    }

    pub(crate) fn with_seen(mut self, seen: SeenKeys) -> Self {
        self.seen = seen;
        self.progress.all_keys = true;
        self
    }

    /// The collection.
    #[must_use]
    pub fn collection(&self) -> &'static Collection {
        self.collection
    }

    /// Accepts a list that changed each time it was read.
    pub(crate) fn accept_changes(mut self) -> Self {
        self.accept_changes = true;
        self
    }

    /// Goes back to the start, because the list changed while it was read.
    fn read_again(&mut self) {
        let readings = self.progress.readings + 1;
        self.restart();
        self.progress.readings = readings;
    }

    /// Goes back to the start, as if nothing had been read.
    fn restart(&mut self) {
        self.position = Position::Start;
        self.progress = Progress::new();
        self.seen = SeenKeys::default();
        self.pager = None;
    }

    /// Refuses a partition that cannot be made or checked.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.reading.check(self.collection)
    }

    /// Fails if the lists that this reads do not exist or are not allowed.
    pub(crate) async fn check_access(&self) -> Result<(), Error> {
        access::check(&self.lms, self.collection, &self.reading).await
    }

    /// The next batch; `None` after the last one. The rows are complete only if the [record](Self::record) then says so: the
    /// list may have changed while it was read.
    ///
    /// # Errors
    ///
    /// [`Tenant`](ErrorKind::Tenant) when a request fails; [`Incomplete`](ErrorKind::Incomplete) when reading ends
    /// although the service counts more rows, or its pages contradict each other; [`Usage`](ErrorKind::Usage) when the
    /// checkpoint or the partition does not fit; [`Destination`](ErrorKind::Destination) when the keys of many rows
    /// cannot be kept in a temporary file.
    pub async fn next_batch(&mut self) -> Result<Option<Batch>, Error> {
        if self.progress.finished {
            return Ok(None);
        }
        if self.pager.is_none() {
            self.check()?;
            self.check_tenant().await?;
        }
        let pager = match &mut self.pager {
            Some(pager) => pager,
            None => self.pager.insert(Pager::new(
                &self.lms,
                self.collection,
                &self.reading,
                &self.position,
            )?),
        };
        let outcome = pager.next().await;
        self.progress.count_requests(pager.take_requests());
        if let Some(partitioning) = pager.partitioning() {
            self.progress.partitioning.clone_from(partitioning);
        }
        let Some(page) = outcome? else {
            let tenant_id = identity(&self.lms).await?;
            self.progress.finish(self.collection, &tenant_id);
            let (completeness, because) = self.progress.completeness();
            if completeness == Completeness::Incomplete {
                return Err(Error::new(
                    ErrorKind::Incomplete,
                    format!(
                        "{} is not complete: {}; start the run again",
                        self.collection.name,
                        because.join("; ")
                    ),
                ));
            }
            return Ok(None);
        };
        self.position = pager.position();
        self.batch(page).map(Some)
    }

    /// Fails if the checkpoint belongs to another tenant than the credentials.
    async fn check_tenant(&mut self) -> Result<(), Error> {
        let now = match self.tenant_id.take() {
            Some(known) => known,
            None => identity(&self.lms).await?,
        };
        let before = self.progress.tenant_id.get_or_insert_with(|| now.clone());
        if *before == now {
            self.tenant_id = Some(now);
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OtherRun,
            format!(
                "the checkpoint belongs to the tenant {before}, and the credentials to {now}; start again without it"
            ),
        ))
    }

    fn batch(&mut self, page: RawPage) -> Result<Batch, Error> {
        let mut rows = Vec::with_capacity(page.items.len());
        self.progress.count_page(&page);
        for (item, fill) in page.items {
            let mut row = self.reader.read(item.get()).ok_or_else(|| {
                Error::new(
                    ErrorKind::Tenant,
                    format!("{}: an item is not an object", self.collection.operation),
                )
            })?;
            let (name, evidence) = (self.collection.name, &mut self.progress.evidence);
            for (column, value) in &fill {
                if !row.fill(column, value) {
                    evidence.note(Sign::OtherObject, || {
                        format!("a row of {name} that was asked for with {column} {value} has another one")
                    });
                }
            }
            let key = row.key_fingerprint();
            match key {
                Some(key) if !self.seen.insert(key)? => {
                    evidence.note(Sign::RowTwice, || {
                        format!("a row of {name} was returned twice")
                    });
                    self.progress.duplicates += 1;
                    continue;
                }
                Some(_) => {}
                None => evidence.note(Sign::NoKey, || {
                    let key = self.collection.key.join(" and ");
                    format!("a row of {name} has no {key} that can be kept as text")
                }),
            }
            self.progress.count_row(&row, key.is_some());
            rows.push(row);
        }
        Ok(Batch {
            collection: self.collection,
            rows,
            checkpoint: ExtractCheckpoint::new(
                self.collection,
                self.position.clone(),
                self.progress.clone(),
            ),
        })
    }

    /// The record of the collection so far. It is complete only after [`next_batch`](Self::next_batch) returned `None`.
    #[must_use]
    pub fn record(&self) -> CompletenessRecord {
        let tenant = self.lms.base_url();
        self.progress
            .record(self.collection, tenant, &self.reading.filters, None)
    }

    /// The record of a run that ended with an error. It is not complete.
    #[must_use]
    pub fn record_of_failure(&self, error: &Error) -> CompletenessRecord {
        let tenant = self.lms.base_url();
        self.progress
            .record(self.collection, tenant, &self.reading.filters, Some(error))
    }
}
