//! The settings of an extract, and the position at which it continues.

use lms_ext::Lms;

use super::{
    Extract, ExtractCheckpoint, Identity, check_filter, find_partition, reading::Reading,
    seen_keys::SeenKeys,
};
use crate::{
    collection::{Collection, time_zone},
    error::Error,
    record::CompletenessRecord,
};

impl Extract {
    /// All rows of a collection.
    pub fn new(lms: &Lms, collection: &'static Collection) -> Self {
        Self::with(lms, collection, Reading::default())
    }

    pub(crate) fn with(lms: &Lms, collection: &'static Collection, reading: Reading) -> Self {
        Self {
            lms: lms.clone(),
            collection,
            reading,
            pager: None,
            checkpoint: ExtractCheckpoint::new(collection),
            seen: SeenKeys::default(),
            tenant: None,
        }
    }

    /// Reads only the rows that a [filter](Collection::all_filters) selects, for example `course` of
    /// enrolments.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the operation has no such filter, or the value is empty.
    pub fn filter(mut self, name: &str, value: impl Into<String>) -> Result<Self, Error> {
        let value = value.into();
        check_filter(self.collection, name, &value)?;
        self.reading.filters.insert(name.to_owned(), value);
        Ok(self)
    }

    /// The number of items to request in each page. By default, the service decides. A batch of a
    /// [derived](Collection::is_derived) collection has the rows of this number of items, by default 50.
    pub fn page_size(mut self, items: u32) -> Self {
        self.reading.page_size = Some(items);
        self
    }

    /// Reads the list in parts, several of them concurrently, by one of the filters in [`partitions`](Collection::partitions): the
    /// enrolments of each course, for example.
    ///
    /// This is faster if responses take long. `number_found` of the list must be the sum of `number_found` of all parts:
    ///
    /// - Before the first part. If it is not, or if reading the parts would not be faster, the list is read without
    ///   parts, and the record [says why](CompletenessRecord::not_partitioned_because).
    /// - After the last part. If it is not, [`next_batch`](Self::next_batch) fails and the record is not complete.
    ///
    /// Rows come in another order than without parts.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the list cannot be partitioned by this filter.
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

    /// Sets the number of pages in a row without a new row after which reading a list ends with an error. Default: 1000. A
    /// service may return empty or known pages for ever.
    pub fn max_stale_pages(mut self, pages: u64) -> Self {
        self.reading.max_stale_pages = pages;
        self
    }

    /// Does not compare `number_found` with the number of rows: a list that ends after fewer rows may be complete.
    pub fn ignore_number_found(mut self) -> Self {
        self.reading.ignore_count = true;
        self
    }

    /// Uses the observations of an earlier run: a list that had a count and has none now is not complete.
    pub fn after(self, record: &CompletenessRecord) -> Self {
        self.was_counted(record.number_found_last.is_some())
    }

    /// Sets whether the list had a count in an earlier run.
    pub(crate) fn was_counted(mut self, counted: bool) -> Self {
        self.reading.was_counted = counted;
        self
    }

    /// Starts with this tenant identity, which was requested before.
    pub(crate) fn of_tenant(mut self, tenant: Identity) -> Self {
        self.tenant = Some(tenant);
        self
    }

    /// Leaves out the fields that have no column. `_extra` then has only values that do not fit their column.
    pub fn without_extra(mut self) -> Self {
        self.reading.keep_extra = false;
        self
    }

    /// Reads timestamps without a time zone in this zone, such as `Europe/Berlin` or `+02:00`. By default, their
    /// columns in UTC are null.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such zone, or this system has no list of zones.
    pub fn time_zone(mut self, name: &str) -> Result<Self, Error> {
        self.reading.zone = Some(time_zone(name)?);
        Ok(self)
    }

    /// Continues after a checkpoint of the same collection with the same filters. `keys` are the
    /// [fingerprints](crate::Row::key_fingerprint) of the keys of all rows before the checkpoint, so that duplicates of these
    /// rows are dropped, and show that the list changed.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the checkpoint belongs to another collection or to rows with other columns, or has a
    /// format that this release does not read; [`Destination`](crate::ErrorKind::Destination) when there are many keys and the
    /// temporary file for them cannot be written. A checkpoint of another tenant ([`OtherRun`](crate::ErrorKind::OtherRun)) or of
    /// other filters is refused by the first [`next_batch`](Self::next_batch).
    pub fn resume(
        self,
        checkpoint: &ExtractCheckpoint,
        keys: impl IntoIterator<Item = u128>,
    ) -> Result<Self, Error> {
        let mut seen = SeenKeys::default();
        for key in keys {
            seen.insert(key)?;
        }
        self.resume_with(checkpoint, seen)
    }

    pub(crate) fn resume_with(
        mut self,
        checkpoint: &ExtractCheckpoint,
        seen: SeenKeys,
    ) -> Result<Self, Error> {
        checkpoint.check(self.collection)?;
        self.checkpoint = checkpoint.clone();
        self.checkpoint.progress.resumes += 1;
        self.seen = seen;
        self.pager = None;
        Ok(self)
    }
}
