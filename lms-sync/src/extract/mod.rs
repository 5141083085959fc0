//! Extract: reads one collection as batches of rows, and accounts for every page.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
//! use lms_sync::{Extract, collection};
//!
//! let mut extract = Extract::new(&lms, collection("enrolments").unwrap());
//! while let Some(batch) = extract.next_batch().await? {
//!     // Store the rows and `batch.checkpoint` in one step.
//! }
//! println!("{:#?}", extract.record());
//! # Ok(())
//! # }
//! ```

mod absent;
mod budget;
mod calls;
mod checkpoint;
mod configure;
mod drive;
mod evidence;
mod for_each;
mod identity;
mod list;
mod page;
mod pager;
mod parts;
mod progress;
mod reading;
mod seen_keys;

use lms_ext::Lms;

pub(crate) use absent::AbsentForm;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub(crate) use budget::item_name;
pub(crate) use budget::{Budget, ItemReads};
pub(crate) use calls::Calls;
pub use checkpoint::ExtractCheckpoint;
pub(crate) use drive::{Consumer, drive};
pub use identity::tenant_id;
pub(crate) use identity::{Identity, identity, identity_at_start};
pub(crate) use reading::{Reading, check_filter, find_partition};
pub(crate) use seen_keys::SeenKeys;

use checkpoint::ExtractPosition;
use evidence::Sign;
use page::RawPage;
use pager::Pager;
use progress::{Progress, now};

use crate::{
    collection::{Collection, Row, RowReader},
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

impl Batch {
    /// Rows that were not read from a list: the checkpoint is the start.
    #[doc(hidden)]
    #[must_use]
    pub fn of_rows(collection: &'static Collection, rows: Vec<Row>) -> Self {
        Self {
            collection,
            rows,
            checkpoint: ExtractCheckpoint::new(collection),
        }
    }
}

/// Reads one collection.
///
/// Requests are retried and limited by the client. After a failed request, the extract can be continued
/// with [`next_batch`](Self::next_batch), which requests the same page again.
#[must_use = "an extract sends no request until a batch is asked for"]
#[derive(Debug)]
pub struct Extract {
    lms: Lms,
    collection: &'static Collection,
    pub(crate) reading: Reading,
    pager: Option<Pager>,
    /// The position after the last page, and the counts so far.
    checkpoint: ExtractCheckpoint,
    seen: SeenKeys,
    /// The tenant that the credentials belong to. `None` until it is known.
    pub(crate) tenant: Option<Identity>,
}

impl Extract {
    /// The collection.
    #[must_use]
    pub fn collection(&self) -> &'static Collection {
        self.collection
    }

    /// Goes back to the start, because the list changed while it was read.
    fn read_again(&mut self) {
        let before = self.checkpoint.progress.clone();
        self.restart();
        self.checkpoint.progress.count_reading(&before);
    }

    /// Goes back to the start, as if nothing had been read.
    fn restart(&mut self) {
        self.checkpoint = ExtractCheckpoint::new(self.collection);
        self.seen = SeenKeys::default();
        self.pager = None;
    }

    /// Notes whether the page whose rows are stored is requested again.
    fn note_page_again(&mut self) {
        if self.checkpoint.position.is_inside_page() {
            let (name, progress) = (self.collection.name, &mut self.checkpoint.progress);
            progress.evidence.note(Sign::PageAgain, || {
                format!(
                    "a page of {name} that was stored before the run was stopped had to be requested again"
                )
            });
        }
    }

    /// The next batch; `None` after the last one. Then check the [record](Self::record) to see whether the rows are
    /// complete: the list may have changed while it was read.
    ///
    /// # Errors
    ///
    /// [`Tenant`](ErrorKind::Tenant) when a request fails; [`Incomplete`](ErrorKind::Incomplete) when reading ends
    /// although the service counts more rows, or its pages contradict each other; [`Usage`](ErrorKind::Usage) when the
    /// checkpoint or the partition does not fit; [`OtherRun`](ErrorKind::OtherRun) when the checkpoint belongs to another
    /// tenant; [`Destination`](ErrorKind::Destination) when the keys of many rows cannot be kept in a temporary file.
    pub async fn next_batch(&mut self) -> Result<Option<Batch>, Error> {
        if self.checkpoint.progress.finished {
            return Ok(None);
        }
        if self.pager.is_none() {
            self.check_tenant().await?;
            if let Some(budget) = &mut self.reading.budget {
                budget.begin(&self.checkpoint.progress.record.began);
            }
        }
        let outcome = self.next_page().await;
        let progress = &mut self.checkpoint.progress;
        let requests = self.reading.requests.take();
        progress.count_requests(requests);
        if let Some(budget) = &mut self.reading.budget {
            budget.spend(requests[0]);
        }
        let page = outcome?;
        if let Some(tenant) = &self.tenant
            && let Err(error) = tenant.check(&self.lms).await
        {
            // The page is requested again.
            self.pager = None;
            self.note_page_again();
            return Err(error);
        }
        let Some((page, position)) = page else {
            self.finish().await?;
            return Ok(None);
        };
        self.checkpoint.position = position;
        let has_items = !page.items.is_empty();
        let batch = self.batch(page)?;
        let stale = &mut self.checkpoint.progress.stale_pages;
        match self.pager {
            _ if !batch.rows.is_empty() => *stale = 0,
            // An item or a part may have no rows, and there is a last one.
            Some(Pager::ForEach(_)) => {}
            Some(Pager::Parts(_)) if !has_items => {}
            _ => *stale += 1,
        }
        if *stale > self.reading.max_stale_pages() {
            return Err(ErrorKind::Incomplete.error(format!(
                    "{} may have no end: {stale} pages in a row have no new row; start the run again, or allow more with max_stale_pages()",
                    self.collection.name
                )));
        }
        Ok(Some(batch))
    }

    /// The next page, with the position after it.
    async fn next_page(&mut self) -> Result<Option<(RawPage, ExtractPosition)>, Error> {
        let record = &mut self.checkpoint.progress.record;
        let pager = match &mut self.pager {
            Some(pager) => pager,
            None => {
                let (of, position) = (self.collection, &self.checkpoint.position);
                let open = Box::pin(Pager::open(&self.lms, of, &self.reading, position));
                let (pager, reason) = open.await?;
                if reason.is_some() {
                    record.not_partitioned_because = reason;
                }
                self.pager.insert(pager)
            }
        };
        let page = pager.next(&mut self.reading).await?;
        if let Pager::Parts(parts) = pager {
            record.parts = parts.parts();
        }
        Ok(page.map(|page| (page, pager.position())))
    }

    /// Ends the reading after the last page. Fails if the collection is incomplete.
    async fn finish(&mut self) -> Result<(), Error> {
        let now = identity(&self.lms).await?;
        let progress = &mut self.checkpoint.progress;
        progress.finish(&now.tenant_id);
        let (completeness, because) = progress.completeness();
        if completeness == Completeness::Incomplete {
            return Err(ErrorKind::Incomplete.error(format!(
                "{} is not complete: {}; start the run again",
                self.collection.name,
                because.join("; ")
            )));
        }
        Ok(())
    }

    /// Fails if the checkpoint belongs to another tenant than the credentials.
    async fn check_tenant(&mut self) -> Result<(), Error> {
        let tenant = match self.tenant.take() {
            Some(known) => known,
            None => identity(&self.lms).await?,
        };
        let now = &tenant.tenant_id;
        let record = &mut self.checkpoint.progress.record;
        let before = record.tenant_id.get_or_insert_with(|| now.clone());
        if before == now {
            self.tenant = Some(tenant);
            return Ok(());
        }
        Err(ErrorKind::OtherRun.error(format!(
                "the checkpoint belongs to the tenant {before}, and the credentials to {now}; start again without it"
            )))
    }

    fn batch(&mut self, page: RawPage) -> Result<Batch, Error> {
        let mut rows = Vec::with_capacity(page.items.len());
        let (name, progress) = (self.collection.name, &mut self.checkpoint.progress);
        let reader = RowReader::new(self.collection, self.reading.zone.clone());
        progress.count_page(&page);
        for (item, fill) in page.items {
            let evidence = &mut progress.evidence;
            let Some((row, unreadable)) = reader.read(item.get(), &fill) else {
                evidence.note(Sign::NoKey, || {
                    format!("an item of {name} is not an object")
                });
                continue;
            };
            let is_new = match row.key_fingerprint() {
                Some(key) => self.seen.insert(key).inspect_err(|_| {
                    // The next batch does not have the rows of this page.
                    evidence.note(Sign::NoKey, || {
                        format!("the keys of the rows of {name} could not be compared")
                    });
                })?,
                None => {
                    evidence.note(Sign::NoKey, || {
                        let key = self.collection.key.join(" and ");
                        format!("a row of {name} has no {key} that can be kept as text")
                    });
                    true
                }
            };
            if is_new {
                progress.count_row(&row, &unreadable);
                rows.push(row);
            } else {
                evidence.note(Sign::RowTwice, || {
                    format!("a row of {name} was returned twice")
                });
                progress.record.duplicates_dropped += 1;
            }
        }
        Ok(Batch {
            collection: self.collection,
            rows,
            checkpoint: self.checkpoint.clone(),
        })
    }

    /// The record of the collection so far. It is complete only after [`next_batch`](Self::next_batch) returned `None`.
    #[must_use]
    pub fn record(&self) -> CompletenessRecord {
        self.record_with(None)
    }

    /// The record of a run that ended with an error. It is not complete.
    #[must_use]
    pub fn record_of_failure(&self, error: &Error) -> CompletenessRecord {
        self.record_with(Some(error))
    }

    fn record_with(&self, failure: Option<&Error>) -> CompletenessRecord {
        let Progress {
            record,
            earlier: (sent, pages),
            finished,
            ..
        } = &self.checkpoint.progress;
        let (completeness, because) = match (self.checkpoint.progress.completeness(), failure) {
            // Also for a failed commit of complete rows.
            ((completeness, _), Some(error))
                if completeness == Completeness::Complete || !finished =>
            {
                (Completeness::Incomplete, vec![error.to_string()])
            }
            (found, _) => found,
        };
        let requests = record.requests + sent;
        CompletenessRecord {
            collection: self.collection.name.to_owned(),
            completeness,
            because,
            tenant: self.lms.base_url().to_owned(),
            operation: self.collection.operation.to_owned(),
            filters: self.reading.filters.clone(),
            time_zone: self.reading.time_zone.clone(),
            requests,
            retries: requests.saturating_sub(record.pages + pages),
            distinct_keys: record.rows - record.rows_without_key,
            oldest_read: self.reading.budget.as_ref().and_then(Budget::oldest),
            ended: now(),
            client_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..record.clone()
        }
    }
}
