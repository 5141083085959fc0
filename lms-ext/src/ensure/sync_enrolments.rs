//! `sync_enrolments`: makes the enrolments of a learner match a list of courses.

use std::collections::BTreeSet;

use lms_client::{
    ids::{CourseId, LearnerId},
    requests, types,
};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::ListExt,
    request::{CallFuture, Operation},
    send::in_operation,
    unenrol::EnrolmentScope,
    write::WriteMode,
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
    /// error remain; it is safe to call this again. [`Decode`](ErrorKind::Decode), with nothing changed, if an
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

    /// Makes the changes. In a dry run, it only reads the list, with the same result.
    ///
    /// # Errors
    ///
    /// The errors of [`Lms::sync_enrolments`].
    #[inline]
    pub fn run(self, mode: WriteMode) -> CallFuture<SyncedEnrolments> {
        Box::pin(in_operation("sync_enrolments", async move {
            let Self { lms, learner, .. } = &self;
            let enrolled = enrolled(lms, learner).await?;
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

impl IntoFuture for SyncEnrolments {
    type Output = Result<SyncedEnrolments, Error>;
    type IntoFuture = CallFuture<SyncedEnrolments>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        self.run(WriteMode::Apply)
    }
}

/// The courses of a learner. Items are compared with the learner, in case the server ignores the filter.
#[inline]
async fn enrolled(lms: &Lms, learner: &LearnerId) -> Result<BTreeSet<CourseId>, Error> {
    let mut courses = BTreeSet::new();
    let mut enrolments = lms.list_enrolments().user(learner).items();
    while let Some(enrolment) = enrolments.try_next().await? {
        let (Some(course), Some(user)) = (enrolment.course, enrolment.user) else {
            let detail = "the list contains an enrolment without a course or a user, so nothing was changed; check the enrolments of the learner";
            let fields = ["course", "user"].map(str::to_owned).to_vec();
            return Err(Error::new(ErrorKind::Decode, detail)
                .with_fields(fields)
                .in_operation(<requests::ListEnrolments>::INFO));
        };
        if user == *learner {
            courses.insert(course);
        }
    }
    Ok(courses)
}
