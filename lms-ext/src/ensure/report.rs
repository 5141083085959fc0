//! `run`: writes or only plans, with one result for both.

use lms_client::types;

use super::{EnsureEnrolment, EnsureLearner, EnsurePlan, Ensured, enrolment::checked, wanted};
use crate::{
    client::Lms,
    edit::Change,
    error::Error,
    request::{CallFuture, RequireId},
};

/// Whether [`run`](EnsureLearner::run) writes or only plans. [`Unenrol::run`](crate::Unenrol::run) and your own code can use
/// it, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// Write: add what is missing, change what differs, or delete.
    #[default]
    Apply,
    /// Only read, and return what would be written. What the service would refuse is not found out.
    DryRun,
}

/// What an `ensure_…` call did, or in a dry run would do; returned by [`EnsureLearner::run`] and
/// [`EnsureEnrolment::run`].
#[derive(Clone, Debug)]
pub struct EnsureReport<T> {
    lms: Lms,
    mode: WriteMode,
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

impl EnsureReport<types::Learner> {
    /// Enrols this learner in a course unless they are enrolled already, in the same mode. The `user` of the enrolment is
    /// set to this learner.
    ///
    /// In a dry run, a learner who would be added has no enrolments yet, so each is reported as new, without a request.
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
    /// let ann = lms.ensure_learner(ann).run(mode).await?;
    /// let enrolment = ann.ensure_enrolment(types::AddEnrolment::builder().course("c1")).await?;
    /// println!("new: {}", enrolment.is_new());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lms::ensure_enrolment`]. [`Decode`](crate::ErrorKind::Decode) if the learner has no id.
    #[inline]
    pub fn ensure_enrolment(
        &self,
        enrolment: types::builder::AddEnrolment,
    ) -> CallFuture<EnsureReport<types::Enrolment>> {
        let (lms, mode) = (self.lms.clone(), self.mode);
        let id = self.value.as_ref().map(|found| found.require_id().cloned());
        Box::pin(async move {
            if let Some(id) = id.transpose()? {
                return lms.ensure_enrolment(enrolment.user(id)).run(mode).await;
            }
            checked(wanted("enrolment", enrolment.user("unknown")))?;
            Ok(EnsureReport {
                lms,
                mode,
                value: None,
                new: true,
                changes: Vec::new(),
                differs: Vec::new(),
            })
        })
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
        run(self.lms.clone(), mode, self, Self::plan)
    }
}

impl EnsureEnrolment {
    /// Makes the call, or only [plans](Self::plan) it, and returns the same report for both; see
    /// [`EnsureLearner::run`].
    ///
    /// For a learner who may not exist yet in a dry run, use [`EnsureReport::ensure_enrolment`].
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
        run(self.lms.clone(), mode, self, Self::plan)
    }
}

#[inline]
fn run<C, T>(
    lms: Lms,
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
            Box::pin(async move {
                let done = done.await?;
                Ok(EnsureReport {
                    lms,
                    mode,
                    new: done.is_new(),
                    changes: done.changes().to_vec(),
                    differs: done.differs().to_vec(),
                    value: Some(done.into_inner()),
                })
            })
        }
        WriteMode::DryRun => {
            let plan = plan(call);
            Box::pin(async move {
                let plan = plan.await?;
                Ok(EnsureReport {
                    lms,
                    mode,
                    new: plan.is_new(),
                    changes: plan.changes().to_vec(),
                    differs: plan.differs,
                    value: plan.value,
                })
            })
        }
    }
}
