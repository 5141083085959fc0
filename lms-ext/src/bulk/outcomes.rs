//! The stream of outcomes: starts operations, and decides the effect of each result on the rest.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_util::TryStreamExt;
use tokio::task::JoinSet;
use tracing::Instrument;

use super::{Settings, Source};
use crate::{error::Error, request::CallFuture};

/// The outcome of one item.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<I, T> {
    /// The item.
    pub item: I,
    /// The result of the last operation for it.
    pub result: Result<T, Error>,
}

/// The progress of a bulk operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulkProgress {
    /// Outcomes with `Ok`.
    pub succeeded: u64,
    /// Outcomes with an error.
    pub failed: u64,
    /// Number of all items; `None` if the source does not know it.
    pub total: Option<u64>,
}

type Operation<I, T> = Box<dyn Fn(I) -> CallFuture<T> + Send>;

/// A stream of the outcomes of a bulk operation; returned by [`Bulk::run`](super::Bulk::run).
///
/// Dropping the stream aborts the running operations. Their writes may have been processed.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`"]
pub struct Outcomes<I, T> {
    /// `None` once it ended, or nothing more is to start.
    source: Option<Source<I>>,
    operation: Operation<I, T>,
    settings: Settings,
    running: JoinSet<Outcome<I, T>>,
    /// The items of the second pass.
    postponed: VecDeque<I>,
    second_pass: bool,
    failures_in_a_row: usize,
    /// The cause of an early end; taken when it is returned.
    stopped: Option<Error>,
    unfinished: Vec<I>,
    progress: BulkProgress,
}

impl<I: Clone + Send + 'static, T: Send + 'static> Outcomes<I, T> {
    pub(super) fn new(source: Source<I>, operation: Operation<I, T>, settings: Settings) -> Self {
        let total = match source.size_hint() {
            (lower, Some(upper)) if lower == upper => u64::try_from(upper).ok(),
            _ => None,
        };
        Self {
            source: Some(source),
            operation,
            settings,
            running: JoinSet::new(),
            postponed: VecDeque::new(),
            second_pass: false,
            failures_in_a_row: 0,
            stopped: None,
            unfinished: Vec::new(),
            progress: BulkProgress {
                succeeded: 0,
                failed: 0,
                total,
            },
        }
    }

    /// Returns the next outcome; `None` after the last one.
    ///
    /// # Errors
    ///
    /// Once, after the last outcome, if there was an early end: the error that caused it. The items that were taken from
    /// the source without an outcome are [`unfinished`](Self::unfinished).
    ///
    /// # Panics
    ///
    /// If an operation panicked.
    pub async fn try_next(&mut self) -> Result<Option<Outcome<I, T>>, Error> {
        TryStreamExt::try_next(self).await
    }

    /// The progress so far.
    #[must_use]
    pub fn progress(&self) -> BulkProgress {
        self.progress
    }

    /// After an early end: the items that were taken from the source and have no outcome.
    #[must_use]
    pub fn unfinished(&self) -> &[I] {
        &self.unfinished
    }

    /// Starts operations while there are items and not too many run.
    fn start(&mut self, cx: &mut Context<'_>) {
        while self.running.len() < self.settings.concurrency {
            let next = match &mut self.source {
                Some(source) => source.as_mut().poll_next(cx),
                None if self.second_pass => Poll::Ready(self.postponed.pop_front().map(Ok)),
                None => return,
            };
            let item = match next {
                Poll::Pending => return,
                Poll::Ready(Some(Ok(item))) => item,
                Poll::Ready(Some(Err(error))) => return self.stop(error),
                Poll::Ready(None) => {
                    self.source = None;
                    return;
                }
            };
            let call = (self.operation)(item.clone());
            let run = async move {
                Outcome {
                    item,
                    result: call.await,
                }
            };
            self.running.spawn(run.in_current_span());
        }
    }

    fn stop(&mut self, error: Error) {
        self.source = None;
        self.unfinished.extend(self.postponed.drain(..));
        self.stopped.get_or_insert(error);
    }

    /// Decides whether an operation that ended has an outcome.
    fn settle(&mut self, outcome: Outcome<I, T>) -> Option<Outcome<I, T>> {
        let Err(error) = &outcome.result else {
            self.failures_in_a_row = 0;
            self.progress.succeeded += 1;
            return Some(outcome);
        };
        let unanswered = error.is_retryable() || error.is_ambiguous();
        if unanswered {
            self.failures_in_a_row += 1;
        } else if error.is_object_specific() {
            self.failures_in_a_row = 0;
        }
        let limit = 2 * self.settings.concurrency;
        let for_all = !unanswered && !error.is_object_specific();
        if for_all {
            let error = error.clone();
            self.stop(error.with_note("the operations for the remaining items were not started"));
        } else if self.failures_in_a_row >= limit {
            let error = error.clone();
            self.stop(error.with_note(format!(
                "{limit} operations in a row failed, so those for the remaining items were not started; run them later"
            )));
        }
        let again = error.is_retryable() || error.is_ambiguous() && self.settings.idempotent;
        if self.stopped.is_some() && (for_all || again) {
            self.unfinished.push(outcome.item);
            return None;
        }
        if again && !self.second_pass {
            self.postponed.push_back(outcome.item);
            return None;
        }
        self.progress.failed += 1;
        Some(outcome)
    }
}

impl<I, T> Unpin for Outcomes<I, T> {}

impl<I: Clone + Send + 'static, T: Send + 'static> Stream for Outcomes<I, T> {
    type Item = Result<Outcome<I, T>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            this.start(cx);
            match this.running.poll_join_next(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(ended))) => {
                    if let Some(outcome) = this.settle(ended) {
                        return Poll::Ready(Some(Ok(outcome)));
                    }
                }
                Poll::Ready(Some(Err(error))) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    // The runtime shuts down, which also ends the task that polls this stream.
                    Err(_) => return Poll::Pending,
                },
                Poll::Ready(None) if this.source.is_some() => return Poll::Pending,
                Poll::Ready(None) if this.postponed.is_empty() => {
                    return Poll::Ready(this.stopped.take().map(Err));
                }
                Poll::Ready(None) => this.second_pass = true,
            }
        }
    }
}

impl<I, T> fmt::Debug for Outcomes<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcomes")
            .field("settings", &self.settings)
            .field("second_pass", &self.second_pass)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

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
        report.unfinished = self.unfinished;
        let taken = report.succeeded.len() + report.failed.len() + report.unfinished.len();
        let total = self.progress.total;
        report.not_started = total.map(|total| total.saturating_sub(taken as u64));
        report
    }
}
