// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

/// A struct or an enum for each schema.
pub mod types {
    ///The initial fields of a new course. All other fields can be set by an edit afterwards.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct AddCourse {
        ///Whether the new course is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub archived: ::std::option::Option<bool>,
        ///Cover art for the course. Whether this is a URL, an id or the image itself is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cover_art: ::std::option::Option<::std::string::String>,
        ///Text about the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub description: ::std::option::Option<::std::string::String>,
        ///Number that orders courses for display.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub display_priority: ::std::option::Option<f64>,
        ///Name of the course.
        pub name: ::std::string::String,
        ///Whether the new course is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub published: ::std::option::Option<bool>,
        ///How long the course should take.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub suggested_duration: ::std::option::Option<::std::string::String>,
    }
    ///The course to copy, and how.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct AddDuplicateCourse {
        ///Whether to copy the enrolments.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub copy_enrolments: ::std::option::Option<bool>,
        ///Whether to copy the responses. The meaning of a response is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub copy_responses: ::std::option::Option<bool>,
        ///Id of the course to copy.
        pub course: crate::ids::CourseId,
        ///Name of the copy. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Whether the copy is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub published: ::std::option::Option<bool>,
    }
    ///The learner to enrol, and the course.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct AddEnrolment {
        ///Id of the course.
        pub course: crate::ids::CourseId,
        ///Whether emails about the enrolment are sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub send_emails: ::std::option::Option<bool>,
        ///Id of the learner.
        pub user: crate::ids::LearnerId,
    }
    ///A new learner. `password` is required when `generate_password` is false.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct AddLearner {
        ///Courses to enrol the learner in.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub courses: ::std::vec::Vec<::std::string::String>,
        ///Email address.
        pub email: ::std::string::String,
        ///First name.
        pub firstname: ::std::string::String,
        ///Whether the service generates a password. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub generate_password: ::std::option::Option<bool>,
        ///Password of the learner, required when `generate_password` is false. The rules for passwords are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<crate::wire::Secret>,
        ///Telephone number. Its format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone_number: ::std::option::Option<::std::string::String>,
        ///Profiles to apply. Each assigns tags, courses and custom field permissions in one step.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub profiles: ::std::vec::Vec<::std::string::String>,
        ///Whether the learner is notified by email.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub send_email: ::std::option::Option<bool>,
        ///Whether the learner is notified by text message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub send_sms: ::std::option::Option<bool>,
        ///The sign-up page to assign to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub signup_page: ::std::option::Option<::std::string::String>,
        ///Id of the learner with a single sign-on provider.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub sso_id: ::std::option::Option<::std::string::String>,
        ///Surname.
        pub surname: ::std::string::String,
        ///Tags for the learner.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Name the learner logs in with. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///A course, in a response and as the body of an edit. The service explains few of the fields and does not say which of them are writable.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Course {
        ///Whether the course is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub archived: ::std::option::Option<bool>,
        ///The due date. Unlike the other times of a course, it is documented as an ISO 8601 timestamp.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_due_date: ::std::option::Option<crate::wire::Timestamp>,
        ///Number of seconds until the due date.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub auto_due_seconds: ::std::option::Option<crate::wire::Int64>,
        ///How the due date is set. The only known value is `none`; there may be others.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_due_type: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completion_notifications: ::std::option::Option<::std::string::String>,
        ///URL of the cover art.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cover_art_url: ::std::option::Option<::std::string::String>,
        ///When the course was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Who created the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub creator: ::std::option::Option<::std::string::String>,
        ///Text about the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub description: ::std::option::Option<::std::string::String>,
        ///Whether the course issues no certificates.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub disable_certificates: ::std::option::Option<bool>,
        ///Number that orders courses for display. Whether high or low numbers come first is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub display_priority: ::std::option::Option<f64>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub enable_progression: ::std::option::Option<bool>,
        ///Whether the course has cover art.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub has_cover_art: ::std::option::Option<bool>,
        ///Id of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::CourseId>,
        ///Whether the course is graded.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub is_graded: ::std::option::Option<bool>,
        ///Whether the course is locked.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub locked: ::std::option::Option<bool>,
        ///When the course was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Mark required to pass.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub pass_mark: ::std::option::Option<crate::wire::Int64>,
        ///How `pass_mark` is interpreted. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pass_mark_type: ::std::option::Option<::std::string::String>,
        ///Permanent link to the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub permalink: ::std::option::Option<::std::string::String>,
        ///Whether the course is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub published: ::std::option::Option<bool>,
        ///When the course is renewed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_date: ::std::option::Option<crate::wire::Timestamp>,
        ///Number of days until the renewal.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub renewal_days: ::std::option::Option<crate::wire::Int64>,
        ///Whether the renewal repeats.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub renewal_repeat: ::std::option::Option<bool>,
        ///How the course is renewed. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_type: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub show_details: ::std::option::Option<bool>,
        ///Whether the certificate shows the grade.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub show_grade_certificate: ::std::option::Option<bool>,
        ///Whether the learner is shown the grade.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub show_grade_learner: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub submission_notifications: ::std::option::Option<::std::string::String>,
        ///How long the course should take. Its format and its unit are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub suggested_duration: ::std::option::Option<::std::string::String>,
        ///URL of the thumbnail.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub thumbnail_url: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub track_progress: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_version: ::std::option::Option<crate::wire::Int64>,
    }
    ///One entry of the completion history: a learner completed a course.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct CourseCompletion {
        ///Id of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///When the course was completed, as an ISO 8601 timestamp.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub happened: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the completion.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::CourseCompletionId>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///One page of the completion history. It has no count and no echo of the filters, the cursor or the limit.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct CourseCompletionsResponse {
        ///The completions of this page.
        pub items: ::std::vec::Vec<CourseCompletion>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
    }
    ///One page of courses, with the filters of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct CourseList {
        ///The `archived` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub archived: ::std::option::Option<bool>,
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The courses of this page.
        pub items: ::std::vec::Vec<Course>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of courses found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `published` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub published: ::std::option::Option<bool>,
    }
    ///The progress of one learner in one course.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct CourseProgress {
        ///Whether the course is completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub completed: ::std::option::Option<bool>,
        ///When the course was completed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///Id of the progress.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::CourseProgressId>,
        ///Whether the learner is overdue.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub overdue: ::std::option::Option<bool>,
        ///The meaning is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub processed: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A task that copies a course.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct DuplicateCourse {
        ///Whether the copy is finished.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub complete: ::std::option::Option<bool>,
        ///Id of the task, for polling.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::DuplicateCourseId>,
        ///Id of the copy. Whether it is set before the task is complete is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub new_course: ::std::option::Option<crate::ids::CourseId>,
        ///Id of the course that is copied.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub old_course: ::std::option::Option<crate::ids::CourseId>,
        ///Progress of the task. Its range is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub progress: ::std::option::Option<crate::wire::Int64>,
        ///Current stage of the task. The number of stages is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub stage: ::std::option::Option<crate::wire::Int64>,
    }
    ///The body of an edit. All fields are written, so send each with the value it should have afterwards. Only `password` keeps its value when it is not sent.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct EditLearner {
        ///Email address.
        pub email: ::std::string::String,
        ///First name.
        pub firstname: ::std::string::String,
        ///Id of the learner. The effect of an id that differs from the path is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::LearnerId>,
        ///Notes about the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub notes: ::std::option::Option<::std::string::String>,
        ///A new password. Leave it out to keep the current one.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<crate::wire::Secret>,
        ///Telephone number. Its format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone_number: ::std::option::Option<::std::string::String>,
        ///Surname.
        pub surname: ::std::string::String,
        ///All tags of the learner.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Name the learner logs in with.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///The enrolment of one learner in one course.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Enrolment {
        ///Id of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///When the learner was enrolled, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the enrolment. No operation takes it: an enrolment is deleted by its learner and its course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::EnrolmentId>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///One page of enrolments, with the filters of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct EnrolmentList {
        ///The `course` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The enrolments of this page.
        pub items: ::std::vec::Vec<Enrolment>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of enrolments found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `user` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A learner, which is a user account. The schema has a `password`, so a response may contain one: do not log learners.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Learner {
        ///Whether the learner is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub archived: ::std::option::Option<bool>,
        ///How the account was created. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub create_type: ::std::option::Option<::std::string::String>,
        ///When the account was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Who created the account.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created_by: ::std::option::Option<::std::string::String>,
        ///What kind of creator `created_by` is. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub creator_kind: ::std::option::Option<::std::string::String>,
        ///Whether the learner is deleted.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub deleted: ::std::option::Option<bool>,
        ///Email address.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///First name.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub firstname: ::std::option::Option<::std::string::String>,
        ///Id of the learner. Other resources call it `user`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::LearnerId>,
        ///Picture of the learner. Whether this is a URL or an id is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub image: ::std::option::Option<::std::string::String>,
        ///Whether the account is an administrator.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub is_admin: ::std::option::Option<bool>,
        ///Whether the account is a learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub is_learner: ::std::option::Option<bool>,
        ///When the learner last logged in, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub last_logged_in: ::std::option::Option<crate::wire::Timestamp>,
        ///Notes about the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub notes: ::std::option::Option<::std::string::String>,
        ///The schema has this field. When it is set, and to what, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<crate::wire::Secret>,
        ///Telephone number. Its format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone_number: ::std::option::Option<::std::string::String>,
        ///The sign-up page that the learner registered through.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub signup_page: ::std::option::Option<::std::string::String>,
        ///Id of the learner with a single sign-on provider.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub sso_id: ::std::option::Option<::std::string::String>,
        ///Surname.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub surname: ::std::option::Option<::std::string::String>,
        ///Tags of the learner. Whether they are ids or names is not documented.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///When the account was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub updated: ::std::option::Option<crate::wire::Timestamp>,
        ///Name the learner logs in with.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///One page of learners, with the filters and the order of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct LearnerList {
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The `email` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub email: ::std::option::Option<::std::string::String>,
        ///The learners of this page.
        pub items: ::std::vec::Vec<Learner>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of learners found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `order_by` of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub order_by: ::std::option::Option<::std::string::String>,
        ///The `order_direction` of the request, `ASC` or `DESC`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub order_direction: ::std::option::Option<::std::string::String>,
        ///The `signup_page` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub signup_page: ::std::option::Option<::std::string::String>,
        ///The `tags` filter of the request.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///The `username` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///`ListLearnersOrderDirection`
    #[non_exhaustive]
    #[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    pub enum ListLearnersOrderDirection {
        Asc,
        Desc,
        ///A value that the document does not list. It is sent as it was received.
        Unknown(::std::string::String),
    }
    ///The tenant that an access token belongs to.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct MeResponse {
        ///Audience of the token.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub aud: ::std::option::Option<::std::string::String>,
        ///Domain of the tenant.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub domain: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Id of the tenant.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub tid: ::std::option::Option<::std::string::String>,
    }
    ///A set of tags, courses and custom field permissions that is assigned to a learner in one step.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Profile {
        ///Courses that the learner is enrolled in.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub courses: ::std::vec::Vec<::std::string::String>,
        ///When the profile was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::ProfileId>,
        ///When the profile was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the profile.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Custom field permissions that the learner gets.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub permissions: ::std::vec::Vec<ProfilePermission>,
        ///Tags that the learner gets.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
    }
    ///All profiles of the tenant.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct ProfileList {
        ///The profiles.
        pub items: ::std::vec::Vec<Profile>,
    }
    ///What a profile allows a learner to do with one custom field.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct ProfilePermission {
        ///Whether the field does not apply to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///A learner's value for a custom field: plain text, or an achievement with a date, a cost and files. The service explains none of the flags.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Record {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub achievable: ::std::option::Option<bool>,
        ///When it was achieved, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub achieved_on: ::std::option::Option<crate::wire::Timestamp>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub active: ::std::option::Option<bool>,
        ///Files that belong to the record.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub attachments: ::std::vec::Vec<RecordAttachment>,
        ///Key of the stored file. No operation takes it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub blob_key: ::std::option::Option<::std::string::String>,
        ///Media type of the file.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_type: ::std::option::Option<::std::string::String>,
        ///Cost, as text. Its format and currency are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cost: ::std::option::Option<::std::string::String>,
        ///When the record was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Who created the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created_by: ::std::option::Option<::std::string::String>,
        ///Whether the record has expired.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub expired: ::std::option::Option<bool>,
        ///Whether the record expires.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub expires: ::std::option::Option<bool>,
        ///When it expires, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expires_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Size of the file, presumably in bytes.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub file_size: ::std::option::Option<crate::wire::Int64>,
        ///Name of the file.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub filename: ::std::option::Option<::std::string::String>,
        ///Whether there is a value.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub has_value: ::std::option::Option<bool>,
        ///Id of the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::RecordId>,
        ///When the record was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Who last changed the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified_by: ::std::option::Option<::std::string::String>,
        ///Whether the field does not apply to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Notes about the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub notes: ::std::option::Option<::std::string::String>,
        ///When it was paid, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub payment_date: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub reference: ::std::option::Option<::std::string::String>,
        ///Provider of the training.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub training_provider: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub upcoming: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
        ///Whether the learner can edit the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_visible: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub valid: ::std::option::Option<bool>,
        ///The value, as text for every kind of field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub value: ::std::option::Option<::std::string::String>,
    }
    ///A file that belongs to a record.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct RecordAttachment {
        ///Key of the stored file. No operation takes it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub blob_key: ::std::option::Option<::std::string::String>,
        ///Media type of the file.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub content_type: ::std::option::Option<::std::string::String>,
        ///Id of the course the file comes from.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///Name of the course the file comes from.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course_name: ::std::option::Option<::std::string::String>,
        ///Size of the file, presumably in bytes.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub file_size: ::std::option::Option<crate::wire::Int64>,
        ///Name of the file.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub filename: ::std::option::Option<::std::string::String>,
        ///What kind of attachment it is. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field_file: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_log: ::std::option::Option<::std::string::String>,
    }
    ///A page where people register themselves as learners.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct SignupPage {
        ///Courses of the page. A learner who registers there is presumably enrolled in them.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub courses: ::std::vec::Vec<::std::string::String>,
        ///When the page was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the sign-up page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::SignupPageId>,
        ///When the page was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the sign-up page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Text shown on the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_description: ::std::option::Option<::std::string::String>,
        ///Title shown on the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub page_title: ::std::option::Option<::std::string::String>,
        ///Tags of the page. A learner who registers there presumably gets them.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        #[serde(deserialize_with = "crate::wire::sequence")]
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///URL of the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
    }
    ///All sign-up pages of the tenant.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct SignupPageList {
        ///The sign-up pages.
        pub items: ::std::vec::Vec<SignupPage>,
    }
    ///A tag that groups learners.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Tag {
        ///Colour of the tag. Its format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub color: ::std::option::Option<::std::string::String>,
        ///When the tag was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the tag.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::TagId>,
        ///When the tag was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the tag.
        pub name: ::std::string::String,
    }
    ///All tags of the tenant.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TagList {
        ///The tags.
        pub items: ::std::vec::Vec<Tag>,
    }
    ///The tenant that responded.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TestResponse {
        ///Id of the tenant.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub tid: ::std::option::Option<::std::string::String>,
    }
    ///The request for an access token. The only known flow sends `grant_type`, `client_id` and `client_secret`. The purpose of the other fields is not documented.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TokenRequest {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub audience: ::std::option::Option<::std::string::String>,
        ///Client id that the tenant issued for the integration.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub client_id: ::std::option::Option<crate::wire::Int64>,
        ///Secret of the client. It is a credential: do not log it.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub client_secret: ::std::option::Option<crate::wire::Secret>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub code: ::std::option::Option<crate::wire::Secret>,
        ///The OAuth 2.0 grant type. The only known value is `client_credentials`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub grant_type: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub redirect_uri: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub refresh_token: ::std::option::Option<crate::wire::Secret>,
    }
    ///An access token. It is a credential: do not log it.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TokenResponse {
        ///The token to send with all other requests.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub access_token: ::std::option::Option<crate::wire::Secret>,
        ///Base URL of the tenant that the token is for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub aud: ::std::option::Option<::std::string::String>,
        ///Lifetime of the token in seconds, as text or as a JSON number.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub expires_in: ::std::option::Option<crate::wire::Int64>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Its use is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub refresh_token: ::std::option::Option<crate::wire::Secret>,
        ///Scope of the token.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub scope: ::std::option::Option<::std::string::String>,
        ///Type of the token. The only known value is `Bearer`.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub token_type: ::std::option::Option<::std::string::String>,
    }
    ///One part of a course.
    ///
    /// Made with [`builder`](Self::builder).
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct Topic {
        ///Id of the course the topic belongs to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///When the topic was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Whether the heading of the topic is hidden.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub hide_heading: ::std::option::Option<bool>,
        ///Id of the topic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::TopicId>,
        ///What kind of topic it is. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        ///Whether the topic is locked.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub locked: ::std::option::Option<bool>,
        ///When the topic was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the topic.
        pub name: ::std::string::String,
        ///Whether the topic is published.
        pub published: bool,
        ///Presumably whether a learner's completion of the topic must be confirmed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub require_confirmation: ::std::option::Option<bool>,
    }
    ///One page of topics, with the filters of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TopicList {
        ///The `course` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The topics of this page.
        pub items: ::std::vec::Vec<Topic>,
        ///The `kind` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of topics found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `published` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub published: ::std::option::Option<bool>,
    }
    ///The progress of one learner in one topic: whether it is completed and confirmed, when, and by whom.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TopicProgress {
        ///Whether the topic is completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub completed: ::std::option::Option<bool>,
        ///Who marked the topic as completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed_by: ::std::option::Option<::std::string::String>,
        ///When the topic was completed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Whether the completion is confirmed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub confirmed: ::std::option::Option<bool>,
        ///Who confirmed the completion.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmed_by: ::std::option::Option<::std::string::String>,
        ///When the completion was confirmed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub confirmed_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the course the topic belongs to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///When the progress was first recorded, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the progress.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::TopicProgressId>,
        ///When the progress last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Id of the topic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: ::std::option::Option<crate::ids::TopicId>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///One page of topic progress, with the filters of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct TopicProgressList {
        ///The `completed` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub completed: ::std::option::Option<bool>,
        ///The `course` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The topic progress of this page.
        pub items: ::std::vec::Vec<TopicProgress>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of progress items found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `topic` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: ::std::option::Option<crate::ids::TopicId>,
        ///The `user` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///The definition of a custom field, which the tenant added to its learners.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct UserField {
        ///When the field was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Default value of the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub default: ::std::option::Option<::std::string::String>,
        ///Text about the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub description: ::std::option::Option<::std::string::String>,
        ///Whether no notifications are sent about the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub disable_notifications: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the field is indexed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub indexed: ::std::option::Option<bool>,
        ///Kind of the field's value. The kinds are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        ///When the field was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Whether the field does not apply.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Whether the field must have a value.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub required: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::object")]
        pub resource: ::std::option::Option<UserFieldResource>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_editable: ::std::option::Option<bool>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///One page of custom fields. Unlike other lists, it does not echo the filters.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct UserFieldList {
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The custom fields of this page.
        pub items: ::std::vec::Vec<UserField>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of custom fields found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
    }
    ///What one learner may do with one custom field.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct UserFieldPermission {
        ///Whether the field does not apply to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///One page of a learner's custom field permissions, with the learner of the request.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct UserFieldPermissionList {
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The permissions of this page.
        pub items: ::std::vec::Vec<UserFieldPermission>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of permissions found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        #[serde(default, deserialize_with = "crate::wire::blank_is_absent")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The learner of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A resource that a custom field refers to.
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    pub struct UserFieldResource {
        ///What kind of resource it is. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        ///Name of the resource.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Id of the resource.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub resource_id: ::std::option::Option<::std::string::String>,
    }
    /// Error types.
    pub mod error {
        /// Error from a `TryFrom` or `FromStr` implementation.
        pub struct ConversionError(::std::borrow::Cow<'static, str>);
        impl ::std::error::Error for ConversionError {}
        impl ::std::fmt::Display for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl ::std::fmt::Debug for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
        impl From<&'static str> for ConversionError {
            fn from(value: &'static str) -> Self {
                Self(value.into())
            }
        }
        impl From<String> for ConversionError {
            fn from(value: String) -> Self {
                Self(value.into())
            }
        }
    }
    /// Types for composing complex structures.
    pub mod builder {
        use super::super::types;
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct AddCourse {
            archived: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            cover_art: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            description: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            display_priority: ::std::result::Result<
                ::std::option::Option<f64>,
                ::std::string::String,
            >,
            name: ::std::result::Result<::std::string::String, ::std::string::String>,
            published: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            suggested_duration: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::AddCourse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                name: impl crate::setter::IntoValue<::std::string::String>,
            ) -> AddCourse {
                AddCourse {
                    archived: Ok(Default::default()),
                    cover_art: Ok(Default::default()),
                    description: Ok(Default::default()),
                    display_priority: Ok(Default::default()),
                    name: crate::setter::required("name", name),
                    published: Ok(Default::default()),
                    suggested_duration: Ok(Default::default()),
                }
            }
        }
        impl AddCourse {
            pub fn archived(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.archived = crate::setter::optional("archived", value);
                self
            }
            pub fn cover_art(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cover_art = crate::setter::optional("cover_art", value);
                self
            }
            pub fn description(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.description = crate::setter::optional("description", value);
                self
            }
            pub fn display_priority(
                mut self,
                value: impl crate::setter::IntoOptional<f64>,
            ) -> Self {
                self.display_priority = crate::setter::optional(
                    "display_priority",
                    value,
                );
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::required("name", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.published = crate::setter::optional("published", value);
                self
            }
            pub fn suggested_duration(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.suggested_duration = crate::setter::optional(
                    "suggested_duration",
                    value,
                );
                self
            }
        }
        impl ::std::convert::TryFrom<AddCourse> for types::AddCourse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: AddCourse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    archived: value.archived?,
                    cover_art: value.cover_art?,
                    description: value.description?,
                    display_priority: value.display_priority?,
                    name: value.name?,
                    published: value.published?,
                    suggested_duration: value.suggested_duration?,
                })
            }
        }
        impl ::std::convert::From<types::AddCourse> for AddCourse {
            fn from(value: types::AddCourse) -> Self {
                Self {
                    archived: Ok(value.archived),
                    cover_art: Ok(value.cover_art),
                    description: Ok(value.description),
                    display_priority: Ok(value.display_priority),
                    name: Ok(value.name),
                    published: Ok(value.published),
                    suggested_duration: Ok(value.suggested_duration),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct AddDuplicateCourse {
            copy_enrolments: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            copy_responses: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            course: ::std::result::Result<crate::ids::CourseId, ::std::string::String>,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            published: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::AddDuplicateCourse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                course: impl crate::setter::IntoValue<crate::ids::CourseId>,
            ) -> AddDuplicateCourse {
                AddDuplicateCourse {
                    copy_enrolments: Ok(Default::default()),
                    copy_responses: Ok(Default::default()),
                    course: crate::setter::required("course", course),
                    name: Ok(Default::default()),
                    published: Ok(Default::default()),
                }
            }
        }
        impl AddDuplicateCourse {
            pub fn copy_enrolments(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.copy_enrolments = crate::setter::optional("copy_enrolments", value);
                self
            }
            pub fn copy_responses(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.copy_responses = crate::setter::optional("copy_responses", value);
                self
            }
            pub fn course(
                mut self,
                value: impl crate::setter::IntoValue<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::required("course", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.published = crate::setter::optional("published", value);
                self
            }
        }
        impl ::std::convert::TryFrom<AddDuplicateCourse> for types::AddDuplicateCourse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: AddDuplicateCourse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    copy_enrolments: value.copy_enrolments?,
                    copy_responses: value.copy_responses?,
                    course: value.course?,
                    name: value.name?,
                    published: value.published?,
                })
            }
        }
        impl ::std::convert::From<types::AddDuplicateCourse> for AddDuplicateCourse {
            fn from(value: types::AddDuplicateCourse) -> Self {
                Self {
                    copy_enrolments: Ok(value.copy_enrolments),
                    copy_responses: Ok(value.copy_responses),
                    course: Ok(value.course),
                    name: Ok(value.name),
                    published: Ok(value.published),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct AddEnrolment {
            course: ::std::result::Result<crate::ids::CourseId, ::std::string::String>,
            send_emails: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user: ::std::result::Result<crate::ids::LearnerId, ::std::string::String>,
        }
        impl types::AddEnrolment {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                course: impl crate::setter::IntoValue<crate::ids::CourseId>,
                user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
            ) -> AddEnrolment {
                AddEnrolment {
                    course: crate::setter::required("course", course),
                    send_emails: Ok(Default::default()),
                    user: crate::setter::required("user", user),
                }
            }
        }
        impl AddEnrolment {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoValue<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::required("course", value);
                self
            }
            pub fn send_emails(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.send_emails = crate::setter::optional("send_emails", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoValue<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::required("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<AddEnrolment> for types::AddEnrolment {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: AddEnrolment,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    send_emails: value.send_emails?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::AddEnrolment> for AddEnrolment {
            fn from(value: types::AddEnrolment) -> Self {
                Self {
                    course: Ok(value.course),
                    send_emails: Ok(value.send_emails),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct AddLearner {
            courses: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            email: ::std::result::Result<::std::string::String, ::std::string::String>,
            firstname: ::std::result::Result<
                ::std::string::String,
                ::std::string::String,
            >,
            generate_password: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            password: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            phone_number: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            profiles: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            send_email: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            send_sms: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            signup_page: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            sso_id: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            surname: ::std::result::Result<::std::string::String, ::std::string::String>,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            username: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::AddLearner {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                firstname: impl crate::setter::IntoValue<::std::string::String>,
                surname: impl crate::setter::IntoValue<::std::string::String>,
                email: impl crate::setter::IntoValue<::std::string::String>,
            ) -> AddLearner {
                AddLearner {
                    courses: Ok(Default::default()),
                    email: crate::setter::required("email", email),
                    firstname: crate::setter::required("firstname", firstname),
                    generate_password: Ok(Default::default()),
                    password: Ok(Default::default()),
                    phone_number: Ok(Default::default()),
                    profiles: Ok(Default::default()),
                    send_email: Ok(Default::default()),
                    send_sms: Ok(Default::default()),
                    signup_page: Ok(Default::default()),
                    sso_id: Ok(Default::default()),
                    surname: crate::setter::required("surname", surname),
                    tags: Ok(Default::default()),
                    username: Ok(Default::default()),
                }
            }
        }
        impl AddLearner {
            pub fn courses<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.courses = crate::setter::list("courses", values);
                self
            }
            pub fn email(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.email = crate::setter::required("email", value);
                self
            }
            pub fn firstname(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.firstname = crate::setter::required("firstname", value);
                self
            }
            pub fn generate_password(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.generate_password = crate::setter::optional(
                    "generate_password",
                    value,
                );
                self
            }
            pub fn password(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.password = crate::setter::optional("password", value);
                self
            }
            pub fn phone_number(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.phone_number = crate::setter::optional("phone_number", value);
                self
            }
            pub fn profiles<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.profiles = crate::setter::list("profiles", values);
                self
            }
            pub fn send_email(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.send_email = crate::setter::optional("send_email", value);
                self
            }
            pub fn send_sms(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.send_sms = crate::setter::optional("send_sms", value);
                self
            }
            pub fn signup_page(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.signup_page = crate::setter::optional("signup_page", value);
                self
            }
            pub fn sso_id(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.sso_id = crate::setter::optional("sso_id", value);
                self
            }
            pub fn surname(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.surname = crate::setter::required("surname", value);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
            pub fn username(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.username = crate::setter::optional("username", value);
                self
            }
        }
        impl ::std::convert::TryFrom<AddLearner> for types::AddLearner {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: AddLearner,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    courses: value.courses?,
                    email: value.email?,
                    firstname: value.firstname?,
                    generate_password: value.generate_password?,
                    password: value.password?,
                    phone_number: value.phone_number?,
                    profiles: value.profiles?,
                    send_email: value.send_email?,
                    send_sms: value.send_sms?,
                    signup_page: value.signup_page?,
                    sso_id: value.sso_id?,
                    surname: value.surname?,
                    tags: value.tags?,
                    username: value.username?,
                })
            }
        }
        impl ::std::convert::From<types::AddLearner> for AddLearner {
            fn from(value: types::AddLearner) -> Self {
                Self {
                    courses: Ok(value.courses),
                    email: Ok(value.email),
                    firstname: Ok(value.firstname),
                    generate_password: Ok(value.generate_password),
                    password: Ok(value.password),
                    phone_number: Ok(value.phone_number),
                    profiles: Ok(value.profiles),
                    send_email: Ok(value.send_email),
                    send_sms: Ok(value.send_sms),
                    signup_page: Ok(value.signup_page),
                    sso_id: Ok(value.sso_id),
                    surname: Ok(value.surname),
                    tags: Ok(value.tags),
                    username: Ok(value.username),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Course {
            archived: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            auto_due_date: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            auto_due_seconds: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            auto_due_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            completion_notifications: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            cover_art_url: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            creator: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            description: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            disable_certificates: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            display_priority: ::std::result::Result<
                ::std::option::Option<f64>,
                ::std::string::String,
            >,
            enable_progression: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            has_cover_art: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            is_graded: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            locked: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            pass_mark: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            pass_mark_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            permalink: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            published: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            renewal_date: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            renewal_days: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            renewal_repeat: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            renewal_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            show_details: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            show_grade_certificate: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            show_grade_learner: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            submission_notifications: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            suggested_duration: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            thumbnail_url: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            track_progress: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_version: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
        }
        impl types::Course {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> Course {
                Course {
                    archived: Ok(Default::default()),
                    auto_due_date: Ok(Default::default()),
                    auto_due_seconds: Ok(Default::default()),
                    auto_due_type: Ok(Default::default()),
                    completion_notifications: Ok(Default::default()),
                    cover_art_url: Ok(Default::default()),
                    created: Ok(Default::default()),
                    creator: Ok(Default::default()),
                    description: Ok(Default::default()),
                    disable_certificates: Ok(Default::default()),
                    display_priority: Ok(Default::default()),
                    enable_progression: Ok(Default::default()),
                    has_cover_art: Ok(Default::default()),
                    id: Ok(Default::default()),
                    is_graded: Ok(Default::default()),
                    locked: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: Ok(Default::default()),
                    pass_mark: Ok(Default::default()),
                    pass_mark_type: Ok(Default::default()),
                    permalink: Ok(Default::default()),
                    published: Ok(Default::default()),
                    renewal_date: Ok(Default::default()),
                    renewal_days: Ok(Default::default()),
                    renewal_repeat: Ok(Default::default()),
                    renewal_type: Ok(Default::default()),
                    show_details: Ok(Default::default()),
                    show_grade_certificate: Ok(Default::default()),
                    show_grade_learner: Ok(Default::default()),
                    submission_notifications: Ok(Default::default()),
                    suggested_duration: Ok(Default::default()),
                    thumbnail_url: Ok(Default::default()),
                    track_progress: Ok(Default::default()),
                    user_version: Ok(Default::default()),
                }
            }
        }
        impl Course {
            pub fn archived(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.archived = crate::setter::optional("archived", value);
                self
            }
            pub fn auto_due_date(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.auto_due_date = crate::setter::optional("auto_due_date", value);
                self
            }
            pub fn auto_due_seconds(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.auto_due_seconds = crate::setter::optional(
                    "auto_due_seconds",
                    value,
                );
                self
            }
            pub fn auto_due_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.auto_due_type = crate::setter::optional("auto_due_type", value);
                self
            }
            pub fn completion_notifications(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.completion_notifications = crate::setter::optional(
                    "completion_notifications",
                    value,
                );
                self
            }
            pub fn cover_art_url(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cover_art_url = crate::setter::optional("cover_art_url", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn creator(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.creator = crate::setter::optional("creator", value);
                self
            }
            pub fn description(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.description = crate::setter::optional("description", value);
                self
            }
            pub fn disable_certificates(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.disable_certificates = crate::setter::optional(
                    "disable_certificates",
                    value,
                );
                self
            }
            pub fn display_priority(
                mut self,
                value: impl crate::setter::IntoOptional<f64>,
            ) -> Self {
                self.display_priority = crate::setter::optional(
                    "display_priority",
                    value,
                );
                self
            }
            pub fn enable_progression(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.enable_progression = crate::setter::optional(
                    "enable_progression",
                    value,
                );
                self
            }
            pub fn has_cover_art(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.has_cover_art = crate::setter::optional("has_cover_art", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn is_graded(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.is_graded = crate::setter::optional("is_graded", value);
                self
            }
            pub fn locked(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.locked = crate::setter::optional("locked", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn pass_mark(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.pass_mark = crate::setter::optional("pass_mark", value);
                self
            }
            pub fn pass_mark_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.pass_mark_type = crate::setter::optional("pass_mark_type", value);
                self
            }
            pub fn permalink(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.permalink = crate::setter::optional("permalink", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.published = crate::setter::optional("published", value);
                self
            }
            pub fn renewal_date(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.renewal_date = crate::setter::optional("renewal_date", value);
                self
            }
            pub fn renewal_days(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.renewal_days = crate::setter::optional("renewal_days", value);
                self
            }
            pub fn renewal_repeat(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.renewal_repeat = crate::setter::optional("renewal_repeat", value);
                self
            }
            pub fn renewal_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.renewal_type = crate::setter::optional("renewal_type", value);
                self
            }
            pub fn show_details(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.show_details = crate::setter::optional("show_details", value);
                self
            }
            pub fn show_grade_certificate(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.show_grade_certificate = crate::setter::optional(
                    "show_grade_certificate",
                    value,
                );
                self
            }
            pub fn show_grade_learner(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.show_grade_learner = crate::setter::optional(
                    "show_grade_learner",
                    value,
                );
                self
            }
            pub fn submission_notifications(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.submission_notifications = crate::setter::optional(
                    "submission_notifications",
                    value,
                );
                self
            }
            pub fn suggested_duration(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.suggested_duration = crate::setter::optional(
                    "suggested_duration",
                    value,
                );
                self
            }
            pub fn thumbnail_url(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.thumbnail_url = crate::setter::optional("thumbnail_url", value);
                self
            }
            pub fn track_progress(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.track_progress = crate::setter::optional("track_progress", value);
                self
            }
            pub fn user_version(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.user_version = crate::setter::optional("user_version", value);
                self
            }
        }
        impl ::std::convert::TryFrom<Course> for types::Course {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Course,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    archived: value.archived?,
                    auto_due_date: value.auto_due_date?,
                    auto_due_seconds: value.auto_due_seconds?,
                    auto_due_type: value.auto_due_type?,
                    completion_notifications: value.completion_notifications?,
                    cover_art_url: value.cover_art_url?,
                    created: value.created?,
                    creator: value.creator?,
                    description: value.description?,
                    disable_certificates: value.disable_certificates?,
                    display_priority: value.display_priority?,
                    enable_progression: value.enable_progression?,
                    has_cover_art: value.has_cover_art?,
                    id: value.id?,
                    is_graded: value.is_graded?,
                    locked: value.locked?,
                    modified: value.modified?,
                    name: value.name?,
                    pass_mark: value.pass_mark?,
                    pass_mark_type: value.pass_mark_type?,
                    permalink: value.permalink?,
                    published: value.published?,
                    renewal_date: value.renewal_date?,
                    renewal_days: value.renewal_days?,
                    renewal_repeat: value.renewal_repeat?,
                    renewal_type: value.renewal_type?,
                    show_details: value.show_details?,
                    show_grade_certificate: value.show_grade_certificate?,
                    show_grade_learner: value.show_grade_learner?,
                    submission_notifications: value.submission_notifications?,
                    suggested_duration: value.suggested_duration?,
                    thumbnail_url: value.thumbnail_url?,
                    track_progress: value.track_progress?,
                    user_version: value.user_version?,
                })
            }
        }
        impl ::std::convert::From<types::Course> for Course {
            fn from(value: types::Course) -> Self {
                Self {
                    archived: Ok(value.archived),
                    auto_due_date: Ok(value.auto_due_date),
                    auto_due_seconds: Ok(value.auto_due_seconds),
                    auto_due_type: Ok(value.auto_due_type),
                    completion_notifications: Ok(value.completion_notifications),
                    cover_art_url: Ok(value.cover_art_url),
                    created: Ok(value.created),
                    creator: Ok(value.creator),
                    description: Ok(value.description),
                    disable_certificates: Ok(value.disable_certificates),
                    display_priority: Ok(value.display_priority),
                    enable_progression: Ok(value.enable_progression),
                    has_cover_art: Ok(value.has_cover_art),
                    id: Ok(value.id),
                    is_graded: Ok(value.is_graded),
                    locked: Ok(value.locked),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                    pass_mark: Ok(value.pass_mark),
                    pass_mark_type: Ok(value.pass_mark_type),
                    permalink: Ok(value.permalink),
                    published: Ok(value.published),
                    renewal_date: Ok(value.renewal_date),
                    renewal_days: Ok(value.renewal_days),
                    renewal_repeat: Ok(value.renewal_repeat),
                    renewal_type: Ok(value.renewal_type),
                    show_details: Ok(value.show_details),
                    show_grade_certificate: Ok(value.show_grade_certificate),
                    show_grade_learner: Ok(value.show_grade_learner),
                    submission_notifications: Ok(value.submission_notifications),
                    suggested_duration: Ok(value.suggested_duration),
                    thumbnail_url: Ok(value.thumbnail_url),
                    track_progress: Ok(value.track_progress),
                    user_version: Ok(value.user_version),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct CourseCompletion {
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            happened: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseCompletionId>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::CourseCompletion {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> CourseCompletion {
                CourseCompletion {
                    course: Ok(Default::default()),
                    happened: Ok(Default::default()),
                    id: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl CourseCompletion {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn happened(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.happened = crate::setter::optional("happened", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseCompletionId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<CourseCompletion> for types::CourseCompletion {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: CourseCompletion,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    happened: value.happened?,
                    id: value.id?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::CourseCompletion> for CourseCompletion {
            fn from(value: types::CourseCompletion) -> Self {
                Self {
                    course: Ok(value.course),
                    happened: Ok(value.happened),
                    id: Ok(value.id),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct CourseCompletionsResponse {
            items: ::std::result::Result<
                ::std::vec::Vec<types::CourseCompletion>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::CourseCompletionsResponse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> CourseCompletionsResponse {
                CourseCompletionsResponse {
                    items: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                }
            }
        }
        impl CourseCompletionsResponse {
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::CourseCompletion, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
        }
        impl ::std::convert::TryFrom<CourseCompletionsResponse>
        for types::CourseCompletionsResponse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: CourseCompletionsResponse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    items: value.items?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                })
            }
        }
        impl ::std::convert::From<types::CourseCompletionsResponse>
        for CourseCompletionsResponse {
            fn from(value: types::CourseCompletionsResponse) -> Self {
                Self {
                    items: Ok(value.items),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct CourseList {
            archived: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::Course>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            published: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::CourseList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> CourseList {
                CourseList {
                    archived: Ok(Default::default()),
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    published: Ok(Default::default()),
                }
            }
        }
        impl CourseList {
            pub fn archived(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.archived = crate::setter::optional("archived", value);
                self
            }
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Course, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.published = crate::setter::optional("published", value);
                self
            }
        }
        impl ::std::convert::TryFrom<CourseList> for types::CourseList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: CourseList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    archived: value.archived?,
                    cursor: value.cursor?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    published: value.published?,
                })
            }
        }
        impl ::std::convert::From<types::CourseList> for CourseList {
            fn from(value: types::CourseList) -> Self {
                Self {
                    archived: Ok(value.archived),
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    published: Ok(value.published),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct CourseProgress {
            completed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            completed_on: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseProgressId>,
                ::std::string::String,
            >,
            overdue: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            processed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::CourseProgress {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> CourseProgress {
                CourseProgress {
                    completed: Ok(Default::default()),
                    completed_on: Ok(Default::default()),
                    course: Ok(Default::default()),
                    id: Ok(Default::default()),
                    overdue: Ok(Default::default()),
                    processed: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl CourseProgress {
            pub fn completed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.completed = crate::setter::optional("completed", value);
                self
            }
            pub fn completed_on(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.completed_on = crate::setter::optional("completed_on", value);
                self
            }
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseProgressId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn overdue(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.overdue = crate::setter::optional("overdue", value);
                self
            }
            pub fn processed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.processed = crate::setter::optional("processed", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<CourseProgress> for types::CourseProgress {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: CourseProgress,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    completed: value.completed?,
                    completed_on: value.completed_on?,
                    course: value.course?,
                    id: value.id?,
                    overdue: value.overdue?,
                    processed: value.processed?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::CourseProgress> for CourseProgress {
            fn from(value: types::CourseProgress) -> Self {
                Self {
                    completed: Ok(value.completed),
                    completed_on: Ok(value.completed_on),
                    course: Ok(value.course),
                    id: Ok(value.id),
                    overdue: Ok(value.overdue),
                    processed: Ok(value.processed),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct DuplicateCourse {
            complete: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::DuplicateCourseId>,
                ::std::string::String,
            >,
            new_course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            old_course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            progress: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            stage: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
        }
        impl types::DuplicateCourse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> DuplicateCourse {
                DuplicateCourse {
                    complete: Ok(Default::default()),
                    id: Ok(Default::default()),
                    new_course: Ok(Default::default()),
                    old_course: Ok(Default::default()),
                    progress: Ok(Default::default()),
                    stage: Ok(Default::default()),
                }
            }
        }
        impl DuplicateCourse {
            pub fn complete(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.complete = crate::setter::optional("complete", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::DuplicateCourseId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn new_course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.new_course = crate::setter::optional("new_course", value);
                self
            }
            pub fn old_course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.old_course = crate::setter::optional("old_course", value);
                self
            }
            pub fn progress(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.progress = crate::setter::optional("progress", value);
                self
            }
            pub fn stage(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.stage = crate::setter::optional("stage", value);
                self
            }
        }
        impl ::std::convert::TryFrom<DuplicateCourse> for types::DuplicateCourse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: DuplicateCourse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    complete: value.complete?,
                    id: value.id?,
                    new_course: value.new_course?,
                    old_course: value.old_course?,
                    progress: value.progress?,
                    stage: value.stage?,
                })
            }
        }
        impl ::std::convert::From<types::DuplicateCourse> for DuplicateCourse {
            fn from(value: types::DuplicateCourse) -> Self {
                Self {
                    complete: Ok(value.complete),
                    id: Ok(value.id),
                    new_course: Ok(value.new_course),
                    old_course: Ok(value.old_course),
                    progress: Ok(value.progress),
                    stage: Ok(value.stage),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct EditLearner {
            email: ::std::result::Result<::std::string::String, ::std::string::String>,
            firstname: ::std::result::Result<
                ::std::string::String,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
            notes: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            password: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            phone_number: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            surname: ::std::result::Result<::std::string::String, ::std::string::String>,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            username: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::EditLearner {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                firstname: impl crate::setter::IntoValue<::std::string::String>,
                surname: impl crate::setter::IntoValue<::std::string::String>,
                email: impl crate::setter::IntoValue<::std::string::String>,
            ) -> EditLearner {
                EditLearner {
                    email: crate::setter::required("email", email),
                    firstname: crate::setter::required("firstname", firstname),
                    id: Ok(Default::default()),
                    notes: Ok(Default::default()),
                    password: Ok(Default::default()),
                    phone_number: Ok(Default::default()),
                    surname: crate::setter::required("surname", surname),
                    tags: Ok(Default::default()),
                    username: Ok(Default::default()),
                }
            }
        }
        impl EditLearner {
            pub fn email(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.email = crate::setter::required("email", value);
                self
            }
            pub fn firstname(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.firstname = crate::setter::required("firstname", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn notes(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.notes = crate::setter::optional("notes", value);
                self
            }
            pub fn password(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.password = crate::setter::optional("password", value);
                self
            }
            pub fn phone_number(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.phone_number = crate::setter::optional("phone_number", value);
                self
            }
            pub fn surname(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.surname = crate::setter::required("surname", value);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
            pub fn username(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.username = crate::setter::optional("username", value);
                self
            }
        }
        impl ::std::convert::TryFrom<EditLearner> for types::EditLearner {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: EditLearner,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    email: value.email?,
                    firstname: value.firstname?,
                    id: value.id?,
                    notes: value.notes?,
                    password: value.password?,
                    phone_number: value.phone_number?,
                    surname: value.surname?,
                    tags: value.tags?,
                    username: value.username?,
                })
            }
        }
        impl ::std::convert::From<types::EditLearner> for EditLearner {
            fn from(value: types::EditLearner) -> Self {
                Self {
                    email: Ok(value.email),
                    firstname: Ok(value.firstname),
                    id: Ok(value.id),
                    notes: Ok(value.notes),
                    password: Ok(value.password),
                    phone_number: Ok(value.phone_number),
                    surname: Ok(value.surname),
                    tags: Ok(value.tags),
                    username: Ok(value.username),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Enrolment {
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::EnrolmentId>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::Enrolment {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> Enrolment {
                Enrolment {
                    course: Ok(Default::default()),
                    created: Ok(Default::default()),
                    id: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl Enrolment {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::EnrolmentId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<Enrolment> for types::Enrolment {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Enrolment,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    created: value.created?,
                    id: value.id?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::Enrolment> for Enrolment {
            fn from(value: types::Enrolment) -> Self {
                Self {
                    course: Ok(value.course),
                    created: Ok(value.created),
                    id: Ok(value.id),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct EnrolmentList {
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::Enrolment>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::EnrolmentList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> EnrolmentList {
                EnrolmentList {
                    course: Ok(Default::default()),
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl EnrolmentList {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Enrolment, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<EnrolmentList> for types::EnrolmentList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: EnrolmentList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    cursor: value.cursor?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::EnrolmentList> for EnrolmentList {
            fn from(value: types::EnrolmentList) -> Self {
                Self {
                    course: Ok(value.course),
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Learner {
            archived: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            create_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            created_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            creator_kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            deleted: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            email: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            firstname: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
            image: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            is_admin: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            is_learner: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            last_logged_in: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            notes: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            password: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            phone_number: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            signup_page: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            sso_id: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            surname: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            updated: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            username: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::Learner {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> Learner {
                Learner {
                    archived: Ok(Default::default()),
                    create_type: Ok(Default::default()),
                    created: Ok(Default::default()),
                    created_by: Ok(Default::default()),
                    creator_kind: Ok(Default::default()),
                    deleted: Ok(Default::default()),
                    email: Ok(Default::default()),
                    firstname: Ok(Default::default()),
                    id: Ok(Default::default()),
                    image: Ok(Default::default()),
                    is_admin: Ok(Default::default()),
                    is_learner: Ok(Default::default()),
                    last_logged_in: Ok(Default::default()),
                    notes: Ok(Default::default()),
                    password: Ok(Default::default()),
                    phone_number: Ok(Default::default()),
                    signup_page: Ok(Default::default()),
                    sso_id: Ok(Default::default()),
                    surname: Ok(Default::default()),
                    tags: Ok(Default::default()),
                    updated: Ok(Default::default()),
                    username: Ok(Default::default()),
                }
            }
        }
        impl Learner {
            pub fn archived(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.archived = crate::setter::optional("archived", value);
                self
            }
            pub fn create_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.create_type = crate::setter::optional("create_type", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn created_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.created_by = crate::setter::optional("created_by", value);
                self
            }
            pub fn creator_kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.creator_kind = crate::setter::optional("creator_kind", value);
                self
            }
            pub fn deleted(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.deleted = crate::setter::optional("deleted", value);
                self
            }
            pub fn email(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.email = crate::setter::optional("email", value);
                self
            }
            pub fn firstname(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.firstname = crate::setter::optional("firstname", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn image(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.image = crate::setter::optional("image", value);
                self
            }
            pub fn is_admin(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.is_admin = crate::setter::optional("is_admin", value);
                self
            }
            pub fn is_learner(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.is_learner = crate::setter::optional("is_learner", value);
                self
            }
            pub fn last_logged_in(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.last_logged_in = crate::setter::optional("last_logged_in", value);
                self
            }
            pub fn notes(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.notes = crate::setter::optional("notes", value);
                self
            }
            pub fn password(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.password = crate::setter::optional("password", value);
                self
            }
            pub fn phone_number(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.phone_number = crate::setter::optional("phone_number", value);
                self
            }
            pub fn signup_page(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.signup_page = crate::setter::optional("signup_page", value);
                self
            }
            pub fn sso_id(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.sso_id = crate::setter::optional("sso_id", value);
                self
            }
            pub fn surname(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.surname = crate::setter::optional("surname", value);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
            pub fn updated(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.updated = crate::setter::optional("updated", value);
                self
            }
            pub fn username(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.username = crate::setter::optional("username", value);
                self
            }
        }
        impl ::std::convert::TryFrom<Learner> for types::Learner {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Learner,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    archived: value.archived?,
                    create_type: value.create_type?,
                    created: value.created?,
                    created_by: value.created_by?,
                    creator_kind: value.creator_kind?,
                    deleted: value.deleted?,
                    email: value.email?,
                    firstname: value.firstname?,
                    id: value.id?,
                    image: value.image?,
                    is_admin: value.is_admin?,
                    is_learner: value.is_learner?,
                    last_logged_in: value.last_logged_in?,
                    notes: value.notes?,
                    password: value.password?,
                    phone_number: value.phone_number?,
                    signup_page: value.signup_page?,
                    sso_id: value.sso_id?,
                    surname: value.surname?,
                    tags: value.tags?,
                    updated: value.updated?,
                    username: value.username?,
                })
            }
        }
        impl ::std::convert::From<types::Learner> for Learner {
            fn from(value: types::Learner) -> Self {
                Self {
                    archived: Ok(value.archived),
                    create_type: Ok(value.create_type),
                    created: Ok(value.created),
                    created_by: Ok(value.created_by),
                    creator_kind: Ok(value.creator_kind),
                    deleted: Ok(value.deleted),
                    email: Ok(value.email),
                    firstname: Ok(value.firstname),
                    id: Ok(value.id),
                    image: Ok(value.image),
                    is_admin: Ok(value.is_admin),
                    is_learner: Ok(value.is_learner),
                    last_logged_in: Ok(value.last_logged_in),
                    notes: Ok(value.notes),
                    password: Ok(value.password),
                    phone_number: Ok(value.phone_number),
                    signup_page: Ok(value.signup_page),
                    sso_id: Ok(value.sso_id),
                    surname: Ok(value.surname),
                    tags: Ok(value.tags),
                    updated: Ok(value.updated),
                    username: Ok(value.username),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct LearnerList {
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            email: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::Learner>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            order_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            order_direction: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            signup_page: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            username: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::LearnerList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> LearnerList {
                LearnerList {
                    cursor: Ok(Default::default()),
                    email: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    order_by: Ok(Default::default()),
                    order_direction: Ok(Default::default()),
                    signup_page: Ok(Default::default()),
                    tags: Ok(Default::default()),
                    username: Ok(Default::default()),
                }
            }
        }
        impl LearnerList {
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn email(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.email = crate::setter::optional("email", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Learner, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn order_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.order_by = crate::setter::optional("order_by", value);
                self
            }
            pub fn order_direction(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.order_direction = crate::setter::optional("order_direction", value);
                self
            }
            pub fn signup_page(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.signup_page = crate::setter::optional("signup_page", value);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
            pub fn username(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.username = crate::setter::optional("username", value);
                self
            }
        }
        impl ::std::convert::TryFrom<LearnerList> for types::LearnerList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: LearnerList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    cursor: value.cursor?,
                    email: value.email?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    order_by: value.order_by?,
                    order_direction: value.order_direction?,
                    signup_page: value.signup_page?,
                    tags: value.tags?,
                    username: value.username?,
                })
            }
        }
        impl ::std::convert::From<types::LearnerList> for LearnerList {
            fn from(value: types::LearnerList) -> Self {
                Self {
                    cursor: Ok(value.cursor),
                    email: Ok(value.email),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    order_by: Ok(value.order_by),
                    order_direction: Ok(value.order_direction),
                    signup_page: Ok(value.signup_page),
                    tags: Ok(value.tags),
                    username: Ok(value.username),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct MeResponse {
            aud: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            domain: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            tid: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::MeResponse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> MeResponse {
                MeResponse {
                    aud: Ok(Default::default()),
                    domain: Ok(Default::default()),
                    name: Ok(Default::default()),
                    tid: Ok(Default::default()),
                }
            }
        }
        impl MeResponse {
            pub fn aud(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.aud = crate::setter::optional("aud", value);
                self
            }
            pub fn domain(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.domain = crate::setter::optional("domain", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn tid(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.tid = crate::setter::optional("tid", value);
                self
            }
        }
        impl ::std::convert::TryFrom<MeResponse> for types::MeResponse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: MeResponse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    aud: value.aud?,
                    domain: value.domain?,
                    name: value.name?,
                    tid: value.tid?,
                })
            }
        }
        impl ::std::convert::From<types::MeResponse> for MeResponse {
            fn from(value: types::MeResponse) -> Self {
                Self {
                    aud: Ok(value.aud),
                    domain: Ok(value.domain),
                    name: Ok(value.name),
                    tid: Ok(value.tid),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Profile {
            courses: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::ProfileId>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            permissions: ::std::result::Result<
                ::std::vec::Vec<types::ProfilePermission>,
                ::std::string::String,
            >,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::Profile {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> Profile {
                Profile {
                    courses: Ok(Default::default()),
                    created: Ok(Default::default()),
                    id: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: Ok(Default::default()),
                    permissions: Ok(Default::default()),
                    tags: Ok(Default::default()),
                }
            }
        }
        impl Profile {
            pub fn courses<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.courses = crate::setter::list("courses", values);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::ProfileId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn permissions<By>(
                mut self,
                values: impl crate::setter::IntoList<types::ProfilePermission, By>,
            ) -> Self {
                self.permissions = crate::setter::list("permissions", values);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
        }
        impl ::std::convert::TryFrom<Profile> for types::Profile {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Profile,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    courses: value.courses?,
                    created: value.created?,
                    id: value.id?,
                    modified: value.modified?,
                    name: value.name?,
                    permissions: value.permissions?,
                    tags: value.tags?,
                })
            }
        }
        impl ::std::convert::From<types::Profile> for Profile {
            fn from(value: types::Profile) -> Self {
                Self {
                    courses: Ok(value.courses),
                    created: Ok(value.created),
                    id: Ok(value.id),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                    permissions: Ok(value.permissions),
                    tags: Ok(value.tags),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct ProfileList {
            items: ::std::result::Result<
                ::std::vec::Vec<types::Profile>,
                ::std::string::String,
            >,
        }
        impl types::ProfileList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> ProfileList {
                ProfileList {
                    items: Ok(Default::default()),
                }
            }
        }
        impl ProfileList {
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Profile, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
        }
        impl ::std::convert::TryFrom<ProfileList> for types::ProfileList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: ProfileList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self { items: value.items? })
            }
        }
        impl ::std::convert::From<types::ProfileList> for ProfileList {
            fn from(value: types::ProfileList) -> Self {
                Self { items: Ok(value.items) }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct ProfilePermission {
            not_applicable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_editable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_field: ::std::result::Result<
                ::std::option::Option<crate::ids::UserFieldId>,
                ::std::string::String,
            >,
            user_visible: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::ProfilePermission {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> ProfilePermission {
                ProfilePermission {
                    not_applicable: Ok(Default::default()),
                    user_editable: Ok(Default::default()),
                    user_field: Ok(Default::default()),
                    user_visible: Ok(Default::default()),
                }
            }
        }
        impl ProfilePermission {
            pub fn not_applicable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.not_applicable = crate::setter::optional("not_applicable", value);
                self
            }
            pub fn user_editable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_editable = crate::setter::optional("user_editable", value);
                self
            }
            pub fn user_field(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::UserFieldId>,
            ) -> Self {
                self.user_field = crate::setter::optional("user_field", value);
                self
            }
            pub fn user_visible(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_visible = crate::setter::optional("user_visible", value);
                self
            }
        }
        impl ::std::convert::TryFrom<ProfilePermission> for types::ProfilePermission {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: ProfilePermission,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    not_applicable: value.not_applicable?,
                    user_editable: value.user_editable?,
                    user_field: value.user_field?,
                    user_visible: value.user_visible?,
                })
            }
        }
        impl ::std::convert::From<types::ProfilePermission> for ProfilePermission {
            fn from(value: types::ProfilePermission) -> Self {
                Self {
                    not_applicable: Ok(value.not_applicable),
                    user_editable: Ok(value.user_editable),
                    user_field: Ok(value.user_field),
                    user_visible: Ok(value.user_visible),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Record {
            achievable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            achieved_on: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            active: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            attachments: ::std::result::Result<
                ::std::vec::Vec<types::RecordAttachment>,
                ::std::string::String,
            >,
            blob_key: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            content_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            cost: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            created_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            expired: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            expires: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            expires_on: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            file_size: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            filename: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            has_value: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::RecordId>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            modified_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            not_applicable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            notes: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            payment_date: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            reference: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            training_provider: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            upcoming: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
            user_editable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_field: ::std::result::Result<
                ::std::option::Option<crate::ids::UserFieldId>,
                ::std::string::String,
            >,
            user_visible: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            valid: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            value: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::Record {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> Record {
                Record {
                    achievable: Ok(Default::default()),
                    achieved_on: Ok(Default::default()),
                    active: Ok(Default::default()),
                    attachments: Ok(Default::default()),
                    blob_key: Ok(Default::default()),
                    content_type: Ok(Default::default()),
                    cost: Ok(Default::default()),
                    created: Ok(Default::default()),
                    created_by: Ok(Default::default()),
                    expired: Ok(Default::default()),
                    expires: Ok(Default::default()),
                    expires_on: Ok(Default::default()),
                    file_size: Ok(Default::default()),
                    filename: Ok(Default::default()),
                    has_value: Ok(Default::default()),
                    id: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    modified_by: Ok(Default::default()),
                    not_applicable: Ok(Default::default()),
                    notes: Ok(Default::default()),
                    payment_date: Ok(Default::default()),
                    reference: Ok(Default::default()),
                    training_provider: Ok(Default::default()),
                    upcoming: Ok(Default::default()),
                    user: Ok(Default::default()),
                    user_editable: Ok(Default::default()),
                    user_field: Ok(Default::default()),
                    user_visible: Ok(Default::default()),
                    valid: Ok(Default::default()),
                    value: Ok(Default::default()),
                }
            }
        }
        impl Record {
            pub fn achievable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.achievable = crate::setter::optional("achievable", value);
                self
            }
            pub fn achieved_on(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.achieved_on = crate::setter::optional("achieved_on", value);
                self
            }
            pub fn active(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.active = crate::setter::optional("active", value);
                self
            }
            pub fn attachments<By>(
                mut self,
                values: impl crate::setter::IntoList<types::RecordAttachment, By>,
            ) -> Self {
                self.attachments = crate::setter::list("attachments", values);
                self
            }
            pub fn blob_key(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.blob_key = crate::setter::optional("blob_key", value);
                self
            }
            pub fn content_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.content_type = crate::setter::optional("content_type", value);
                self
            }
            pub fn cost(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cost = crate::setter::optional("cost", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn created_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.created_by = crate::setter::optional("created_by", value);
                self
            }
            pub fn expired(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.expired = crate::setter::optional("expired", value);
                self
            }
            pub fn expires(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.expires = crate::setter::optional("expires", value);
                self
            }
            pub fn expires_on(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.expires_on = crate::setter::optional("expires_on", value);
                self
            }
            pub fn file_size(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.file_size = crate::setter::optional("file_size", value);
                self
            }
            pub fn filename(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.filename = crate::setter::optional("filename", value);
                self
            }
            pub fn has_value(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.has_value = crate::setter::optional("has_value", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::RecordId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn modified_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.modified_by = crate::setter::optional("modified_by", value);
                self
            }
            pub fn not_applicable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.not_applicable = crate::setter::optional("not_applicable", value);
                self
            }
            pub fn notes(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.notes = crate::setter::optional("notes", value);
                self
            }
            pub fn payment_date(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.payment_date = crate::setter::optional("payment_date", value);
                self
            }
            pub fn reference(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.reference = crate::setter::optional("reference", value);
                self
            }
            pub fn training_provider(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.training_provider = crate::setter::optional(
                    "training_provider",
                    value,
                );
                self
            }
            pub fn upcoming(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.upcoming = crate::setter::optional("upcoming", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
            pub fn user_editable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_editable = crate::setter::optional("user_editable", value);
                self
            }
            pub fn user_field(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::UserFieldId>,
            ) -> Self {
                self.user_field = crate::setter::optional("user_field", value);
                self
            }
            pub fn user_visible(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_visible = crate::setter::optional("user_visible", value);
                self
            }
            pub fn valid(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.valid = crate::setter::optional("valid", value);
                self
            }
            pub fn value(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.value = crate::setter::optional("value", value);
                self
            }
        }
        impl ::std::convert::TryFrom<Record> for types::Record {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Record,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    achievable: value.achievable?,
                    achieved_on: value.achieved_on?,
                    active: value.active?,
                    attachments: value.attachments?,
                    blob_key: value.blob_key?,
                    content_type: value.content_type?,
                    cost: value.cost?,
                    created: value.created?,
                    created_by: value.created_by?,
                    expired: value.expired?,
                    expires: value.expires?,
                    expires_on: value.expires_on?,
                    file_size: value.file_size?,
                    filename: value.filename?,
                    has_value: value.has_value?,
                    id: value.id?,
                    modified: value.modified?,
                    modified_by: value.modified_by?,
                    not_applicable: value.not_applicable?,
                    notes: value.notes?,
                    payment_date: value.payment_date?,
                    reference: value.reference?,
                    training_provider: value.training_provider?,
                    upcoming: value.upcoming?,
                    user: value.user?,
                    user_editable: value.user_editable?,
                    user_field: value.user_field?,
                    user_visible: value.user_visible?,
                    valid: value.valid?,
                    value: value.value?,
                })
            }
        }
        impl ::std::convert::From<types::Record> for Record {
            fn from(value: types::Record) -> Self {
                Self {
                    achievable: Ok(value.achievable),
                    achieved_on: Ok(value.achieved_on),
                    active: Ok(value.active),
                    attachments: Ok(value.attachments),
                    blob_key: Ok(value.blob_key),
                    content_type: Ok(value.content_type),
                    cost: Ok(value.cost),
                    created: Ok(value.created),
                    created_by: Ok(value.created_by),
                    expired: Ok(value.expired),
                    expires: Ok(value.expires),
                    expires_on: Ok(value.expires_on),
                    file_size: Ok(value.file_size),
                    filename: Ok(value.filename),
                    has_value: Ok(value.has_value),
                    id: Ok(value.id),
                    modified: Ok(value.modified),
                    modified_by: Ok(value.modified_by),
                    not_applicable: Ok(value.not_applicable),
                    notes: Ok(value.notes),
                    payment_date: Ok(value.payment_date),
                    reference: Ok(value.reference),
                    training_provider: Ok(value.training_provider),
                    upcoming: Ok(value.upcoming),
                    user: Ok(value.user),
                    user_editable: Ok(value.user_editable),
                    user_field: Ok(value.user_field),
                    user_visible: Ok(value.user_visible),
                    valid: Ok(value.valid),
                    value: Ok(value.value),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct RecordAttachment {
            blob_key: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            content_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            course_name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            file_size: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            filename: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            user_field_file: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            user_log: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::RecordAttachment {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> RecordAttachment {
                RecordAttachment {
                    blob_key: Ok(Default::default()),
                    content_type: Ok(Default::default()),
                    course: Ok(Default::default()),
                    course_name: Ok(Default::default()),
                    file_size: Ok(Default::default()),
                    filename: Ok(Default::default()),
                    kind: Ok(Default::default()),
                    user_field_file: Ok(Default::default()),
                    user_log: Ok(Default::default()),
                }
            }
        }
        impl RecordAttachment {
            pub fn blob_key(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.blob_key = crate::setter::optional("blob_key", value);
                self
            }
            pub fn content_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.content_type = crate::setter::optional("content_type", value);
                self
            }
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn course_name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.course_name = crate::setter::optional("course_name", value);
                self
            }
            pub fn file_size(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.file_size = crate::setter::optional("file_size", value);
                self
            }
            pub fn filename(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.filename = crate::setter::optional("filename", value);
                self
            }
            pub fn kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.kind = crate::setter::optional("kind", value);
                self
            }
            pub fn user_field_file(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.user_field_file = crate::setter::optional("user_field_file", value);
                self
            }
            pub fn user_log(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.user_log = crate::setter::optional("user_log", value);
                self
            }
        }
        impl ::std::convert::TryFrom<RecordAttachment> for types::RecordAttachment {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: RecordAttachment,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    blob_key: value.blob_key?,
                    content_type: value.content_type?,
                    course: value.course?,
                    course_name: value.course_name?,
                    file_size: value.file_size?,
                    filename: value.filename?,
                    kind: value.kind?,
                    user_field_file: value.user_field_file?,
                    user_log: value.user_log?,
                })
            }
        }
        impl ::std::convert::From<types::RecordAttachment> for RecordAttachment {
            fn from(value: types::RecordAttachment) -> Self {
                Self {
                    blob_key: Ok(value.blob_key),
                    content_type: Ok(value.content_type),
                    course: Ok(value.course),
                    course_name: Ok(value.course_name),
                    file_size: Ok(value.file_size),
                    filename: Ok(value.filename),
                    kind: Ok(value.kind),
                    user_field_file: Ok(value.user_field_file),
                    user_log: Ok(value.user_log),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct SignupPage {
            courses: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::SignupPageId>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            page_description: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            page_title: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            tags: ::std::result::Result<
                ::std::vec::Vec<::std::string::String>,
                ::std::string::String,
            >,
            url: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::SignupPage {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> SignupPage {
                SignupPage {
                    courses: Ok(Default::default()),
                    created: Ok(Default::default()),
                    id: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: Ok(Default::default()),
                    page_description: Ok(Default::default()),
                    page_title: Ok(Default::default()),
                    tags: Ok(Default::default()),
                    url: Ok(Default::default()),
                }
            }
        }
        impl SignupPage {
            pub fn courses<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.courses = crate::setter::list("courses", values);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::SignupPageId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn page_description(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.page_description = crate::setter::optional(
                    "page_description",
                    value,
                );
                self
            }
            pub fn page_title(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.page_title = crate::setter::optional("page_title", value);
                self
            }
            pub fn tags<By>(
                mut self,
                values: impl crate::setter::IntoList<::std::string::String, By>,
            ) -> Self {
                self.tags = crate::setter::list("tags", values);
                self
            }
            pub fn url(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.url = crate::setter::optional("url", value);
                self
            }
        }
        impl ::std::convert::TryFrom<SignupPage> for types::SignupPage {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: SignupPage,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    courses: value.courses?,
                    created: value.created?,
                    id: value.id?,
                    modified: value.modified?,
                    name: value.name?,
                    page_description: value.page_description?,
                    page_title: value.page_title?,
                    tags: value.tags?,
                    url: value.url?,
                })
            }
        }
        impl ::std::convert::From<types::SignupPage> for SignupPage {
            fn from(value: types::SignupPage) -> Self {
                Self {
                    courses: Ok(value.courses),
                    created: Ok(value.created),
                    id: Ok(value.id),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                    page_description: Ok(value.page_description),
                    page_title: Ok(value.page_title),
                    tags: Ok(value.tags),
                    url: Ok(value.url),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct SignupPageList {
            items: ::std::result::Result<
                ::std::vec::Vec<types::SignupPage>,
                ::std::string::String,
            >,
        }
        impl types::SignupPageList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> SignupPageList {
                SignupPageList {
                    items: Ok(Default::default()),
                }
            }
        }
        impl SignupPageList {
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::SignupPage, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
        }
        impl ::std::convert::TryFrom<SignupPageList> for types::SignupPageList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: SignupPageList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self { items: value.items? })
            }
        }
        impl ::std::convert::From<types::SignupPageList> for SignupPageList {
            fn from(value: types::SignupPageList) -> Self {
                Self { items: Ok(value.items) }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Tag {
            color: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::TagId>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<::std::string::String, ::std::string::String>,
        }
        impl types::Tag {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                name: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Tag {
                Tag {
                    color: Ok(Default::default()),
                    created: Ok(Default::default()),
                    id: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: crate::setter::required("name", name),
                }
            }
        }
        impl Tag {
            pub fn color(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.color = crate::setter::optional("color", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::TagId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::required("name", value);
                self
            }
        }
        impl ::std::convert::TryFrom<Tag> for types::Tag {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Tag,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    color: value.color?,
                    created: value.created?,
                    id: value.id?,
                    modified: value.modified?,
                    name: value.name?,
                })
            }
        }
        impl ::std::convert::From<types::Tag> for Tag {
            fn from(value: types::Tag) -> Self {
                Self {
                    color: Ok(value.color),
                    created: Ok(value.created),
                    id: Ok(value.id),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TagList {
            items: ::std::result::Result<
                ::std::vec::Vec<types::Tag>,
                ::std::string::String,
            >,
        }
        impl types::TagList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TagList {
                TagList {
                    items: Ok(Default::default()),
                }
            }
        }
        impl TagList {
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Tag, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
        }
        impl ::std::convert::TryFrom<TagList> for types::TagList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TagList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self { items: value.items? })
            }
        }
        impl ::std::convert::From<types::TagList> for TagList {
            fn from(value: types::TagList) -> Self {
                Self { items: Ok(value.items) }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TestResponse {
            tid: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::TestResponse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TestResponse {
                TestResponse {
                    tid: Ok(Default::default()),
                }
            }
        }
        impl TestResponse {
            pub fn tid(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.tid = crate::setter::optional("tid", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TestResponse> for types::TestResponse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TestResponse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self { tid: value.tid? })
            }
        }
        impl ::std::convert::From<types::TestResponse> for TestResponse {
            fn from(value: types::TestResponse) -> Self {
                Self { tid: Ok(value.tid) }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TokenRequest {
            audience: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            client_id: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            client_secret: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            code: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            grant_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            redirect_uri: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            refresh_token: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
        }
        impl types::TokenRequest {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TokenRequest {
                TokenRequest {
                    audience: Ok(Default::default()),
                    client_id: Ok(Default::default()),
                    client_secret: Ok(Default::default()),
                    code: Ok(Default::default()),
                    grant_type: Ok(Default::default()),
                    redirect_uri: Ok(Default::default()),
                    refresh_token: Ok(Default::default()),
                }
            }
        }
        impl TokenRequest {
            pub fn audience(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.audience = crate::setter::optional("audience", value);
                self
            }
            pub fn client_id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.client_id = crate::setter::optional("client_id", value);
                self
            }
            pub fn client_secret(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.client_secret = crate::setter::optional("client_secret", value);
                self
            }
            pub fn code(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.code = crate::setter::optional("code", value);
                self
            }
            pub fn grant_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.grant_type = crate::setter::optional("grant_type", value);
                self
            }
            pub fn redirect_uri(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.redirect_uri = crate::setter::optional("redirect_uri", value);
                self
            }
            pub fn refresh_token(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.refresh_token = crate::setter::optional("refresh_token", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TokenRequest> for types::TokenRequest {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TokenRequest,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    audience: value.audience?,
                    client_id: value.client_id?,
                    client_secret: value.client_secret?,
                    code: value.code?,
                    grant_type: value.grant_type?,
                    redirect_uri: value.redirect_uri?,
                    refresh_token: value.refresh_token?,
                })
            }
        }
        impl ::std::convert::From<types::TokenRequest> for TokenRequest {
            fn from(value: types::TokenRequest) -> Self {
                Self {
                    audience: Ok(value.audience),
                    client_id: Ok(value.client_id),
                    client_secret: Ok(value.client_secret),
                    code: Ok(value.code),
                    grant_type: Ok(value.grant_type),
                    redirect_uri: Ok(value.redirect_uri),
                    refresh_token: Ok(value.refresh_token),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TokenResponse {
            access_token: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            aud: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            expires_in: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            refresh_token: ::std::result::Result<
                ::std::option::Option<crate::wire::Secret>,
                ::std::string::String,
            >,
            scope: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            token_type: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::TokenResponse {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TokenResponse {
                TokenResponse {
                    access_token: Ok(Default::default()),
                    aud: Ok(Default::default()),
                    expires_in: Ok(Default::default()),
                    name: Ok(Default::default()),
                    refresh_token: Ok(Default::default()),
                    scope: Ok(Default::default()),
                    token_type: Ok(Default::default()),
                }
            }
        }
        impl TokenResponse {
            pub fn access_token(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.access_token = crate::setter::optional("access_token", value);
                self
            }
            pub fn aud(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.aud = crate::setter::optional("aud", value);
                self
            }
            pub fn expires_in(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.expires_in = crate::setter::optional("expires_in", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn refresh_token(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Secret>,
            ) -> Self {
                self.refresh_token = crate::setter::optional("refresh_token", value);
                self
            }
            pub fn scope(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.scope = crate::setter::optional("scope", value);
                self
            }
            pub fn token_type(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.token_type = crate::setter::optional("token_type", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TokenResponse> for types::TokenResponse {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TokenResponse,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    access_token: value.access_token?,
                    aud: value.aud?,
                    expires_in: value.expires_in?,
                    name: value.name?,
                    refresh_token: value.refresh_token?,
                    scope: value.scope?,
                    token_type: value.token_type?,
                })
            }
        }
        impl ::std::convert::From<types::TokenResponse> for TokenResponse {
            fn from(value: types::TokenResponse) -> Self {
                Self {
                    access_token: Ok(value.access_token),
                    aud: Ok(value.aud),
                    expires_in: Ok(value.expires_in),
                    name: Ok(value.name),
                    refresh_token: Ok(value.refresh_token),
                    scope: Ok(value.scope),
                    token_type: Ok(value.token_type),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct Topic {
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            hide_heading: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::TopicId>,
                ::std::string::String,
            >,
            kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            locked: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<::std::string::String, ::std::string::String>,
            published: ::std::result::Result<bool, ::std::string::String>,
            require_confirmation: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::Topic {
            /// A builder with the required fields.
            #[inline]
            pub fn builder(
                name: impl crate::setter::IntoValue<::std::string::String>,
                published: impl crate::setter::IntoValue<bool>,
            ) -> Topic {
                Topic {
                    course: Ok(Default::default()),
                    created: Ok(Default::default()),
                    hide_heading: Ok(Default::default()),
                    id: Ok(Default::default()),
                    kind: Ok(Default::default()),
                    locked: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: crate::setter::required("name", name),
                    published: crate::setter::required("published", published),
                    require_confirmation: Ok(Default::default()),
                }
            }
        }
        impl Topic {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn hide_heading(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.hide_heading = crate::setter::optional("hide_heading", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::TopicId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.kind = crate::setter::optional("kind", value);
                self
            }
            pub fn locked(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.locked = crate::setter::optional("locked", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoValue<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::required("name", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoValue<bool>,
            ) -> Self {
                self.published = crate::setter::required("published", value);
                self
            }
            pub fn require_confirmation(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.require_confirmation = crate::setter::optional(
                    "require_confirmation",
                    value,
                );
                self
            }
        }
        impl ::std::convert::TryFrom<Topic> for types::Topic {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: Topic,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    created: value.created?,
                    hide_heading: value.hide_heading?,
                    id: value.id?,
                    kind: value.kind?,
                    locked: value.locked?,
                    modified: value.modified?,
                    name: value.name?,
                    published: value.published?,
                    require_confirmation: value.require_confirmation?,
                })
            }
        }
        impl ::std::convert::From<types::Topic> for Topic {
            fn from(value: types::Topic) -> Self {
                Self {
                    course: Ok(value.course),
                    created: Ok(value.created),
                    hide_heading: Ok(value.hide_heading),
                    id: Ok(value.id),
                    kind: Ok(value.kind),
                    locked: Ok(value.locked),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                    published: Ok(value.published),
                    require_confirmation: Ok(value.require_confirmation),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TopicList {
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::Topic>,
                ::std::string::String,
            >,
            kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            published: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::TopicList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TopicList {
                TopicList {
                    course: Ok(Default::default()),
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    kind: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    published: Ok(Default::default()),
                }
            }
        }
        impl TopicList {
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::Topic, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.kind = crate::setter::optional("kind", value);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn published(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.published = crate::setter::optional("published", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TopicList> for types::TopicList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TopicList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    course: value.course?,
                    cursor: value.cursor?,
                    items: value.items?,
                    kind: value.kind?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    published: value.published?,
                })
            }
        }
        impl ::std::convert::From<types::TopicList> for TopicList {
            fn from(value: types::TopicList) -> Self {
                Self {
                    course: Ok(value.course),
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    kind: Ok(value.kind),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    published: Ok(value.published),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TopicProgress {
            completed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            completed_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            completed_on: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            confirmed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            confirmed_by: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            confirmed_on: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::TopicProgressId>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            topic: ::std::result::Result<
                ::std::option::Option<crate::ids::TopicId>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::TopicProgress {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TopicProgress {
                TopicProgress {
                    completed: Ok(Default::default()),
                    completed_by: Ok(Default::default()),
                    completed_on: Ok(Default::default()),
                    confirmed: Ok(Default::default()),
                    confirmed_by: Ok(Default::default()),
                    confirmed_on: Ok(Default::default()),
                    course: Ok(Default::default()),
                    created: Ok(Default::default()),
                    id: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    topic: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl TopicProgress {
            pub fn completed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.completed = crate::setter::optional("completed", value);
                self
            }
            pub fn completed_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.completed_by = crate::setter::optional("completed_by", value);
                self
            }
            pub fn completed_on(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.completed_on = crate::setter::optional("completed_on", value);
                self
            }
            pub fn confirmed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.confirmed = crate::setter::optional("confirmed", value);
                self
            }
            pub fn confirmed_by(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.confirmed_by = crate::setter::optional("confirmed_by", value);
                self
            }
            pub fn confirmed_on(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.confirmed_on = crate::setter::optional("confirmed_on", value);
                self
            }
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::TopicProgressId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn topic(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::TopicId>,
            ) -> Self {
                self.topic = crate::setter::optional("topic", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TopicProgress> for types::TopicProgress {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TopicProgress,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    completed: value.completed?,
                    completed_by: value.completed_by?,
                    completed_on: value.completed_on?,
                    confirmed: value.confirmed?,
                    confirmed_by: value.confirmed_by?,
                    confirmed_on: value.confirmed_on?,
                    course: value.course?,
                    created: value.created?,
                    id: value.id?,
                    modified: value.modified?,
                    topic: value.topic?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::TopicProgress> for TopicProgress {
            fn from(value: types::TopicProgress) -> Self {
                Self {
                    completed: Ok(value.completed),
                    completed_by: Ok(value.completed_by),
                    completed_on: Ok(value.completed_on),
                    confirmed: Ok(value.confirmed),
                    confirmed_by: Ok(value.confirmed_by),
                    confirmed_on: Ok(value.confirmed_on),
                    course: Ok(value.course),
                    created: Ok(value.created),
                    id: Ok(value.id),
                    modified: Ok(value.modified),
                    topic: Ok(value.topic),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct TopicProgressList {
            completed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            course: ::std::result::Result<
                ::std::option::Option<crate::ids::CourseId>,
                ::std::string::String,
            >,
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::TopicProgress>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            topic: ::std::result::Result<
                ::std::option::Option<crate::ids::TopicId>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::TopicProgressList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> TopicProgressList {
                TopicProgressList {
                    completed: Ok(Default::default()),
                    course: Ok(Default::default()),
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    topic: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl TopicProgressList {
            pub fn completed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.completed = crate::setter::optional("completed", value);
                self
            }
            pub fn course(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
            ) -> Self {
                self.course = crate::setter::optional("course", value);
                self
            }
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::TopicProgress, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn topic(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::TopicId>,
            ) -> Self {
                self.topic = crate::setter::optional("topic", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<TopicProgressList> for types::TopicProgressList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: TopicProgressList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    completed: value.completed?,
                    course: value.course?,
                    cursor: value.cursor?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    topic: value.topic?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::TopicProgressList> for TopicProgressList {
            fn from(value: types::TopicProgressList) -> Self {
                Self {
                    completed: Ok(value.completed),
                    course: Ok(value.course),
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    topic: Ok(value.topic),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct UserField {
            created: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            default: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            description: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            disable_notifications: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            id: ::std::result::Result<
                ::std::option::Option<crate::ids::UserFieldId>,
                ::std::string::String,
            >,
            indexed: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            modified: ::std::result::Result<
                ::std::option::Option<crate::wire::Timestamp>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            not_applicable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            required: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            resource: ::std::result::Result<
                ::std::option::Option<types::UserFieldResource>,
                ::std::string::String,
            >,
            user_editable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_visible: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::UserField {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> UserField {
                UserField {
                    created: Ok(Default::default()),
                    default: Ok(Default::default()),
                    description: Ok(Default::default()),
                    disable_notifications: Ok(Default::default()),
                    id: Ok(Default::default()),
                    indexed: Ok(Default::default()),
                    kind: Ok(Default::default()),
                    modified: Ok(Default::default()),
                    name: Ok(Default::default()),
                    not_applicable: Ok(Default::default()),
                    required: Ok(Default::default()),
                    resource: Ok(Default::default()),
                    user_editable: Ok(Default::default()),
                    user_visible: Ok(Default::default()),
                }
            }
        }
        impl UserField {
            pub fn created(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.created = crate::setter::optional("created", value);
                self
            }
            pub fn default(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.default = crate::setter::optional("default", value);
                self
            }
            pub fn description(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.description = crate::setter::optional("description", value);
                self
            }
            pub fn disable_notifications(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.disable_notifications = crate::setter::optional(
                    "disable_notifications",
                    value,
                );
                self
            }
            pub fn id(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::UserFieldId>,
            ) -> Self {
                self.id = crate::setter::optional("id", value);
                self
            }
            pub fn indexed(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.indexed = crate::setter::optional("indexed", value);
                self
            }
            pub fn kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.kind = crate::setter::optional("kind", value);
                self
            }
            pub fn modified(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Timestamp>,
            ) -> Self {
                self.modified = crate::setter::optional("modified", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn not_applicable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.not_applicable = crate::setter::optional("not_applicable", value);
                self
            }
            pub fn required(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.required = crate::setter::optional("required", value);
                self
            }
            pub fn resource(
                mut self,
                value: impl crate::setter::IntoOptional<types::UserFieldResource>,
            ) -> Self {
                self.resource = crate::setter::optional("resource", value);
                self
            }
            pub fn user_editable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_editable = crate::setter::optional("user_editable", value);
                self
            }
            pub fn user_visible(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_visible = crate::setter::optional("user_visible", value);
                self
            }
        }
        impl ::std::convert::TryFrom<UserField> for types::UserField {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: UserField,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    created: value.created?,
                    default: value.default?,
                    description: value.description?,
                    disable_notifications: value.disable_notifications?,
                    id: value.id?,
                    indexed: value.indexed?,
                    kind: value.kind?,
                    modified: value.modified?,
                    name: value.name?,
                    not_applicable: value.not_applicable?,
                    required: value.required?,
                    resource: value.resource?,
                    user_editable: value.user_editable?,
                    user_visible: value.user_visible?,
                })
            }
        }
        impl ::std::convert::From<types::UserField> for UserField {
            fn from(value: types::UserField) -> Self {
                Self {
                    created: Ok(value.created),
                    default: Ok(value.default),
                    description: Ok(value.description),
                    disable_notifications: Ok(value.disable_notifications),
                    id: Ok(value.id),
                    indexed: Ok(value.indexed),
                    kind: Ok(value.kind),
                    modified: Ok(value.modified),
                    name: Ok(value.name),
                    not_applicable: Ok(value.not_applicable),
                    required: Ok(value.required),
                    resource: Ok(value.resource),
                    user_editable: Ok(value.user_editable),
                    user_visible: Ok(value.user_visible),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct UserFieldList {
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::UserField>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
        }
        impl types::UserFieldList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> UserFieldList {
                UserFieldList {
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                }
            }
        }
        impl UserFieldList {
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::UserField, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
        }
        impl ::std::convert::TryFrom<UserFieldList> for types::UserFieldList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: UserFieldList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    cursor: value.cursor?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                })
            }
        }
        impl ::std::convert::From<types::UserFieldList> for UserFieldList {
            fn from(value: types::UserFieldList) -> Self {
                Self {
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct UserFieldPermission {
            not_applicable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
            user_editable: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            user_field: ::std::result::Result<
                ::std::option::Option<crate::ids::UserFieldId>,
                ::std::string::String,
            >,
            user_visible: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
        }
        impl types::UserFieldPermission {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> UserFieldPermission {
                UserFieldPermission {
                    not_applicable: Ok(Default::default()),
                    user: Ok(Default::default()),
                    user_editable: Ok(Default::default()),
                    user_field: Ok(Default::default()),
                    user_visible: Ok(Default::default()),
                }
            }
        }
        impl UserFieldPermission {
            pub fn not_applicable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.not_applicable = crate::setter::optional("not_applicable", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
            pub fn user_editable(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_editable = crate::setter::optional("user_editable", value);
                self
            }
            pub fn user_field(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::UserFieldId>,
            ) -> Self {
                self.user_field = crate::setter::optional("user_field", value);
                self
            }
            pub fn user_visible(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.user_visible = crate::setter::optional("user_visible", value);
                self
            }
        }
        impl ::std::convert::TryFrom<UserFieldPermission>
        for types::UserFieldPermission {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: UserFieldPermission,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    not_applicable: value.not_applicable?,
                    user: value.user?,
                    user_editable: value.user_editable?,
                    user_field: value.user_field?,
                    user_visible: value.user_visible?,
                })
            }
        }
        impl ::std::convert::From<types::UserFieldPermission> for UserFieldPermission {
            fn from(value: types::UserFieldPermission) -> Self {
                Self {
                    not_applicable: Ok(value.not_applicable),
                    user: Ok(value.user),
                    user_editable: Ok(value.user_editable),
                    user_field: Ok(value.user_field),
                    user_visible: Ok(value.user_visible),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct UserFieldPermissionList {
            cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            items: ::std::result::Result<
                ::std::vec::Vec<types::UserFieldPermission>,
                ::std::string::String,
            >,
            limit: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            more: ::std::result::Result<
                ::std::option::Option<bool>,
                ::std::string::String,
            >,
            next_cursor: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            number_found: ::std::result::Result<
                ::std::option::Option<crate::wire::Int64>,
                ::std::string::String,
            >,
            user: ::std::result::Result<
                ::std::option::Option<crate::ids::LearnerId>,
                ::std::string::String,
            >,
        }
        impl types::UserFieldPermissionList {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> UserFieldPermissionList {
                UserFieldPermissionList {
                    cursor: Ok(Default::default()),
                    items: Ok(Default::default()),
                    limit: Ok(Default::default()),
                    more: Ok(Default::default()),
                    next_cursor: Ok(Default::default()),
                    number_found: Ok(Default::default()),
                    user: Ok(Default::default()),
                }
            }
        }
        impl UserFieldPermissionList {
            pub fn cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.cursor = crate::setter::optional("cursor", value);
                self
            }
            pub fn items<By>(
                mut self,
                values: impl crate::setter::IntoList<types::UserFieldPermission, By>,
            ) -> Self {
                self.items = crate::setter::list("items", values);
                self
            }
            pub fn limit(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.limit = crate::setter::optional("limit", value);
                self
            }
            pub fn more(
                mut self,
                value: impl crate::setter::IntoOptional<bool>,
            ) -> Self {
                self.more = crate::setter::optional("more", value);
                self
            }
            pub fn next_cursor(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.next_cursor = crate::setter::optional("next_cursor", value);
                self
            }
            pub fn number_found(
                mut self,
                value: impl crate::setter::IntoOptional<crate::wire::Int64>,
            ) -> Self {
                self.number_found = crate::setter::optional("number_found", value);
                self
            }
            pub fn user(
                mut self,
                value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
            ) -> Self {
                self.user = crate::setter::optional("user", value);
                self
            }
        }
        impl ::std::convert::TryFrom<UserFieldPermissionList>
        for types::UserFieldPermissionList {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: UserFieldPermissionList,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    cursor: value.cursor?,
                    items: value.items?,
                    limit: value.limit?,
                    more: value.more?,
                    next_cursor: value.next_cursor?,
                    number_found: value.number_found?,
                    user: value.user?,
                })
            }
        }
        impl ::std::convert::From<types::UserFieldPermissionList>
        for UserFieldPermissionList {
            fn from(value: types::UserFieldPermissionList) -> Self {
                Self {
                    cursor: Ok(value.cursor),
                    items: Ok(value.items),
                    limit: Ok(value.limit),
                    more: Ok(value.more),
                    next_cursor: Ok(value.next_cursor),
                    number_found: Ok(value.number_found),
                    user: Ok(value.user),
                }
            }
        }
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct UserFieldResource {
            kind: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            name: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
            resource_id: ::std::result::Result<
                ::std::option::Option<::std::string::String>,
                ::std::string::String,
            >,
        }
        impl types::UserFieldResource {
            /// A builder with the required fields.
            #[inline]
            pub fn builder() -> UserFieldResource {
                UserFieldResource {
                    kind: Ok(Default::default()),
                    name: Ok(Default::default()),
                    resource_id: Ok(Default::default()),
                }
            }
        }
        impl UserFieldResource {
            pub fn kind(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.kind = crate::setter::optional("kind", value);
                self
            }
            pub fn name(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.name = crate::setter::optional("name", value);
                self
            }
            pub fn resource_id(
                mut self,
                value: impl crate::setter::IntoOptional<::std::string::String>,
            ) -> Self {
                self.resource_id = crate::setter::optional("resource_id", value);
                self
            }
        }
        impl ::std::convert::TryFrom<UserFieldResource> for types::UserFieldResource {
            type Error = types::error::ConversionError;
            #[inline]
            fn try_from(
                value: UserFieldResource,
            ) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(Self {
                    kind: value.kind?,
                    name: value.name?,
                    resource_id: value.resource_id?,
                })
            }
        }
        impl ::std::convert::From<types::UserFieldResource> for UserFieldResource {
            fn from(value: types::UserFieldResource) -> Self {
                Self {
                    kind: Ok(value.kind),
                    name: Ok(value.name),
                    resource_id: Ok(value.resource_id),
                }
            }
        }
    }
}
crate::open_enum::text!(
    ListLearnersOrderDirection, Unknown, [Asc = "ASC", Desc = "DESC"]
);
crate::setter::from_builder!(types::AddCourse, types::builder::AddCourse);
crate::setter::from_builder!(
    types::AddDuplicateCourse, types::builder::AddDuplicateCourse
);
crate::setter::from_builder!(types::AddEnrolment, types::builder::AddEnrolment);
crate::setter::from_builder!(types::AddLearner, types::builder::AddLearner);
crate::setter::from_builder!(types::Course, types::builder::Course);
crate::setter::from_builder!(types::CourseCompletion, types::builder::CourseCompletion);
crate::setter::from_builder!(
    types::CourseCompletionsResponse, types::builder::CourseCompletionsResponse
);
crate::setter::from_builder!(types::CourseList, types::builder::CourseList);
crate::setter::from_builder!(types::CourseProgress, types::builder::CourseProgress);
crate::setter::from_builder!(types::DuplicateCourse, types::builder::DuplicateCourse);
crate::setter::from_builder!(types::EditLearner, types::builder::EditLearner);
crate::setter::from_builder!(types::Enrolment, types::builder::Enrolment);
crate::setter::from_builder!(types::EnrolmentList, types::builder::EnrolmentList);
crate::setter::from_builder!(types::Learner, types::builder::Learner);
crate::setter::from_builder!(types::LearnerList, types::builder::LearnerList);
crate::setter::from_builder!(types::MeResponse, types::builder::MeResponse);
crate::setter::from_builder!(types::Profile, types::builder::Profile);
crate::setter::from_builder!(types::ProfileList, types::builder::ProfileList);
crate::setter::from_builder!(
    types::ProfilePermission, types::builder::ProfilePermission
);
crate::setter::from_builder!(types::Record, types::builder::Record);
crate::setter::from_builder!(types::RecordAttachment, types::builder::RecordAttachment);
crate::setter::from_builder!(types::SignupPage, types::builder::SignupPage);
crate::setter::from_builder!(types::SignupPageList, types::builder::SignupPageList);
crate::setter::from_builder!(types::Tag, types::builder::Tag);
crate::setter::from_builder!(types::TagList, types::builder::TagList);
crate::setter::from_builder!(types::TestResponse, types::builder::TestResponse);
crate::setter::from_builder!(types::TokenRequest, types::builder::TokenRequest);
crate::setter::from_builder!(types::TokenResponse, types::builder::TokenResponse);
crate::setter::from_builder!(types::Topic, types::builder::Topic);
crate::setter::from_builder!(types::TopicList, types::builder::TopicList);
crate::setter::from_builder!(types::TopicProgress, types::builder::TopicProgress);
crate::setter::from_builder!(
    types::TopicProgressList, types::builder::TopicProgressList
);
crate::setter::from_builder!(types::UserField, types::builder::UserField);
crate::setter::from_builder!(types::UserFieldList, types::builder::UserFieldList);
crate::setter::from_builder!(
    types::UserFieldPermission, types::builder::UserFieldPermission
);
crate::setter::from_builder!(
    types::UserFieldPermissionList, types::builder::UserFieldPermissionList
);
crate::setter::from_builder!(
    types::UserFieldResource, types::builder::UserFieldResource
);
impl<T> crate::Client<T> {
    /**List courses

Returns one page of courses and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented, nor whether archived and unpublished courses are included without a filter.

Sends a `GET` request to `/courses`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `archived`: Only courses with this value of `archived`.
- `published`: Only courses with this value of `published`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_courses().items();
while let Some(course) = items.try_next().await? {
    println!("{course:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Course`](types::Course) of all pages; awaiting it returns one [`CourseList`](types::CourseList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_courses(&self) -> requests::ListCourses<'_, T> {
        requests::ListCourses::new(self)
    }
    /**Add a course

Creates a course and returns it as stored, with its `id`. Only `name` is required. An edit can change more fields than this request can set; their initial values are not documented. The API has no idempotency keys, so sending the request twice presumably creates two courses.

Sends a `POST` request to `/courses`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course = lms.add_course("Fire safety for kitchen staff").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Course`](types::Course). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_course(
        &self,
        name: impl crate::setter::IntoValue<::std::string::String>,
    ) -> requests::AddCourse<'_, T> {
        requests::AddCourse::new(self, types::AddCourse::builder(name))
    }
    /**Get a course

Returns one course with all its fields. The response for an unknown id is not documented.

Sends a `GET` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course = lms.get_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Course`](types::Course). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_course(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::CourseId>,
    ) -> requests::GetCourse<'_, T> {
        requests::GetCourse::new(self, id)
    }
    /**Edit a course

Writes a course and returns it as stored. The body is a whole course, in the shape of the response. Whether a field that is left out keeps its value, and which fields are writable, is not documented. To change one field safely, read the course, change the field and send the whole course back.

Sends a `PUT` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.
- `body`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::Course;

let course = lms.edit_course("crs-8d1f03", Course::builder().id("crs-8d1f03").name("Fire safety for kitchen staff").description("Extinguishers, escape routes, and who calls whom.")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.update_course(id, edit)`: it keeps the fields that are not changed, which this call clears.

Awaiting it returns [`Course`](types::Course). It is retried, since a second request has the same effect as the first.

Error kinds: `NotFound`, `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn edit_course(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::CourseId>,
        body: impl ::std::convert::Into<types::builder::Course>,
    ) -> requests::EditCourse<'_, T> {
        requests::EditCourse::new(self, id, body)
    }
    /**Delete a course

Deletes a course. The response has no body. What happens to its topics, enrolments, progress and completions, and the response to a second deletion, are not documented.

Sends a `DELETE` request to `/courses/{id}`

Parameters:
- `id`: Id of the course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `NotFound`, `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_course(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::CourseId>,
    ) -> requests::DeleteCourse<'_, T> {
        requests::DeleteCourse::new(self, id)
    }
    /**Start duplicating a course

Starts a task that copies a course, and returns the task. Keep its `id` and poll `viewDuplicateCourse` until `complete` is true. Sending the request twice presumably makes two copies.

Sends a `POST` request to `/duplicate_courses`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let duplicate_course = lms.add_duplicate_course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.duplicate_course(id, options)`: it returns a handle that waits for the copy.

Awaiting it returns [`DuplicateCourse`](types::DuplicateCourse). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_duplicate_course(
        &self,
        course: impl crate::setter::IntoValue<crate::ids::CourseId>,
    ) -> requests::AddDuplicateCourse<'_, T> {
        requests::AddDuplicateCourse::new(
            self,
            types::AddDuplicateCourse::builder(course),
        )
    }
    /**Get a course duplication

Returns the current state of the task. The copy is finished when `complete` is true. How often the task may be polled, how long a finished task can be read, and how a failed task is reported are not documented.

Sends a `GET` request to `/duplicate_courses/{id}`

Parameters:
- `id`: Id of the task, as returned by `addDuplicateCourse`; not the id of a course.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let duplicate_course = lms.view_duplicate_course("dup-4f0c55").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.course_copy(id)`: it waits for the copy, within a deadline.

Awaiting it returns [`DuplicateCourse`](types::DuplicateCourse). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn view_duplicate_course(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::DuplicateCourseId>,
    ) -> requests::ViewDuplicateCourse<'_, T> {
        requests::ViewDuplicateCourse::new(self, id)
    }
    /**List topics

Returns one page of topics of one course or of all courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/topics`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `course`: Only topics of the course with this id.
- `kind`: Only topics of this kind. The kinds are not documented.
- `published`: Only topics with this value of `published`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_topics().items();
while let Some(topic) = items.try_next().await? {
    println!("{topic:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Topic`](types::Topic) of all pages; awaiting it returns one [`TopicList`](types::TopicList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_topics(&self) -> requests::ListTopics<'_, T> {
        requests::ListTopics::new(self)
    }
    /**Get a topic

Returns one topic: its name, its kind, its course and a few flags. Its content is not part of the API. The response for an unknown id is not documented.

Sends a `GET` request to `/topics/{id}`

Parameters:
- `id`: Id of the topic.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let topic = lms.get_topic("top-c40e19").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Topic`](types::Topic). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_topic(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::TopicId>,
    ) -> requests::GetTopic<'_, T> {
        requests::GetTopic::new(self, id)
    }
    /**List learners

Returns one page of learners and echoes the filters and the order of the request. Follow `next_cursor` while `more` is true to read them all. The default order, whether archived and deleted learners are included, and whether filters compare whole values are not documented.

Sends a `GET` request to `/learners`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `signup_page`: Only learners who registered through this sign-up page.
- `username`: Only learners with this username.
- `email`: Only learners with this email address.
- `tags`: Only learners with these tags. The parameter is repeated for each tag. Whether a learner must have all of the tags or any of them is not documented.
- `order_by`: Name of the field to order by. The accepted names are not documented.
- `order_direction`: Direction of the order, ascending or descending.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_learners().items();
while let Some(learner) = items.try_next().await? {
    println!("{learner:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Learner`](types::Learner) of all pages; awaiting it returns one [`LearnerList`](types::LearnerList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_learners(&self) -> requests::ListLearners<'_, T> {
        requests::ListLearners::new(self)
    }
    /**Add a learner

Creates a learner and returns it as stored, with its `id`. `firstname`, `surname` and `email` are required, and `password` is required when `generate_password` is false. `send_email` and `send_sms` may reach a real person. The response when the email address or the username is already in use is not documented. The API has no idempotency keys.

Sends a `POST` request to `/learners`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.add_learner("Amara", "Okafor", "amara.okafor@kitchen.example").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.ensure_learner(learner)`: it adds no second learner when it is called again.

Awaiting it returns [`Learner`](types::Learner). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_learner(
        &self,
        firstname: impl crate::setter::IntoValue<::std::string::String>,
        surname: impl crate::setter::IntoValue<::std::string::String>,
        email: impl crate::setter::IntoValue<::std::string::String>,
    ) -> requests::AddLearner<'_, T> {
        requests::AddLearner::new(
            self,
            types::AddLearner::builder(firstname, surname, email),
        )
    }
    /**Get a learner by email address

Returns the learner with this email address. Whether case matters, and the response for an unknown address, are not documented.

Sends a `GET` request to `/learners/email/{email}`

Parameters:
- `email`: Email address of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.get_learner_by_email("amara.okafor@kitchen.example").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Learner`](types::Learner). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_learner_by_email(
        &self,
        email: impl crate::setter::IntoValue<::std::string::String>,
    ) -> requests::GetLearnerByEmail<'_, T> {
        requests::GetLearnerByEmail::new(self, email)
    }
    /**Get a learner by id

Returns one learner with all fields. The response for an unknown id or a deleted learner is not documented.

Sends a `GET` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let learner = lms.get_learner_by_id("usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Learner`](types::Learner). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_learner_by_id(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
    ) -> requests::GetLearnerById<'_, T> {
        requests::GetLearnerById::new(self, id)
    }
    /**Edit a learner

Writes every editable field of a learner and returns the learner as stored. A field that is left out may lose its value, so send every field with the value it should have afterwards. The exception is `password`, which changes only when it is sent.

Sends a `PUT` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.
- `body`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::EditLearner;

let learner = lms.edit_learner("usr-5e90b1", EditLearner::builder("Amara", "Okafor-Lind", "amara.okafor@kitchen.example")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.update_learner(id, edit)`: it keeps the fields that are not changed, which this call clears.

Awaiting it returns [`Learner`](types::Learner). It is retried, since a second request has the same effect as the first.

Error kinds: `NotFound`, `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn edit_learner(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        body: impl ::std::convert::Into<types::builder::EditLearner>,
    ) -> requests::EditLearner<'_, T> {
        requests::EditLearner::new(self, id, body)
    }
    /**Delete a learner

Deletes a learner. The response has no body. Learners have a `deleted` flag, so the account may continue to exist in some form. What happens to enrolments, progress and completions, whether the email address can be used again, and the response to a second deletion are not documented.

Sends a `DELETE` request to `/learners/{id}`

Parameters:
- `id`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_learner("usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `NotFound`, `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_learner(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
    ) -> requests::DeleteLearner<'_, T> {
        requests::DeleteLearner::new(self, id)
    }
    /**List enrolments

Returns one page of enrolments and echoes the filters of the request. Filter by `course` for the learners of a course, by `user` for the courses of a learner, or by both to find one enrolment. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/enrolments`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `course`: Only enrolments in the course with this id.
- `user`: Only enrolments of the learner with this id.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_enrolments().items();
while let Some(enrolment) = items.try_next().await? {
    println!("{enrolment:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Enrolment`](types::Enrolment) of all pages; awaiting it returns one [`EnrolmentList`](types::EnrolmentList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_enrolments(&self) -> requests::ListEnrolments<'_, T> {
        requests::ListEnrolments::new(self)
    }
    /**Enrol a learner in a course

Enrols a learner in a course and returns the enrolment. `send_emails` may reach a real person. The response when the learner is already enrolled is not documented. The API has no idempotency keys.

Sends a `POST` request to `/enrolments`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let enrolment = lms.add_enrolment("crs-8d1f03", "usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.ensure_enrolment(enrolment)`: it succeeds if the learner is already enrolled.

Awaiting it returns [`Enrolment`](types::Enrolment). It is sent again only if the server cannot have processed it, such as after a 429.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn add_enrolment(
        &self,
        course: impl crate::setter::IntoValue<crate::ids::CourseId>,
        user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
    ) -> requests::AddEnrolment<'_, T> {
        requests::AddEnrolment::new(self, types::AddEnrolment::builder(course, user))
    }
    /**Delete enrolments

Deletes the enrolment of a learner in a course. The response has no body. **Both parameters are optional, and the effect of leaving one or both out is not documented.** A request with one parameter may delete every enrolment of a learner or of a course. A request without parameters may delete every enrolment of the tenant. Send both.

Sends a `DELETE` request to `/enrolments`

Parameters:
- `user`: Id of the learner. Without it, more enrolments may be deleted.
- `course`: Id of the course. Without it, more enrolments may be deleted.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
lms.delete_enrolment().user("usr-5e90b1").course("crs-8d1f03").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Prefer `lms.unenrol(scope)`: it requires a learner or a course, and says what it deleted.

Awaiting it returns nothing. It is retried, since a second request has no further effect; a 404 after a lost response is a success.

Error kinds: `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn delete_enrolment(&self) -> requests::DeleteEnrolment<'_, T> {
        requests::DeleteEnrolment::new(self)
    }
    /**Get a learner's progress in a topic

Returns the progress of one learner in one topic. The effect of the two query filters on a single object, and the response when the learner has not started the topic, are not documented.

Sends a `GET` request to `/topic_progress/{user}/{topic}`

Parameters:
- `user`: Id of the learner.
- `topic`: Id of the topic.
- `course`: Id of a course. Its effect is not documented.
- `completed`: Value of the `completed` flag. Its effect is not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let topic_progress = lms.get_topic_progress("usr-5e90b1", "top-c40e19").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TopicProgress`](types::TopicProgress). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_topic_progress(
        &self,
        user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        topic: impl crate::setter::IntoValue<crate::ids::TopicId>,
    ) -> requests::GetTopicProgress<'_, T> {
        requests::GetTopicProgress::new(self, user, topic)
    }
    /**List progress in topics

Returns one page of topic progress, across learners, topics and courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read it all. The order, and whether a topic that was not started is listed, are not documented.

Sends a `GET` request to `/topic_progress`

Parameters:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `user`: Only progress of the learner with this id.
- `topic`: Only progress in the topic with this id.
- `course`: Only progress in topics of the course with this id.
- `completed`: Only progress with this value of `completed`.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_topic_progress().items();
while let Some(topic_progress) = items.try_next().await? {
    println!("{topic_progress:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`TopicProgress`](types::TopicProgress) of all pages; awaiting it returns one [`TopicProgressList`](types::TopicProgressList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_topic_progress(&self) -> requests::ListTopicProgress<'_, T> {
        requests::ListTopicProgress::new(self)
    }
    /**Get a learner's progress in a course

Returns whether one learner has completed one course, and whether the learner is overdue. The response has flags and no percentage. The response for a learner who is not enrolled is not documented.

Sends a `GET` request to `/course_progress/{course}/{user}`

Parameters:
- `course`: Id of the course. It precedes the learner here, unlike in topic progress.
- `user`: Id of the learner.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let course_progress = lms.get_course_progress("crs-8d1f03", "usr-5e90b1").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`CourseProgress`](types::CourseProgress). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_course_progress(
        &self,
        course: impl crate::setter::IntoValue<crate::ids::CourseId>,
        user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
    ) -> requests::GetCourseProgress<'_, T> {
        requests::GetCourseProgress::new(self, course, user)
    }
    /**List course completions

Returns one page of the history of completed courses. Follow `next_cursor` while `more` is true to read it all. Unlike the other paginated lists, it has no count and no echoed filters. The order is not documented, so the newest entry may be the first or the last.

Sends a `GET` request to `/course_completions`

Parameters:
- `course`: Only completions of the course with this id.
- `user`: Only completions of the learner with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_course_completions().items();
while let Some(course_completion) = items.try_next().await? {
    println!("{course_completion:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`CourseCompletion`](types::CourseCompletion) of all pages; awaiting it returns one [`CourseCompletionsResponse`](types::CourseCompletionsResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_course_completions(&self) -> requests::ListCourseCompletions<'_, T> {
        requests::ListCourseCompletions::new(self)
    }
    /**Get a custom field

Returns the definition of one custom field. The value that a learner has for it is a record: see `getActiveRecord`. The response for an unknown id is not documented.

Sends a `GET` request to `/user_fields/{id}`

Parameters:
- `id`: Id of the custom field.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let user_field = lms.get_user_field("ufd-2e18").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`UserField`](types::UserField). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_user_field(
        &self,
        id: impl crate::setter::IntoValue<crate::ids::UserFieldId>,
    ) -> requests::GetUserField<'_, T> {
        requests::GetUserField::new(self, id)
    }
    /**List custom fields

Returns one page of the tenant's custom fields. Follow `next_cursor` while `more` is true to read them all. Custom fields have no `archived` or `published` flag and the response does not echo the two filters, so their effect cannot be observed. The order is not documented.

Sends a `GET` request to `/user_fields`

Parameters:
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `archived`: Filters by whether the field is archived. The effect is not documented.
- `published`: Filters by whether the field is published. The effect is not documented.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_user_fields().items();
while let Some(user_field) = items.try_next().await? {
    println!("{user_field:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`UserField`](types::UserField) of all pages; awaiting it returns one [`UserFieldList`](types::UserFieldList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_user_fields(&self) -> requests::ListUserFields<'_, T> {
        requests::ListUserFields::new(self)
    }
    /**List a learner's custom field permissions

Returns one page of what one learner may see and edit of the custom fields, and echoes the learner. Follow `next_cursor` while `more` is true to read them all. Whether a field without a permission of its own is listed, and the order, are not documented.

Sends a `GET` request to `/users/{user}/user_field_permissions`

Parameters:
- `user`: Id of the learner.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_user_field_permissions("usr-5e90b1").items();
while let Some(user_field_permission) = items.try_next().await? {
    println!("{user_field_permission:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`UserFieldPermission`](types::UserFieldPermission) of all pages; awaiting it returns one [`UserFieldPermissionList`](types::UserFieldPermissionList). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), `Pagination` and `CursorRejected`, and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_user_field_permissions(
        &self,
        user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
    ) -> requests::ListUserFieldPermissions<'_, T> {
        requests::ListUserFieldPermissions::new(self, user)
    }
    /**Get a learner's record for a custom field

Returns the record with the current value of a custom field for a learner. Which record is the active one, and the response when the learner has none, are not documented. Check `has_value` before using `value`.

Sends a `GET` request to `/users/{user}/user_fields/{user_field}/record`

Parameters:
- `user`: Id of the learner.
- `user_field`: Id of the custom field.

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let record = lms.get_active_record("usr-5e90b1", "ufd-2e18").await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`Record`](types::Record). It is retried.

Error kinds: `NotFound`, `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_active_record(
        &self,
        user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        user_field: impl crate::setter::IntoValue<crate::ids::UserFieldId>,
    ) -> requests::GetActiveRecord<'_, T> {
        requests::GetActiveRecord::new(self, user, user_field)
    }
    /**List sign-up pages

Returns all sign-up pages of the tenant in one response, without filters and without pagination.

Sends a `GET` request to `/signup_pages`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_signup_pages().items();
while let Some(signup_page) = items.try_next().await? {
    println!("{signup_page:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`SignupPage`](types::SignupPage); awaiting it returns one [`SignupPageList`](types::SignupPageList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_signup_pages(&self) -> requests::ListSignupPages<'_, T> {
        requests::ListSignupPages::new(self)
    }
    /**List profiles

Returns all profiles of the tenant in one response, without filters and without pagination. `addLearner` takes profiles; whether by id or by name is not documented.

Sends a `GET` request to `/profiles`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_profiles().items();
while let Some(profile) = items.try_next().await? {
    println!("{profile:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Profile`](types::Profile); awaiting it returns one [`ProfileList`](types::ProfileList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_profiles(&self) -> requests::ListProfiles<'_, T> {
        requests::ListProfiles::new(self)
    }
    /**List tags

Returns all tags of the tenant in one response, without filters and without pagination. Whether other operations take the id or the name of a tag is not documented.

Sends a `GET` request to `/tags`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let mut items = lms.list_tags().items();
while let Some(tag) = items.try_next().await? {
    println!("{tag:?}");
}
# Ok(()) }
```

# With `lms_ext::Lms`

`.items()` is a stream of each [`Tag`](types::Tag); awaiting it returns one [`TagList`](types::TagList). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn list_tags(&self) -> requests::ListTags<'_, T> {
        requests::ListTags::new(self)
    }
    /**Get an access token

Exchanges the client id and client secret, with `client_credentials` as the `grant_type`, for an access token. The tenant issues both when the integration is installed. The request is sent without an access token. `expires_in` is the lifetime of the token in seconds, as text or as a JSON number.

Sends a `POST` request to `/oauth/token`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
use lms_ext::types::TokenRequest;

let token_response = lms.get_token(TokenRequest::builder().grant_type("client_credentials").client_id("731904588").client_secret("not-a-real-secret")).await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TokenResponse`](types::TokenResponse). It is retried, since a second request has the same effect as the first.

Error kinds: `Conflict` and `Rejected` (its values), `Ambiguous` (it may have been processed: check before you send it again), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn get_token(
        &self,
        body: impl ::std::convert::Into<types::builder::TokenRequest>,
    ) -> requests::GetToken<'_, T> {
        requests::GetToken::new(self, body)
    }
    /**Check the access token

Returns the tenant that the access token belongs to. Use it to check that authorization works. It changes nothing.

Sends a `GET` request to `/oauth/me`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let me_response = lms.me().await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`MeResponse`](types::MeResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn me(&self) -> requests::Me<'_, T> {
        requests::Me::new(self)
    }
    /**Check the connection

Returns the `tid` of the tenant without authorization. Use it to check that requests reach the server before any credentials are involved.

Sends a `GET` request to `/test`

# Example

```no_run
# use lms_ext::prelude::*;
# async fn example(lms: Lms) -> Result<(), Error> {
let test_response = lms.test().await?;
# Ok(()) }
```

# With `lms_ext::Lms`

Awaiting it returns [`TestResponse`](types::TestResponse). It is retried.

Error kinds: `Server`, `NotJson` and `Decode` (no usable response), and those of every call, which concern credentials, connections, limits and timeouts.*/
    pub fn test(&self) -> requests::Test<'_, T> {
        requests::Test::new(self)
    }
}
/// A builder for each operation.
pub mod requests {
    use super::types;
    use crate::{
        Error, ResponseValue, operation::{Operation, OperationInfo},
        policy::{Policy, PolicyFuture},
        request::{Draft, PreparedRequest},
        transport::Transport,
    };
    /// The request of [`list_courses`](crate::Client::list_courses).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListCourses<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        archived: Result<::std::option::Option<bool>, String>,
        published: Result<::std::option::Option<bool>, String>,
    }
    impl<'a, T> ListCourses<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                limit: Ok(None),
                cursor: Ok(None),
                archived: Ok(None),
                published: Ok(None),
            }
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn archived(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.archived = crate::setter::optional("archived", value);
            self
        }
        pub fn published(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.published = crate::setter::optional("published", value);
            self
        }
    }
    impl<T: Clone> Operation for ListCourses<'_, T> {
        type Transport = T;
        type Output = types::CourseList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[0];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, limit, cursor, archived, published } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/courses"))?
                    .query("limit", limit)?
                    .query("cursor", cursor)?
                    .query("archived", archived)?
                    .query("published", published)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListCourses<'_, T> {
        /// Sends a `GET` request to `/courses`.
        pub async fn send(self) -> Result<ResponseValue<types::CourseList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListCourses<'_, T> {
        type Output = Result<types::CourseList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`add_course`](crate::Client::add_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct AddCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        body: types::builder::AddCourse,
    }
    impl<'a, T> AddCourse<'a, T> {
        /// The request with a whole body.
        pub fn new(
            client: &'a crate::Client<T>,
            body: impl ::std::convert::Into<types::builder::AddCourse>,
        ) -> Self {
            Self { client, body: body.into() }
        }
        pub fn archived(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.archived(value);
            self
        }
        pub fn cover_art(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.cover_art(value);
            self
        }
        pub fn description(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.description(value);
            self
        }
        pub fn display_priority(
            mut self,
            value: impl crate::setter::IntoOptional<f64>,
        ) -> Self {
            self.body = self.body.display_priority(value);
            self
        }
        pub fn published(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.published(value);
            self
        }
        pub fn suggested_duration(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.suggested_duration(value);
            self
        }
    }
    impl<T: Clone> Operation for AddCourse<'_, T> {
        type Transport = T;
        type Output = types::Course;
        const INFO: &'static OperationInfo = &super::OPERATIONS[1];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, body } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/courses"))?
                    .body::<types::AddCourse>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> AddCourse<'_, T> {
        /// Sends a `POST` request to `/courses`.
        pub async fn send(self) -> Result<ResponseValue<types::Course>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for AddCourse<'_, T> {
        type Output = Result<types::Course, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_course`](crate::Client::get_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::CourseId, String>,
    }
    impl<'a, T> GetCourse<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::CourseId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for GetCourse<'_, T> {
        type Transport = T;
        type Output = types::Course;
        const INFO: &'static OperationInfo = &super::OPERATIONS[2];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!("/courses/{}", crate ::request::segment("id", id) ?),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetCourse<'_, T> {
        /// Sends a `GET` request to `/courses/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::Course>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetCourse<'_, T> {
        type Output = Result<types::Course, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`edit_course`](crate::Client::edit_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct EditCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::CourseId, String>,
        body: types::builder::Course,
    }
    impl<'a, T> EditCourse<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::CourseId>,
            body: impl ::std::convert::Into<types::builder::Course>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
                body: body.into(),
            }
        }
    }
    impl<T: Clone> Operation for EditCourse<'_, T> {
        type Transport = T;
        type Output = types::Course;
        const INFO: &'static OperationInfo = &super::OPERATIONS[3];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id, body } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!("/courses/{}", crate ::request::segment("id", id) ?),
                    )?
                    .body::<types::Course>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> EditCourse<'_, T> {
        /// Sends a `PUT` request to `/courses/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::Course>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for EditCourse<'_, T> {
        type Output = Result<types::Course, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`delete_course`](crate::Client::delete_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct DeleteCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::CourseId, String>,
    }
    impl<'a, T> DeleteCourse<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::CourseId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for DeleteCourse<'_, T> {
        type Transport = T;
        type Output = ();
        const INFO: &'static OperationInfo = &super::OPERATIONS[4];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!("/courses/{}", crate ::request::segment("id", id) ?),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> DeleteCourse<'_, T> {
        /// Sends a `DELETE` request to `/courses/{id}`.
        pub async fn send(self) -> Result<ResponseValue<()>, Error> {
            crate::send::send_without_response(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for DeleteCourse<'_, T> {
        type Output = Result<(), T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`add_duplicate_course`](crate::Client::add_duplicate_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct AddDuplicateCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        body: types::builder::AddDuplicateCourse,
    }
    impl<'a, T> AddDuplicateCourse<'a, T> {
        /// The request with a whole body.
        pub fn new(
            client: &'a crate::Client<T>,
            body: impl ::std::convert::Into<types::builder::AddDuplicateCourse>,
        ) -> Self {
            Self { client, body: body.into() }
        }
        pub fn copy_enrolments(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.copy_enrolments(value);
            self
        }
        pub fn copy_responses(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.copy_responses(value);
            self
        }
        pub fn name(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.name(value);
            self
        }
        pub fn published(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.published(value);
            self
        }
    }
    impl<T: Clone> Operation for AddDuplicateCourse<'_, T> {
        type Transport = T;
        type Output = types::DuplicateCourse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[5];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, body } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/duplicate_courses"))?
                    .body::<types::AddDuplicateCourse>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> AddDuplicateCourse<'_, T> {
        /// Sends a `POST` request to `/duplicate_courses`.
        pub async fn send(self) -> Result<ResponseValue<types::DuplicateCourse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for AddDuplicateCourse<'_, T> {
        type Output = Result<types::DuplicateCourse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`view_duplicate_course`](crate::Client::view_duplicate_course).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ViewDuplicateCourse<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::DuplicateCourseId, String>,
    }
    impl<'a, T> ViewDuplicateCourse<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::DuplicateCourseId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for ViewDuplicateCourse<'_, T> {
        type Transport = T;
        type Output = types::DuplicateCourse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[6];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/duplicate_courses/{}", crate ::request::segment("id", id) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ViewDuplicateCourse<'_, T> {
        /// Sends a `GET` request to `/duplicate_courses/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::DuplicateCourse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ViewDuplicateCourse<'_, T> {
        type Output = Result<types::DuplicateCourse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_topics`](crate::Client::list_topics).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListTopics<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
        kind: Result<::std::option::Option<::std::string::String>, String>,
        published: Result<::std::option::Option<bool>, String>,
    }
    impl<'a, T> ListTopics<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                cursor: Ok(None),
                limit: Ok(None),
                course: Ok(None),
                kind: Ok(None),
                published: Ok(None),
            }
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::optional("course", value);
            self
        }
        pub fn kind(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.kind = crate::setter::optional("kind", value);
            self
        }
        pub fn published(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.published = crate::setter::optional("published", value);
            self
        }
    }
    impl<T: Clone> Operation for ListTopics<'_, T> {
        type Transport = T;
        type Output = types::TopicList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[7];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, cursor, limit, course, kind, published } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/topics"))?
                    .query("cursor", cursor)?
                    .query("limit", limit)?
                    .query("course", course)?
                    .query("kind", kind)?
                    .query("published", published)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListTopics<'_, T> {
        /// Sends a `GET` request to `/topics`.
        pub async fn send(self) -> Result<ResponseValue<types::TopicList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListTopics<'_, T> {
        type Output = Result<types::TopicList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_topic`](crate::Client::get_topic).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetTopic<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::TopicId, String>,
    }
    impl<'a, T> GetTopic<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::TopicId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for GetTopic<'_, T> {
        type Transport = T;
        type Output = types::Topic;
        const INFO: &'static OperationInfo = &super::OPERATIONS[8];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!("/topics/{}", crate ::request::segment("id", id) ?),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetTopic<'_, T> {
        /// Sends a `GET` request to `/topics/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::Topic>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetTopic<'_, T> {
        type Output = Result<types::Topic, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_learners`](crate::Client::list_learners).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListLearners<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        signup_page: Result<::std::option::Option<::std::string::String>, String>,
        username: Result<::std::option::Option<::std::string::String>, String>,
        email: Result<::std::option::Option<::std::string::String>, String>,
        tags: Result<
            ::std::option::Option<::std::vec::Vec<::std::string::String>>,
            String,
        >,
        order_by: Result<::std::option::Option<::std::string::String>, String>,
        order_direction: Result<
            ::std::option::Option<types::ListLearnersOrderDirection>,
            String,
        >,
    }
    impl<'a, T> ListLearners<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                cursor: Ok(None),
                limit: Ok(None),
                signup_page: Ok(None),
                username: Ok(None),
                email: Ok(None),
                tags: Ok(None),
                order_by: Ok(None),
                order_direction: Ok(None),
            }
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn signup_page(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.signup_page = crate::setter::optional("signup_page", value);
            self
        }
        pub fn username(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.username = crate::setter::optional("username", value);
            self
        }
        pub fn email(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.email = crate::setter::optional("email", value);
            self
        }
        pub fn tags<By>(
            mut self,
            values: impl crate::setter::IntoList<::std::string::String, By>,
        ) -> Self {
            self.tags = crate::setter::optional_list("tags", values);
            self
        }
        pub fn order_by(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.order_by = crate::setter::optional("order_by", value);
            self
        }
        pub fn order_direction(
            mut self,
            value: impl crate::setter::IntoOptional<types::ListLearnersOrderDirection>,
        ) -> Self {
            self.order_direction = crate::setter::optional("order_direction", value);
            self
        }
    }
    impl<T: Clone> Operation for ListLearners<'_, T> {
        type Transport = T;
        type Output = types::LearnerList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[9];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self {
                client,
                cursor,
                limit,
                signup_page,
                username,
                email,
                tags,
                order_by,
                order_direction,
            } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/learners"))?
                    .query("cursor", cursor)?
                    .query("limit", limit)?
                    .query("signup_page", signup_page)?
                    .query("username", username)?
                    .query("email", email)?
                    .query("tags", tags)?
                    .query("order_by", order_by)?
                    .query("order_direction", order_direction)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListLearners<'_, T> {
        /// Sends a `GET` request to `/learners`.
        pub async fn send(self) -> Result<ResponseValue<types::LearnerList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListLearners<'_, T> {
        type Output = Result<types::LearnerList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`add_learner`](crate::Client::add_learner).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct AddLearner<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        body: types::builder::AddLearner,
    }
    impl<'a, T> AddLearner<'a, T> {
        /// The request with a whole body.
        pub fn new(
            client: &'a crate::Client<T>,
            body: impl ::std::convert::Into<types::builder::AddLearner>,
        ) -> Self {
            Self { client, body: body.into() }
        }
        pub fn courses<By>(
            mut self,
            values: impl crate::setter::IntoList<::std::string::String, By>,
        ) -> Self {
            self.body = self.body.courses(values);
            self
        }
        pub fn generate_password(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.generate_password(value);
            self
        }
        pub fn password(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Secret>,
        ) -> Self {
            self.body = self.body.password(value);
            self
        }
        pub fn phone_number(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.phone_number(value);
            self
        }
        pub fn profiles<By>(
            mut self,
            values: impl crate::setter::IntoList<::std::string::String, By>,
        ) -> Self {
            self.body = self.body.profiles(values);
            self
        }
        pub fn send_email(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.send_email(value);
            self
        }
        pub fn send_sms(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.send_sms(value);
            self
        }
        pub fn signup_page(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.signup_page(value);
            self
        }
        pub fn sso_id(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.sso_id(value);
            self
        }
        pub fn tags<By>(
            mut self,
            values: impl crate::setter::IntoList<::std::string::String, By>,
        ) -> Self {
            self.body = self.body.tags(values);
            self
        }
        pub fn username(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.body = self.body.username(value);
            self
        }
    }
    impl<T: Clone> Operation for AddLearner<'_, T> {
        type Transport = T;
        type Output = types::Learner;
        const INFO: &'static OperationInfo = &super::OPERATIONS[10];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, body } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/learners"))?
                    .body::<types::AddLearner>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> AddLearner<'_, T> {
        /// Sends a `POST` request to `/learners`.
        pub async fn send(self) -> Result<ResponseValue<types::Learner>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for AddLearner<'_, T> {
        type Output = Result<types::Learner, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_learner_by_email`](crate::Client::get_learner_by_email).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetLearnerByEmail<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        email: Result<::std::string::String, String>,
    }
    impl<'a, T> GetLearnerByEmail<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            email: impl crate::setter::IntoValue<::std::string::String>,
        ) -> Self {
            Self {
                client,
                email: crate::setter::required("email", email),
            }
        }
    }
    impl<T: Clone> Operation for GetLearnerByEmail<'_, T> {
        type Transport = T;
        type Output = types::Learner;
        const INFO: &'static OperationInfo = &super::OPERATIONS[11];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, email } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/learners/email/{}", crate ::request::segment("email",
                            email) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetLearnerByEmail<'_, T> {
        /// Sends a `GET` request to `/learners/email/{email}`.
        pub async fn send(self) -> Result<ResponseValue<types::Learner>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetLearnerByEmail<'_, T> {
        type Output = Result<types::Learner, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_learner_by_id`](crate::Client::get_learner_by_id).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetLearnerById<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::LearnerId, String>,
    }
    impl<'a, T> GetLearnerById<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for GetLearnerById<'_, T> {
        type Transport = T;
        type Output = types::Learner;
        const INFO: &'static OperationInfo = &super::OPERATIONS[12];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/learners/{}", crate ::request::segment("id", id) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetLearnerById<'_, T> {
        /// Sends a `GET` request to `/learners/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::Learner>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetLearnerById<'_, T> {
        type Output = Result<types::Learner, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`edit_learner`](crate::Client::edit_learner).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct EditLearner<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::LearnerId, String>,
        body: types::builder::EditLearner,
    }
    impl<'a, T> EditLearner<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
            body: impl ::std::convert::Into<types::builder::EditLearner>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
                body: body.into(),
            }
        }
    }
    impl<T: Clone> Operation for EditLearner<'_, T> {
        type Transport = T;
        type Output = types::Learner;
        const INFO: &'static OperationInfo = &super::OPERATIONS[13];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id, body } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/learners/{}", crate ::request::segment("id", id) ?
                        ),
                    )?
                    .body::<types::EditLearner>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> EditLearner<'_, T> {
        /// Sends a `PUT` request to `/learners/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::Learner>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for EditLearner<'_, T> {
        type Output = Result<types::Learner, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`delete_learner`](crate::Client::delete_learner).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct DeleteLearner<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::LearnerId, String>,
    }
    impl<'a, T> DeleteLearner<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for DeleteLearner<'_, T> {
        type Transport = T;
        type Output = ();
        const INFO: &'static OperationInfo = &super::OPERATIONS[14];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/learners/{}", crate ::request::segment("id", id) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> DeleteLearner<'_, T> {
        /// Sends a `DELETE` request to `/learners/{id}`.
        pub async fn send(self) -> Result<ResponseValue<()>, Error> {
            crate::send::send_without_response(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for DeleteLearner<'_, T> {
        type Output = Result<(), T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_enrolments`](crate::Client::list_enrolments).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListEnrolments<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
        user: Result<::std::option::Option<crate::ids::LearnerId>, String>,
    }
    impl<'a, T> ListEnrolments<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                limit: Ok(None),
                cursor: Ok(None),
                course: Ok(None),
                user: Ok(None),
            }
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::optional("course", value);
            self
        }
        pub fn user(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
        ) -> Self {
            self.user = crate::setter::optional("user", value);
            self
        }
    }
    impl<T: Clone> Operation for ListEnrolments<'_, T> {
        type Transport = T;
        type Output = types::EnrolmentList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[15];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, limit, cursor, course, user } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/enrolments"))?
                    .query("limit", limit)?
                    .query("cursor", cursor)?
                    .query("course", course)?
                    .query("user", user)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListEnrolments<'_, T> {
        /// Sends a `GET` request to `/enrolments`.
        pub async fn send(self) -> Result<ResponseValue<types::EnrolmentList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListEnrolments<'_, T> {
        type Output = Result<types::EnrolmentList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`add_enrolment`](crate::Client::add_enrolment).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct AddEnrolment<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        body: types::builder::AddEnrolment,
    }
    impl<'a, T> AddEnrolment<'a, T> {
        /// The request with a whole body.
        pub fn new(
            client: &'a crate::Client<T>,
            body: impl ::std::convert::Into<types::builder::AddEnrolment>,
        ) -> Self {
            Self { client, body: body.into() }
        }
        pub fn send_emails(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.body = self.body.send_emails(value);
            self
        }
    }
    impl<T: Clone> Operation for AddEnrolment<'_, T> {
        type Transport = T;
        type Output = types::Enrolment;
        const INFO: &'static OperationInfo = &super::OPERATIONS[16];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, body } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/enrolments"))?
                    .body::<types::AddEnrolment>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> AddEnrolment<'_, T> {
        /// Sends a `POST` request to `/enrolments`.
        pub async fn send(self) -> Result<ResponseValue<types::Enrolment>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for AddEnrolment<'_, T> {
        type Output = Result<types::Enrolment, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`delete_enrolment`](crate::Client::delete_enrolment).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct DeleteEnrolment<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        user: Result<::std::option::Option<crate::ids::LearnerId>, String>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
    }
    impl<'a, T> DeleteEnrolment<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                user: Ok(None),
                course: Ok(None),
            }
        }
        pub fn user(
            mut self,
            value: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        ) -> Self {
            self.user = crate::setter::given("user", value);
            self
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoValue<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::given("course", value);
            self
        }
    }
    impl<T: Clone> Operation for DeleteEnrolment<'_, T> {
        type Transport = T;
        type Output = ();
        const INFO: &'static OperationInfo = &super::OPERATIONS[17];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, user, course } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/enrolments"))?
                    .query("user", user)?
                    .query("course", course)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> DeleteEnrolment<'_, T> {
        /// Sends a `DELETE` request to `/enrolments`.
        pub async fn send(self) -> Result<ResponseValue<()>, Error> {
            crate::send::send_without_response(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for DeleteEnrolment<'_, T> {
        type Output = Result<(), T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_topic_progress`](crate::Client::get_topic_progress).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetTopicProgress<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        user: Result<crate::ids::LearnerId, String>,
        topic: Result<crate::ids::TopicId, String>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
        completed: Result<::std::option::Option<bool>, String>,
    }
    impl<'a, T> GetTopicProgress<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
            topic: impl crate::setter::IntoValue<crate::ids::TopicId>,
        ) -> Self {
            Self {
                client,
                user: crate::setter::required("user", user),
                topic: crate::setter::required("topic", topic),
                course: Ok(None),
                completed: Ok(None),
            }
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::optional("course", value);
            self
        }
        pub fn completed(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.completed = crate::setter::optional("completed", value);
            self
        }
    }
    impl<T: Clone> Operation for GetTopicProgress<'_, T> {
        type Transport = T;
        type Output = types::TopicProgress;
        const INFO: &'static OperationInfo = &super::OPERATIONS[18];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, user, topic, course, completed } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/topic_progress/{}/{}", crate ::request::segment("user",
                            user) ?, crate ::request::segment("topic", topic) ?
                        ),
                    )?
                    .query("course", course)?
                    .query("completed", completed)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetTopicProgress<'_, T> {
        /// Sends a `GET` request to `/topic_progress/{user}/{topic}`.
        pub async fn send(self) -> Result<ResponseValue<types::TopicProgress>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetTopicProgress<'_, T> {
        type Output = Result<types::TopicProgress, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_topic_progress`](crate::Client::list_topic_progress).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListTopicProgress<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        user: Result<::std::option::Option<crate::ids::LearnerId>, String>,
        topic: Result<::std::option::Option<crate::ids::TopicId>, String>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
        completed: Result<::std::option::Option<bool>, String>,
    }
    impl<'a, T> ListTopicProgress<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                cursor: Ok(None),
                limit: Ok(None),
                user: Ok(None),
                topic: Ok(None),
                course: Ok(None),
                completed: Ok(None),
            }
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn user(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
        ) -> Self {
            self.user = crate::setter::optional("user", value);
            self
        }
        pub fn topic(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::TopicId>,
        ) -> Self {
            self.topic = crate::setter::optional("topic", value);
            self
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::optional("course", value);
            self
        }
        pub fn completed(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.completed = crate::setter::optional("completed", value);
            self
        }
    }
    impl<T: Clone> Operation for ListTopicProgress<'_, T> {
        type Transport = T;
        type Output = types::TopicProgressList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[19];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, cursor, limit, user, topic, course, completed } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/topic_progress"))?
                    .query("cursor", cursor)?
                    .query("limit", limit)?
                    .query("user", user)?
                    .query("topic", topic)?
                    .query("course", course)?
                    .query("completed", completed)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListTopicProgress<'_, T> {
        /// Sends a `GET` request to `/topic_progress`.
        pub async fn send(
            self,
        ) -> Result<ResponseValue<types::TopicProgressList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListTopicProgress<'_, T> {
        type Output = Result<types::TopicProgressList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_course_progress`](crate::Client::get_course_progress).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetCourseProgress<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        course: Result<crate::ids::CourseId, String>,
        user: Result<crate::ids::LearnerId, String>,
    }
    impl<'a, T> GetCourseProgress<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            course: impl crate::setter::IntoValue<crate::ids::CourseId>,
            user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        ) -> Self {
            Self {
                client,
                course: crate::setter::required("course", course),
                user: crate::setter::required("user", user),
            }
        }
    }
    impl<T: Clone> Operation for GetCourseProgress<'_, T> {
        type Transport = T;
        type Output = types::CourseProgress;
        const INFO: &'static OperationInfo = &super::OPERATIONS[20];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, course, user } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/course_progress/{}/{}", crate ::request::segment("course",
                            course) ?, crate ::request::segment("user", user) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetCourseProgress<'_, T> {
        /// Sends a `GET` request to `/course_progress/{course}/{user}`.
        pub async fn send(self) -> Result<ResponseValue<types::CourseProgress>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetCourseProgress<'_, T> {
        type Output = Result<types::CourseProgress, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_course_completions`](crate::Client::list_course_completions).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListCourseCompletions<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        course: Result<::std::option::Option<crate::ids::CourseId>, String>,
        user: Result<::std::option::Option<crate::ids::LearnerId>, String>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
    }
    impl<'a, T> ListCourseCompletions<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                course: Ok(None),
                user: Ok(None),
                cursor: Ok(None),
                limit: Ok(None),
            }
        }
        pub fn course(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::CourseId>,
        ) -> Self {
            self.course = crate::setter::optional("course", value);
            self
        }
        pub fn user(
            mut self,
            value: impl crate::setter::IntoOptional<crate::ids::LearnerId>,
        ) -> Self {
            self.user = crate::setter::optional("user", value);
            self
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
    }
    impl<T: Clone> Operation for ListCourseCompletions<'_, T> {
        type Transport = T;
        type Output = types::CourseCompletionsResponse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[21];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, course, user, cursor, limit } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/course_completions"))?
                    .query("course", course)?
                    .query("user", user)?
                    .query("cursor", cursor)?
                    .query("limit", limit)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListCourseCompletions<'_, T> {
        /// Sends a `GET` request to `/course_completions`.
        pub async fn send(
            self,
        ) -> Result<ResponseValue<types::CourseCompletionsResponse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListCourseCompletions<'_, T> {
        type Output = Result<types::CourseCompletionsResponse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_user_field`](crate::Client::get_user_field).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetUserField<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        id: Result<crate::ids::UserFieldId, String>,
    }
    impl<'a, T> GetUserField<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            id: impl crate::setter::IntoValue<crate::ids::UserFieldId>,
        ) -> Self {
            Self {
                client,
                id: crate::setter::required("id", id),
            }
        }
    }
    impl<T: Clone> Operation for GetUserField<'_, T> {
        type Transport = T;
        type Output = types::UserField;
        const INFO: &'static OperationInfo = &super::OPERATIONS[22];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, id } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/user_fields/{}", crate ::request::segment("id", id) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetUserField<'_, T> {
        /// Sends a `GET` request to `/user_fields/{id}`.
        pub async fn send(self) -> Result<ResponseValue<types::UserField>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetUserField<'_, T> {
        type Output = Result<types::UserField, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_user_fields`](crate::Client::list_user_fields).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListUserFields<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
        archived: Result<::std::option::Option<bool>, String>,
        published: Result<::std::option::Option<bool>, String>,
    }
    impl<'a, T> ListUserFields<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self {
                client,
                limit: Ok(None),
                cursor: Ok(None),
                archived: Ok(None),
                published: Ok(None),
            }
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
        pub fn archived(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.archived = crate::setter::optional("archived", value);
            self
        }
        pub fn published(
            mut self,
            value: impl crate::setter::IntoOptional<bool>,
        ) -> Self {
            self.published = crate::setter::optional("published", value);
            self
        }
    }
    impl<T: Clone> Operation for ListUserFields<'_, T> {
        type Transport = T;
        type Output = types::UserFieldList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[23];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, limit, cursor, archived, published } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/user_fields"))?
                    .query("limit", limit)?
                    .query("cursor", cursor)?
                    .query("archived", archived)?
                    .query("published", published)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListUserFields<'_, T> {
        /// Sends a `GET` request to `/user_fields`.
        pub async fn send(self) -> Result<ResponseValue<types::UserFieldList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListUserFields<'_, T> {
        type Output = Result<types::UserFieldList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_user_field_permissions`](crate::Client::list_user_field_permissions).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListUserFieldPermissions<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        user: Result<crate::ids::LearnerId, String>,
        limit: Result<::std::option::Option<crate::wire::Int64>, String>,
        cursor: Result<::std::option::Option<::std::string::String>, String>,
    }
    impl<'a, T> ListUserFieldPermissions<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
        ) -> Self {
            Self {
                client,
                user: crate::setter::required("user", user),
                limit: Ok(None),
                cursor: Ok(None),
            }
        }
        pub fn limit(
            mut self,
            value: impl crate::setter::IntoOptional<crate::wire::Int64>,
        ) -> Self {
            self.limit = crate::setter::optional("limit", value);
            self
        }
        pub fn cursor(
            mut self,
            value: impl crate::setter::IntoOptional<::std::string::String>,
        ) -> Self {
            self.cursor = crate::setter::optional("cursor", value);
            self
        }
    }
    impl<T: Clone> Operation for ListUserFieldPermissions<'_, T> {
        type Transport = T;
        type Output = types::UserFieldPermissionList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[24];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, user, limit, cursor } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/users/{}/user_field_permissions", crate
                            ::request::segment("user", user) ?
                        ),
                    )?
                    .query("limit", limit)?
                    .query("cursor", cursor)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> ListUserFieldPermissions<'_, T> {
        /// Sends a `GET` request to `/users/{user}/user_field_permissions`.
        pub async fn send(
            self,
        ) -> Result<ResponseValue<types::UserFieldPermissionList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListUserFieldPermissions<'_, T> {
        type Output = Result<types::UserFieldPermissionList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_active_record`](crate::Client::get_active_record).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetActiveRecord<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        user: Result<crate::ids::LearnerId, String>,
        user_field: Result<crate::ids::UserFieldId, String>,
    }
    impl<'a, T> GetActiveRecord<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            user: impl crate::setter::IntoValue<crate::ids::LearnerId>,
            user_field: impl crate::setter::IntoValue<crate::ids::UserFieldId>,
        ) -> Self {
            Self {
                client,
                user: crate::setter::required("user", user),
                user_field: crate::setter::required("user_field", user_field),
            }
        }
    }
    impl<T: Clone> Operation for GetActiveRecord<'_, T> {
        type Transport = T;
        type Output = types::Record;
        const INFO: &'static OperationInfo = &super::OPERATIONS[25];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, user, user_field } = self;
            Ok(
                Draft::new(
                        client,
                        Self::INFO,
                        format_args!(
                            "/users/{}/user_fields/{}/record", crate
                            ::request::segment("user", user) ?, crate
                            ::request::segment("user_field", user_field) ?
                        ),
                    )?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetActiveRecord<'_, T> {
        /// Sends a `GET` request to `/users/{user}/user_fields/{user_field}/record`.
        pub async fn send(self) -> Result<ResponseValue<types::Record>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetActiveRecord<'_, T> {
        type Output = Result<types::Record, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_signup_pages`](crate::Client::list_signup_pages).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListSignupPages<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
    }
    impl<'a, T> ListSignupPages<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self { client }
        }
    }
    impl<T: Clone> Operation for ListSignupPages<'_, T> {
        type Transport = T;
        type Output = types::SignupPageList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[26];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client } = self;
            Ok(Draft::new(client, Self::INFO, format_args!("/signup_pages"))?.finish())
        }
    }
    impl<T: Transport> ListSignupPages<'_, T> {
        /// Sends a `GET` request to `/signup_pages`.
        pub async fn send(self) -> Result<ResponseValue<types::SignupPageList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListSignupPages<'_, T> {
        type Output = Result<types::SignupPageList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_profiles`](crate::Client::list_profiles).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListProfiles<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
    }
    impl<'a, T> ListProfiles<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self { client }
        }
    }
    impl<T: Clone> Operation for ListProfiles<'_, T> {
        type Transport = T;
        type Output = types::ProfileList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[27];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client } = self;
            Ok(Draft::new(client, Self::INFO, format_args!("/profiles"))?.finish())
        }
    }
    impl<T: Transport> ListProfiles<'_, T> {
        /// Sends a `GET` request to `/profiles`.
        pub async fn send(self) -> Result<ResponseValue<types::ProfileList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListProfiles<'_, T> {
        type Output = Result<types::ProfileList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`list_tags`](crate::Client::list_tags).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct ListTags<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
    }
    impl<'a, T> ListTags<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self { client }
        }
    }
    impl<T: Clone> Operation for ListTags<'_, T> {
        type Transport = T;
        type Output = types::TagList;
        const INFO: &'static OperationInfo = &super::OPERATIONS[28];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client } = self;
            Ok(Draft::new(client, Self::INFO, format_args!("/tags"))?.finish())
        }
    }
    impl<T: Transport> ListTags<'_, T> {
        /// Sends a `GET` request to `/tags`.
        pub async fn send(self) -> Result<ResponseValue<types::TagList>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for ListTags<'_, T> {
        type Output = Result<types::TagList, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`get_token`](crate::Client::get_token).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct GetToken<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
        body: types::builder::TokenRequest,
    }
    impl<'a, T> GetToken<'a, T> {
        pub(super) fn new(
            client: &'a crate::Client<T>,
            body: impl ::std::convert::Into<types::builder::TokenRequest>,
        ) -> Self {
            Self { client, body: body.into() }
        }
    }
    impl<T: Clone> Operation for GetToken<'_, T> {
        type Transport = T;
        type Output = types::TokenResponse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[29];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client, body } = self;
            Ok(
                Draft::new(client, Self::INFO, format_args!("/oauth/token"))?
                    .body::<types::TokenRequest>(body)?
                    .finish(),
            )
        }
    }
    impl<T: Transport> GetToken<'_, T> {
        /// Sends a `POST` request to `/oauth/token`.
        pub async fn send(self) -> Result<ResponseValue<types::TokenResponse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for GetToken<'_, T> {
        type Output = Result<types::TokenResponse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`me`](crate::Client::me).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct Me<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
    }
    impl<'a, T> Me<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self { client }
        }
    }
    impl<T: Clone> Operation for Me<'_, T> {
        type Transport = T;
        type Output = types::MeResponse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[30];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client } = self;
            Ok(Draft::new(client, Self::INFO, format_args!("/oauth/me"))?.finish())
        }
    }
    impl<T: Transport> Me<'_, T> {
        /// Sends a `GET` request to `/oauth/me`.
        pub async fn send(self) -> Result<ResponseValue<types::MeResponse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for Me<'_, T> {
        type Output = Result<types::MeResponse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
    /// The request of [`test`](crate::Client::test).
    #[derive(Clone, Debug)]
    #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
    pub struct Test<'a, T = crate::transport::Plain> {
        client: &'a crate::Client<T>,
    }
    impl<'a, T> Test<'a, T> {
        pub(super) fn new(client: &'a crate::Client<T>) -> Self {
            Self { client }
        }
    }
    impl<T: Clone> Operation for Test<'_, T> {
        type Transport = T;
        type Output = types::TestResponse;
        const INFO: &'static OperationInfo = &super::OPERATIONS[31];
        #[inline]
        fn prepare(self) -> Result<PreparedRequest<T>, Error> {
            let Self { client } = self;
            Ok(Draft::new(client, Self::INFO, format_args!("/test"))?.finish())
        }
    }
    impl<T: Transport> Test<'_, T> {
        /// Sends a `GET` request to `/test`.
        pub async fn send(self) -> Result<ResponseValue<types::TestResponse>, Error> {
            crate::send::send(self).await
        }
    }
    impl<T: Policy> ::std::future::IntoFuture for Test<'_, T> {
        type Output = Result<types::TestResponse, T::Error>;
        type IntoFuture = PolicyFuture<Self, T>;
        #[inline]
        fn into_future(self) -> Self::IntoFuture {
            T::call(self)
        }
    }
}
/// All operations, in the order of the document.
pub static OPERATIONS: &[crate::operation::OperationInfo] = &[
    crate::operation::OperationInfo {
        id: "list_courses",
        method: ::reqwest::Method::GET,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "archived",
            "published",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_course",
        method: ::reqwest::Method::POST,
        path: "/courses",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "get_course",
        method: ::reqwest::Method::GET,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "edit_course",
        method: ::reqwest::Method::PUT,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "creator",
            "created",
            "modified",
            "archived",
            "published",
            "locked",
            "display_priority",
            "suggested_duration",
            "permalink",
            "has_cover_art",
            "cover_art_url",
            "thumbnail_url",
            "show_details",
            "track_progress",
            "enable_progression",
            "is_graded",
            "pass_mark_type",
            "pass_mark",
            "show_grade_learner",
            "show_grade_certificate",
            "disable_certificates",
            "submission_notifications",
            "completion_notifications",
            "user_version",
            "renewal_type",
            "renewal_date",
            "renewal_days",
            "renewal_repeat",
            "auto_due_type",
            "auto_due_seconds",
            "auto_due_date",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "delete_course",
        method: ::reqwest::Method::DELETE,
        path: "/courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_duplicate_course",
        method: ::reqwest::Method::POST,
        path: "/duplicate_courses",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "new_course",
            "old_course",
            "complete",
            "progress",
            "stage",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "view_duplicate_course",
        method: ::reqwest::Method::GET,
        path: "/duplicate_courses/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "new_course",
            "old_course",
            "complete",
            "progress",
            "stage",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_topics",
        method: ::reqwest::Method::GET,
        path: "/topics",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "course", "kind", "published"],
        id_parameters: &["course"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "kind",
            "course",
            "published",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_topic",
        method: ::reqwest::Method::GET,
        path: "/topics/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "kind",
            "course",
            "created",
            "modified",
            "name",
            "published",
            "hide_heading",
            "locked",
            "require_confirmation",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_learners",
        method: ::reqwest::Method::GET,
        path: "/learners",
        path_parameters: &[],
        query_parameters: &[
            "cursor",
            "limit",
            "signup_page",
            "username",
            "email",
            "tags",
            "order_by",
            "order_direction",
        ],
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "username",
            "email",
            "signup_page",
            "tags",
            "order_by",
            "order_direction",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_learner",
        method: ::reqwest::Method::POST,
        path: "/learners",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "get_learner_by_email",
        method: ::reqwest::Method::GET,
        path: "/learners/email/{email}",
        path_parameters: &["email"],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_learner_by_id",
        method: ::reqwest::Method::GET,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "edit_learner",
        method: ::reqwest::Method::PUT,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "username",
            "firstname",
            "surname",
            "email",
            "phone_number",
            "image",
            "notes",
            "sso_id",
            "signup_page",
            "tags",
            "archived",
            "deleted",
            "is_admin",
            "is_learner",
            "created_by",
            "creator_kind",
            "create_type",
            "created",
            "updated",
            "last_logged_in",
            "password",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "delete_learner",
        method: ::reqwest::Method::DELETE,
        path: "/learners/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_enrolments",
        method: ::reqwest::Method::GET,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "course", "user"],
        id_parameters: &["course", "user"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "course",
            "user",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "add_enrolment",
        method: ::reqwest::Method::POST,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["id", "course", "user", "created"],
        authenticated: true,
        idempotent: false,
        has_content: true,
        creates: true,
    },
    crate::operation::OperationInfo {
        id: "delete_enrolment",
        method: ::reqwest::Method::DELETE,
        path: "/enrolments",
        path_parameters: &[],
        query_parameters: &["user", "course"],
        id_parameters: &["user", "course"],
        response_fields: &[],
        authenticated: true,
        idempotent: true,
        has_content: false,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_topic_progress",
        method: ::reqwest::Method::GET,
        path: "/topic_progress/{user}/{topic}",
        path_parameters: &["user", "topic"],
        query_parameters: &["course", "completed"],
        id_parameters: &["user", "topic", "course"],
        response_fields: &[
            "id",
            "user",
            "topic",
            "course",
            "created",
            "modified",
            "completed_on",
            "completed_by",
            "confirmed_on",
            "confirmed_by",
            "completed",
            "confirmed",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_topic_progress",
        method: ::reqwest::Method::GET,
        path: "/topic_progress",
        path_parameters: &[],
        query_parameters: &["cursor", "limit", "user", "topic", "course", "completed"],
        id_parameters: &["user", "topic", "course"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "topic",
            "course",
            "user",
            "completed",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_course_progress",
        method: ::reqwest::Method::GET,
        path: "/course_progress/{course}/{user}",
        path_parameters: &["course", "user"],
        query_parameters: &[],
        id_parameters: &["course", "user"],
        response_fields: &[
            "id",
            "user",
            "course",
            "completed_on",
            "completed",
            "processed",
            "overdue",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_course_completions",
        method: ::reqwest::Method::GET,
        path: "/course_completions",
        path_parameters: &[],
        query_parameters: &["course", "user", "cursor", "limit"],
        id_parameters: &["course", "user"],
        response_fields: &["items", "next_cursor", "more"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_user_field",
        method: ::reqwest::Method::GET,
        path: "/user_fields/{id}",
        path_parameters: &["id"],
        query_parameters: &[],
        id_parameters: &["id"],
        response_fields: &[
            "id",
            "name",
            "description",
            "kind",
            "default",
            "created",
            "modified",
            "required",
            "user_visible",
            "user_editable",
            "disable_notifications",
            "indexed",
            "not_applicable",
            "resource",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_user_fields",
        method: ::reqwest::Method::GET,
        path: "/user_fields",
        path_parameters: &[],
        query_parameters: &["limit", "cursor", "archived", "published"],
        id_parameters: &[],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_user_field_permissions",
        method: ::reqwest::Method::GET,
        path: "/users/{user}/user_field_permissions",
        path_parameters: &["user"],
        query_parameters: &["limit", "cursor"],
        id_parameters: &["user"],
        response_fields: &[
            "items",
            "number_found",
            "cursor",
            "next_cursor",
            "limit",
            "more",
            "user",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_active_record",
        method: ::reqwest::Method::GET,
        path: "/users/{user}/user_fields/{user_field}/record",
        path_parameters: &["user", "user_field"],
        query_parameters: &[],
        id_parameters: &["user", "user_field"],
        response_fields: &[
            "id",
            "user",
            "user_field",
            "value",
            "reference",
            "cost",
            "notes",
            "training_provider",
            "payment_date",
            "achieved_on",
            "expires_on",
            "created",
            "modified",
            "created_by",
            "modified_by",
            "filename",
            "content_type",
            "blob_key",
            "file_size",
            "user_visible",
            "user_editable",
            "not_applicable",
            "has_value",
            "achievable",
            "valid",
            "upcoming",
            "expires",
            "expired",
            "active",
            "attachments",
        ],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_signup_pages",
        method: ::reqwest::Method::GET,
        path: "/signup_pages",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_profiles",
        method: ::reqwest::Method::GET,
        path: "/profiles",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "list_tags",
        method: ::reqwest::Method::GET,
        path: "/tags",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["items"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "get_token",
        method: ::reqwest::Method::POST,
        path: "/oauth/token",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[
            "aud",
            "access_token",
            "token_type",
            "scope",
            "refresh_token",
            "name",
            "expires_in",
        ],
        authenticated: false,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "me",
        method: ::reqwest::Method::GET,
        path: "/oauth/me",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["tid", "domain", "aud", "name"],
        authenticated: true,
        idempotent: true,
        has_content: true,
        creates: false,
    },
    crate::operation::OperationInfo {
        id: "test",
        method: ::reqwest::Method::GET,
        path: "/test",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &["tid"],
        authenticated: false,
        idempotent: true,
        has_content: true,
        creates: false,
    },
];
impl<T: Clone> crate::operation::List for requests::ListCourses<'_, T> {
    type Item = types::Course;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListTopics<'_, T> {
    type Item = types::Topic;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListLearners<'_, T> {
    type Item = types::Learner;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListEnrolments<'_, T> {
    type Item = types::Enrolment;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListTopicProgress<'_, T> {
    type Item = types::TopicProgress;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListCourseCompletions<'_, T> {
    type Item = types::CourseCompletion;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListUserFields<'_, T> {
    type Item = types::UserField;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListUserFieldPermissions<'_, T> {
    type Item = types::UserFieldPermission;
    const CURSOR: bool = true;
}
impl<T: Clone> crate::operation::List for requests::ListSignupPages<'_, T> {
    type Item = types::SignupPage;
    const CURSOR: bool = false;
}
impl<T: Clone> crate::operation::List for requests::ListProfiles<'_, T> {
    type Item = types::Profile;
    const CURSOR: bool = false;
}
impl<T: Clone> crate::operation::List for requests::ListTags<'_, T> {
    type Item = types::Tag;
    const CURSOR: bool = false;
}
impl crate::operation::HasId for types::Course {
    type Id = crate::ids::CourseId;
    const KIND: &'static str = "course";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::CourseCompletion {
    type Id = crate::ids::CourseCompletionId;
    const KIND: &'static str = "course completion";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::CourseProgress {
    type Id = crate::ids::CourseProgressId;
    const KIND: &'static str = "course progress";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::DuplicateCourse {
    type Id = crate::ids::DuplicateCourseId;
    const KIND: &'static str = "duplicate course";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Enrolment {
    type Id = crate::ids::EnrolmentId;
    const KIND: &'static str = "enrolment";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Learner {
    type Id = crate::ids::LearnerId;
    const KIND: &'static str = "learner";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Profile {
    type Id = crate::ids::ProfileId;
    const KIND: &'static str = "profile";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Record {
    type Id = crate::ids::RecordId;
    const KIND: &'static str = "record";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::SignupPage {
    type Id = crate::ids::SignupPageId;
    const KIND: &'static str = "signup page";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Tag {
    type Id = crate::ids::TagId;
    const KIND: &'static str = "tag";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::Topic {
    type Id = crate::ids::TopicId;
    const KIND: &'static str = "topic";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::TopicProgress {
    type Id = crate::ids::TopicProgressId;
    const KIND: &'static str = "topic progress";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::HasId for types::UserField {
    type Id = crate::ids::UserFieldId;
    const KIND: &'static str = "user field";
    fn raw_id(&self) -> Option<&Self::Id> {
        self.id.as_ref()
    }
}
impl crate::operation::Identified for types::UserFieldPermission {
    fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
        crate::operation::joined_id(&[self.user_field.as_deref(), self.user.as_deref()])
    }
}
/// The types of ids, one for each kind of object.
pub mod ids {
    /// The id of one object: course.
    pub type CourseId = crate::id::Id<kind::Course>;
    /// The id of one object: course completion.
    pub type CourseCompletionId = crate::id::Id<kind::CourseCompletion>;
    /// The id of one object: course progress.
    pub type CourseProgressId = crate::id::Id<kind::CourseProgress>;
    /// The id of one object: duplicate course.
    pub type DuplicateCourseId = crate::id::Id<kind::DuplicateCourse>;
    /// The id of one object: enrolment.
    pub type EnrolmentId = crate::id::Id<kind::Enrolment>;
    /// The id of one object: learner.
    pub type LearnerId = crate::id::Id<kind::Learner>;
    /// The id of one object: profile.
    pub type ProfileId = crate::id::Id<kind::Profile>;
    /// The id of one object: record.
    pub type RecordId = crate::id::Id<kind::Record>;
    /// The id of one object: signup page.
    pub type SignupPageId = crate::id::Id<kind::SignupPage>;
    /// The id of one object: tag.
    pub type TagId = crate::id::Id<kind::Tag>;
    /// The id of one object: topic.
    pub type TopicId = crate::id::Id<kind::Topic>;
    /// The id of one object: topic progress.
    pub type TopicProgressId = crate::id::Id<kind::TopicProgress>;
    /// The id of one object: user field.
    pub type UserFieldId = crate::id::Id<kind::UserField>;
    /// The kinds of objects that have ids. They have no values.
    pub mod kind {
        /// The kind of [`CourseId`](super::CourseId).
        pub enum Course {}
        impl crate::id::Kind for Course {
            const FORMAT: &'static str = "course-id";
        }
        /// The kind of [`CourseCompletionId`](super::CourseCompletionId).
        pub enum CourseCompletion {}
        impl crate::id::Kind for CourseCompletion {
            const FORMAT: &'static str = "course-completion-id";
        }
        /// The kind of [`CourseProgressId`](super::CourseProgressId).
        pub enum CourseProgress {}
        impl crate::id::Kind for CourseProgress {
            const FORMAT: &'static str = "course-progress-id";
        }
        /// The kind of [`DuplicateCourseId`](super::DuplicateCourseId).
        pub enum DuplicateCourse {}
        impl crate::id::Kind for DuplicateCourse {
            const FORMAT: &'static str = "duplicate-course-id";
        }
        /// The kind of [`EnrolmentId`](super::EnrolmentId).
        pub enum Enrolment {}
        impl crate::id::Kind for Enrolment {
            const FORMAT: &'static str = "enrolment-id";
        }
        /// The kind of [`LearnerId`](super::LearnerId).
        pub enum Learner {}
        impl crate::id::Kind for Learner {
            const FORMAT: &'static str = "learner-id";
        }
        /// The kind of [`ProfileId`](super::ProfileId).
        pub enum Profile {}
        impl crate::id::Kind for Profile {
            const FORMAT: &'static str = "profile-id";
        }
        /// The kind of [`RecordId`](super::RecordId).
        pub enum Record {}
        impl crate::id::Kind for Record {
            const FORMAT: &'static str = "record-id";
        }
        /// The kind of [`SignupPageId`](super::SignupPageId).
        pub enum SignupPage {}
        impl crate::id::Kind for SignupPage {
            const FORMAT: &'static str = "signup-page-id";
        }
        /// The kind of [`TagId`](super::TagId).
        pub enum Tag {}
        impl crate::id::Kind for Tag {
            const FORMAT: &'static str = "tag-id";
        }
        /// The kind of [`TopicId`](super::TopicId).
        pub enum Topic {}
        impl crate::id::Kind for Topic {
            const FORMAT: &'static str = "topic-id";
        }
        /// The kind of [`TopicProgressId`](super::TopicProgressId).
        pub enum TopicProgress {}
        impl crate::id::Kind for TopicProgress {
            const FORMAT: &'static str = "topic-progress-id";
        }
        /// The kind of [`UserFieldId`](super::UserFieldId).
        pub enum UserField {}
        impl crate::id::Kind for UserField {
            const FORMAT: &'static str = "user-field-id";
        }
    }
}
/// The names of all properties with a secret, in alphabetical order.
pub static SECRET_PROPERTIES: &[&str] = &[
    "access_token",
    "client_secret",
    "code",
    "password",
    "refresh_token",
];
/// The names of all properties with a secret, except those of the token endpoint, in alphabetical order.
///
/// A field with such a name is a secret wherever a response has it. The names of the token endpoint are not:
/// a `code` there is a secret, and that of a course is not.
pub static OBJECT_SECRETS: &[&str] = &["password"];
