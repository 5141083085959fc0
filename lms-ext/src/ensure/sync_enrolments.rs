//! `sync_enrolments`: makes the enrolments of a learner match a list of courses.

use std::collections::BTreeSet;

use lms_client::{
    ids::{CourseId, LearnerId},
    types,
};

use super::EnrolmentIndex;
use crate::{
    client::Lms,
    error::Error,
    paging::ListExt,
    request::CallFuture,
    send::in_operation,
    unenrol::EnrolmentScope,
    write::{WriteMode, awaited},
};

impl Lms {
    /// Enrols a learner in each of these courses, unless the learner is already enrolled.
    ///
    /// Reads the enrolments of the learner once. [`remove_others`](SyncEnrolments::remove_others) also ends the other
    /// enrolments of the learner.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let synced = lms.sync_enrolments("l1", ["c1", "c2"]).remove_others().await?;
    /// println!("added {:?}, removed {:?}", synced.added, synced.removed);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`ensure_enrolment`](Self::ensure_enrolment) and [`unenrol`](Self::unenrol). Changes before the
    /// error remain; it is safe to call this again. [`Decode`](crate::ErrorKind::Decode), with nothing changed, if an
    /// enrolment in the list has no course or no user.
    pub fn sync_enrolments<C: Into<CourseId>>(
        &self,
        learner: impl Into<LearnerId>,
        courses: impl IntoIterator<Item = C>,
    ) -> SyncEnrolments {
        SyncEnrolments {
            lms: self.clone(),
            learner: learner.into(),
            courses: courses.into_iter().map(Into::into).collect(),
            remove_others: false,
            existing: None,
        }
    }
}

/// A call to [`Lms::sync_enrolments`]: `.await` it, or [run](Self::run) it in a mode.
#[derive(Debug)]
#[must_use = "nothing is sent: write `.await`"]
pub struct SyncEnrolments {
    lms: Lms,
    learner: LearnerId,
    courses: BTreeSet<CourseId>,
    remove_others: bool,
    existing: Option<BTreeSet<CourseId>>,
}

/// The changes of [`Lms::sync_enrolments`], or in a dry run the planned changes. Courses are in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncedEnrolments {
    /// The courses in which the learner was enrolled.
    pub added: Vec<CourseId>,
    /// The courses in which the learner was enrolled before.
    pub unchanged: Vec<CourseId>,
    /// The courses whose enrolment was deleted.
    pub removed: Vec<CourseId>,
}

impl SyncEnrolments {
    /// Deletes the enrolments of the learner in all other courses, after the missing ones were added. An empty list of
    /// courses deletes all of them.
    pub fn remove_others(mut self) -> Self {
        self.remove_others = true;
        self
    }

    /// Passes the courses in which the learner is enrolled, from a list that you have read. The call then does not read
    /// them, and sends nothing if nothing changes. A missing enrolment is still looked up before it is added.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, people: Vec<lms_ext::ids::LearnerId>) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{EnrolmentIndex, prelude::*};
    ///
    /// let enrolments = EnrolmentIndex::read(lms.list_enrolments().items()).await?;
    /// for learner in people {
    ///     let existing = enrolments.courses_of(&learner);
    ///     lms.sync_enrolments(&learner, ["c1", "c2"]).existing(existing).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn existing<C: Into<CourseId>>(mut self, courses: impl IntoIterator<Item = C>) -> Self {
        self.existing = Some(courses.into_iter().map(Into::into).collect());
        self
    }

    /// Makes the changes. In a dry run, it only reads the list, with the same result.
    ///
    /// # Errors
    ///
    /// The errors of [`Lms::sync_enrolments`].
    #[inline]
    pub fn run(mut self, mode: WriteMode) -> CallFuture<SyncedEnrolments> {
        Box::pin(in_operation("sync_enrolments", async move {
            let known = self.existing.take();
            let Self { lms, learner, .. } = &self;
            let enrolled = match known {
                Some(known) => known,
                None => {
                    let list = lms.list_enrolments().user(learner).items();
                    EnrolmentIndex::read(list).await?.remove(learner)
                }
            };
            let mut synced = SyncedEnrolments::default();
            for course in self.courses.difference(&enrolled) {
                let enrolment = types::AddEnrolment::builder(course, learner);
                let ensured = lms.ensure_enrolment(enrolment).run(mode).await?;
                match ensured.is_new() {
                    true => synced.added.push(course.clone()),
                    false => synced.unchanged.push(course.clone()),
                }
            }
            synced
                .unchanged
                .extend(self.courses.intersection(&enrolled).cloned());
            synced.unchanged.sort_unstable();
            for course in enrolled.difference(&self.courses) {
                if self.remove_others {
                    if mode == WriteMode::Apply {
                        let scope = EnrolmentScope::learner_in_course(learner, course);
                        lms.unenrol(scope).await?;
                    }
                    synced.removed.push(course.clone());
                }
            }
            Ok(synced)
        }))
    }
}

awaited!(SyncEnrolments => SyncedEnrolments);
