use std::fmt;

use super::{Outcome, Outcomes};
use crate::error::Error;

/// The results of a bulk operation for all items; returned by [`Outcomes::report`].
#[derive(Debug)]
#[non_exhaustive]
pub struct BulkReport<I, T> {
    /// The items with their results.
    pub succeeded: Vec<(I, T)>,
    /// The items that failed, with their errors.
    pub failed: Vec<(I, Error)>,
    /// After an early end: the items that were taken from the source and have no outcome.
    pub unfinished: Vec<I>,
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

/// `12 succeeded, 1 failed`, and after an early end its cause.
impl<I, T> fmt::Display for BulkReport<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (succeeded, failed) = (self.succeeded.len(), self.failed.len());
        write!(f, "{succeeded} succeeded, {failed} failed")?;
        match &self.stopped {
            Some(error) => write!(f, "; stopped early: {error}"),
            None => Ok(()),
        }
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
        report.unfinished = self.unfinished().to_vec();
        report
    }
}
