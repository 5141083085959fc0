//! Copying a course: a task at the tenant, and a handle on it that can be waited for, watched and stored.
//!
//! `POST /duplicate_courses` only starts a copy; `GET /duplicate_courses/{id}` says how far it is (§4).
//! Between the two lie minutes in which a process may end, a connection break or a tenant answer 503. The
//! handle looks again at growing intervals and outlives all of that. It never starts a second copy: the
//! request that starts one is repeated only when the tenant cannot have processed it.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! let copy = lms.duplicate_course("c1", |d| d.name("Safety, for Acme")).await?;
//! let course = copy.wait().await?;
//! println!("{:?}", course.id);
//! # Ok(())
//! # }
//! ```

mod polling;
mod progress;
mod token;

use std::{fmt, future::IntoFuture};

use lms_client::types;

pub use polling::Polling;
pub use progress::{CopyProgress, Progress};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::{Call, CallFuture},
};
use progress::Watch;
use token::Token;

impl Lms {
    /// Starts to copy a course, and gives back a handle on the copying.
    ///
    /// The closure says how the copy differs: its name, whether it is published, whether enrolments and
    /// responses are copied too. What it does not say, the service decides (§2).
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let plain = lms.duplicate_course("c1", |d| d).await?;
    /// let named = lms
    ///     .duplicate_course("c1", |d| d.name("Copy").unpublished().copy_enrolments())
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) when the copy may have been started and its task is not known:
    /// look for a course of that name before starting another. A [usage error](Error::is_usage) when the
    /// id is empty. Otherwise as any call, and no copy was started.
    pub async fn duplicate_course(
        &self,
        id: impl Into<String>,
        options: impl FnOnce(CopyOptions) -> CopyOptions,
    ) -> Result<CourseCopy, Error> {
        let course = id.into();
        if course.trim().is_empty() {
            return Err(Error::usage(
                "the id of the course to copy is empty; give the id of one course",
            ));
        }
        let CopyOptions(body) = options(CopyOptions(types::AddDuplicateCourse {
            course,
            name: None,
            published: None,
            copy_enrolments: None,
            copy_responses: None,
        }));
        let started = self
            .add_duplicate_course()
            .body(body.clone())
            .call()
            .await
            .map_err(|error| doubtful(error, &body))?;
        let Some(task) = started.id.clone().filter(|id| !id.is_empty()) else {
            let error = Error::new(ErrorKind::Decode, "").in_operation(progress::ADD);
            return Err(doubtful(error, &body));
        };
        Ok(CourseCopy {
            lms: self.clone(),
            task,
            first: Some(started),
            polling: Polling::default(),
        })
    }

    /// Takes up a copy that was started earlier, perhaps by another process, with the text of its
    /// [`token`](CourseCopy::token). Sends nothing.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, stored: String) -> Result<(), lms_ext::Error> {
    /// let course = lms.resume_course_copy(&stored)?.wait().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) when the text is no such token, or is of another tenant.
    #[inline]
    pub fn resume_course_copy(&self, token: &str) -> Result<CourseCopy, Error> {
        let task = Token::parse(token)?.task_at(self.base_url())?;
        Ok(CourseCopy {
            lms: self.clone(),
            task,
            first: None,
            polling: Polling::default(),
        })
    }
}

/// An error of starting a copy; it says what to do when one may be on its way.
#[inline]
fn doubtful(error: Error, body: &types::AddDuplicateCourse) -> Error {
    match error.kind() {
        ErrorKind::Ambiguous | ErrorKind::Decode => {
            let look = match body.name {
                Some(_) => "for a course of that name",
                None => "for a course that is new",
            };
            error.with_kind(ErrorKind::Ambiguous).with_detail(format!(
                "the copy may have been started, and its task is not known; look {look} in list_courses() before starting another"
            ))
        }
        _ => error,
    }
}

/// How a copy differs from its original; see [`Lms::duplicate_course`].
#[derive(Clone, Debug)]
pub struct CopyOptions(types::AddDuplicateCourse);

impl CopyOptions {
    /// The name of the copy. A telling one is also what finds it when an answer was lost.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.0.name = Some(name.into());
        self
    }

    /// The copy is published.
    #[must_use]
    pub fn published(mut self) -> Self {
        self.0.published = Some(true);
        self
    }

    /// The copy is not published.
    #[must_use]
    pub fn unpublished(mut self) -> Self {
        self.0.published = Some(false);
        self
    }

    /// The learners of the original are enrolled in the copy.
    #[must_use]
    pub fn copy_enrolments(mut self) -> Self {
        self.0.copy_enrolments = Some(true);
        self
    }

    /// The responses are copied too; what a response is, is not documented (§2).
    #[must_use]
    pub fn copy_responses(mut self) -> Self {
        self.0.copy_responses = Some(true);
        self
    }
}

/// A copy of a course that was started: wait for it, watch it, or store it and resume it elsewhere.
///
/// Dropping it changes nothing at the tenant, where the copying goes on. Awaiting it is
/// [`finished`](Self::finished).
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// let copy = lms.duplicate_course("c1", |d| d.name("Copy")).await?;
/// std::fs::write("copy.json", copy.token()).ok();
///
/// let mut progress = copy.progress();
/// while let Some(step) = progress.try_next().await? {
///     println!("{:?} %", step.progress);
/// }
/// let course = copy.await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "the copy was started; keep its token, or wait for it"]
pub struct CourseCopy {
    lms: Lms,
    task: String,
    /// What the answer that started it said.
    first: Option<types::DuplicateCourse>,
    polling: Polling,
}

impl CourseCopy {
    /// How often to look, and how long to wait.
    pub fn polling(mut self, polling: Polling) -> Self {
        self.polling = polling;
        self
    }

    /// A text to store, from which [`Lms::resume_course_copy`] makes this handle again: one line of JSON
    /// that names the tenant and the task, and holds no secret.
    #[must_use]
    #[inline]
    pub fn token(&self) -> String {
        Token::new(self.lms.base_url(), &self.task).to_string()
    }

    /// The id of the task at the tenant.
    #[must_use]
    pub fn task_id(&self) -> &str {
        &self.task
    }

    /// Waits for the copy, and reads the new course.
    ///
    /// Failures that pass (no connection, 429, 5xx) are waited out. The handle is as good afterwards as
    /// before: after an error this can be called again.
    ///
    /// # Errors
    ///
    /// [`DeadlineExceeded`](ErrorKind::DeadlineExceeded) when the copy is still running after the time
    /// that [`Polling`] gives it; the tenant goes on with it. [`TaskFailed`](ErrorKind::TaskFailed) when
    /// the tenant knows the task no more, or calls it complete without naming a new course. Otherwise as
    /// any call.
    #[inline]
    pub async fn wait(&self) -> Result<types::Course, Error> {
        self.watch().wait().await
    }

    /// Watches the copy: a stream with an item for each look at the task, the last one when it is
    /// complete. The time that [`Polling`] gives it starts now.
    #[must_use]
    #[inline]
    pub fn progress(&self) -> CopyProgress {
        CopyProgress::new(self.watch())
    }

    #[inline]
    fn watch(&self) -> Watch {
        Watch::new(
            self.lms.clone(),
            self.task.clone(),
            self.first.as_ref(),
            self.polling.clone(),
        )
    }
}

/// The [token](CourseCopy::token).
impl fmt::Display for CourseCopy {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.token())
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

impl IntoFuture for CourseCopy {
    type Output = Result<types::Course, Error>;
    type IntoFuture = CallFuture<types::Course>;

    // For the sake of programs that copy no courses: what it needs is compiled where it is called.
    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.wait().await })
    }
}
