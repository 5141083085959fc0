// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

use lms_ext::{Call as _, CallFuture, Lms, Response};
use super::{
    Collection, CollectionSource, Column, ColumnKind, ForEach,
    raw::{Listing, RawItem, RawObject, raw_list, raw_pages},
};
/// All collections, in the order of the document.
pub(crate) static COLLECTIONS: &[Collection] = &[
    Collection {
        name: "courses",
        description: "A course, in a response and as the body of an edit. The service explains few of the fields and does not say which of them are writable.",
        operation: "list_courses",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: Some("get_course"),
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the course.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the course.",
            },
            Column {
                name: "description",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Text about the course.",
            },
            Column {
                name: "creator",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who created the course.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the course was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the course was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "archived",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course is archived.",
            },
            Column {
                name: "published",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course is published.",
            },
            Column {
                name: "locked",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course is locked.",
            },
            Column {
                name: "display_priority",
                kind: ColumnKind::Float,
                nullable: true,
                description: "Number that orders courses for display. Whether high or low numbers come first is not documented.",
            },
            Column {
                name: "suggested_duration",
                kind: ColumnKind::Text,
                nullable: true,
                description: "How long the course should take. Its format and its unit are not documented.",
            },
            Column {
                name: "permalink",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Permanent link to the course.",
            },
            Column {
                name: "has_cover_art",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course has cover art.",
            },
            Column {
                name: "cover_art_url",
                kind: ColumnKind::Text,
                nullable: true,
                description: "URL of the cover art.",
            },
            Column {
                name: "thumbnail_url",
                kind: ColumnKind::Text,
                nullable: true,
                description: "URL of the thumbnail.",
            },
            Column {
                name: "show_details",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "track_progress",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "enable_progression",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "is_graded",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course is graded.",
            },
            Column {
                name: "pass_mark_type",
                kind: ColumnKind::Text,
                nullable: true,
                description: "How `pass_mark` is interpreted. Its values are not documented.",
            },
            Column {
                name: "pass_mark",
                kind: ColumnKind::Integer,
                nullable: true,
                description: "Mark required to pass.",
            },
            Column {
                name: "show_grade_learner",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner is shown the grade.",
            },
            Column {
                name: "show_grade_certificate",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the certificate shows the grade.",
            },
            Column {
                name: "disable_certificates",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course issues no certificates.",
            },
            Column {
                name: "submission_notifications",
                kind: ColumnKind::Text,
                nullable: true,
                description: "",
            },
            Column {
                name: "completion_notifications",
                kind: ColumnKind::Text,
                nullable: true,
                description: "",
            },
            Column {
                name: "user_version",
                kind: ColumnKind::Integer,
                nullable: true,
                description: "",
            },
            Column {
                name: "renewal_type",
                kind: ColumnKind::Text,
                nullable: true,
                description: "How the course is renewed. Its values are not documented.",
            },
            Column {
                name: "renewal_date",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the course is renewed, as text. The format is not documented.",
            },
            Column {
                name: "renewal_date_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`renewal_date` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "renewal_days",
                kind: ColumnKind::Integer,
                nullable: true,
                description: "Number of days until the renewal.",
            },
            Column {
                name: "renewal_repeat",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the renewal repeats.",
            },
            Column {
                name: "auto_due_type",
                kind: ColumnKind::Text,
                nullable: true,
                description: "How the due date is set. The only known value is `none`; there may be others.",
            },
            Column {
                name: "auto_due_seconds",
                kind: ColumnKind::Integer,
                nullable: true,
                description: "Number of seconds until the due date.",
            },
            Column {
                name: "auto_due_date",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "The due date. Unlike the other times of a course, it is documented as an ISO 8601 timestamp.",
            },
            Column {
                name: "auto_due_date_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`auto_due_date` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column::EXTRA,
        ],
        filters: &["archived", "published"],
        partitions: &[],
        limit: true,
        counted: true,
    },
    Collection {
        name: "topics",
        description: "One part of a course.",
        operation: "list_topics",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: Some("get_topic"),
        references: &[("course", "courses")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the topic.",
            },
            Column {
                name: "kind",
                kind: ColumnKind::Text,
                nullable: true,
                description: "What kind of topic it is. Its values are not documented.",
            },
            Column {
                name: "course",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the course the topic belongs to.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the topic was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the topic was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the topic.",
            },
            Column {
                name: "published",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the topic is published.",
            },
            Column {
                name: "hide_heading",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the heading of the topic is hidden.",
            },
            Column {
                name: "locked",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the topic is locked.",
            },
            Column {
                name: "require_confirmation",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Presumably whether a learner's completion of the topic must be confirmed.",
            },
            Column::EXTRA,
        ],
        filters: &["course", "kind", "published"],
        partitions: &[
            ForEach {
                collection: "courses",
                values: &[("course", "id")],
            },
        ],
        limit: true,
        counted: true,
    },
    Collection {
        name: "learners",
        description: "A learner, which is a user account. The schema has a `password`, so a response may contain one: do not log learners.",
        operation: "list_learners",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: Some("get_learner_by_id"),
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the learner. Other resources call it `user`.",
            },
            Column {
                name: "username",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name the learner logs in with.",
            },
            Column {
                name: "firstname",
                kind: ColumnKind::Text,
                nullable: true,
                description: "First name.",
            },
            Column {
                name: "surname",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Surname.",
            },
            Column {
                name: "email",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Email address.",
            },
            Column {
                name: "phone_number",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Telephone number. Its format is not documented.",
            },
            Column {
                name: "image",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Picture of the learner. Whether this is a URL or an id is not documented.",
            },
            Column {
                name: "notes",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Notes about the learner.",
            },
            Column {
                name: "sso_id",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the learner with a single sign-on provider.",
            },
            Column {
                name: "signup_page",
                kind: ColumnKind::Text,
                nullable: true,
                description: "The sign-up page that the learner registered through.",
            },
            Column {
                name: "tags",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Tags of the learner. Whether they are ids or names is not documented.",
            },
            Column {
                name: "archived",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner is archived.",
            },
            Column {
                name: "deleted",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner is deleted.",
            },
            Column {
                name: "is_admin",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the account is an administrator.",
            },
            Column {
                name: "is_learner",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the account is a learner.",
            },
            Column {
                name: "created_by",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who created the account.",
            },
            Column {
                name: "creator_kind",
                kind: ColumnKind::Text,
                nullable: true,
                description: "What kind of creator `created_by` is. Its values are not documented.",
            },
            Column {
                name: "create_type",
                kind: ColumnKind::Text,
                nullable: true,
                description: "How the account was created. Its values are not documented.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the account was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "updated",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the account was last changed, as text. The format is not documented.",
            },
            Column {
                name: "updated_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`updated` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "last_logged_in",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the learner last logged in, as text. The format is not documented.",
            },
            Column {
                name: "last_logged_in_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`last_logged_in` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column::EXTRA,
        ],
        filters: &["signup_page", "username", "email", "tags"],
        partitions: &[
            ForEach {
                collection: "signup_pages",
                values: &[("signup_page", "id")],
            },
        ],
        limit: true,
        counted: true,
    },
    Collection {
        name: "enrolments",
        description: "The enrolment of one learner in one course.",
        operation: "list_enrolments",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[("course", "courses"), ("user", "learners")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the enrolment. No operation takes it: an enrolment is deleted by its learner and its course.",
            },
            Column {
                name: "course",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the course.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the learner.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the learner was enrolled, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column::EXTRA,
        ],
        filters: &["course", "user"],
        partitions: &[
            ForEach {
                collection: "courses",
                values: &[("course", "id")],
            },
        ],
        limit: true,
        counted: true,
    },
    Collection {
        name: "topic_progress",
        description: "The progress of one learner in one topic: whether it is completed and confirmed, when, and by whom.",
        operation: "list_topic_progress",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[("user", "learners"), ("topic", "topics"), ("course", "courses")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the progress.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the learner.",
            },
            Column {
                name: "topic",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the topic.",
            },
            Column {
                name: "course",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the course the topic belongs to.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the progress was first recorded, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the progress last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "completed_on",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the topic was completed, as text. The format is not documented.",
            },
            Column {
                name: "completed_on_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`completed_on` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "completed_by",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who marked the topic as completed.",
            },
            Column {
                name: "confirmed_on",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the completion was confirmed, as text. The format is not documented.",
            },
            Column {
                name: "confirmed_on_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`confirmed_on` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "confirmed_by",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who confirmed the completion.",
            },
            Column {
                name: "completed",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the topic is completed.",
            },
            Column {
                name: "confirmed",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the completion is confirmed.",
            },
            Column::EXTRA,
        ],
        filters: &["user", "topic", "course", "completed"],
        partitions: &[
            ForEach {
                collection: "topics",
                values: &[("topic", "id")],
            },
            ForEach {
                collection: "courses",
                values: &[("course", "id")],
            },
        ],
        limit: true,
        counted: true,
    },
    Collection {
        name: "course_progress",
        description: "The progress of one learner in one course.",
        operation: "get_course_progress",
        source: CollectionSource::Object,
        path_parameters: &["course", "user"],
        for_each: &[
            ForEach {
                collection: "enrolments",
                values: &[("course", "course"), ("user", "user")],
            },
        ],
        key: &["course", "user"],
        by_id: Some("get_course_progress"),
        references: &[("user", "learners"), ("course", "courses")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the progress.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the learner.",
            },
            Column {
                name: "course",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the course.",
            },
            Column {
                name: "completed_on",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the course was completed, as text. The format is not documented.",
            },
            Column {
                name: "completed_on_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`completed_on` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "completed",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the course is completed.",
            },
            Column {
                name: "processed",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "The meaning is not documented.",
            },
            Column {
                name: "overdue",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner is overdue.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: false,
        counted: false,
    },
    Collection {
        name: "course_completions",
        description: "One entry of the completion history: a learner completed a course.",
        operation: "list_course_completions",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[("course", "courses"), ("user", "learners")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the completion.",
            },
            Column {
                name: "course",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the course.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the learner.",
            },
            Column {
                name: "happened",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the course was completed, as an ISO 8601 timestamp.",
            },
            Column {
                name: "happened_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`happened` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column::EXTRA,
        ],
        filters: &["course", "user"],
        partitions: &[],
        limit: true,
        counted: false,
    },
    Collection {
        name: "user_fields",
        description: "The definition of a custom field, which the tenant added to its learners.",
        operation: "list_user_fields",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: Some("get_user_field"),
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the custom field.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the custom field.",
            },
            Column {
                name: "description",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Text about the custom field.",
            },
            Column {
                name: "kind",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Kind of the field's value. The kinds are not documented.",
            },
            Column {
                name: "default",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Default value of the field.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the field was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the field was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "required",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the field must have a value.",
            },
            Column {
                name: "user_visible",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner sees the field.",
            },
            Column {
                name: "user_editable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner can edit the field.",
            },
            Column {
                name: "disable_notifications",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether no notifications are sent about the field.",
            },
            Column {
                name: "indexed",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the field is indexed.",
            },
            Column {
                name: "not_applicable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the field does not apply.",
            },
            Column {
                name: "resource",
                kind: ColumnKind::Json,
                nullable: true,
                description: "A resource that a custom field refers to.",
            },
            Column::EXTRA,
        ],
        filters: &["archived", "published"],
        partitions: &[],
        limit: true,
        counted: true,
    },
    Collection {
        name: "user_field_permissions",
        description: "What one learner may do with one custom field.",
        operation: "list_user_field_permissions",
        source: CollectionSource::List,
        path_parameters: &["user"],
        for_each: &[
            ForEach {
                collection: "learners",
                values: &[("user", "id")],
            },
        ],
        key: &["user_field", "user"],
        by_id: None,
        references: &[("user_field", "user_fields"), ("user", "learners")],
        columns: &[
            Column {
                name: "user_field",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the custom field.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the learner.",
            },
            Column {
                name: "not_applicable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the field does not apply to the learner.",
            },
            Column {
                name: "user_visible",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner sees the field.",
            },
            Column {
                name: "user_editable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner can edit the field.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: true,
        counted: true,
    },
    Collection {
        name: "records",
        description: "A learner's value for a custom field: plain text, or an achievement with a date, a cost and files. The service explains none of the flags.",
        operation: "get_active_record",
        source: CollectionSource::Object,
        path_parameters: &["user", "user_field"],
        for_each: &[
            ForEach {
                collection: "learners",
                values: &[("user", "id")],
            },
            ForEach {
                collection: "user_fields",
                values: &[("user_field", "id")],
            },
        ],
        key: &["user", "user_field"],
        by_id: Some("get_active_record"),
        references: &[("user", "learners"), ("user_field", "user_fields")],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Id of the record.",
            },
            Column {
                name: "user",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the learner.",
            },
            Column {
                name: "user_field",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the custom field.",
            },
            Column {
                name: "value",
                kind: ColumnKind::Text,
                nullable: true,
                description: "The value, as text for every kind of field.",
            },
            Column {
                name: "reference",
                kind: ColumnKind::Text,
                nullable: true,
                description: "",
            },
            Column {
                name: "cost",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Cost, as text. Its format and currency are not documented.",
            },
            Column {
                name: "notes",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Notes about the record.",
            },
            Column {
                name: "training_provider",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Provider of the training.",
            },
            Column {
                name: "payment_date",
                kind: ColumnKind::Text,
                nullable: true,
                description: "When it was paid, as text. The format is not documented.",
            },
            Column {
                name: "achieved_on",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When it was achieved, as text. The format is not documented.",
            },
            Column {
                name: "achieved_on_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`achieved_on` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "expires_on",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When it expires, as text. The format is not documented.",
            },
            Column {
                name: "expires_on_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`expires_on` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the record was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the record was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "created_by",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who created the record.",
            },
            Column {
                name: "modified_by",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Who last changed the record.",
            },
            Column {
                name: "filename",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the file.",
            },
            Column {
                name: "content_type",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Media type of the file.",
            },
            Column {
                name: "blob_key",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Key of the stored file. No operation takes it.",
            },
            Column {
                name: "file_size",
                kind: ColumnKind::Integer,
                nullable: true,
                description: "Size of the file, presumably in bytes.",
            },
            Column {
                name: "user_visible",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner sees the record.",
            },
            Column {
                name: "user_editable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the learner can edit the record.",
            },
            Column {
                name: "not_applicable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the field does not apply to the learner.",
            },
            Column {
                name: "has_value",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether there is a value.",
            },
            Column {
                name: "achievable",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "valid",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "upcoming",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "expires",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the record expires.",
            },
            Column {
                name: "expired",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "Whether the record has expired.",
            },
            Column {
                name: "active",
                kind: ColumnKind::Boolean,
                nullable: true,
                description: "",
            },
            Column {
                name: "attachments",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Files that belong to the record.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: false,
        counted: false,
    },
    Collection {
        name: "signup_pages",
        description: "A page where people register themselves as learners.",
        operation: "list_signup_pages",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the sign-up page.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the sign-up page.",
            },
            Column {
                name: "page_title",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Title shown on the page.",
            },
            Column {
                name: "page_description",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Text shown on the page.",
            },
            Column {
                name: "url",
                kind: ColumnKind::Text,
                nullable: true,
                description: "URL of the page.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the page was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the page was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "tags",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Tags of the page. A learner who registers there presumably gets them.",
            },
            Column {
                name: "courses",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Courses of the page. A learner who registers there is presumably enrolled in them.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: false,
        counted: false,
    },
    Collection {
        name: "profiles",
        description: "A set of tags, courses and custom field permissions that is assigned to a learner in one step.",
        operation: "list_profiles",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the profile.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the profile.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the profile was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the profile was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "tags",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Tags that the learner gets.",
            },
            Column {
                name: "courses",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Courses that the learner is enrolled in.",
            },
            Column {
                name: "permissions",
                kind: ColumnKind::Json,
                nullable: true,
                description: "Custom field permissions that the learner gets.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: false,
        counted: false,
    },
    Collection {
        name: "tags",
        description: "A tag that groups learners.",
        operation: "list_tags",
        source: CollectionSource::List,
        path_parameters: &[],
        for_each: &[],
        key: &["id"],
        by_id: None,
        references: &[],
        columns: &[
            Column {
                name: "id",
                kind: ColumnKind::Text,
                nullable: false,
                description: "Id of the tag.",
            },
            Column {
                name: "color",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Colour of the tag. Its format is not documented.",
            },
            Column {
                name: "created",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the tag was created, as text. The format is not documented.",
            },
            Column {
                name: "created_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`created` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "modified",
                kind: ColumnKind::Timestamp,
                nullable: true,
                description: "When the tag was last changed, as text. The format is not documented.",
            },
            Column {
                name: "modified_utc",
                kind: ColumnKind::Utc,
                nullable: true,
                description: "`modified` in UTC; null when it has no zone or is not a timestamp.",
            },
            Column {
                name: "name",
                kind: ColumnKind::Text,
                nullable: true,
                description: "Name of the tag.",
            },
            Column::EXTRA,
        ],
        filters: &[],
        partitions: &[],
        limit: false,
        counted: false,
    },
];
/// The names of all collections, as constants, so that a misspelt name does not compile.
pub mod collections {
    /// Read by `list_courses`.
    pub const COURSES: &str = "courses";
    /// Read by `list_topics`.
    pub const TOPICS: &str = "topics";
    /// Read by `list_learners`.
    pub const LEARNERS: &str = "learners";
    /// Read by `list_enrolments`.
    pub const ENROLMENTS: &str = "enrolments";
    /// Read by `list_topic_progress`.
    pub const TOPIC_PROGRESS: &str = "topic_progress";
    /// Read by `get_course_progress`.
    pub const COURSE_PROGRESS: &str = "course_progress";
    /// Read by `list_course_completions`.
    pub const COURSE_COMPLETIONS: &str = "course_completions";
    /// Read by `list_user_fields`.
    pub const USER_FIELDS: &str = "user_fields";
    /// Read by `list_user_field_permissions`.
    pub const USER_FIELD_PERMISSIONS: &str = "user_field_permissions";
    /// Read by `get_active_record`.
    pub const RECORDS: &str = "records";
    /// Read by `list_signup_pages`.
    pub const SIGNUP_PAGES: &str = "signup_pages";
    /// Read by `list_profiles`.
    pub const PROFILES: &str = "profiles";
    /// Read by `list_tags`.
    pub const TAGS: &str = "tags";
}
/// A list by its operation. `path` has the path parameters, in the order of the path.
pub(crate) fn listing(operation: &str, path: &[&str]) -> Option<Listing> {
    match (operation, path) {
        ("list_courses", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_courses(), query))
        }
        ("list_topics", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_topics(), query))
        }
        ("list_learners", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_learners(), query))
        }
        ("list_enrolments", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_enrolments(), query))
        }
        ("list_topic_progress", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_topic_progress(), query))
        }
        ("list_course_completions", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_course_completions(), query))
        }
        ("list_user_fields", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_user_fields(), query))
        }
        ("list_user_field_permissions", [user]) => {
            let user = (*user).to_owned();
            raw_list(move |lms, query| raw_pages(
                lms.list_user_field_permissions(user.as_str()),
                query,
            ))
        }
        ("list_signup_pages", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_signup_pages(), query))
        }
        ("list_profiles", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_profiles(), query))
        }
        ("list_tags", []) => {
            raw_list(move |lms, query| raw_pages(lms.list_tags(), query))
        }
        _ => None,
    }
}
/// The call that returns one row. `path` has the path parameters, in the order of the path.
pub(crate) fn call(
    lms: &Lms,
    operation: &str,
    path: &[&str],
) -> Option<CallFuture<Response<RawItem>>> {
    match (operation, path) {
        ("get_course", [id]) => Some(RawObject(lms.get_course(*id)).response()),
        ("get_topic", [id]) => Some(RawObject(lms.get_topic(*id)).response()),
        ("get_learner_by_id", [id]) => {
            Some(RawObject(lms.get_learner_by_id(*id)).response())
        }
        ("get_course_progress", [course, user]) => {
            Some(RawObject(lms.get_course_progress(*course, *user)).response())
        }
        ("get_user_field", [id]) => Some(RawObject(lms.get_user_field(*id)).response()),
        ("get_active_record", [user, user_field]) => {
            Some(RawObject(lms.get_active_record(*user, *user_field)).response())
        }
        _ => None,
    }
}
