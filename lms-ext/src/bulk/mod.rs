//! The same operation for many items.
//!
//! A job for ten thousand people needs concurrency, because sequential calls take hours. It has to continue after
//! errors that concern one person, try again after a short outage, and end early if the credentials are wrong.
//! [`Lms::bulk`] does this for any operation, and returns a stream of [outcomes](Outcome):
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let pairs = [("c1", "l1"), ("c1", "l2"), ("c2", "l1")];
//! let mut outcomes = lms.bulk(pairs).idempotent().run(|lms, (course, learner)| async move {
//!     let enrolment = types::AddEnrolment::builder(course, learner);
//!     lms.ensure_enrolment(enrolment).await
//! });
//! while let Some(outcome) = outcomes.try_next().await? {
//!     if let Err(error) = outcome.result {
//!         eprintln!("{:?}: {error:#}", outcome.item);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | result of an operation | effect |
//! |---|---|
//! | `Ok` | an outcome |
//! | an error [about this object](Error::is_object_specific) | an outcome |
//! | a [temporary](Error::is_retryable) error | the operation runs once more, after the other items; then an outcome |
//! | an [ambiguous](Error::is_ambiguous) error | an outcome; the same as a temporary error if the operation is [idempotent](Bulk::idempotent) |
//! | an outage: twice as many temporary or ambiguous errors in a row as the concurrency | an early end |
//! | any other error, such as wrong credentials | an early end |
//!
//! At an early end, no further operation starts. The running operations finish and return their outcomes. Then
//! [`try_next`](Outcomes::try_next) returns the error.
//!
//! Each operation runs in its own task, so it makes progress while you process an outcome. At most
//! [`concurrency`](Bulk::concurrency) operations and unread outcomes exist at a time, and items are taken from the
//! source only as operations start.

mod outcomes;

use std::{fmt, pin::Pin};

use futures_core::Stream;
use futures_util::{StreamExt as _, stream};

pub use outcomes::{BulkProgress, BulkReport, Outcome, Outcomes};

use crate::{client::Lms, error::Error};

type Source<I> = Pin<Box<dyn Stream<Item = Result<I, Error>> + Send>>;

impl Lms {
    /// Prepares an operation for each item of an iterator; see [the module](crate::bulk).
    pub fn bulk<S>(&self, items: S) -> Bulk<S::Item>
    where
        S: IntoIterator,
        S::IntoIter: Send + 'static,
        S::Item: 'static,
    {
        self.bulk_stream(stream::iter(items).map(Ok))
    }

    /// Prepares an operation for each item of a stream, such as [`Items`](crate::Items). An error of the stream ends
    /// the operations early.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let learners = lms.list_learners().items();
    /// let mut outcomes = lms.bulk_stream(learners).run(|lms, learner| async move {
    ///     lms.update_learner(learner.require_id()?, |l| l.tags.push("2026".into())).await
    /// });
    /// while let Some(outcome) = outcomes.try_next().await? {
    ///     println!("{:?}: {}", outcome.item.id, outcome.result.is_ok());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn bulk_stream<I>(
        &self,
        items: impl Stream<Item = Result<I, Error>> + Send + 'static,
    ) -> Bulk<I> {
        Bulk {
            lms: self.clone(),
            items: Box::pin(items),
            settings: Settings {
                concurrency: 8.min(self.engine().sender.rate_limiter.max_concurrent),
                idempotent: false,
            },
        }
    }
}

/// Items and settings for [`run`](Self::run); returned by [`Lms::bulk`].
#[must_use = "nothing is sent: write `.run(…)`, and poll its outcomes"]
pub struct Bulk<I> {
    lms: Lms,
    items: Source<I>,
    settings: Settings,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    concurrency: usize,
    idempotent: bool,
}

impl<I: Clone + Send + 'static> Bulk<I> {
    /// Sets the number of operations that run at the same time, at most
    /// [`max_concurrent`](crate::LmsBuilder::max_concurrent) of the client. Default: 8. 0 counts as 1.
    pub fn concurrency(mut self, operations: usize) -> Self {
        let most = self.lms.engine().sender.rate_limiter.max_concurrent;
        self.settings.concurrency = operations.clamp(1, most);
        self
    }

    /// States that the operation may safely run twice: it checks first, like [`ensure_learner`](Lms::ensure_learner),
    /// or sets the same values again, like [`update_learner`](Lms::update_learner). Then a second run also follows an
    /// ambiguous error.
    pub fn idempotent(mut self) -> Self {
        self.settings.idempotent = true;
        self
    }

    /// Runs the operation for each item: a future, or a call that can be awaited, such as
    /// [`ensure_enrolment`](Lms::ensure_enrolment). Nothing is sent until the stream is polled.
    ///
    /// Outcomes arrive in the order in which operations finish.
    ///
    /// The builder of an operation borrows the client, so the closure returns its [`call`](crate::Call::call):
    ///
    /// ```compile_fail,E0515
    /// # fn example(lms: lms_ext::Lms) {
    /// # use lms_ext::prelude::*;
    /// lms.bulk(["c1"]).run(|lms, id| lms.delete_course(id));
    /// # }
    /// ```
    ///
    /// ```
    /// # fn example(lms: lms_ext::Lms) {
    /// # use lms_ext::prelude::*;
    /// let outcomes = lms.bulk(["c1"]).run(|lms, id| lms.delete_course(id).call());
    /// # }
    /// ```
    pub fn run<F, R, T>(self, operation: F) -> Outcomes<I, T>
    where
        F: Fn(Lms, I) -> R + Send + 'static,
        R: IntoFuture<Output = Result<T, Error>> + 'static,
        R::IntoFuture: Send,
        T: Send + 'static,
    {
        let lms = self.lms;
        let operation = move |item| operation(lms.clone(), item).into_future();
        let boxed = move |item| Box::pin(operation(item)) as crate::request::CallFuture<T>;
        Outcomes::new(self.items, Box::new(boxed), self.settings)
    }
}

impl<I> fmt::Debug for Bulk<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
