//! Course copies: a long-running task, and a handle to wait for it, show its progress, or store it.
//!
//! `POST /duplicate_courses` only starts a copy, and `GET /duplicate_courses/{id}` returns its progress ([Course
//! duplication](lms_client::service#course-duplication)). A copy can take minutes. During that time, a process may stop,
//! a connection may break, or the server may return 503. The handle polls at growing intervals and tolerates temporary
//! failures. It never starts a second copy: the request that starts the copy is retried only if the server cannot have
//! processed it.

mod poller;

use lms_client::{
    ids::{CourseId, DuplicateCourseId},
    requests, types,
};

pub use poller::{CopyProgress, CopyState, CourseCopy};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::{Call, CallFuture},
};

impl Lms {
    /// Starts a copy of a course, and returns a handle for it.
    ///
    /// The closure sets the options: a name, whether the copy is published, and whether enrolments and responses are
    /// copied. The service chooses the defaults, and does not document the meaning of `copy_responses`. A unique name
    /// also helps to find the copy if the response to this call is lost.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let plain = lms.duplicate_course("c1", |d| d).await?;
    /// let named = lms
    ///     .duplicate_course("c1", |d| d.name("Copy").published(false).copy_enrolments(true))
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) if the copy may have been started, but its task is unknown: look for a
    /// course with that name before you start another copy. A [usage error](Error::is_usage) if the id is empty. After
    /// any other error, no copy was started.
    pub fn duplicate_course(
        &self,
        id: impl Into<CourseId>,
        options: impl FnOnce(types::builder::AddDuplicateCourse) -> types::builder::AddDuplicateCourse,
    ) -> CallFuture<CourseCopy> {
        let body = options(types::AddDuplicateCourse::builder(id.into()));
        let lms = self.clone();
        Box::pin(async move { start(lms, body.try_into()?).await })
    }

    /// Returns the handle of the copy with this [task id](CourseCopy::task_id) at this tenant, for example one that another
    /// process has started and stored. Sends no request.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, stored: String) -> Result<(), lms_ext::Error> {
    /// let course = lms.course_copy(stored).wait().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn course_copy(&self, task: impl Into<DuplicateCourseId>) -> CourseCopy {
        CourseCopy::new(self.clone(), task.into(), None, None)
    }
}

#[inline]
async fn start(lms: Lms, body: types::AddDuplicateCourse) -> Result<CourseCopy, Error> {
    let started = requests::AddDuplicateCourse::new(&lms, body.clone())
        .call()
        .await
        .map_err(|error| explain_ambiguous(error, &body))?;
    let Some(task) = started.id.clone().filter(|id| !id.is_empty()) else {
        let error = Error::new(ErrorKind::Decode, "").in_operation(poller::ADD);
        return Err(explain_ambiguous(error, &body));
    };
    let source = body.course;
    let first = CopyState::from_task(&started, Some(&source))?;
    Ok(CourseCopy::new(lms, task, Some(source), Some(first)))
}

/// Adds advice for a copy that may have been started.
#[inline]
fn explain_ambiguous(error: Error, body: &types::AddDuplicateCourse) -> Error {
    match error.kind() {
        ErrorKind::Ambiguous | ErrorKind::Decode => {
            let course = match body.name {
                Some(_) => "a course with that name",
                None => "a new course",
            };
            error.with_kind(ErrorKind::Ambiguous).with_advice(format!(
                "the copy may have been started, but its task is unknown; look for {course} in list_courses() before starting another"
            ))
        }
        _ => error,
    }
}
