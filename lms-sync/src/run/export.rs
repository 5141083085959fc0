//! The request for an export: collections, filters and settings.

use std::{fmt, future::Future, pin::Pin, time::Duration};

use lms_ext::Lms;

use super::summary::RunProgress;
use crate::{
    collection::{Collection, known, time_zone},
    error::Error,
    extract::{Extract, Reading, check_filter, find_partition},
    plan::{CollectionPlan, Plan},
};

/// The default of [`Export::max_age`].
const MAX_AGE: Duration = Duration::from_secs(3600);

/// The default of [`Export::refresh_within`].
const REFRESH_WITHIN: Duration = Duration::from_secs(7 * 24 * 3600);

/// Reads collections into a sink.
///
/// ```no_run
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
/// use lms_sync::{Export, collections, sink::files::{FilesOptions, FilesSink, Format}};
///
/// let sink = FilesSink::new("out", FilesOptions::new(Format::Csv));
/// let summary = Export::new(&lms)
///     .collections([collections::LEARNERS, collections::COURSE_COMPLETIONS])?
///     .on_progress(|progress| eprintln!("{}: {} rows", progress.collection, progress.rows))
///     .run(sink)
///     .await?;
/// assert!(summary.is_complete());
/// # Ok(())
/// # }
/// ```
#[must_use = "an export does nothing until it is run"]
pub struct Export {
    pub(super) lms: Lms,
    plans: Vec<CollectionPlan>,
    /// The settings of all extracts, without filters and partitions.
    reading: Reading,
    pub(super) max_age: Duration,
    replace_tenant: bool,
    /// The requests that the run may send for derived collections, after those of all others.
    pub(super) max_requests: Option<u64>,
    pub(super) refresh_within: Duration,
    pub(super) on_progress: Box<dyn FnMut(&RunProgress) + Send>,
    pub(super) cancel: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export")
            .field("collections", &self.plans)
            .finish_non_exhaustive()
    }
}

impl Export {
    /// Creates an export of a tenant, without collections.
    pub fn new(lms: &Lms) -> Self {
        Self {
            lms: lms.clone(),
            plans: Vec::new(),
            reading: Reading::default(),
            max_age: MAX_AGE,
            replace_tenant: false,
            max_requests: None,
            refresh_within: REFRESH_WITHIN,
            on_progress: Box::new(|_| {}),
            cancel: Box::pin(std::future::pending()),
        }
    }

    /// Adds collections by name. A name that was added before is ignored.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such collection.
    pub fn collections<'a>(
        mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        for name in names {
            let known = known(name)?;
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
    /// [`Usage`](crate::ErrorKind::Usage) if the collection was not added, or its operation has no such filter.
    pub fn filter(mut self, name: &str, filter: &str, value: &str) -> Result<Self, Error> {
        let plan = self.planned(name)?;
        check_filter(known(name)?, filter, value)?;
        plan.filters.insert(filter.to_owned(), value.to_owned());
        Ok(self)
    }

    /// Reads a list in parts, several of them concurrently, by one of the filters in [`partitions`](Collection::partitions): the
    /// enrolments of each course, for example. This is faster if responses take long. Rows come in another order than without
    /// parts.
    ///
    /// `number_found` of the list must be the sum of `number_found` of all parts, before the first part and after the last one.
    /// If the sum differs before, the list is read without parts, and the record [says
    /// why](crate::CompletenessRecord::not_partitioned_because). If it differs after, the collection has
    /// [changed](crate::Completeness::Changed) while it was read.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the collection was not added, or cannot be partitioned by this filter.
    pub fn partition_by(mut self, name: &str, filter: &str) -> Result<Self, Error> {
        find_partition(known(name)?, filter)?;
        self.planned(name)?.partitioning = Some(filter.to_owned());
        Ok(self)
    }

    /// The plan of a collection that was added.
    fn planned(&mut self, name: &str) -> Result<&mut CollectionPlan, Error> {
        let mut plans = self.plans.iter_mut();
        plans.find(|plan| plan.name == name).ok_or_else(|| {
            Error::usage(format!("{name} is not exported; add the collection first"))
        })
    }

    /// The number of items to request in each page. By default, the service decides. A batch of a
    /// [derived](Collection::is_derived) collection has the rows of this number of items, by default 50.
    pub fn page_size(mut self, items: u32) -> Self {
        self.reading.page_size = Some(items);
        self
    }

    /// The maximum number of calls in flight for a collection that is [derived](Collection::is_derived) or
    /// [partitioning](Self::partition_by); 8 by default, and never more than the client allows. A run can be continued with another number.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.reading.concurrency = Some(calls.max(1));
        self
    }

    /// Sets the maximum age of a finished collection when a run continues. A collection that the interrupted run
    /// finished earlier is read again, so that all collections have about the same age. Default: an hour.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age;
        self
    }

    /// Reads timestamps without a time zone in this zone, such as `Europe/Berlin` or `+02:00`. By default, their
    /// columns in UTC are null.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such zone.
    pub fn time_zone(mut self, name: &str) -> Result<Self, Error> {
        self.reading.zone = Some(time_zone(name)?);
        self.reading.time_zone = Some(name.to_owned());
        Ok(self)
    }

    /// Does not compare `number_found` with the number of rows: a list that ends after fewer rows may be complete. The
    /// meaning of `number_found` is not documented.
    pub fn ignore_number_found(mut self) -> Self {
        self.reading.ignore_count = true;
        self
    }

    /// Sets the number of pages in a row without a new row that a list may have, after which it is incomplete. Default: 1000.
    pub fn max_stale_pages(mut self, pages: u64) -> Self {
        self.reading.max_stale_pages = Some(pages);
        self
    }

    /// Publishes the rows of a list that changed each time it was read. Without this, the collection fails. Its record
    /// says [`Changed`](crate::Completeness::Changed) with the reasons, and no row is deleted because the list lacks
    /// it.
    ///
    /// A list that changes while it is read is first read again, up to three times in total.
    pub fn accept_changes(mut self) -> Self {
        self.reading.accept_changes = true;
        self
    }

    /// Replaces the data of another tenant in the destination. Without this, such a destination is refused. A tenant is
    /// identified by its `tid`, or by the base URL if `GET /oauth/me` returns none.
    pub fn replace_tenant(mut self) -> Self {
        self.replace_tenant = true;
        self
    }

    /// Limits the requests for the rows of a run into a mirror. All lists are read first, also beyond it. What is left is shared
    /// by the [derived](Collection::is_derived) collections: items that were never read first, then those that were read longest
    /// ago. The next run continues with the others.
    ///
    /// Retries count, but those of the last batch of items, and the checks of 404s, may exceed it. Requests for tokens, the
    /// identity of the tenant, access to the lists and deletions do not count.
    ///
    /// Such a collection is complete only if every item was read within [`refresh_within`](Self::refresh_within); otherwise it is
    /// [partial](crate::Completeness::Partial). Rows of items that a run did not read stay as they are.
    pub fn max_requests(mut self, requests: u64) -> Self {
        self.max_requests = Some(requests);
        self
    }

    /// Sets the age up to which rows of a collection that is read with [`max_requests`](Self::max_requests) count as current.
    /// Default: seven days.
    pub fn refresh_within(mut self, age: Duration) -> Self {
        self.refresh_within = age;
        self
    }

    /// Calls `listener` after each page.
    pub fn on_progress(mut self, listener: impl FnMut(&RunProgress) + Send + 'static) -> Self {
        self.on_progress = Box::new(listener);
        self
    }

    /// Stops the run at a checkpoint when the future completes, for example after Ctrl-C. The summary is then
    /// [cancelled](super::RunSummary::cancelled).
    pub fn cancel_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.cancel = Box::pin(signal);
        self
    }

    /// Moves derived collections behind the others, which have precedence in the budget.
    pub(super) fn sort(&mut self) {
        if self.max_requests.is_some() {
            let is_derived =
                |plan: &CollectionPlan| plan.collection().is_some_and(Collection::is_derived);
            self.plans.sort_by_key(is_derived);
        }
    }

    /// The plan that the sink stores to recognise the run.
    pub(super) fn plan(&self, tenant: String) -> Plan {
        let mut plan = Plan::new(tenant, self.plans.clone());
        plan.replace_tenant = self.replace_tenant;
        let items = self.reading.page_size.map(|items| items.to_string());
        let options = [
            ("page size", items.unwrap_or_default()),
            (
                "time zone",
                self.reading.time_zone.clone().unwrap_or_default(),
            ),
            ("ignore number_found", self.reading.ignore_count.to_string()),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value));
        plan.options.extend(options);
        plan
    }

    /// An extract of each collection with the settings of this export, to take the rows yourself.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) for an export without collections, or with a partition that cannot be checked.
    pub fn extracts(&self) -> Result<Vec<Extract>, Error> {
        if self.plans.is_empty() {
            return Err(Error::usage("no collection is exported; name at least one"));
        }
        let extracts = self.plans.iter().map(|plan| {
            let collection = known(&plan.name)?;
            let mut reading = self.reading.clone();
            reading.filters.clone_from(&plan.filters);
            if let Some(filter) = &plan.partitioning {
                reading.partitioning = Some(find_partition(collection, filter)?);
            }
            reading.check(collection)?;
            Ok(Extract::with(&self.lms, collection, reading))
        });
        extracts.collect()
    }
}
