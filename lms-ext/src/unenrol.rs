//! Ending enrolments without ending too many.
//!
//! `DELETE /enrolments` takes a learner, a course, both or neither, and what it does with neither is not
//! documented (§4): every enrolment of the tenant may be gone. A variable that is empty by accident is all
//! it takes. [`Lms::unenrol`] takes an [`Enrolments`], which cannot be made without naming somebody or
//! something. Ending everything is possible too, by saying how many enrolments that is.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::EnrolmentScope;
//!
//! lms.unenrol(EnrolmentScope::learner_in_course("u1", "c1")).await?; // one enrolment
//! lms.unenrol(EnrolmentScope::learner("u1")).await?;              // all of one learner
//! lms.unenrol(EnrolmentScope::course("c1")).await?;            // all of one course
//! # Ok(())
//! # }
//! ```

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::Walk,
    request::{Call, CallOptions, Operation, PreparedCall, Scope},
    send::retry::RetryPolicy,
};
use lms_client::builder as builders;

impl Lms {
    /// Ends the enrolments that are named.
    ///
    /// Safe to repeat. That there is no such enrolment is no error: the result says so.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{EnrolmentScope, Unenrolled};
    ///
    /// match lms.unenrol(EnrolmentScope::learner_in_course("u1", "c1")).await? {
    ///     Unenrolled::Removed => println!("not enrolled any more"),
    ///     Unenrolled::AlreadyRemoved => println!("ended at the first try, whose response was lost"),
    ///     Unenrolled::NoneFound => println!("was not enrolled"),
    ///     _ => {}
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// It ends what it is told and nothing else: this does not compile.
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
    /// A [usage error](Error::is_usage) when an id is empty; nothing is sent then. Otherwise as any call.
    pub async fn unenrol(&self, scope: EnrolmentScope) -> Result<Unenrolled, Error> {
        let mut call = self.delete_enrolment();
        for (name, id) in [("user", &scope.user), ("course", &scope.course)] {
            if id.as_ref().is_some_and(|id| id.trim().is_empty()) {
                return Err(Error::usage(format!(
                    "the id of the {name} is empty, and without it more enrolments would end than were meant; give the id of one {name}"
                ))
                .in_operation(builders::DeleteEnrolment::INFO));
            }
        }
        if let Some(user) = scope.user {
            call = call.user(user);
        }
        if let Some(course) = scope.course {
            call = call.course(course);
        }
        match call.response().await {
            Ok(response) if response.already_removed => Ok(Unenrolled::AlreadyRemoved),
            Ok(_) => Ok(Unenrolled::Removed),
            Err(error) if error.is_not_found() => Ok(Unenrolled::NoneFound),
            Err(error) => Err(error),
        }
    }

    /// Ends every enrolment of the tenant, if there are as many as expected.
    ///
    /// The enrolments are counted first, row by row, since what `number_found` counts is not documented
    /// (§2). The request is sent once and not repeated: by the time of a repeat there could be others.
    /// What the service does with it is not documented either (§4); it may refuse.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::ExpectedCount;
    ///
    /// // Somebody looked, and there are twelve enrolments in this test account.
    /// lms.delete_all_enrolments(ExpectedCount::exactly(12)).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [conflict](Error::is_conflict) when there are more or fewer; nothing was deleted then. Otherwise
    /// as any call.
    pub async fn delete_all_enrolments(
        &self,
        expecting: ExpectedCount,
    ) -> Result<Unenrolled, Error> {
        let ExpectedCount(expected) = expecting;
        let mut enrolments = self.list_enrolments().items_as::<serde::de::IgnoredAny>();
        let mut found = 0;
        while found <= expected && enrolments.try_next().await?.is_some() {
            found += 1;
        }
        drop(enrolments);
        if found != expected {
            let found = if found > expected {
                "more".to_owned()
            } else {
                found.to_string()
            };
            return Err(Error::new(
                ErrorKind::Conflict,
                format!(
                    "{expected} enrolments were to end and there are {found}, so nothing was deleted; count again, and see what is new"
                ),
            )
            .in_operation(builders::DeleteEnrolment::INFO));
        }
        let mut call = PreparedCall::new(self.delete_enrolment())?;
        call.options = CallOptions::new().retry(RetryPolicy::disabled());
        call.options.scope = Scope::Whole;
        call.response::<()>().await?;
        Ok(Unenrolled::Removed)
    }
}

/// The enrolments of a learner, those in a course, or the one of a learner in a course; never all enrolments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a scope does nothing by itself; pass it to `Lms::unenrol`"]
pub struct EnrolmentScope {
    user: Option<String>,
    course: Option<String>,
}

impl EnrolmentScope {
    /// All enrolments of one learner.
    pub fn learner(id: impl Into<String>) -> Self {
        Self {
            user: Some(id.into()),
            course: None,
        }
    }

    /// All enrolments in one course.
    pub fn course(id: impl Into<String>) -> Self {
        Self {
            user: None,
            course: Some(id.into()),
        }
    }

    /// The enrolment of one learner in one course.
    pub fn learner_in_course(learner: impl Into<String>, course: impl Into<String>) -> Self {
        Self {
            user: Some(learner.into()),
            course: Some(course.into()),
        }
    }
}

/// What became of enrolments that were to end; there are none of them in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unenrolled {
    /// The tenant did it. How many it ended it does not say (§4).
    Removed,
    /// An earlier attempt did it, whose response was lost; the repeat found nothing left (404).
    AlreadyRemoved,
    /// The tenant knows no such enrolment (404).
    NoneFound,
}

/// How many enrolments are expected to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedCount(u64);

impl ExpectedCount {
    /// This many, no more and no fewer.
    #[must_use]
    pub fn exactly(enrolments: u64) -> Self {
        Self(enrolments)
    }
}
