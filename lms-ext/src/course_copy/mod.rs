//! Course copies: a long-running task, and a handle to wait for it, show its progress, or store it.
//!
//! `POST /duplicate_courses` only starts a copy, and `GET /duplicate_courses/{id}` returns its progress ([Course
//! duplication](lms_client::service#course-duplication)). A copy can take minutes. During that time, a process may stop,
//! a connection may break, or the server may return 503. The handle polls at growing intervals and tolerates temporary
//! failures. It never starts a second copy: the request that starts the copy is retried only if the server cannot have
//! processed it.

mod poller;
mod polling;

use std::fmt;

use lms_client::{
    ids::{CourseId, DuplicateCourseId},
    requests, types,
};

pub use poller::{CopyProgress, CopyState};
pub use polling::Polling;

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
        CourseCopy {
            lms: self.clone(),
            task: task.into(),
            first: None,
            polling: Polling::default(),
        }
    }
}

#[inline]
async fn start(lms: Lms, body: types::AddDuplicateCourse) -> Result<CourseCopy, Error> {
    if body.course.trim().is_empty() {
        return Err(no_course());
    }
    let started = requests::AddDuplicateCourse::new(&lms, body.clone())
        .call()
        .await
        .map_err(|error| explain_ambiguous(error, &body))?;
    let Some(task) = started.id.clone().filter(|id| !id.is_empty()) else {
        let error = Error::new(ErrorKind::Decode, "").in_operation(poller::ADD);
        return Err(explain_ambiguous(error, &body));
    };
    Ok(CourseCopy {
        lms,
        task,
        first: Some(CopyState::from_task(&started)),
        polling: Polling::default(),
    })
}

fn no_course() -> Error {
    Error::usage("the id of the course to copy is empty; give the id of one course")
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

/// A handle of a copy that was started: wait for it, show its progress, or store it and wait in another process.
///
/// Dropping the handle does not stop the copy.
#[derive(Clone)]
#[must_use = "the copy was started; keep its task id, or wait for it"]
pub struct CourseCopy {
    lms: Lms,
    task: DuplicateCourseId,
    /// The response that started the copy, unless it was resumed.
    first: Option<CopyState>,
    polling: Polling,
}

impl CourseCopy {
    /// Sets the intervals and the timeout of polling.
    pub fn polling(mut self, polling: Polling) -> Self {
        self.polling = polling;
        self
    }

    /// The id of the task, to store for [`Lms::course_copy`].
    #[must_use]
    pub fn task_id(&self) -> &DuplicateCourseId {
        &self.task
    }

    /// Waits until the copy is complete, and returns the new course.
    ///
    /// Temporary failures (no connection, 429, 5xx) are tolerated. After an error, you can call this again.
    ///
    /// # Errors
    ///
    /// [`DeadlineExceeded`](ErrorKind::DeadlineExceeded) if the copy is still running after
    /// [`Polling::timeout`]; it continues on the server. [`TaskFailed`](ErrorKind::TaskFailed) if the server does
    /// not know the task any more, or reports it as complete without a new course. Otherwise the errors of any
    /// call.
    #[inline]
    pub fn wait(&self) -> CallFuture<types::Course> {
        Box::pin(self.progress().wait())
    }

    /// The state of the copy after each poll; the last one is complete. [`Polling::timeout`] starts with this call.
    #[inline]
    pub fn progress(&self) -> CopyProgress {
        CopyProgress::new(self.clone())
    }
}

impl fmt::Debug for CourseCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CourseCopy")
            .field("task", &self.task)
            .field("polling", &self.polling)
            .finish_non_exhaustive()
    }
}
