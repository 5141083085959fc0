//! `run`: writes or only plans, with one result for both.

use lms_client::types;

use super::{EnsureEnrolment, EnsureLearner, EnsurePlan, Ensured};
use crate::{edit::Change, error::Error, request::CallFuture};

/// Whether [`run`](EnsureLearner::run) writes or only plans. Your own code can use it, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// Write what is missing or differs.
    #[default]
    Apply,
    /// Only read, and return what would be written.
    DryRun,
}

/// What an `ensure_…` call did, or in a dry run would do; returned by [`EnsureLearner::run`] and
/// [`EnsureEnrolment::run`].
#[derive(Clone, Debug, PartialEq)]
pub struct EnsureReport<T> {
    value: Option<T>,
    new: bool,
    changes: Vec<Change>,
    differs: Vec<Change>,
}

impl<T> EnsureReport<T> {
    /// Whether the object did not exist before the call. In a dry run, it would be added.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// The learner or enrolment that exists now. `None` only in a dry run, for one that would be added.
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The fields that were changed in an existing object, or would be.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The requested fields with other values that stay as they are. Empty if the object is new.
    #[must_use]
    pub fn differs(&self) -> &[Change] {
        &self.differs
    }
}

impl<T> From<Ensured<T>> for EnsureReport<T> {
    #[inline]
    fn from(done: Ensured<T>) -> Self {
        Self {
            new: done.is_new(),
            changes: done.changes().to_vec(),
            differs: done.differs().to_vec(),
            value: Some(done.into_inner()),
        }
    }
}

impl<T> From<EnsurePlan<T>> for EnsureReport<T> {
    #[inline]
    fn from(plan: EnsurePlan<T>) -> Self {
        Self {
            new: plan.is_new(),
            changes: plan.changes().to_vec(),
            differs: plan.differs,
            value: plan.value,
        }
    }
}

impl EnsureLearner {
    /// Makes the call, or only [plans](Self::plan) it, and returns the same report for both. So a program with a dry run
    /// has one path:
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, mode: lms_ext::WriteMode) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let ann = types::AddLearner::builder()
    ///     .firstname("Ann")
    ///     .surname("Jones")
    ///     .email("ann@acme.example")
    ///     .generate_password(true);
    /// let ann = lms.ensure_learner(ann).or_update().run(mode).await?;
    /// println!("new: {}, changes: {:?}", ann.is_new(), ann.changes());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As the call itself.
    #[inline]
    pub fn run(self, mode: WriteMode) -> CallFuture<EnsureReport<types::Learner>> {
        run(mode, self, Self::plan)
    }
}

impl EnsureEnrolment {
    /// Makes the call, or only [plans](Self::plan) it, and returns the same report for both; see
    /// [`EnsureLearner::run`].
    ///
    /// A learner who would be added in a dry run has no id to plan an enrolment with, and no enrolments: each would be new.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, mode: lms_ext::WriteMode) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let enrolment = types::AddEnrolment::builder().course("c1").user("u1");
    /// let enrolment = lms.ensure_enrolment(enrolment).run(mode).await?;
    /// println!("new: {}", enrolment.is_new());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As the call itself.
    #[inline]
    pub fn run(self, mode: WriteMode) -> CallFuture<EnsureReport<types::Enrolment>> {
        run(mode, self, Self::plan)
    }
}

#[inline]
fn run<C, T>(
    mode: WriteMode,
    call: C,
    plan: impl FnOnce(C) -> CallFuture<EnsurePlan<T>>,
) -> CallFuture<EnsureReport<T>>
where
    C: IntoFuture<Output = Result<Ensured<T>, Error>, IntoFuture = CallFuture<Ensured<T>>>,
    T: Send + 'static,
{
    match mode {
        WriteMode::Apply => {
            let done = call.into_future();
            Box::pin(async { done.await.map(EnsureReport::from) })
        }
        WriteMode::DryRun => {
            let plan = plan(call);
            Box::pin(async { plan.await.map(EnsureReport::from) })
        }
    }
}
