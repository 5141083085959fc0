//! The response schemas of the service, field by field.
//!
//! They are used to write rows of the database, composed objects and responses changed by faults, and to check the body
//! of a course. Tests check all responses against them.

use super::id::Kind;

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A string that is an id of this kind.
    Id(Kind),
    /// A string.
    Text,
    /// A string that is a timestamp.
    Time,
    /// A boolean.
    Flag,
    /// An integer that is written as a string.
    Int64,
    /// A number.
    Number,
    /// An array of strings.
    Texts,
    /// An object.
    One(&'static Schema),
    /// An array of objects.
    Many(&'static Schema),
}

/// The fields of one kind of object.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The fields, in the order in which they are written.
    pub(crate) fields: &'static [(&'static str, Shape)],
}

impl Schema {
    /// The type of a field; `None` if there is no such field.
    pub(crate) fn field(&self, name: &str) -> Option<Shape> {
        self.fields
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, shape)| *shape)
    }
}

use Kind::{
    Completion, Course, Duplication, Enrolment, Learner, Profile, Record, SignupPage, Tag, Topic,
    UserField,
};
use Shape::{Flag, Id, Int64, Many, Number, One, Text, Texts, Time};

macro_rules! schemas {
    ($($const:ident $name:literal { $($field:ident: $shape:expr),* $(,)? })*) => {
        $(#[doc = $name]
        pub(crate) static $const: Schema = Schema { fields: &[$((stringify!($field), $shape)),*] };)*
    };
}

schemas! {
    COURSE "Course" {
        id: Text, name: Text, description: Text, creator: Text, created: Time, modified: Time, archived: Flag,
        published: Flag, locked: Flag, display_priority: Number, suggested_duration: Text, permalink: Text,
        has_cover_art: Flag, cover_art_url: Text, thumbnail_url: Text, show_details: Flag, track_progress: Flag,
        enable_progression: Flag, is_graded: Flag, pass_mark_type: Text, pass_mark: Int64,
        show_grade_learner: Flag, show_grade_certificate: Flag, disable_certificates: Flag,
        submission_notifications: Text, completion_notifications: Text, user_version: Int64, renewal_type: Text,
        renewal_date: Time, renewal_days: Int64, renewal_repeat: Flag, auto_due_type: Text,
        auto_due_seconds: Int64, auto_due_date: Time,
    }
    COURSE_LIST "CourseList" {
        archived: Flag, items: Many(&COURSE), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64,
        published: Flag, more: Flag,
    }
    LEARNER "Learner" {
        id: Id(Learner), username: Text, firstname: Text, surname: Text, email: Text, phone_number: Text, image: Text,
        notes: Text, sso_id: Text, signup_page: Id(SignupPage), tags: Texts, archived: Flag, deleted: Flag, is_admin: Flag,
        is_learner: Flag, created_by: Text, creator_kind: Text, create_type: Text, created: Time, updated: Time,
        last_logged_in: Time, password: Text,
    }
    LEARNER_LIST "LearnerList" {
        items: Many(&LEARNER), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64, more: Flag,
        username: Text, email: Text, signup_page: Text, tags: Texts, order_by: Text, order_direction: Text,
    }
    ENROLMENT "Enrolment" { id: Id(Enrolment), course: Id(Course), user: Id(Learner), created: Time }
    ENROLMENT_LIST "EnrolmentList" {
        items: Many(&ENROLMENT), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64, more: Flag,
        course: Text, user: Text,
    }
    TOPIC "Topic" {
        id: Id(Topic), kind: Text, course: Id(Course), created: Time, modified: Time, name: Text, published: Flag,
        hide_heading: Flag, locked: Flag, require_confirmation: Flag,
    }
    TOPIC_LIST "TopicList" {
        items: Many(&TOPIC), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64, more: Flag,
        kind: Text, course: Text, published: Flag,
    }
    TOPIC_PROGRESS "TopicProgress" {
        id: Text, user: Id(Learner), topic: Id(Topic), course: Id(Course), created: Time, modified: Time, completed_on: Time,
        completed_by: Id(Learner), confirmed_on: Time, confirmed_by: Id(Learner), completed: Flag, confirmed: Flag,
    }
    TOPIC_PROGRESS_LIST "TopicProgressList" {
        items: Many(&TOPIC_PROGRESS), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64,
        more: Flag, topic: Text, course: Text, user: Text, completed: Flag,
    }
    COURSE_PROGRESS "CourseProgress" {
        id: Text, user: Id(Learner), course: Id(Course), completed_on: Time, completed: Flag, processed: Flag, overdue: Flag,
    }
    COURSE_COMPLETION "CourseCompletion" { id: Id(Completion), course: Id(Course), user: Id(Learner), happened: Time }
    COURSE_COMPLETIONS "CourseCompletionsResponse" {
        items: Many(&COURSE_COMPLETION), next_cursor: Text, more: Flag,
    }
    DUPLICATE_COURSE "DuplicateCourse" {
        id: Id(Duplication), new_course: Id(Course), old_course: Id(Course), complete: Flag, progress: Int64, stage: Int64,
    }
    USER_FIELD_RESOURCE "UserFieldResource" { kind: Text, name: Text, resource_id: Text }
    USER_FIELD "UserField" {
        id: Id(UserField), name: Text, description: Text, kind: Text, default: Text, created: Time, modified: Time,
        required: Flag, user_visible: Flag, user_editable: Flag, disable_notifications: Flag, indexed: Flag,
        not_applicable: Flag, resource: One(&USER_FIELD_RESOURCE),
    }
    USER_FIELD_LIST "UserFieldList" {
        items: Many(&USER_FIELD), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64, more: Flag,
    }
    PERMISSION "UserFieldPermission" {
        user_field: Id(UserField), user: Id(Learner), not_applicable: Flag, user_visible: Flag, user_editable: Flag,
    }
    PERMISSION_LIST "UserFieldPermissionList" {
        items: Many(&PERMISSION), number_found: Int64, cursor: Text, next_cursor: Text, limit: Int64, user: Text,
        more: Flag,
    }
    RECORD_ATTACHMENT "RecordAttachment" {
        kind: Text, course_name: Text, blob_key: Text, user_log: Text, user_field_file: Text, filename: Text,
        course: Text, content_type: Text, file_size: Int64,
    }
    RECORD "Record" {
        id: Id(Record), user: Id(Learner), user_field: Id(UserField), value: Text, reference: Text, cost: Text, notes: Text,
        training_provider: Text, payment_date: Text, achieved_on: Time, expires_on: Time, created: Time,
        modified: Time, created_by: Text, modified_by: Text, filename: Text, content_type: Text, blob_key: Text,
        file_size: Int64, user_visible: Flag, user_editable: Flag, not_applicable: Flag, has_value: Flag,
        achievable: Flag, valid: Flag, upcoming: Flag, expires: Flag, expired: Flag, active: Flag,
        attachments: Many(&RECORD_ATTACHMENT),
    }
    PROFILE_PERMISSION "ProfilePermission" {
        user_field: Text, not_applicable: Flag, user_editable: Flag, user_visible: Flag,
    }
    PROFILE "Profile" {
        id: Id(Profile), name: Text, created: Time, modified: Time, tags: Texts, courses: Texts,
        permissions: Many(&PROFILE_PERMISSION),
    }
    PROFILE_LIST "ProfileList" { items: Many(&PROFILE) }
    SIGNUP_PAGE "SignupPage" {
        id: Id(SignupPage), name: Text, page_title: Text, page_description: Text, url: Text, created: Time, modified: Time,
        tags: Texts, courses: Texts,
    }
    SIGNUP_PAGE_LIST "SignupPageList" { items: Many(&SIGNUP_PAGE) }
    TAG "Tag" { id: Id(Tag), color: Text, created: Time, modified: Time, name: Text }
    TAG_LIST "TagList" { items: Many(&TAG) }
    TOKEN_RESPONSE "TokenResponse" {
        aud: Text, access_token: Text, token_type: Text, scope: Text, refresh_token: Text, name: Text,
        expires_in: Int64,
    }
    ME_RESPONSE "MeResponse" { tid: Text, domain: Text, aud: Text, name: Text }
    TEST_RESPONSE "TestResponse" { tid: Text }
}
