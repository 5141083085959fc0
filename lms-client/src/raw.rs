// @generated from spec/openapi.yaml by progenitor; see lms-codegen. Do not edit.
#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    ///The initial fields of a new course. All other fields can be set by an edit afterwards.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AddCourse {
        ///Whether the new course is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub archived: ::std::option::Option<bool>,
        ///Cover art for the course. Whether this is a URL, an id or the image itself is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cover_art: ::std::option::Option<::std::string::String>,
        ///Text about the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub description: ::std::option::Option<::std::string::String>,
        ///Number that orders courses for display.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub display_priority: ::std::option::Option<f64>,
        ///Name of the course.
        pub name: ::std::string::String,
        ///Whether the new course is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published: ::std::option::Option<bool>,
        ///How long the course should take.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub suggested_duration: ::std::option::Option<::std::string::String>,
    }
    ///The course to copy, and how.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AddDuplicateCourse {
        ///Whether to copy the enrolments.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub copy_enrolments: ::std::option::Option<bool>,
        ///Whether to copy the responses. The meaning of a response is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub copy_responses: ::std::option::Option<bool>,
        ///Id of the course to copy.
        pub course: crate::ids::CourseId,
        ///Name of the copy. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Whether the copy is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published: ::std::option::Option<bool>,
    }
    ///The learner to enrol, and the course.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AddEnrolment {
        ///Id of the course.
        pub course: crate::ids::CourseId,
        ///Whether emails about the enrolment are sent.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub send_emails: ::std::option::Option<bool>,
        ///Id of the learner.
        pub user: crate::ids::LearnerId,
    }
    ///A new learner. `password` is required when `generate_password` is false.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct AddLearner {
        ///Courses to enrol the learner in.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub courses: ::std::vec::Vec<::std::string::String>,
        ///Email address.
        pub email: ::std::string::String,
        ///First name.
        pub firstname: ::std::string::String,
        ///Whether the service generates a password. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub generate_password: ::std::option::Option<bool>,
        ///Password of the learner, required when `generate_password` is false. The rules for passwords are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub password: ::std::option::Option<crate::wire::Secret>,
        ///Telephone number. Its format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub phone_number: ::std::option::Option<::std::string::String>,
        ///Profiles to apply. Each assigns tags, courses and custom field permissions in one step.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub profiles: ::std::vec::Vec<::std::string::String>,
        ///Whether the learner is notified by email.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub send_email: ::std::option::Option<bool>,
        ///Whether the learner is notified by text message.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Name the learner logs in with. The default is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///A course, in a response and as the body of an edit. The service explains few of the fields and does not say which of them are writable.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct Course {
        ///Whether the course is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub archived: ::std::option::Option<bool>,
        ///The due date. Unlike the other times of a course, it is documented as an ISO 8601 timestamp.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub auto_due_date: ::std::option::Option<crate::wire::Timestamp>,
        ///Number of seconds until the due date.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub disable_certificates: ::std::option::Option<bool>,
        ///Number that orders courses for display. Whether high or low numbers come first is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub display_priority: ::std::option::Option<f64>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub enable_progression: ::std::option::Option<bool>,
        ///Whether the course has cover art.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub has_cover_art: ::std::option::Option<bool>,
        ///Id of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::CourseId>,
        ///Whether the course is graded.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub is_graded: ::std::option::Option<bool>,
        ///Whether the course is locked.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub locked: ::std::option::Option<bool>,
        ///When the course was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub modified: ::std::option::Option<crate::wire::Timestamp>,
        ///Name of the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub name: ::std::option::Option<::std::string::String>,
        ///Mark required to pass.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pass_mark: ::std::option::Option<crate::wire::Int64>,
        ///How `pass_mark` is interpreted. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub pass_mark_type: ::std::option::Option<::std::string::String>,
        ///Permanent link to the course.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub permalink: ::std::option::Option<::std::string::String>,
        ///Whether the course is published.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published: ::std::option::Option<bool>,
        ///When the course is renewed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_date: ::std::option::Option<crate::wire::Timestamp>,
        ///Number of days until the renewal.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_days: ::std::option::Option<crate::wire::Int64>,
        ///Whether the renewal repeats.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_repeat: ::std::option::Option<bool>,
        ///How the course is renewed. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub renewal_type: ::std::option::Option<::std::string::String>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub show_details: ::std::option::Option<bool>,
        ///Whether the certificate shows the grade.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub show_grade_certificate: ::std::option::Option<bool>,
        ///Whether the learner is shown the grade.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub track_progress: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_version: ::std::option::Option<crate::wire::Int64>,
    }
    ///One entry of the completion history: a learner completed a course.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct CourseCompletionsResponse {
        ///The completions of this page.
        pub items: ::std::vec::Vec<CourseCompletion>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
    }
    ///One page of courses, with the filters of the request.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct CourseList {
        ///The `archived` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub archived: ::std::option::Option<bool>,
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The courses of this page.
        pub items: ::std::vec::Vec<Course>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of courses found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `published` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published: ::std::option::Option<bool>,
    }
    ///The progress of one learner in one course.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct CourseProgress {
        ///Whether the course is completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub overdue: ::std::option::Option<bool>,
        ///The meaning is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub processed: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A task that copies a course.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct DuplicateCourse {
        ///Whether the copy is finished.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub progress: ::std::option::Option<crate::wire::Int64>,
        ///Current stage of the task. The number of stages is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub stage: ::std::option::Option<crate::wire::Int64>,
    }
    ///The body of an edit. All fields are written, so send each with the value it should have afterwards. Only `password` keeps its value when it is not sent.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
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
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///Name the learner logs in with.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///The enrolment of one learner in one course.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
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
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of enrolments found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `user` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A learner, which is a user account. The schema has a `password`, so a response may contain one: do not log learners.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct Learner {
        ///Whether the learner is archived.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub is_admin: ::std::option::Option<bool>,
        ///Whether the account is a learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///When the account was last changed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub updated: ::std::option::Option<crate::wire::Timestamp>,
        ///Name the learner logs in with.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///One page of learners, with the filters and the order of the request.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
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
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of learners found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///The `username` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub username: ::std::option::Option<::std::string::String>,
    }
    ///The tenant that an access token belongs to.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct Profile {
        ///Courses that the learner is enrolled in.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
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
        pub permissions: ::std::vec::Vec<ProfilePermission>,
        ///Tags that the learner gets.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
        pub tags: ::std::vec::Vec<::std::string::String>,
    }
    ///All profiles of the tenant.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct ProfileList {
        ///The profiles.
        pub items: ::std::vec::Vec<Profile>,
    }
    ///What a profile allows a learner to do with one custom field.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct ProfilePermission {
        ///Whether the field does not apply to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///A learner's value for a custom field: plain text, or an achievement with a date, a cost and files. The service explains none of the flags.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct Record {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub achievable: ::std::option::Option<bool>,
        ///When it was achieved, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub achieved_on: ::std::option::Option<crate::wire::Timestamp>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub active: ::std::option::Option<bool>,
        ///Files that belong to the record.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
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
        pub expired: ::std::option::Option<bool>,
        ///Whether the record expires.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expires: ::std::option::Option<bool>,
        ///When it expires, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub expires_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Size of the file, presumably in bytes.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub file_size: ::std::option::Option<crate::wire::Int64>,
        ///Name of the file.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub filename: ::std::option::Option<::std::string::String>,
        ///Whether there is a value.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub upcoming: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
        ///Whether the learner can edit the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the record.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_visible: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub valid: ::std::option::Option<bool>,
        ///The value, as text for every kind of field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub value: ::std::option::Option<::std::string::String>,
    }
    ///A file that belongs to a record.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct SignupPage {
        ///Courses of the page. A learner who registers there is presumably enrolled in them.
        #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
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
        pub tags: ::std::vec::Vec<::std::string::String>,
        ///URL of the page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub url: ::std::option::Option<::std::string::String>,
    }
    ///All sign-up pages of the tenant.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct SignupPageList {
        ///The sign-up pages.
        pub items: ::std::vec::Vec<SignupPage>,
    }
    ///A tag that groups learners.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct TagList {
        ///The tags.
        pub items: ::std::vec::Vec<Tag>,
    }
    ///The tenant that responded.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct TestResponse {
        ///Id of the tenant.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub tid: ::std::option::Option<::std::string::String>,
    }
    ///The request for an access token. The only known flow sends `grant_type`, `client_id` and `client_secret`. The purpose of the other fields is not documented.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct TokenRequest {
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub audience: ::std::option::Option<::std::string::String>,
        ///Client id that the tenant issued for the integration.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct TokenResponse {
        ///The token to send with all other requests.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub access_token: ::std::option::Option<crate::wire::Secret>,
        ///Base URL of the tenant that the token is for.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub aud: ::std::option::Option<::std::string::String>,
        ///Lifetime of the token in seconds, as text or as a JSON number.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct Topic {
        ///Id of the course the topic belongs to.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub course: ::std::option::Option<crate::ids::CourseId>,
        ///When the topic was created, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub created: ::std::option::Option<crate::wire::Timestamp>,
        ///Whether the heading of the topic is hidden.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub hide_heading: ::std::option::Option<bool>,
        ///Id of the topic.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::TopicId>,
        ///What kind of topic it is. Its values are not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub kind: ::std::option::Option<::std::string::String>,
        ///Whether the topic is locked.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub require_confirmation: ::std::option::Option<bool>,
    }
    ///One page of topics, with the filters of the request.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
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
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of topics found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `published` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub published: ::std::option::Option<bool>,
    }
    ///The progress of one learner in one topic: whether it is completed and confirmed, when, and by whom.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct TopicProgress {
        ///Whether the topic is completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed: ::std::option::Option<bool>,
        ///Who marked the topic as completed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed_by: ::std::option::Option<::std::string::String>,
        ///When the topic was completed, as text. The format is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub completed_on: ::std::option::Option<crate::wire::Timestamp>,
        ///Whether the completion is confirmed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct TopicProgressList {
        ///The `completed` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of progress items found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The `topic` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub topic: ::std::option::Option<crate::ids::TopicId>,
        ///The `user` filter of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///The definition of a custom field, which the tenant added to its learners.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
        pub disable_notifications: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub id: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the field is indexed.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
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
        pub not_applicable: ::std::option::Option<bool>,
        ///Whether the field must have a value.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub required: ::std::option::Option<bool>,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub resource: ::std::option::Option<UserFieldResource>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_editable: ::std::option::Option<bool>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///One page of custom fields. Unlike other lists, it does not echo the filters.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserFieldList {
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The custom fields of this page.
        pub items: ::std::vec::Vec<UserField>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of custom fields found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
    }
    ///What one learner may do with one custom field.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
    pub struct UserFieldPermission {
        ///Whether the field does not apply to the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub not_applicable: ::std::option::Option<bool>,
        ///Id of the learner.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
        ///Whether the learner can edit the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_editable: ::std::option::Option<bool>,
        ///Id of the custom field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_field: ::std::option::Option<crate::ids::UserFieldId>,
        ///Whether the learner sees the field.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user_visible: ::std::option::Option<bool>,
    }
    ///One page of a learner's custom field permissions, with the learner of the request.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, PartialEq)]
    pub struct UserFieldPermissionList {
        ///The cursor of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub cursor: ::std::option::Option<::std::string::String>,
        ///The permissions of this page.
        pub items: ::std::vec::Vec<UserFieldPermission>,
        ///The page size of this response.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub limit: ::std::option::Option<crate::wire::Int64>,
        ///Whether there is a next page.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub more: ::std::option::Option<bool>,
        ///The cursor of the next page, when `more` is true.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub next_cursor: ::std::option::Option<::std::string::String>,
        ///Number of permissions found. Whether it counts all pages, and whether it is exact, is not documented.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub number_found: ::std::option::Option<crate::wire::Int64>,
        ///The learner of the request.
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub user: ::std::option::Option<crate::ids::LearnerId>,
    }
    ///A resource that a custom field refers to.
    #[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]
    #[non_exhaustive]
    #[derive(::serde::Deserialize, ::serde::Serialize, Clone, Debug, Default, PartialEq)]
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
}
#[derive(Clone, Debug)]
/**Client for Learning Management API

Version: 1*/
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
}
impl Client {
    /// Create a new client.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new(baseurl: &str) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let client = {
            let dur = ::std::time::Duration::from_secs(15u64);
            reqwest::ClientBuilder::new().connect_timeout(dur).timeout(dur)
        };
        #[cfg(target_arch = "wasm32")]
        let client = reqwest::ClientBuilder::new();
        Self::new_with_client(baseurl, client.build().unwrap())
    }
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new_with_client(baseurl: &str, client: reqwest::Client) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
        }
    }
}
impl ClientInfo<()> for Client {
    fn api_version() -> &'static str {
        "1"
    }
    fn baseurl(&self) -> &str {
        self.baseurl.as_str()
    }
    fn client(&self) -> &reqwest::Client {
        &self.client
    }
    fn inner(&self) -> &() {
        &()
    }
}
const _: () = {
    #[allow(dead_code)]
    fn assert_client_hooks()
    where
        Client: ClientHooks<()>,
    {}
};
#[allow(clippy::all)]
impl Client {
    /**List courses

Returns one page of courses and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented, nor whether archived and unpublished courses are included without a filter.

Sends a `GET` request to `/courses`

Arguments:
- `archived`: Only courses with this value of `archived`.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `published`: Only courses with this value of `published`.
*/
    pub async fn list_courses<'a>(
        &'a self,
        archived: Option<bool>,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        published: Option<bool>,
    ) -> Result<ResponseValue<types::CourseList>, Error<()>> {
        let url = format!("{}/courses", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("archived", &archived))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("published", &published))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_courses",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Add a course

Creates a course and returns it as stored, with its `id`. Only `name` is required. An edit can change more fields than this request can set; their initial values are not documented. The API has no idempotency keys, so sending the request twice presumably creates two courses.

Sends a `POST` request to `/courses`

*/
    pub async fn add_course<'a>(
        &'a self,
        body: &'a types::AddCourse,
    ) -> Result<ResponseValue<types::Course>, Error<()>> {
        let url = format!("{}/courses", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "add_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a course

Returns one course with all its fields. The response for an unknown id is not documented.

Sends a `GET` request to `/courses/{id}`

Arguments:
- `id`: Id of the course.
*/
    pub async fn get_course<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::Course>, Error<()>> {
        let url = format!("{}/courses/{}", self.baseurl, encode_path(& id.to_string()),);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Edit a course

Writes a course and returns it as stored. The body is a whole course, in the shape of the response. Whether a field that is left out keeps its value, and which fields are writable, is not documented. To change one field safely, read the course, change the field and send the whole course back.

Sends a `PUT` request to `/courses/{id}`

Arguments:
- `id`: Id of the course.
- `body`
*/
    pub async fn edit_course<'a>(
        &'a self,
        id: &'a str,
        body: &'a types::Course,
    ) -> Result<ResponseValue<types::Course>, Error<()>> {
        let url = format!("{}/courses/{}", self.baseurl, encode_path(& id.to_string()),);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "edit_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Delete a course

Deletes a course. The response has no body. What happens to its topics, enrolments, progress and completions, and the response to a second deletion, are not documented.

Sends a `DELETE` request to `/courses/{id}`

Arguments:
- `id`: Id of the course.
*/
    pub async fn delete_course<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<()>, Error<()>> {
        let url = format!("{}/courses/{}", self.baseurl, encode_path(& id.to_string()),);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self.client.delete(url).headers(header_map).build()?;
        let info = OperationInfo {
            operation_id: "delete_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => Ok(ResponseValue::empty(response)),
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Start duplicating a course

Starts a task that copies a course, and returns the task. Keep its `id` and poll `viewDuplicateCourse` until `complete` is true. Sending the request twice presumably makes two copies.

Sends a `POST` request to `/duplicate_courses`

*/
    pub async fn add_duplicate_course<'a>(
        &'a self,
        body: &'a types::AddDuplicateCourse,
    ) -> Result<ResponseValue<types::DuplicateCourse>, Error<()>> {
        let url = format!("{}/duplicate_courses", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "add_duplicate_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a course duplication

Returns the current state of the task. The copy is finished when `complete` is true. How often the task may be polled, how long a finished task can be read, and how a failed task is reported are not documented.

Sends a `GET` request to `/duplicate_courses/{id}`

Arguments:
- `id`: Id of the task, as returned by `addDuplicateCourse`; not the id of a course.
*/
    pub async fn view_duplicate_course<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::DuplicateCourse>, Error<()>> {
        let url = format!(
            "{}/duplicate_courses/{}", self.baseurl, encode_path(& id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "view_duplicate_course",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List topics

Returns one page of topics of one course or of all courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/topics`

Arguments:
- `course`: Only topics of the course with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `kind`: Only topics of this kind. The kinds are not documented.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `published`: Only topics with this value of `published`.
*/
    pub async fn list_topics<'a>(
        &'a self,
        course: Option<&'a crate::ids::CourseId>,
        cursor: Option<&'a str>,
        kind: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        published: Option<bool>,
    ) -> Result<ResponseValue<types::TopicList>, Error<()>> {
        let url = format!("{}/topics", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("course", &course))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("kind", &kind))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("published", &published))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_topics",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a topic

Returns one topic: its name, its kind, its course and a few flags. Its content is not part of the API. The response for an unknown id is not documented.

Sends a `GET` request to `/topics/{id}`

Arguments:
- `id`: Id of the topic.
*/
    pub async fn get_topic<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::Topic>, Error<()>> {
        let url = format!("{}/topics/{}", self.baseurl, encode_path(& id.to_string()),);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_topic",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List learners

Returns one page of learners and echoes the filters and the order of the request. Follow `next_cursor` while `more` is true to read them all. The default order, whether archived and deleted learners are included, and whether filters compare whole values are not documented.

Sends a `GET` request to `/learners`

Arguments:
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `email`: Only learners with this email address.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `order_by`: Name of the field to order by. The accepted names are not documented.
- `order_direction`: Direction of the order, ascending or descending.
- `signup_page`: Only learners who registered through this sign-up page.
- `tags`: Only learners with these tags. The parameter is repeated for each tag. Whether a learner must have all of the tags or any of them is not documented.
- `username`: Only learners with this username.
*/
    pub async fn list_learners<'a>(
        &'a self,
        cursor: Option<&'a str>,
        email: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        order_by: Option<&'a str>,
        order_direction: Option<&'a crate::enums::ListLearnersOrderDirection>,
        signup_page: Option<&'a str>,
        tags: Option<&'a ::std::vec::Vec<::std::string::String>>,
        username: Option<&'a str>,
    ) -> Result<ResponseValue<types::LearnerList>, Error<()>> {
        let url = format!("{}/learners", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("email", &email))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order_by", &order_by))
            .query(
                &progenitor_client::QueryParam::new("order_direction", &order_direction),
            )
            .query(&progenitor_client::QueryParam::new("signup_page", &signup_page))
            .query(&progenitor_client::QueryParam::new("tags", &tags))
            .query(&progenitor_client::QueryParam::new("username", &username))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_learners",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Add a learner

Creates a learner and returns it as stored, with its `id`. `firstname`, `surname` and `email` are required, and `password` is required when `generate_password` is false. `send_email` and `send_sms` may reach a real person. The response when the email address or the username is already in use is not documented. The API has no idempotency keys.

Sends a `POST` request to `/learners`

*/
    pub async fn add_learner<'a>(
        &'a self,
        body: &'a types::AddLearner,
    ) -> Result<ResponseValue<types::Learner>, Error<()>> {
        let url = format!("{}/learners", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "add_learner",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a learner by email address

Returns the learner with this email address. Whether case matters, and the response for an unknown address, are not documented.

Sends a `GET` request to `/learners/email/{email}`

Arguments:
- `email`: Email address of the learner.
*/
    pub async fn get_learner_by_email<'a>(
        &'a self,
        email: &'a str,
    ) -> Result<ResponseValue<types::Learner>, Error<()>> {
        let url = format!(
            "{}/learners/email/{}", self.baseurl, encode_path(& email.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_learner_by_email",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a learner by id

Returns one learner with all fields. The response for an unknown id or a deleted learner is not documented.

Sends a `GET` request to `/learners/{id}`

Arguments:
- `id`: Id of the learner.
*/
    pub async fn get_learner_by_id<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::Learner>, Error<()>> {
        let url = format!(
            "{}/learners/{}", self.baseurl, encode_path(& id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_learner_by_id",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Edit a learner

Writes every editable field of a learner and returns the learner as stored. A field that is left out may lose its value, so send every field with the value it should have afterwards. The exception is `password`, which changes only when it is sent.

Sends a `PUT` request to `/learners/{id}`

Arguments:
- `id`: Id of the learner.
- `body`
*/
    pub async fn edit_learner<'a>(
        &'a self,
        id: &'a str,
        body: &'a types::EditLearner,
    ) -> Result<ResponseValue<types::Learner>, Error<()>> {
        let url = format!(
            "{}/learners/{}", self.baseurl, encode_path(& id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "edit_learner",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Delete a learner

Deletes a learner. The response has no body. Learners have a `deleted` flag, so the account may continue to exist in some form. What happens to enrolments, progress and completions, whether the email address can be used again, and the response to a second deletion are not documented.

Sends a `DELETE` request to `/learners/{id}`

Arguments:
- `id`: Id of the learner.
*/
    pub async fn delete_learner<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<()>, Error<()>> {
        let url = format!(
            "{}/learners/{}", self.baseurl, encode_path(& id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self.client.delete(url).headers(header_map).build()?;
        let info = OperationInfo {
            operation_id: "delete_learner",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => Ok(ResponseValue::empty(response)),
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List enrolments

Returns one page of enrolments and echoes the filters of the request. Filter by `course` for the learners of a course, by `user` for the courses of a learner, or by both to find one enrolment. Follow `next_cursor` while `more` is true to read them all. The order is not documented.

Sends a `GET` request to `/enrolments`

Arguments:
- `course`: Only enrolments in the course with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `user`: Only enrolments of the learner with this id.
*/
    pub async fn list_enrolments<'a>(
        &'a self,
        course: Option<&'a crate::ids::CourseId>,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        user: Option<&'a crate::ids::LearnerId>,
    ) -> Result<ResponseValue<types::EnrolmentList>, Error<()>> {
        let url = format!("{}/enrolments", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("course", &course))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("user", &user))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_enrolments",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Enrol a learner in a course

Enrols a learner in a course and returns the enrolment. `send_emails` may reach a real person. The response when the learner is already enrolled is not documented. The API has no idempotency keys.

Sends a `POST` request to `/enrolments`

*/
    pub async fn add_enrolment<'a>(
        &'a self,
        body: &'a types::AddEnrolment,
    ) -> Result<ResponseValue<types::Enrolment>, Error<()>> {
        let url = format!("{}/enrolments", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "add_enrolment",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Delete enrolments

Deletes the enrolment of a learner in a course. The response has no body. **Both parameters are optional, and the effect of leaving one or both out is not documented.** A request with one parameter may delete every enrolment of a learner or of a course. A request without parameters may delete every enrolment of the tenant. Send both.

Sends a `DELETE` request to `/enrolments`

Arguments:
- `course`: Id of the course. Without it, more enrolments may be deleted.
- `user`: Id of the learner. Without it, more enrolments may be deleted.
*/
    pub async fn delete_enrolment<'a>(
        &'a self,
        course: Option<&'a crate::ids::CourseId>,
        user: Option<&'a crate::ids::LearnerId>,
    ) -> Result<ResponseValue<()>, Error<()>> {
        let url = format!("{}/enrolments", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .query(&progenitor_client::QueryParam::new("course", &course))
            .query(&progenitor_client::QueryParam::new("user", &user))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_enrolment",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => Ok(ResponseValue::empty(response)),
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a learner's progress in a topic

Returns the progress of one learner in one topic. The effect of the two query filters on a single object, and the response when the learner has not started the topic, are not documented.

Sends a `GET` request to `/topic_progress/{user}/{topic}`

Arguments:
- `user`: Id of the learner.
- `topic`: Id of the topic.
- `completed`: Value of the `completed` flag. Its effect is not documented.
- `course`: Id of a course. Its effect is not documented.
*/
    pub async fn get_topic_progress<'a>(
        &'a self,
        user: &'a str,
        topic: &'a str,
        completed: Option<bool>,
        course: Option<&'a crate::ids::CourseId>,
    ) -> Result<ResponseValue<types::TopicProgress>, Error<()>> {
        let url = format!(
            "{}/topic_progress/{}/{}", self.baseurl, encode_path(& user.to_string()),
            encode_path(& topic.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("completed", &completed))
            .query(&progenitor_client::QueryParam::new("course", &course))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_topic_progress",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List progress in topics

Returns one page of topic progress, across learners, topics and courses, and echoes the filters of the request. Follow `next_cursor` while `more` is true to read it all. The order, and whether a topic that was not started is listed, are not documented.

Sends a `GET` request to `/topic_progress`

Arguments:
- `completed`: Only progress with this value of `completed`.
- `course`: Only progress in topics of the course with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `topic`: Only progress in the topic with this id.
- `user`: Only progress of the learner with this id.
*/
    pub async fn list_topic_progress<'a>(
        &'a self,
        completed: Option<bool>,
        course: Option<&'a crate::ids::CourseId>,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        topic: Option<&'a crate::ids::TopicId>,
        user: Option<&'a crate::ids::LearnerId>,
    ) -> Result<ResponseValue<types::TopicProgressList>, Error<()>> {
        let url = format!("{}/topic_progress", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("completed", &completed))
            .query(&progenitor_client::QueryParam::new("course", &course))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("topic", &topic))
            .query(&progenitor_client::QueryParam::new("user", &user))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_topic_progress",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a learner's progress in a course

Returns whether one learner has completed one course, and whether the learner is overdue. The response has flags and no percentage. The response for a learner who is not enrolled is not documented.

Sends a `GET` request to `/course_progress/{course}/{user}`

Arguments:
- `course`: Id of the course. It precedes the learner here, unlike in topic progress.
- `user`: Id of the learner.
*/
    pub async fn get_course_progress<'a>(
        &'a self,
        course: &'a str,
        user: &'a str,
    ) -> Result<ResponseValue<types::CourseProgress>, Error<()>> {
        let url = format!(
            "{}/course_progress/{}/{}", self.baseurl, encode_path(& course.to_string()),
            encode_path(& user.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_course_progress",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List course completions

Returns one page of the history of completed courses. Follow `next_cursor` while `more` is true to read it all. Unlike the other paginated lists, it has no count and no echoed filters. The order is not documented, so the newest entry may be the first or the last.

Sends a `GET` request to `/course_completions`

Arguments:
- `course`: Only completions of the course with this id.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `user`: Only completions of the learner with this id.
*/
    pub async fn list_course_completions<'a>(
        &'a self,
        course: Option<&'a crate::ids::CourseId>,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        user: Option<&'a crate::ids::LearnerId>,
    ) -> Result<ResponseValue<types::CourseCompletionsResponse>, Error<()>> {
        let url = format!("{}/course_completions", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("course", &course))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("user", &user))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_course_completions",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a custom field

Returns the definition of one custom field. The value that a learner has for it is a record: see `getActiveRecord`. The response for an unknown id is not documented.

Sends a `GET` request to `/user_fields/{id}`

Arguments:
- `id`: Id of the custom field.
*/
    pub async fn get_user_field<'a>(
        &'a self,
        id: &'a str,
    ) -> Result<ResponseValue<types::UserField>, Error<()>> {
        let url = format!(
            "{}/user_fields/{}", self.baseurl, encode_path(& id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_user_field",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List custom fields

Returns one page of the tenant's custom fields. Follow `next_cursor` while `more` is true to read them all. Custom fields have no `archived` or `published` flag and the response does not echo the two filters, so their effect cannot be observed. The order is not documented.

Sends a `GET` request to `/user_fields`

Arguments:
- `archived`: Filters by whether the field is archived. The effect is not documented.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
- `published`: Filters by whether the field is published. The effect is not documented.
*/
    pub async fn list_user_fields<'a>(
        &'a self,
        archived: Option<bool>,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
        published: Option<bool>,
    ) -> Result<ResponseValue<types::UserFieldList>, Error<()>> {
        let url = format!("{}/user_fields", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("archived", &archived))
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("published", &published))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_user_fields",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List a learner's custom field permissions

Returns one page of what one learner may see and edit of the custom fields, and echoes the learner. Follow `next_cursor` while `more` is true to read them all. Whether a field without a permission of its own is listed, and the order, are not documented.

Sends a `GET` request to `/users/{user}/user_field_permissions`

Arguments:
- `user`: Id of the learner.
- `cursor`: The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and belongs to one set of filters and one order.
- `limit`: Number of items on a page. The default and the maximum are not documented.
*/
    pub async fn list_user_field_permissions<'a>(
        &'a self,
        user: &'a str,
        cursor: Option<&'a str>,
        limit: Option<&'a crate::wire::Int64>,
    ) -> Result<ResponseValue<types::UserFieldPermissionList>, Error<()>> {
        let url = format!(
            "{}/users/{}/user_field_permissions", self.baseurl, encode_path(& user
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("cursor", &cursor))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_user_field_permissions",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get a learner's record for a custom field

Returns the record with the current value of a custom field for a learner. Which record is the active one, and the response when the learner has none, are not documented. Check `has_value` before using `value`.

Sends a `GET` request to `/users/{user}/user_fields/{user_field}/record`

Arguments:
- `user`: Id of the learner.
- `user_field`: Id of the custom field.
*/
    pub async fn get_active_record<'a>(
        &'a self,
        user: &'a str,
        user_field: &'a str,
    ) -> Result<ResponseValue<types::Record>, Error<()>> {
        let url = format!(
            "{}/users/{}/user_fields/{}/record", self.baseurl, encode_path(& user
            .to_string()), encode_path(& user_field.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_active_record",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List sign-up pages

Returns all sign-up pages of the tenant in one response, without filters and without pagination.

Sends a `GET` request to `/signup_pages`

*/
    pub async fn list_signup_pages<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::SignupPageList>, Error<()>> {
        let url = format!("{}/signup_pages", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_signup_pages",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List profiles

Returns all profiles of the tenant in one response, without filters and without pagination. `addLearner` takes profiles; whether by id or by name is not documented.

Sends a `GET` request to `/profiles`

*/
    pub async fn list_profiles<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::ProfileList>, Error<()>> {
        let url = format!("{}/profiles", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_profiles",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List tags

Returns all tags of the tenant in one response, without filters and without pagination. Whether other operations take the id or the name of a tag is not documented.

Sends a `GET` request to `/tags`

*/
    pub async fn list_tags<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::TagList>, Error<()>> {
        let url = format!("{}/tags", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_tags",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get an access token

Exchanges the client id and client secret, with `client_credentials` as the `grant_type`, for an access token. The tenant issues both when the integration is installed. The request is sent without an access token. `expires_in` is the lifetime of the token in seconds, as text or as a JSON number.

Sends a `POST` request to `/oauth/token`

*/
    pub async fn get_token<'a>(
        &'a self,
        body: &'a types::TokenRequest,
    ) -> Result<ResponseValue<types::TokenResponse>, Error<()>> {
        let url = format!("{}/oauth/token", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_token",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Check the access token

Returns the tenant that the access token belongs to. Use it to check that authorization works. It changes nothing.

Sends a `GET` request to `/oauth/me`

*/
    pub async fn me<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::MeResponse>, Error<()>> {
        let url = format!("{}/oauth/me", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "me",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Check the connection

Returns the `tid` of the tenant without authorization. Use it to check that requests reach the server before any credentials are involved.

Sends a `GET` request to `/test`

*/
    pub async fn test<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::TestResponse>, Error<()>> {
        let url = format!("{}/test", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "test",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200..=299 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
}
/// Items consumers will typically use such as the Client.
pub mod prelude {
    #[allow(unused_imports)]
    pub use super::Client;
}
