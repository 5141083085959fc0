use std::fmt;

use super::{Outcome, Outcomes};
use crate::error::Error;

/// The results of a bulk operation for all items; returned by [`Outcomes::report`].
#[derive(Debug)]
#[non_exhaustive]
#[must_use = "an operation that failed is no error of the call: read `failed` and `stopped`, or check `is_complete()`"]
pub struct BulkReport<I, T> {
    /// The items with their results.
    pub succeeded: Vec<(I, T)>,
    /// The items that failed, with their errors.
    pub failed: Vec<(I, Error)>,
    /// After an early end: the items that were taken from the source and have no outcome.
    pub unfinished: Vec<I>,
    /// After an early end: number of items that were not taken from the source; `None` if the source does not know its
    /// length.
    pub not_started: Option<u64>,
    /// The cause of an early end.
    pub stopped: Option<Error>,
}

impl<I, T> BulkReport<I, T> {
    /// Returns `true` if the operation succeeded for every item.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.stopped.is_none()
    }
}

/// `12 succeeded, 1 failed`, and after an early end `, 2 unfinished, 85 not started` and its cause.
impl<I, T> fmt::Display for BulkReport<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (succeeded, failed) = (self.succeeded.len(), self.failed.len());
        write!(f, "{succeeded} succeeded, {failed} failed")?;
        let Some(error) = &self.stopped else {
            return Ok(());
        };
        write!(f, ", {} unfinished", self.unfinished.len())?;
        if let Some(rest) = self.not_started {
            write!(f, ", {rest} not started")?;
        }
        write!(f, "; stopped early: {error}")
    }
}

impl<I: Clone + Send + 'static, T: Send + 'static> Outcomes<I, T> {
    /// Runs all operations and collects their outcomes, which must fit into memory.
    ///
    /// # Panics
    ///
    /// If an operation panicked.
    pub async fn report(mut self) -> BulkReport<I, T> {
        let mut report = BulkReport {
            succeeded: Vec::new(),
            failed: Vec::new(),
            unfinished: Vec::new(),
            not_started: None,
            stopped: None,
        };
        loop {
            match self.try_next().await {
                Ok(Some(Outcome { item, result, .. })) => match result {
                    Ok(value) => report.succeeded.push((item, value)),
                    Err(error) => report.failed.push((item, error)),
                },
                Ok(None) => break,
                Err(error) => report.stopped = Some(error),
            }
        }
        report.not_started = self.not_started();
        report.unfinished = self.unfinished().to_vec();
        report
    }
}
