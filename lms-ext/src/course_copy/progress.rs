//! Looking at a task until it is complete.
//!
//! What passes is waited out; what does not ends the watch. A task that the tenant does not know is one or
//! the other: right after its start it may not be visible everywhere yet, later it is lost.
//!
//! What asks and reads is `inline`, here and in the files beside this one, so that programs that copy no course have no
//! code for it.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_core::Stream;
use lms_client::types;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::Polling;
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::{Call, Operation},
    values::OperationInfo,
};
use lms_client::builder as builders;

pub(super) const ADD: &OperationInfo = builders::AddDuplicateCourse::INFO;
const VIEW: &OperationInfo = builders::ViewDuplicateCourse::INFO;

/// How often something that was just made may still be unknown.
const UNSEEN: u32 = 3;

/// How far a copy is, as the tenant said at one look.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How far; its range is not documented (§3), so it is something to show.
    pub progress: Option<i64>,
    /// Which stage; how many there are is not documented.
    pub stage: Option<i64>,
    /// Whether the copy is done.
    pub complete: bool,
    /// The id of the new course, known at the latest when it is complete.
    pub new_course: Option<String>,
}

impl Progress {
    #[inline]
    fn of(task: &types::DuplicateCourse) -> Self {
        Self {
            progress: task.progress.map(i64::from),
            stage: task.stage.map(i64::from),
            complete: task.complete == Some(true),
            new_course: task.new_course.clone().filter(|id| !id.is_empty()),
        }
    }
}

/// A task that is being looked at.
#[derive(Debug)]
pub(super) struct Watch {
    lms: Lms,
    task: String,
    polling: Polling,
    deadline: Instant,
    /// What was known before the first look.
    first: Option<Progress>,
    /// What the last look found.
    last: Option<Progress>,
    /// Whether this process started the task and has not seen it since: it may be too new to be known.
    unseen: bool,
    /// Whether to look at once.
    at_once: bool,
    looks: u32,
    /// How long the tenant asked to be left alone.
    asked: Duration,
    trouble: Option<Error>,
    over: bool,
}

impl Watch {
    #[inline]
    pub(super) fn new(
        lms: Lms,
        task: String,
        first: Option<&types::DuplicateCourse>,
        polling: Polling,
    ) -> Self {
        let century = Duration::from_secs(100 * 365 * 86_400);
        Self {
            lms,
            task,
            deadline: Instant::now() + polling.deadline.min(century),
            polling,
            first: first.map(Progress::of),
            last: None,
            unseen: first.is_some(),
            at_once: first.is_none(),
            looks: 0,
            asked: Duration::ZERO,
            trouble: None,
            over: false,
        }
    }

    /// The next thing that is known of the task; `None` after it was complete, or after an error.
    #[inline]
    async fn next(&mut self) -> Option<Result<Progress, Error>> {
        if self.over {
            return None;
        }
        let step = match self.first.take() {
            // A copy that was complete at once still has to name its course.
            Some(first) => Ok(first),
            None => self.look().await,
        };
        let step = step.and_then(|step| match step {
            Progress { complete: true, new_course: None, .. } => Err(failed(
                "the copy is complete and the tenant does not name the new course; look for it in list_courses()",
            )),
            step => Ok(step),
        });
        self.over = step.as_ref().map_or(true, |step| step.complete);
        self.last = step.as_ref().ok().cloned().or(self.last.take());
        Some(step)
    }

    /// Waits for the end, and reads the new course.
    #[inline]
    pub(super) async fn wait(mut self) -> Result<types::Course, Error> {
        let mut id = None;
        while let Some(step) = self.next().await {
            id = step?.new_course;
        }
        let id = id.ok_or_else(|| failed("the copy ended without a new course"))?;
        self.looks = 0;
        loop {
            let course = self.lms.get_course().id(id.as_str()).call();
            match self.within_time(course).await? {
                Ok(course) => return Ok(course),
                Err(error) => self.endure(error, true)?,
            }
            self.sleep().await?;
        }
    }

    /// Looks until the tenant says something about the task.
    #[inline]
    async fn look(&mut self) -> Result<Progress, Error> {
        loop {
            if !std::mem::take(&mut self.at_once) {
                self.sleep().await?;
            }
            let look = self
                .lms
                .view_duplicate_course()
                .id(self.task.as_str())
                .call();
            match self.within_time(look).await? {
                Ok(task) => {
                    self.looks += 1;
                    self.unseen = false;
                    self.trouble = None;
                    return Ok(Progress::of(&task));
                }
                Err(error) => {
                    let unseen = self.unseen;
                    self.endure(error, unseen).map_err(lost_if_unknown)?;
                }
            }
        }
    }

    /// Notes an error that passes, and gives any other back.
    ///
    /// That a thing is unknown passes a few times, if it is `new`.
    #[inline]
    fn endure(&mut self, error: Error, new: bool) -> Result<(), Error> {
        self.looks += 1;
        let passes = error.is_retryable()
            || error.kind() == ErrorKind::Token
            || error.is_not_found() && new && self.looks <= UNSEEN;
        if !passes {
            return Err(error);
        }
        self.asked = error.retry_after().unwrap_or_default();
        self.trouble = Some(error);
        Ok(())
    }

    /// Lets time pass before the next look.
    #[inline]
    async fn sleep(&mut self) -> Result<(), Error> {
        let wait = self
            .polling
            .wait_after(self.looks)
            .max(std::mem::take(&mut self.asked));
        let next = Instant::now() + wait.min(Duration::from_secs(86_400));
        sleep_until(next.min(self.deadline)).await;
        if next < self.deadline {
            Ok(())
        } else {
            Err(self.still_running())
        }
    }

    async fn within_time<T>(
        &mut self,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, Error> {
        match timeout_at(self.deadline, call).await {
            Ok(result) => Ok(result),
            Err(_) => Err(self.still_running()),
        }
    }

    #[inline]
    fn still_running(&mut self) -> Error {
        let how_far = match &self.last {
            Some(Progress { complete: true, .. }) => "complete and cannot be read yet".to_owned(),
            Some(Progress {
                progress: Some(progress),
                ..
            }) => format!("still running at {progress}"),
            _ => "still running".to_owned(),
        };
        let error = Error::new(
            ErrorKind::DeadlineExceeded,
            format!(
                "after {} s the copy is {how_far}; it goes on at the tenant: keep its token and wait again, now or later",
                self.polling.deadline.as_secs_f64()
            ),
        )
        .in_operation(VIEW);
        match self.trouble.take() {
            Some(trouble) => error.with_source(trouble),
            None => error,
        }
    }
}

#[inline]
fn failed(detail: &str) -> Error {
    Error::new(ErrorKind::TaskFailed, detail).in_operation(VIEW)
}

/// What it means that the tenant does not know the task.
#[inline]
fn lost_if_unknown(error: Error) -> Error {
    if !error.is_not_found() {
        return error;
    }
    error.with_kind(ErrorKind::TaskFailed).with_detail(
        "the tenant does not know the task, so the copy has failed or is long done; look for it in list_courses() before starting another",
    )
}

/// The looks at a task as a stream; made by [`CourseCopy::progress`](super::CourseCopy::progress).
///
/// Failures that pass are waited out and not shown. Any other is the last item.
pub struct CopyProgress(State);

enum State {
    Idle(Box<Watch>),
    Looking(Looking),
    Over,
}

type Looking = Pin<Box<dyn Future<Output = (Box<Watch>, Option<Result<Progress, Error>>)> + Send>>;

impl CopyProgress {
    #[inline]
    pub(super) fn new(watch: Watch) -> Self {
        Self(State::Idle(Box::new(watch)))
    }

    /// Waits for the next look; `None` after the task was complete, or after an error.
    ///
    /// # Errors
    ///
    /// As [`CourseCopy::finished`](super::CourseCopy::finished).
    #[inline]
    pub async fn try_next(&mut self) -> Result<Option<Progress>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx))
            .await
            .transpose()
    }
}

impl Stream for CopyProgress {
    type Item = Result<Progress, Error>;

    // As `CourseCopy::into_future`.
    #[inline]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut looking = match std::mem::replace(&mut self.0, State::Over) {
            State::Over => return Poll::Ready(None),
            State::Looking(looking) => looking,
            State::Idle(mut watch) => Box::pin(async move {
                let step = watch.next().await;
                (watch, step)
            }),
        };
        let Poll::Ready((watch, step)) = looking.as_mut().poll(cx) else {
            self.0 = State::Looking(looking);
            return Poll::Pending;
        };
        if step.is_some() {
            self.0 = State::Idle(watch);
        }
        Poll::Ready(step)
    }
}

impl fmt::Debug for CopyProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CopyProgress")
    }
}
