//! The concurrent walks that the service's filters allow.
//!
//! Everything is `#[inline]`, so that only programs that use these methods compile the deserializers they need.

use lms_client::{
    id::Id,
    ids::{CourseId, LearnerId, TopicId, UserFieldId},
    types,
};
use serde::{Deserialize, de::DeserializeOwned};

use super::{Concurrent, Part};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{Items, Walk},
    request::Call,
};

/// An item of a list of courses, topics or learners.
#[derive(Deserialize)]
#[serde(bound = "")]
struct Listed<K> {
    id: Id<K>,
}

/// An enrolment.
#[derive(Deserialize)]
struct Enrolled {
    user: LearnerId,
}

impl<K> From<Listed<K>> for Id<K> {
    #[inline]
    fn from(item: Listed<K>) -> Self {
        item.id
    }
}

impl From<Enrolled> for LearnerId {
    #[inline]
    fn from(item: Enrolled) -> Self {
        item.user
    }
}

/// One part for each id of a walk.
fn by_id<R, K, T, P>(
    lms: &Lms,
    name: impl Into<String>,
    walk: Items<R>,
    part: impl Fn(&Lms, &Id<K>) -> P + Send + 'static,
) -> Concurrent<Id<K>, T>
where
    R: DeserializeOwned + Into<Id<K>> + Send + 'static,
    K: 'static,
    T: DeserializeOwned + Send + 'static,
    P: Into<Part<T>> + 'static,
{
    let lms = lms.clone();
    let parts = Concurrent::for_each_item(walk, move |item: R| {
        let id = item.into();
        if id.is_empty() {
            return Err(Error::new(
                ErrorKind::Decode,
                "the list contains an item with an empty id, and an empty filter would match everything",
            ));
        }
        let part = part(&lms, &id);
        Ok((id, part))
    });
    parts.named(name)
}

/// Refuses an id that would match everything as a filter, or change the path.
fn refusal(name: &str, id: &str) -> Option<Error> {
    matches!(id, "" | "." | "..").then(|| {
        Error::usage(format!(
            "the id of the {name} is empty or a dot segment; give the id of one {name}"
        ))
    })
}

/// Reads large collections faster, by reading disjoint parts [concurrently](crate::concurrent).
///
/// Each method lists other objects first to find the parts, so it returns an item only if the object that the
/// item belongs to is listed.
impl Lms {
    /// All enrolments, by course. The key of a part is the id of the course.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let mut enrolments = lms.enrolments_by_course().concurrency(16);
    /// while let Some(enrolment) = enrolments.try_next().await? {
    ///     println!("{:?} takes {}", enrolment.item.user, enrolment.part);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn enrolments_by_course(&self) -> Concurrent<CourseId, types::Enrolment> {
        by_id(
            self,
            "enrolments_by_course",
            self.list_courses().items_as::<Listed<_>>(),
            |lms, course| lms.list_enrolments().course(course).items(),
        )
    }

    /// All topic progress, by course. The key of a part is the id of the course.
    #[inline]
    pub fn topic_progress_by_course(&self) -> Concurrent<CourseId, types::TopicProgress> {
        by_id(
            self,
            "topic_progress_by_course",
            self.list_courses().items_as::<Listed<_>>(),
            |lms, course| lms.list_topic_progress().course(course).items(),
        )
    }

    /// All topic progress, by topic. The key of a part is the id of the topic. If a few courses have many
    /// learners, this splits better than [`topic_progress_by_course`](Self::topic_progress_by_course).
    #[inline]
    pub fn topic_progress_by_topic(&self) -> Concurrent<TopicId, types::TopicProgress> {
        by_id(
            self,
            "topic_progress_by_topic",
            self.list_topics().items_as::<Listed<_>>(),
            |lms, topic| lms.list_topic_progress().topic(topic).items(),
        )
    }

    /// The completions of all existing courses. The key of a part is the id of the course.
    ///
    /// Completions of deleted courses are not included; walk `list_course_completions` for those.
    #[inline]
    pub fn completions_by_course(&self) -> Concurrent<CourseId, types::CourseCompletion> {
        by_id(
            self,
            "completions_by_course",
            self.list_courses().items_as::<Listed<_>>(),
            |lms, course| lms.list_course_completions().course(course).items(),
        )
    }

    /// The course progress of every learner who is enrolled in a course. The key of a part is the id of the
    /// learner.
    #[inline]
    pub fn course_progress_of(
        &self,
        course: impl Into<CourseId>,
    ) -> Concurrent<LearnerId, types::CourseProgress> {
        let course = course.into();
        if let Some(error) = refusal("course", &course) {
            return Concurrent::failed(error);
        }
        by_id(
            self,
            format!("course_progress_of {course}"),
            self.list_enrolments()
                .course(&course)
                .items_as::<Enrolled>(),
            move |lms, user| {
                let progress = lms.get_course_progress().course(&course);
                progress.user(user).call()
            },
        )
    }

    /// Every learner's record of a custom field. The key of a part is the id of the learner.
    ///
    /// For a learner without a value, the service may return a record whose `has_value` is false, or a
    /// [not-found](crate::Error::is_not_found) error for that part; which of them is not documented
    /// ([Custom fields](lms_client::service#custom-fields)).
    #[inline]
    pub fn records_of(
        &self,
        user_field: impl Into<UserFieldId>,
    ) -> Concurrent<LearnerId, types::Record> {
        let user_field = user_field.into();
        if let Some(error) = refusal("custom field", &user_field) {
            return Concurrent::failed(error);
        }
        by_id(
            self,
            format!("records_of {user_field}"),
            self.list_learners().items_as::<Listed<_>>(),
            move |lms, user| {
                let record = lms.get_active_record().user_field(&user_field);
                record.user(user).call()
            },
        )
    }

    /// Every learner's permissions for custom fields. The key of a part is the id of the learner.
    #[inline]
    pub fn permissions_by_learner(&self) -> Concurrent<LearnerId, types::UserFieldPermission> {
        by_id(
            self,
            "permissions_by_learner",
            self.list_learners().items_as::<Listed<_>>(),
            |lms, user| lms.list_user_field_permissions().user(user).items(),
        )
    }
}
