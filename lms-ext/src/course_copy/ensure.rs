//! `ensure_course_copy`: starts a copy unless an earlier process has started it.
//!
//! The service has no list of tasks. After a process ended between the request for a copy and storing its token, only the
//! name identifies the copy, and only once the list of courses contains it. So the list is read for as long as the caller
//! says that a copy may take, before another one is started.
//!
//! Functions in this module are `#[inline]`, so that only programs that copy courses compile them.

use std::{future::IntoFuture, time::Duration};

use lms_client::{builder as builders, ids::CourseId, types};
use tokio::time::{Instant, sleep_until};

use super::{CopyOptions, CourseCopy, Polling, no_course, request, start};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::Walk,
    request::{CallFuture, Operation},
    send::after,
};

impl Lms {
    /// Returns the course with this name, which an earlier process may have copied, or starts the copy.
    ///
    /// For a program that may end between the request for a copy and storing its [token](CourseCopy::token). If it did,
    /// call [`look_for`](EnsureCourseCopy::look_for), too.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use std::time::Duration;
    /// use lms_ext::EnsuredCopy;
    ///
    /// let copy = lms
    ///     .ensure_course_copy("c1", "Safety, for Acme", |copy| copy.unpublished())
    ///     .look_for(Duration::from_secs(15 * 60))
    ///     .await?;
    /// let course = match copy {
    ///     EnsuredCopy::Started(copy) => copy.wait().await?,
    ///     EnsuredCopy::Found(course) => course,
    /// };
    /// println!("{:?}", course.id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The name must be unique among the courses of the tenant, except for the original: a course is found by its name
    /// only, and the service does not say which course it is a copy of.
    ///
    /// # Errors
    ///
    /// [`Mismatch`](ErrorKind::Mismatch) if several courses have the name. [`Decode`](ErrorKind::Decode) if a course in
    /// the list has no name to compare. [`Ambiguous`](ErrorKind::Ambiguous) if the response to the request for the copy was
    /// lost and the course was not found afterwards; call again later. A [usage error](Error::is_usage) if the id or the
    /// name is empty. Otherwise the errors of any call. Except after `Ambiguous`, no copy was started.
    pub fn ensure_course_copy(
        &self,
        id: impl Into<CourseId>,
        name: impl Into<String>,
        options: impl FnOnce(CopyOptions) -> CopyOptions,
    ) -> EnsureCourseCopy {
        let name = name.into();
        EnsureCourseCopy {
            wanted: request(id, |copy| options(copy).name(&name)),
            search: Search {
                lms: self.clone(),
                name,
                time: Duration::ZERO,
                polling: Polling::default(),
            },
        }
    }
}

/// What [`Lms::ensure_course_copy`] did.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a program has one at a time; a box would be one more type for callers"
)]
pub enum EnsuredCopy {
    /// The copy was started. Store its [token](CourseCopy::token), or wait for it.
    Started(CourseCopy),
    /// A course has the name. Its copying may not be finished, if the service lists a course before its task is complete
    /// ([Course duplication](lms_client::service#course-duplication)).
    Found(types::Course),
}

/// A call to [`Lms::ensure_course_copy`].
#[derive(Debug)]
#[must_use = "nothing is sent until it is awaited"]
pub struct EnsureCourseCopy {
    wanted: Result<types::AddDuplicateCourse, Error>,
    search: Search,
}

impl EnsureCourseCopy {
    /// How long to look for the course before a copy is started, and after the response to that request was lost: longer
    /// than a copy takes. By default, the list of courses is read once, which finds only a finished copy.
    pub fn look_for(mut self, time: Duration) -> Self {
        self.search.time = time;
        self
    }

    /// Sets how often to look. The returned handle has these settings, too.
    pub fn polling(mut self, polling: Polling) -> Self {
        self.search.polling = polling;
        self
    }

    #[inline]
    async fn run(self) -> Result<EnsuredCopy, Error> {
        let Self { wanted, search } = self;
        let wanted = match wanted {
            Ok(wanted) if wanted.course.trim().is_empty() => Err(no_course()),
            Ok(_) if search.name.trim().is_empty() => Err(Error::usage(
                "the name of the copy is empty; give it a unique name",
            )),
            wanted => wanted,
        };
        let wanted =
            wanted.map_err(|error| error.in_operation(<builders::AddDuplicateCourse>::INFO))?;
        if let Some(course) = search.run(&wanted.course).await? {
            return Ok(EnsuredCopy::Found(course));
        }
        match start(search.lms.clone(), wanted.clone()).await {
            Ok(copy) => Ok(EnsuredCopy::Started(copy.polling(search.polling))),
            Err(error) if error.is_ambiguous() => match search.run(&wanted.course).await {
                Ok(Some(course)) => Ok(EnsuredCopy::Found(course)),
                _ => Err(error),
            },
            Err(error) => Err(error),
        }
    }
}

impl IntoFuture for EnsureCourseCopy {
    type Output = Result<EnsuredCopy, Error>;
    type IntoFuture = CallFuture<EnsuredCopy>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// How to look for a course that an earlier process may have copied.
#[derive(Debug)]
struct Search {
    lms: Lms,
    name: String,
    time: Duration,
    polling: Polling,
}

impl Search {
    /// The course with the name, if it is listed in time.
    #[inline]
    async fn run(&self, original: &CourseId) -> Result<Option<types::Course>, Error> {
        let end = after(Instant::now(), self.time);
        let mut looks = 0;
        loop {
            if let Some(course) = find(&self.lms, &self.name, original).await? {
                return Ok(Some(course));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            let next = Instant::now() + self.polling.wait_after(looks);
            sleep_until(next.min(end)).await;
            looks += 1;
        }
    }
}

/// The only course with this name, apart from the original.
#[inline]
async fn find(lms: &Lms, name: &str, original: &CourseId) -> Result<Option<types::Course>, Error> {
    let unclear = |kind, detail| {
        Err(Error::new(kind, detail)
            .with_fields(vec!["name".to_owned()])
            .in_operation(<builders::ListCourses>::INFO))
    };
    // Whether a list without filters contains these courses, too, is not documented.
    for list in [
        lms.list_courses(),
        lms.list_courses().published(false),
        lms.list_courses().archived(true),
    ] {
        let mut found: Vec<types::Course> = Vec::new();
        let mut courses = list.items().without_read_ahead();
        while let Some(course) = courses.try_next().await? {
            if course.id.as_ref() == Some(original) {
                continue;
            }
            let Some(known) = &course.name else {
                let detail = "the list contains a course without `name`, which may be the requested copy, so no copy was started; check the courses";
                return unclear(ErrorKind::Decode, detail.to_owned());
            };
            // A list that changes while it is read may contain a course twice.
            if known.trim() == name.trim() && found.iter().all(|other| other.id != course.id) {
                found.push(course);
            }
        }
        match found.len() {
            0 => {}
            1 => return Ok(found.pop()),
            count => {
                let detail = format!(
                    "{count} courses are called {name:?}, so no copy was started; choose a unique name"
                );
                return unclear(ErrorKind::Mismatch, detail);
            }
        }
    }
    Ok(None)
}
