//! Deletes the enrolments of one learner, of one course, or of a learner in a course.
//!
//! `DELETE /enrolments` takes a learner, a course, both or neither. Without both, its effect is not documented: it may
//! delete every enrolment of the tenant, and an accidentally empty variable is enough to cause this. [`Lms::unenrol`]
//! takes an [`EnrolmentScope`], which always names a learner, a course or both.
//!
//! Functions of this module are `#[inline]`, so that only programs that call them compile them.

use crate::{
    client::Lms,
    error::Error,
    paging::ListExt,
    request::Call,
    write::{Write, WriteMode},
};
use lms_client::ids::{CourseId, LearnerId};
use serde::de::IgnoredAny;

impl Lms {
    /// Deletes the enrolments of a scope. Idempotent: if there are none, the result is not an error.
    ///
    /// A dry run counts the enrolments in the list: [`Counted`](Unenrolled::Counted), or
    /// [`NoneFound`](Unenrolled::NoneFound) if there are none.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{EnrolmentScope, Unenrolled};
    ///
    /// match lms.unenrol(EnrolmentScope::learner_in_course("u1", "c1")).await? {
    ///     Unenrolled::Removed => println!("removed"),
    ///     Unenrolled::AlreadyRemoved => println!("removed by an attempt whose response was lost"),
    ///     Unenrolled::NoneFound => println!("was not enrolled"),
    ///     _ => {}
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// There is no scope for all enrolments. This does not compile:
    ///
    /// ```compile_fail
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// lms.unenrol(lms_ext::EnrolmentScope::all()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage), without a request, if an id is empty;
    /// [`NotFound`](crate::ErrorKind::NotFound) if the response is a 404 and the list has such enrolments. Otherwise the errors
    /// of any call.
    #[inline]
    pub fn unenrol(&self, scope: EnrolmentScope) -> Write<Unenrolled> {
        let lms = self.clone();
        Write::new(move |mode| unenrolled(lms, scope, mode))
    }
}

#[inline]
async fn unenrolled(lms: Lms, scope: EnrolmentScope, mode: WriteMode) -> Result<Unenrolled, Error> {
    if mode == WriteMode::DryRun {
        return Ok(match count(&lms, &scope).await? {
            0 => Unenrolled::NoneFound,
            count => Unenrolled::Counted(count),
        });
    }
    let mut call = lms.delete_enrolment();
    if let Some(user) = scope.user.clone() {
        call = call.user(user);
    }
    if let Some(course) = scope.course.clone() {
        call = call.course(course);
    }
    match call.response().await {
        Ok(response) if response.already_removed => Ok(Unenrolled::AlreadyRemoved),
        Ok(_) => Ok(Unenrolled::Removed),
        Err(error) if error.is_not_found() => match count(&lms, &scope).await? {
            0 => Ok(Unenrolled::NoneFound),
            count => Err(error.with_advice(format!(
                "the list has {count} of these enrolments, so they were not deleted; check what the server returns"
            ))),
        },
        Err(error) => Err(error),
    }
}

/// Number of enrolments in the list of a scope, or as the service counts them if those are more. A list with others is an error.
#[inline]
async fn count(lms: &Lms, scope: &EnrolmentScope) -> Result<u64, Error> {
    let list = lms
        .list_enrolments()
        .user(&scope.user)
        .course(&scope.course);
    let mut enrolments = list.items_as::<IgnoredAny>();
    while enrolments.try_next().await?.is_some() {}
    let summary = enrolments.summary();
    Ok(summary.items() + summary.missing())
}

/// The enrolments to delete: those of a learner, those in a course, or that of a learner in a course. There is
/// no scope for all enrolments.
///
/// An `Option` does not convert into an id. For an object of a response, write
/// `EnrolmentScope::learner(learner.require_id()?)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a scope does nothing by itself; pass it to `Lms::unenrol`"]
pub struct EnrolmentScope {
    user: Option<LearnerId>,
    course: Option<CourseId>,
}

impl EnrolmentScope {
    /// All enrolments of one learner.
    pub fn learner(id: impl Into<LearnerId>) -> Self {
        Self {
            user: Some(id.into()),
            course: None,
        }
    }

    /// All enrolments in one course.
    pub fn course(id: impl Into<CourseId>) -> Self {
        Self {
            user: None,
            course: Some(id.into()),
        }
    }

    /// The enrolment of one learner in one course.
    pub fn learner_in_course(learner: impl Into<LearnerId>, course: impl Into<CourseId>) -> Self {
        Self {
            user: Some(learner.into()),
            course: Some(course.into()),
        }
    }
}

/// The result of deleting enrolments. Except after a [dry run](WriteMode::DryRun), the scope has no more enrolments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unenrolled {
    /// The server deleted the enrolments, if there were any. The response does not contain their number.
    Removed,
    /// The retry returned 404: an earlier attempt of this call, whose response was lost, deleted the enrolments.
    AlreadyRemoved,
    /// There were no such enrolments: a 404, and none in the list; in a dry run, none in the list.
    NoneFound,
    /// In a dry run, the number of enrolments that would be deleted.
    Counted(u64),
}

impl Unenrolled {
    /// Number of enrolments that were deleted, or in a dry run would be; `None` if the response does not say.
    #[must_use]
    pub fn count(self) -> Option<u64> {
        match self {
            Self::Removed | Self::AlreadyRemoved => None,
            Self::NoneFound => Some(0),
            Self::Counted(count) => Some(count),
        }
    }
}
