//! Polls the task of a copy until it is complete.
//!
//! Temporary failures are tolerated; any other error ends the wait. A 404 can be either: directly after the start, the
//! task may not be visible on every server yet; later, it is lost.
//!
//! Functions in this module are `#[inline]`, so that only programs that copy courses compile them.

use std::time::Duration;

use lms_client::{
    ids::{CourseId, DuplicateCourseId},
    requests, types,
};
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::{Call, CallFuture, Operation},
    send::after,
    values::OperationInfo,
};

pub(super) const ADD: &OperationInfo = <requests::AddDuplicateCourse>::INFO;
const VIEW: &OperationInfo = <requests::ViewDuplicateCourse>::INFO;

/// Number of 404s after which an object that was just created counts as missing.
const MAX_NOT_FOUND: u32 = 3;

/// A handle of a copy that was started: wait for it, show its progress, or store it and wait in another process.
///
/// Dropping the handle does not stop the copy. By default, the first poll comes after half a second, and each wait is 1.5
/// times the previous one, up to 10 s. Up to half of each wait is subtracted at random. Polling ends after 30 minutes.
#[derive(Clone, Debug)]
#[must_use = "the copy was started; keep its task id, or wait for it"]
pub struct CourseCopy {
    lms: Lms,
    task: DuplicateCourseId,
    /// The course that is copied, unless the copy was resumed.
    source: Option<CourseId>,
    /// The response that started the copy, unless it was resumed.
    first: Option<CopyState>,
    /// The wait before the first poll, and the maximum wait.
    interval: (Duration, Duration),
    timeout: Duration,
}

impl CourseCopy {
    pub(super) fn new(
        lms: Lms,
        task: DuplicateCourseId,
        source: Option<CourseId>,
        first: Option<CopyState>,
    ) -> Self {
        Self {
            lms,
            task,
            source,
            first,
            interval: (Duration::from_millis(500), Duration::from_secs(10)),
            timeout: Duration::from_secs(30 * 60),
        }
    }

    /// Sets the wait before the first poll, at least 1 ms, and the maximum wait.
    pub fn interval(mut self, first: Duration, max: Duration) -> Self {
        let first = first.max(Duration::from_millis(1));
        self.interval = (first, max.max(first));
        self
    }

    /// Sets the time after which waiting fails, from the start of the waiting call. Default: 30 minutes.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use std::time::Duration;
    ///
    /// let copy = lms.duplicate_course("c1", |d| d).await?;
    /// let course = copy.timeout(Duration::from_secs(6 * 3600)).wait().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
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
    /// the [timeout](Self::timeout); it continues on the server. [`TaskFailed`](ErrorKind::TaskFailed) if the server does
    /// not know the task any more, or reports it as complete without a new course or with the copied one. Otherwise the errors of any
    /// call.
    #[inline]
    pub fn wait(&self) -> CallFuture<types::Course> {
        Box::pin(self.progress().wait())
    }

    /// The state of the copy after each poll; the last one is complete. The [timeout](Self::timeout) starts with this call.
    #[inline]
    pub fn progress(&self) -> CopyProgress {
        CopyProgress {
            copy: self.clone(),
            deadline: after(Instant::now(), self.timeout),
            last: None,
            new: self.first.is_some(),
            poll_now: self.first.is_none(),
            polls: 0,
            retry_after: Duration::ZERO,
            last_error: None,
            ended: false,
        }
    }
}

/// The state of a copy, from one poll.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopyState {
    /// The progress. Its range is not documented
    /// ([Course duplication](lms_client::service#course-duplication)), so only display it.
    pub progress: Option<i64>,
    /// The current stage. The number of stages is not documented.
    pub stage: Option<i64>,
    /// `true` if the copy is complete.
    pub complete: bool,
    /// The id of the new course. Always present once the copy is complete.
    pub new_course: Option<CourseId>,
}

impl CopyState {
    /// Fails if the task is about another course than `source`, or names its own source as the new course.
    #[inline]
    pub(super) fn from_task(
        task: &types::DuplicateCourse,
        source: Option<&CourseId>,
    ) -> Result<Self, Error> {
        let [old, new] =
            [&task.old_course, &task.new_course].map(|id| id.as_ref().filter(|id| !id.is_empty()));
        if old.is_some_and(|old| source.is_some_and(|source| source != old)) {
            return Err(failed(
                "the response is about the copy of another course; look for the copy in list_courses()",
            ));
        }
        if new.is_some() && (new == old || new == source) {
            return Err(failed(
                "the response names the course itself as its copy; look for the copy in list_courses()",
            ));
        }
        Ok(Self {
            progress: task.progress.map(i64::from),
            stage: task.stage.map(i64::from),
            complete: task.complete == Some(true),
            new_course: new.cloned(),
        })
    }
}

/// The states of a copy, one after each poll; returned by [`CourseCopy::progress`].
#[derive(Debug)]
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`"]
pub struct CopyProgress {
    copy: CourseCopy,
    deadline: Instant,
    /// The state from the last poll.
    last: Option<CopyState>,
    /// `true` if this process started the task and has not seen it since, so that a 404 is tolerated.
    new: bool,
    poll_now: bool,
    polls: u32,
    retry_after: Duration,
    last_error: Option<Error>,
    ended: bool,
}

impl CopyProgress {
    /// Waits for the next state; `None` after the copy was complete or failed. Temporary failures are not returned.
    ///
    /// # Errors
    ///
    /// [`DeadlineExceeded`](ErrorKind::DeadlineExceeded) after the timeout, [`TaskFailed`](ErrorKind::TaskFailed) if
    /// the copy failed, as for [`CourseCopy::wait`]. Otherwise the errors of any call.
    #[inline]
    pub async fn try_next(&mut self) -> Result<Option<CopyState>, Error> {
        if self.ended {
            return Ok(None);
        }
        let result = match self.copy.first.take() {
            Some(first) => Ok(first),
            None => self.poll().await,
        };
        let result = result.and_then(|progress| match progress {
            CopyState { complete: true, new_course: None, .. } => Err(failed(
                "the copy is complete, but the response does not name the new course; look for it in list_courses()",
            )),
            progress => Ok(progress),
        });
        self.ended = result.as_ref().map_or(true, |progress| progress.complete);
        self.last = result.as_ref().ok().cloned().or(self.last.take());
        result.map(Some)
    }

    /// Waits until the copy is complete, and reads the new course.
    #[inline]
    async fn wait(mut self) -> Result<types::Course, Error> {
        let mut id = None;
        while let Some(progress) = self.try_next().await? {
            id = progress.new_course;
        }
        let id = id.ok_or_else(|| failed("the copy ended without a new course"))?;
        (self.polls, self.poll_now) = (0, true);
        self.call(|lms| lms.get_course(&id).call(), true).await
    }

    /// Polls until there is a response about the task.
    #[inline]
    async fn poll(&mut self) -> Result<CopyState, Error> {
        let task = self.copy.task.clone();
        let poll = |lms: &Lms| lms.view_duplicate_course(&task).call();
        let task = self.call(poll, self.new).await.map_err(lost_if_not_found)?;
        self.new = false;
        CopyState::from_task(&task, self.copy.source.as_ref())
    }

    /// Repeats a call until it succeeds or has an error that is not temporary. A few 404s are temporary for a `new` object.
    #[inline]
    async fn call<T>(
        &mut self,
        call: impl Fn(&Lms) -> CallFuture<T>,
        new: bool,
    ) -> Result<T, Error> {
        loop {
            if !std::mem::take(&mut self.poll_now) {
                self.sleep().await?;
            }
            let result = timeout_at(self.deadline, call(&self.copy.lms)).await;
            self.polls += 1;
            let error = match result.map_err(|_| self.timed_out())? {
                Ok(value) => {
                    self.last_error = None;
                    return Ok(value);
                }
                Err(error) => error,
            };
            let temporary = error.is_retryable()
                || error.kind() == ErrorKind::Token
                || error.is_not_found() && new && self.polls <= MAX_NOT_FOUND;
            if !temporary {
                return Err(error);
            }
            if self.copy.lms.engine().sender.retry.waits {
                self.retry_after = error.retry_after().unwrap_or_default();
            }
            self.last_error = Some(error);
        }
    }

    /// Waits until the next poll, or fails at the deadline.
    #[inline]
    async fn sleep(&mut self) -> Result<(), Error> {
        let (mut wait, max) = self.copy.interval;
        for _ in 0..self.polls.min(64) {
            wait = (wait.saturating_mul(3) / 2).min(max);
        }
        let wait = wait.mul_f64(1.0 - fastrand::f64() / 2.0);
        let wait = wait.max(std::mem::take(&mut self.retry_after));
        let next = Instant::now() + wait.min(Duration::from_secs(86_400));
        let slept = sleep_until(next.min(self.deadline));
        let cancelled = |error: Error| error.in_operation(VIEW);
        let engine = self.copy.lms.engine();
        engine.unless_cancelled(slept).await.map_err(cancelled)?;
        if next < self.deadline {
            Ok(())
        } else {
            Err(self.timed_out())
        }
    }

    #[inline]
    fn timed_out(&mut self) -> Error {
        let state = match &self.last {
            Some(CopyState { complete: true, .. }) => {
                "complete, but the new course could not be read".to_owned()
            }
            Some(CopyState {
                progress: Some(progress),
                ..
            }) => format!("still running at {progress}"),
            _ => "still running".to_owned(),
        };
        let error = Error::new(
            ErrorKind::DeadlineExceeded,
            format!(
                "after {} s the copy is {state}; it continues on the server: keep its task id, and wait again now or later",
                self.copy.timeout.as_secs_f64()
            ),
        )
        .in_operation(VIEW);
        match self.last_error.take() {
            Some(source) => error.with_source(source),
            None => error,
        }
    }
}

#[inline]
fn failed(detail: &str) -> Error {
    Error::new(ErrorKind::TaskFailed, detail).in_operation(VIEW)
}

/// Turns a 404 into an error that explains it for the copy.
#[inline]
fn lost_if_not_found(error: Error) -> Error {
    if !error.is_not_found() {
        return error;
    }
    error.with_kind(ErrorKind::TaskFailed).with_detail(
        "the server does not know the task, so the copy has failed or was complete long ago; look for it in list_courses() before starting another",
    )
}
