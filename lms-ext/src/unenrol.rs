//! Ending enrolments without ending too many.
//!
//! `DELETE /enrolments` takes a learner, a course, both or neither, and what it does with neither is not
//! documented (§4): every enrolment of the tenant may be gone. A variable that is empty by accident is all
//! it takes. [`Lms::unenrol`] takes an [`Enrolments`], which cannot be made without naming somebody or
//! something. Ending everything is possible too, by saying how many enrolments that is.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::Enrolled;
//!
//! lms.unenrol(Enrolled::user("u1").course("c1")).await?; // one enrolment
//! lms.unenrol(Enrolled::user("u1")).await?;              // all of one learner
//! lms.unenrol(Enrolled::course("c1")).await?;            // all of one course
//! # Ok(())
//! # }
//! ```

use crate::{
    Call, CallOptions, Error, ErrorKind, Lms, Operation, RetryPolicy, Walk, builders,
    call::Prepared, guard::Scope,
};

impl Lms {
    /// Ends the enrolments that are named.
    ///
    /// Safe to repeat. That there is no such enrolment is no error: the result says so.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{Enrolled, Unenrolled};
    ///
    /// match lms.unenrol(Enrolled::user("u1").course("c1")).await? {
    ///     Unenrolled::Done => println!("not enrolled any more"),
    ///     Unenrolled::AlreadyGone => println!("ended at the first try, whose answer was lost"),
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
    /// lms.unenrol(lms_ext::Enrolled::everybody()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) when an id is empty; nothing is sent then. Otherwise as any call.
    pub async fn unenrol(&self, which: Enrolments) -> Result<Unenrolled, Error> {
        let mut call = self.delete_enrolment();
        for (name, id) in [("user", &which.user), ("course", &which.course)] {
            if id.as_ref().is_some_and(|id| id.trim().is_empty()) {
                return Err(Error::usage(format!(
                    "the id of the {name} is empty, and without it more enrolments would end than were meant; give the id of one {name}"
                ))
                .in_operation(builders::DeleteEnrolment::INFO));
            }
        }
        if let Some(user) = which.user {
            call = call.user(user);
        }
        if let Some(course) = which.course {
            call = call.course(course);
        }
        match call.answer().await {
            Ok(answer) if answer.already_gone => Ok(Unenrolled::AlreadyGone),
            Ok(_) => Ok(Unenrolled::Done),
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
    /// use lms_ext::Expecting;
    ///
    /// // Somebody looked, and there are twelve enrolments in this test account.
    /// lms.end_all_enrolments(Expecting::exactly(12)).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [conflict](Error::is_conflict) when there are more or fewer; nothing was deleted then. Otherwise
    /// as any call.
    pub async fn end_all_enrolments(&self, expecting: Expecting) -> Result<Unenrolled, Error> {
        let Expecting(expected) = expecting;
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
        let mut call = Prepared::new(self.delete_enrolment())?;
        call.options = CallOptions::new().retry(RetryPolicy::off());
        call.options.scope = Scope::Whole;
        call.answer::<()>().await?;
        Ok(Unenrolled::Done)
    }
}

/// Where naming enrolments begins: with a learner or with a course.
#[derive(Clone, Copy, Debug)]
pub enum Enrolled {}

impl Enrolled {
    /// All enrolments of one learner; [`course`](Enrolments::course) narrows it to one.
    pub fn user(id: impl Into<String>) -> Enrolments {
        Enrolments {
            user: Some(id.into()),
            course: None,
        }
    }

    /// All enrolments in one course; [`user`](Enrolments::user) narrows it to one.
    pub fn course(id: impl Into<String>) -> Enrolments {
        Enrolments {
            user: None,
            course: Some(id.into()),
        }
    }
}

/// Some enrolments, never all: those of a learner, those in a course, or the one of a learner in a course.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "this only names enrolments; `Lms::unenrol` ends them"]
pub struct Enrolments {
    user: Option<String>,
    course: Option<String>,
}

impl Enrolments {
    /// Only those of this learner.
    pub fn user(mut self, id: impl Into<String>) -> Self {
        self.user = Some(id.into());
        self
    }

    /// Only those in this course.
    pub fn course(mut self, id: impl Into<String>) -> Self {
        self.course = Some(id.into());
        self
    }
}

/// What became of enrolments that were to end; there are none of them in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unenrolled {
    /// The tenant did it. How many it ended it does not say (§4).
    Done,
    /// An earlier attempt did it, whose answer was lost; the repeat found nothing left (404).
    AlreadyGone,
    /// The tenant knows no such enrolment (404).
    NoneFound,
}

/// How many enrolments are expected to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expecting(u64);

impl Expecting {
    /// This many, no more and no fewer.
    #[must_use]
    pub fn exactly(enrolments: u64) -> Self {
        Self(enrolments)
    }
}
