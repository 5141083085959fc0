//! Test data that the API cannot add.
//!
//! In the real service, topics, custom fields, records, profiles, sign-up pages, tags, progress and completions are
//! added in a browser; the API only reads them. [`Seed`] adds them from a test.
//!
//! ```
//! use lms_sandbox::{Sandbox, json};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_sandbox::SandboxError> {
//! let sandbox = Sandbox::builder().start().await?;
//! let seed = sandbox.seed();
//! let course = seed.add_course("Fire safety")?;
//! let topic = seed.add_topic(&json!({ "course": course, "name": "Exits" }))?;
//! let learner = seed.add_learner(&json!({
//!     "firstname": "Jo", "surname": "Smith", "email": "jo@example.com", "courses": [course],
//! }))?;
//! seed.complete_topic(&learner, &topic)?;
//! # Ok(()) }
//! ```

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::app::App;
use crate::error::SandboxError;
use crate::service::progress::marks::{self, Step};
use crate::service::rows::existing;
use crate::service::{
    assignments, courses, enrolments, learners, records, tags, topics, user_fields,
};

/// Adds data to a sandbox's tenant; returned by [`Sandbox::seed`](crate::Sandbox::seed).
///
/// The methods block until the data is stored. Objects have the fields that responses have, of which all may be absent;
/// those of learners may also be those of `addLearner`. Ids are those of the API.
///
/// # Errors
///
/// Methods fail if a field is unknown or has another type than in the document, an object does not exist, an email, a username or an enrolment exists already, a
/// learner is not enrolled in the course of the progress, or the store fails. The errors have the messages of the API.
#[derive(Clone, Copy)]
pub struct Seed<'a> {
    app: &'a App,
}

impl std::fmt::Debug for Seed<'_> {
    /// Without the app, which has the client secret and the tokens.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seed").finish_non_exhaustive()
    }
}

#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all methods are described at the type"
)]
impl<'a> Seed<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self { app }
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&Connection, i64) -> Result<T, Problem>,
    ) -> Result<T, SandboxError> {
        // Additions must not complete topics that were due before.
        self.app.catch_up(self.app.clock.now())?;
        let now = self.app.clock.seconds();
        Ok(self.app.store.write(|db| work(db, now))?)
    }

    /// Adds a published course without topics, and returns its id.
    pub fn add_course(&self, name: &str) -> Result<String, SandboxError> {
        self.write(|db, now| {
            let course = json!({ "name": name, "published": true });
            Ok(Kind::Course.id(courses::insert(db, &course, now)?))
        })
    }

    /// Adds a topic to a `course`, and returns its id. It is `published`, and its `kind` is `content` by default.
    pub fn add_topic(&self, topic: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::Topic.id(topics::insert(db, topic, now)?)))
    }

    /// Adds a learner, and returns the id. `profiles` and `courses` are assigned. `created` does not change the order of
    /// lists by creation.
    pub fn add_learner(&self, learner: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::Learner.id(learners::insert(db, learner, now)?)))
    }

    /// Enrols a learner in a course, and returns the enrolment's id.
    pub fn enrol(&self, learner: &str, course: &str) -> Result<String, SandboxError> {
        self.write(|db, now| {
            let user = existing(db, Kind::Learner, learner)?;
            let number = existing(db, Kind::Course, course)?;
            Ok(Kind::Enrolment.id(enrolments::enrol(db, user, number, now)?))
        })
    }

    /// Completes a topic for a learner. The last topic of a course completes the course.
    pub fn complete_topic(&self, learner: &str, topic: &str) -> Result<(), SandboxError> {
        self.mark(learner, topic, Step::Completed)
    }

    /// Confirms a topic for a learner.
    pub fn confirm_topic(&self, learner: &str, topic: &str) -> Result<(), SandboxError> {
        self.mark(learner, topic, Step::Confirmed)
    }

    fn mark(&self, learner: &str, topic: &str, step: Step) -> Result<(), SandboxError> {
        self.write(|db, now| {
            let user = existing(db, Kind::Learner, learner)?;
            let topic = existing(db, Kind::Topic, topic)?;
            marks::mark(db, user, topic, step, now)
        })
    }

    /// Completes a course and all its topics for a learner, which adds a course completion.
    pub fn complete_course(&self, learner: &str, course: &str) -> Result<(), SandboxError> {
        self.write(|db, now| {
            let user = existing(db, Kind::Learner, learner)?;
            let course = existing(db, Kind::Course, course)?;
            marks::complete(db, user, course, now)
        })
    }

    /// Adds a custom field, and returns its id. It is `published` and `user_visible`, and its `kind` is `text` by default.
    /// Lists can be filtered by `published` and `archived`, but responses do not have them.
    pub fn add_user_field(&self, field: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::UserField.id(user_fields::insert(db, field, now)?)))
    }

    /// Sets the permissions of a `user` for a `user_field`, instead of the settings of the field.
    pub fn set_permission(&self, permission: &Value) -> Result<(), SandboxError> {
        self.write(|db, now| user_fields::permit(db, permission, now))
    }

    /// Sets the `value` of a `user` for a `user_field`, and returns the id of the record.
    pub fn set_record(&self, record: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::Record.id(records::set(db, record, now)?)))
    }

    /// Adds a profile, and returns its id.
    pub fn add_profile(&self, profile: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::Profile.id(assignments::insert_profile(db, profile, now)?)))
    }

    /// Adds a sign-up page, and returns its id. Its `url` contains its name by default.
    pub fn add_signup_page(&self, page: &Value) -> Result<String, SandboxError> {
        self.write(|db, now| {
            Ok(Kind::SignupPage.id(assignments::insert_signup_page(db, page, now)?))
        })
    }

    /// Adds a tag with a color such as `#2e7d32`, and returns its id. If there is a tag with this name, it returns that
    /// tag's id.
    pub fn add_tag(&self, name: &str, color: Option<&str>) -> Result<String, SandboxError> {
        self.write(|db, now| Ok(Kind::Tag.id(tags::find_or_insert(db, name, color, now)?)))
    }

    /// Adds an object or an event of the control API, such as `{"topic": {…}}`, and returns the id of an object.
    pub(crate) fn add(&self, addition: &Value) -> Result<Option<String>, SandboxError> {
        let mut all = addition.as_object().into_iter().flatten();
        let (Some((kind, fields)), None) = (all.next(), all.next()) else {
            let message = "send an object with one field, such as {\"topic\": {…}}";
            return Err(SandboxError::new(message));
        };
        let text = |name: &str| {
            let missing = || SandboxError::new(format!("{kind} has no {name}; send its id"));
            fields[name].as_str().ok_or_else(missing)
        };
        match kind.as_str() {
            "learner" => self.add_learner(fields).map(Some),
            "topic" => self.add_topic(fields).map(Some),
            "user_field" => self.add_user_field(fields).map(Some),
            "record" => self.set_record(fields).map(Some),
            "profile" => self.add_profile(fields).map(Some),
            "signup_page" => self.add_signup_page(fields).map(Some),
            "permission" => self.set_permission(fields).map(|()| None),
            "complete_topic" => self
                .complete_topic(text("learner")?, text("topic")?)
                .map(|()| None),
            "confirm_topic" => self
                .confirm_topic(text("learner")?, text("topic")?)
                .map(|()| None),
            "complete_course" => self
                .complete_course(text("learner")?, text("course")?)
                .map(|()| None),
            _ => Err(SandboxError::new(format!(
                "{kind:?} cannot be added; send learner, topic, user_field, record, profile, signup_page, permission, \
                 complete_topic, confirm_topic or complete_course"
            ))),
        }
    }
}
