//! The lists of the service that can be [read in parts](crate::concurrent): the filters that divide them.

use lms_client::types;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    client::Lms,
    concurrent::Parts,
    paging::{ListExt, Pages},
};

/// An object whose id identifies a part.
#[derive(Deserialize)]
struct Listed {
    id: Option<String>,
}

/// Reads large lists faster, in parts that are read [concurrently](crate::concurrent).
impl Lms {
    /// All enrolments, course by course.
    #[inline]
    pub fn enrolments_by_course(&self) -> Parts<types::Enrolment> {
        self.by_course(|lms, course| lms.list_enrolments().course(course).pages())
    }

    /// All topic progress, course by course.
    #[inline]
    pub fn topic_progress_by_course(&self) -> Parts<types::TopicProgress> {
        self.by_course(|lms, course| lms.list_topic_progress().course(course).pages())
    }

    /// All topic progress, topic by topic. If a few courses have many learners, this splits better than
    /// [`topic_progress_by_course`](Self::topic_progress_by_course).
    #[inline]
    pub fn topic_progress_by_topic(&self) -> Parts<types::TopicProgress> {
        Parts::new(
            self,
            |lms| lms.list_topics().pages_as::<Listed>(),
            |topic| topic.id,
            |lms, topic| lms.list_topic_progress().topic(topic).pages(),
        )
    }

    /// The completions of all existing courses, course by course. They are not checked for completeness, because their
    /// list has no count. Completions of deleted courses are not included: read `list_course_completions` for those.
    #[inline]
    pub fn completions_by_course(&self) -> Parts<types::CourseCompletion> {
        let parts = self.by_course(|lms, course| {
            let completions = lms.list_course_completions().course(course);
            completions.pages()
        });
        parts.ignore_number_found()
    }

    #[inline]
    fn by_course<T: DeserializeOwned + Send + 'static>(
        &self,
        pages: impl Fn(&Self, Option<&str>) -> Pages<T> + Send + 'static,
    ) -> Parts<T> {
        let courses = |lms: &Self| lms.list_courses().pages_as::<Listed>();
        Parts::new(self, courses, |course| course.id, pages)
    }
}
