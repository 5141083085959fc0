//! The cuts that the service's filters allow.
//!
//! Each is `inline`, as the readers that it needs are compiled then for those who call it, and not for every program
//! that has this crate.

use lms_client::types;
use serde::{Deserialize, de::DeserializeOwned};

use super::{Concurrent, Part};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{Items, Walk},
    request::Call,
};

/// A course, topic or learner, of which only the id is needed.
#[derive(Deserialize)]
struct Id {
    id: String,
}

/// An enrolment, of which only the learner is needed.
#[derive(Deserialize)]
struct Enrolled {
    user: String,
}

/// One part for each id that a walk gives.
fn by_id<R, T, P>(
    name: String,
    walk: Items<R>,
    id: fn(R) -> String,
    part: impl Fn(&str) -> P + Send + 'static,
) -> Concurrent<String, T>
where
    R: DeserializeOwned + Send + 'static,
    T: DeserializeOwned + Send + 'static,
    P: Into<Part<T>> + 'static,
{
    let parts = Concurrent::of(walk, move |row| {
        let id = id(row);
        if id.is_empty() {
            // As a filter it would mean all of them.
            return Err(Error::new(
                ErrorKind::Decode,
                "the tenant lists something with an empty id",
            ));
        }
        let part = part(&id);
        Ok((id, part))
    });
    parts.named(name)
}

/// Refuses an id that would, as a filter, mean all of them, or make another path.
fn refusal(name: &str, id: &str) -> Option<Error> {
    matches!(id, "" | "." | "..").then(|| {
        Error::usage(format!(
            "the {name} is empty or a dot segment; give the id of one"
        ))
    })
}

/// Whole collections in a fraction of the time, by walking disjoint parts [side by
/// side](crate::concurrent).
///
/// Each finds its parts by walking another list first, so a row is found when what it belongs to is
/// listed.
impl Lms {
    /// All enrolments, course by course; the key of a part is the course's id.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let mut enrolments = lms.enrolments_by_course().concurrency(16);
    /// while let Some(row) = enrolments.try_next().await? {
    ///     println!("{:?} takes {}", row.item.user, row.part);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn enrolments_by_course(&self) -> Concurrent<String, types::Enrolment> {
        let lms = self.clone();
        by_id(
            "enrolments_by_course".to_owned(),
            self.list_courses().items_as::<Id>(),
            |course| course.id,
            move |course| lms.list_enrolments().course(course).items(),
        )
    }

    /// All topic progress, course by course; the key of a part is the course's id.
    #[inline]
    pub fn topic_progress_by_course(&self) -> Concurrent<String, types::TopicProgress> {
        let lms = self.clone();
        by_id(
            "topic_progress_by_course".to_owned(),
            self.list_courses().items_as::<Id>(),
            |course| course.id,
            move |course| lms.list_topic_progress().course(course).items(),
        )
    }

    /// All topic progress, topic by topic; the key of a part is the topic's id. For a few courses with
    /// many learners, this makes more and smaller parts than
    /// [`topic_progress_by_course`](Self::topic_progress_by_course).
    #[inline]
    pub fn topic_progress_by_topic(&self) -> Concurrent<String, types::TopicProgress> {
        let lms = self.clone();
        by_id(
            "topic_progress_by_topic".to_owned(),
            self.list_topics().items_as::<Id>(),
            |topic| topic.id,
            move |topic| lms.list_topic_progress().topic(topic).items(),
        )
    }

    /// The completions of all courses that there are; the key of a part is the course's id.
    ///
    /// Completions are history, and may be of courses that were deleted. Those are found by walking
    /// `list_course_completions` alone.
    #[inline]
    pub fn completions_by_course(&self) -> Concurrent<String, types::CourseCompletion> {
        let lms = self.clone();
        by_id(
            "completions_by_course".to_owned(),
            self.list_courses().items_as::<Id>(),
            |course| course.id,
            move |course| lms.list_course_completions().course(course).items(),
        )
    }

    /// The course progress of everyone who is enrolled in a course; the key of a part is the learner's id.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let mut progress = lms.course_progress_of("c1");
    /// while let Some(row) = progress.try_next().await? {
    ///     println!("{}: {:?}", row.part, row.item.completed_on);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn course_progress_of(
        &self,
        course: impl Into<String>,
    ) -> Concurrent<String, types::CourseProgress> {
        let (lms, course) = (self.clone(), course.into());
        if let Some(error) = refusal("course", &course) {
            return Concurrent::refused(error);
        }
        by_id(
            format!("course_progress_of {course}"),
            self.list_enrolments()
                .course(course.as_str())
                .items_as::<Enrolled>(),
            |enrolment| enrolment.user,
            move |user| {
                lms.get_course_progress()
                    .course(course.as_str())
                    .user(user)
                    .call()
            },
        )
    }

    /// Every learner's record of a custom field; the key of a part is the learner's id.
    ///
    /// A learner without a value may come as a record whose `has_value` is false, or as a [not
    /// found](crate::Error::is_not_found) error of that part: the description does not say which (§7).
    #[inline]
    pub fn records_of(&self, user_field: impl Into<String>) -> Concurrent<String, types::Record> {
        let (lms, user_field) = (self.clone(), user_field.into());
        if let Some(error) = refusal("custom field", &user_field) {
            return Concurrent::refused(error);
        }
        by_id(
            format!("records_of {user_field}"),
            self.list_learners().items_as::<Id>(),
            |learner| learner.id,
            move |user| {
                lms.get_active_record()
                    .user(user)
                    .user_field(user_field.as_str())
                    .call()
            },
        )
    }

    /// Every learner's permissions for custom fields; the key of a part is the learner's id.
    #[inline]
    pub fn permissions_by_learner(&self) -> Concurrent<String, types::UserFieldPermission> {
        let lms = self.clone();
        by_id(
            "permissions_by_learner".to_owned(),
            self.list_learners().items_as::<Id>(),
            |learner| learner.id,
            move |user| lms.list_user_field_permissions().user(user).items(),
        )
    }
}
