//! The reports of a run: its progress, and its result for each collection.

use crate::{collection::Collection, error::Error, record::CompletenessRecord};

/// The progress of a run; passed to [`Export::on_progress`](crate::Export::on_progress) after each page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// The collection that is read.
    pub collection: &'static str,
    /// Its position among the collections of the run, from 1.
    pub position: usize,
    /// The number of collections of the run.
    pub collections: usize,
    /// The rows so far, including those before a resume.
    pub rows: u64,
    /// The pages so far.
    pub pages: u64,
    /// The number of rows that the service stated, if it does.
    pub number_found: Option<i64>,
    /// The requests that the collection may cost, if the run has [a budget](crate::Export::max_requests) and it is derived.
    pub budget: Option<u64>,
}

/// The results of a run for all collections.
#[derive(Debug, Default)]
#[non_exhaustive]
#[must_use = "a collection that failed is no error of the run: call `into_result()`, or check `is_complete()`"]
pub struct RunSummary {
    /// The outcome of each collection that was tried, in the order of the run.
    pub collections: Vec<Outcome>,
    /// `true` if the run was cancelled. Collections that were not tried are then missing. To continue, start the run
    /// again with the same arguments.
    pub cancelled: bool,
}

impl RunSummary {
    /// Returns `true` if every collection is complete and committed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut outcomes = self.collections.iter();
        self.is_committed() && outcomes.all(|outcome| outcome.record.is_complete())
    }

    /// The outcomes if every collection was [committed](Self::is_committed).
    ///
    /// # Errors
    ///
    /// An error that names every collection that was not, with the [kind](Error::kind) and the
    /// [`tenant_error`](Error::tenant_error) of the first.
    pub fn into_result(mut self) -> Result<Vec<Outcome>, Error> {
        let failed = self.collections.iter().filter_map(|outcome| {
            let error = outcome.error.as_ref()?;
            Some(format!("{}: {error}", outcome.collection.name))
        });
        let failed: Vec<String> = failed.collect();
        let mut outcomes = self.collections.iter_mut();
        match outcomes.find_map(|outcome| outcome.error.take()) {
            Some(error) => Err(error.summarized(format!(
                "{} of {} collections failed: {}",
                failed.len(),
                self.collections.len(),
                failed.join("; ")
            ))),
            None => Ok(self.collections),
        }
    }

    /// Returns `true` if the tenant could not be reached, so that the other collections cannot be read either.
    pub(super) fn is_unreachable(&self) -> bool {
        let mut errors = self
            .collections
            .iter()
            .filter_map(|outcome| outcome.error.as_ref());
        errors.any(Error::is_unreachable)
    }

    /// Notes that a collection was not published. Returns its record.
    pub(super) fn refuse(
        &mut self,
        collection: &'static Collection,
        error: Error,
    ) -> Option<CompletenessRecord> {
        let mut outcomes = self.collections.iter_mut();
        let outcome = outcomes.find(|outcome| outcome.collection.name == collection.name)?;
        outcome.record = outcome.record.failed(&error);
        outcome.error = Some(error);
        Some(outcome.record.clone())
    }

    /// Returns `true` if every collection was committed: it is complete, or it changed while it was read and
    /// [that was accepted](crate::Export::accept_changes).
    #[must_use]
    pub fn is_committed(&self) -> bool {
        let mut outcomes = self.collections.iter();
        outcomes.all(|outcome| outcome.error.is_none())
    }
}

/// The result of a run for a collection.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The collection.
    pub collection: &'static Collection,
    /// The record of the collection. It is [complete](CompletenessRecord::is_complete) only if the sink also committed it.
    pub record: CompletenessRecord,
    /// The error that prevented the commit of the collection. `None` if it was committed.
    pub error: Option<Error>,
}
