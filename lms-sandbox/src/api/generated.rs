// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

use super::{id::Kind, schema::{Row, Schema, Shape}};
/// An operation of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    ///`listCourses`: `GET /courses`
    ListCourses,
    ///`addCourse`: `POST /courses`
    AddCourse,
    ///`getCourse`: `GET /courses/{id}`
    GetCourse,
    ///`editCourse`: `PUT /courses/{id}`
    EditCourse,
    ///`deleteCourse`: `DELETE /courses/{id}`
    DeleteCourse,
    ///`addDuplicateCourse`: `POST /duplicate_courses`
    AddDuplicateCourse,
    ///`viewDuplicateCourse`: `GET /duplicate_courses/{id}`
    ViewDuplicateCourse,
    ///`listTopics`: `GET /topics`
    ListTopics,
    ///`getTopic`: `GET /topics/{id}`
    GetTopic,
    ///`listLearners`: `GET /learners`
    ListLearners,
    ///`addLearner`: `POST /learners`
    AddLearner,
    ///`getLearnerByEmail`: `GET /learners/email/{email}`
    GetLearnerByEmail,
    ///`getLearnerById`: `GET /learners/{id}`
    GetLearnerById,
    ///`editLearner`: `PUT /learners/{id}`
    EditLearner,
    ///`deleteLearner`: `DELETE /learners/{id}`
    DeleteLearner,
    ///`listEnrolments`: `GET /enrolments`
    ListEnrolments,
    ///`addEnrolment`: `POST /enrolments`
    AddEnrolment,
    ///`deleteEnrolment`: `DELETE /enrolments`
    DeleteEnrolment,
    ///`getTopicProgress`: `GET /topic_progress/{user}/{topic}`
    GetTopicProgress,
    ///`listTopicProgress`: `GET /topic_progress`
    ListTopicProgress,
    ///`getCourseProgress`: `GET /course_progress/{course}/{user}`
    GetCourseProgress,
    ///`listCourseCompletions`: `GET /course_completions`
    ListCourseCompletions,
    ///`getUserField`: `GET /user_fields/{id}`
    GetUserField,
    ///`listUserFields`: `GET /user_fields`
    ListUserFields,
    ///`listUserFieldPermissions`: `GET /users/{user}/user_field_permissions`
    ListUserFieldPermissions,
    ///`getActiveRecord`: `GET /users/{user}/user_fields/{user_field}/record`
    GetActiveRecord,
    ///`listSignupPages`: `GET /signup_pages`
    ListSignupPages,
    ///`listProfiles`: `GET /profiles`
    ListProfiles,
    ///`listTags`: `GET /tags`
    ListTags,
    ///`getToken`: `POST /oauth/token`
    GetToken,
    ///`me`: `GET /oauth/me`
    Me,
    ///`test`: `GET /test`
    Test,
}
impl Operation {
    /// All operations, in the order of the OpenAPI document.
    pub const ALL: &[Self] = &[
        Self::ListCourses,
        Self::AddCourse,
        Self::GetCourse,
        Self::EditCourse,
        Self::DeleteCourse,
        Self::AddDuplicateCourse,
        Self::ViewDuplicateCourse,
        Self::ListTopics,
        Self::GetTopic,
        Self::ListLearners,
        Self::AddLearner,
        Self::GetLearnerByEmail,
        Self::GetLearnerById,
        Self::EditLearner,
        Self::DeleteLearner,
        Self::ListEnrolments,
        Self::AddEnrolment,
        Self::DeleteEnrolment,
        Self::GetTopicProgress,
        Self::ListTopicProgress,
        Self::GetCourseProgress,
        Self::ListCourseCompletions,
        Self::GetUserField,
        Self::ListUserFields,
        Self::ListUserFieldPermissions,
        Self::GetActiveRecord,
        Self::ListSignupPages,
        Self::ListProfiles,
        Self::ListTags,
        Self::GetToken,
        Self::Me,
        Self::Test,
    ];
}
/// The properties of the operations.
pub(super) static ROWS: &[Row] = &[
    Row {
        id: "listCourses",
        method: "GET",
        path: "/courses",
        query: &["limit", "cursor", "archived", "published"],
        needs_token: true,
        body: None,
        response: Some(&COURSE_LIST),
    },
    Row {
        id: "addCourse",
        method: "POST",
        path: "/courses",
        query: &[],
        needs_token: true,
        body: Some(&ADD_COURSE),
        response: Some(&COURSE),
    },
    Row {
        id: "getCourse",
        method: "GET",
        path: "/courses/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&COURSE),
    },
    Row {
        id: "editCourse",
        method: "PUT",
        path: "/courses/{id}",
        query: &[],
        needs_token: true,
        body: Some(&COURSE),
        response: Some(&COURSE),
    },
    Row {
        id: "deleteCourse",
        method: "DELETE",
        path: "/courses/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: None,
    },
    Row {
        id: "addDuplicateCourse",
        method: "POST",
        path: "/duplicate_courses",
        query: &[],
        needs_token: true,
        body: Some(&ADD_DUPLICATE_COURSE),
        response: Some(&DUPLICATE_COURSE),
    },
    Row {
        id: "viewDuplicateCourse",
        method: "GET",
        path: "/duplicate_courses/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&DUPLICATE_COURSE),
    },
    Row {
        id: "listTopics",
        method: "GET",
        path: "/topics",
        query: &["cursor", "limit", "course", "kind", "published"],
        needs_token: true,
        body: None,
        response: Some(&TOPIC_LIST),
    },
    Row {
        id: "getTopic",
        method: "GET",
        path: "/topics/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&TOPIC),
    },
    Row {
        id: "listLearners",
        method: "GET",
        path: "/learners",
        query: &[
            "cursor",
            "limit",
            "signup_page",
            "username",
            "email",
            "tags",
            "order_by",
            "order_direction",
        ],
        needs_token: true,
        body: None,
        response: Some(&LEARNER_LIST),
    },
    Row {
        id: "addLearner",
        method: "POST",
        path: "/learners",
        query: &[],
        needs_token: true,
        body: Some(&ADD_LEARNER),
        response: Some(&LEARNER),
    },
    Row {
        id: "getLearnerByEmail",
        method: "GET",
        path: "/learners/email/{email}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&LEARNER),
    },
    Row {
        id: "getLearnerById",
        method: "GET",
        path: "/learners/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&LEARNER),
    },
    Row {
        id: "editLearner",
        method: "PUT",
        path: "/learners/{id}",
        query: &[],
        needs_token: true,
        body: Some(&EDIT_LEARNER),
        response: Some(&LEARNER),
    },
    Row {
        id: "deleteLearner",
        method: "DELETE",
        path: "/learners/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: None,
    },
    Row {
        id: "listEnrolments",
        method: "GET",
        path: "/enrolments",
        query: &["limit", "cursor", "course", "user"],
        needs_token: true,
        body: None,
        response: Some(&ENROLMENT_LIST),
    },
    Row {
        id: "addEnrolment",
        method: "POST",
        path: "/enrolments",
        query: &[],
        needs_token: true,
        body: Some(&ADD_ENROLMENT),
        response: Some(&ENROLMENT),
    },
    Row {
        id: "deleteEnrolment",
        method: "DELETE",
        path: "/enrolments",
        query: &["user", "course"],
        needs_token: true,
        body: None,
        response: None,
    },
    Row {
        id: "getTopicProgress",
        method: "GET",
        path: "/topic_progress/{user}/{topic}",
        query: &["course", "completed"],
        needs_token: true,
        body: None,
        response: Some(&TOPIC_PROGRESS),
    },
    Row {
        id: "listTopicProgress",
        method: "GET",
        path: "/topic_progress",
        query: &["cursor", "limit", "user", "topic", "course", "completed"],
        needs_token: true,
        body: None,
        response: Some(&TOPIC_PROGRESS_LIST),
    },
    Row {
        id: "getCourseProgress",
        method: "GET",
        path: "/course_progress/{course}/{user}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&COURSE_PROGRESS),
    },
    Row {
        id: "listCourseCompletions",
        method: "GET",
        path: "/course_completions",
        query: &["course", "user", "cursor", "limit"],
        needs_token: true,
        body: None,
        response: Some(&COURSE_COMPLETIONS_RESPONSE),
    },
    Row {
        id: "getUserField",
        method: "GET",
        path: "/user_fields/{id}",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&USER_FIELD),
    },
    Row {
        id: "listUserFields",
        method: "GET",
        path: "/user_fields",
        query: &["limit", "cursor", "archived", "published"],
        needs_token: true,
        body: None,
        response: Some(&USER_FIELD_LIST),
    },
    Row {
        id: "listUserFieldPermissions",
        method: "GET",
        path: "/users/{user}/user_field_permissions",
        query: &["limit", "cursor"],
        needs_token: true,
        body: None,
        response: Some(&USER_FIELD_PERMISSION_LIST),
    },
    Row {
        id: "getActiveRecord",
        method: "GET",
        path: "/users/{user}/user_fields/{user_field}/record",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&RECORD),
    },
    Row {
        id: "listSignupPages",
        method: "GET",
        path: "/signup_pages",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&SIGNUP_PAGE_LIST),
    },
    Row {
        id: "listProfiles",
        method: "GET",
        path: "/profiles",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&PROFILE_LIST),
    },
    Row {
        id: "listTags",
        method: "GET",
        path: "/tags",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&TAG_LIST),
    },
    Row {
        id: "getToken",
        method: "POST",
        path: "/oauth/token",
        query: &[],
        needs_token: false,
        body: Some(&TOKEN_REQUEST),
        response: Some(&TOKEN_RESPONSE),
    },
    Row {
        id: "me",
        method: "GET",
        path: "/oauth/me",
        query: &[],
        needs_token: true,
        body: None,
        response: Some(&ME_RESPONSE),
    },
    Row {
        id: "test",
        method: "GET",
        path: "/test",
        query: &[],
        needs_token: false,
        body: None,
        response: Some(&TEST_RESPONSE),
    },
];
///`AddCourse`
pub(crate) static ADD_COURSE: Schema = Schema {
    fields: &[
        ("name", Shape::Text),
        ("archived", Shape::Flag),
        ("display_priority", Shape::Number),
        ("cover_art", Shape::Text),
        ("suggested_duration", Shape::Text),
        ("published", Shape::Flag),
        ("description", Shape::Text),
    ],
    required: &["name"],
};
///`AddDuplicateCourse`
pub(crate) static ADD_DUPLICATE_COURSE: Schema = Schema {
    fields: &[
        ("course", Shape::Id(Kind::Course)),
        ("name", Shape::Text),
        ("published", Shape::Flag),
        ("copy_enrolments", Shape::Flag),
        ("copy_responses", Shape::Flag),
    ],
    required: &["course"],
};
///`AddEnrolment`
pub(crate) static ADD_ENROLMENT: Schema = Schema {
    fields: &[
        ("course", Shape::Id(Kind::Course)),
        ("user", Shape::Id(Kind::Learner)),
        ("send_emails", Shape::Flag),
    ],
    required: &["course", "user"],
};
///`AddLearner`
pub(crate) static ADD_LEARNER: Schema = Schema {
    fields: &[
        ("firstname", Shape::Text),
        ("surname", Shape::Text),
        ("email", Shape::Text),
        ("username", Shape::Text),
        ("phone_number", Shape::Text),
        ("sso_id", Shape::Text),
        ("password", Shape::Text),
        ("generate_password", Shape::Flag),
        ("send_email", Shape::Flag),
        ("send_sms", Shape::Flag),
        ("signup_page", Shape::Text),
        ("tags", Shape::Texts),
        ("profiles", Shape::Texts),
        ("courses", Shape::Texts),
    ],
    required: &["firstname", "surname", "email"],
};
///`Course`
pub(crate) static COURSE: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Course)),
        ("name", Shape::Text),
        ("description", Shape::Text),
        ("creator", Shape::Text),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("archived", Shape::Flag),
        ("published", Shape::Flag),
        ("locked", Shape::Flag),
        ("display_priority", Shape::Number),
        ("suggested_duration", Shape::Text),
        ("permalink", Shape::Text),
        ("has_cover_art", Shape::Flag),
        ("cover_art_url", Shape::Text),
        ("thumbnail_url", Shape::Text),
        ("show_details", Shape::Flag),
        ("track_progress", Shape::Flag),
        ("enable_progression", Shape::Flag),
        ("is_graded", Shape::Flag),
        ("pass_mark_type", Shape::Text),
        ("pass_mark", Shape::Int64),
        ("show_grade_learner", Shape::Flag),
        ("show_grade_certificate", Shape::Flag),
        ("disable_certificates", Shape::Flag),
        ("submission_notifications", Shape::Text),
        ("completion_notifications", Shape::Text),
        ("user_version", Shape::Int64),
        ("renewal_type", Shape::Text),
        ("renewal_date", Shape::Time),
        ("renewal_days", Shape::Int64),
        ("renewal_repeat", Shape::Flag),
        ("auto_due_type", Shape::Text),
        ("auto_due_seconds", Shape::Int64),
        ("auto_due_date", Shape::DateTime),
    ],
    required: &[],
};
///`CourseCompletion`
pub(crate) static COURSE_COMPLETION: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::CourseCompletion)),
        ("course", Shape::Id(Kind::Course)),
        ("user", Shape::Id(Kind::Learner)),
        ("happened", Shape::DateTime),
    ],
    required: &[],
};
///`CourseCompletionsResponse`
pub(crate) static COURSE_COMPLETIONS_RESPONSE: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&COURSE_COMPLETION)),
        ("next_cursor", Shape::Text),
        ("more", Shape::Flag),
    ],
    required: &[],
};
///`CourseList`
pub(crate) static COURSE_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&COURSE)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("archived", Shape::Flag),
        ("published", Shape::Flag),
    ],
    required: &[],
};
///`CourseProgress`
pub(crate) static COURSE_PROGRESS: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::CourseProgress)),
        ("user", Shape::Id(Kind::Learner)),
        ("course", Shape::Id(Kind::Course)),
        ("completed_on", Shape::Time),
        ("completed", Shape::Flag),
        ("processed", Shape::Flag),
        ("overdue", Shape::Flag),
    ],
    required: &[],
};
///`DuplicateCourse`
pub(crate) static DUPLICATE_COURSE: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::DuplicateCourse)),
        ("new_course", Shape::Id(Kind::Course)),
        ("old_course", Shape::Id(Kind::Course)),
        ("complete", Shape::Flag),
        ("progress", Shape::Int64),
        ("stage", Shape::Int64),
    ],
    required: &[],
};
///`EditLearner`
pub(crate) static EDIT_LEARNER: Schema = Schema {
    fields: &[
        ("firstname", Shape::Text),
        ("surname", Shape::Text),
        ("email", Shape::Text),
        ("id", Shape::Id(Kind::Learner)),
        ("username", Shape::Text),
        ("phone_number", Shape::Text),
        ("notes", Shape::Text),
        ("tags", Shape::Texts),
        ("password", Shape::Text),
    ],
    required: &["firstname", "surname", "email"],
};
///`Enrolment`
pub(crate) static ENROLMENT: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Enrolment)),
        ("course", Shape::Id(Kind::Course)),
        ("user", Shape::Id(Kind::Learner)),
        ("created", Shape::Time),
    ],
    required: &[],
};
///`EnrolmentList`
pub(crate) static ENROLMENT_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&ENROLMENT)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("course", Shape::Id(Kind::Course)),
        ("user", Shape::Id(Kind::Learner)),
    ],
    required: &[],
};
///`Learner`
pub(crate) static LEARNER: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Learner)),
        ("username", Shape::Text),
        ("firstname", Shape::Text),
        ("surname", Shape::Text),
        ("email", Shape::Text),
        ("phone_number", Shape::Text),
        ("image", Shape::Text),
        ("notes", Shape::Text),
        ("sso_id", Shape::Text),
        ("signup_page", Shape::Text),
        ("tags", Shape::Texts),
        ("archived", Shape::Flag),
        ("deleted", Shape::Flag),
        ("is_admin", Shape::Flag),
        ("is_learner", Shape::Flag),
        ("created_by", Shape::Text),
        ("creator_kind", Shape::Text),
        ("create_type", Shape::Text),
        ("created", Shape::Time),
        ("updated", Shape::Time),
        ("last_logged_in", Shape::Time),
        ("password", Shape::Text),
    ],
    required: &[],
};
///`LearnerList`
pub(crate) static LEARNER_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&LEARNER)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("username", Shape::Text),
        ("email", Shape::Text),
        ("signup_page", Shape::Text),
        ("tags", Shape::Texts),
        ("order_by", Shape::Text),
        ("order_direction", Shape::Text),
    ],
    required: &[],
};
///`MeResponse`
pub(crate) static ME_RESPONSE: Schema = Schema {
    fields: &[
        ("tid", Shape::Text),
        ("domain", Shape::Text),
        ("aud", Shape::Text),
        ("name", Shape::Text),
    ],
    required: &[],
};
///`Profile`
pub(crate) static PROFILE: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Profile)),
        ("name", Shape::Text),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("tags", Shape::Texts),
        ("courses", Shape::Texts),
        ("permissions", Shape::Many(&PROFILE_PERMISSION)),
    ],
    required: &[],
};
///`ProfileList`
pub(crate) static PROFILE_LIST: Schema = Schema {
    fields: &[("items", Shape::Many(&PROFILE))],
    required: &[],
};
///`ProfilePermission`
pub(crate) static PROFILE_PERMISSION: Schema = Schema {
    fields: &[
        ("user_field", Shape::Id(Kind::UserField)),
        ("not_applicable", Shape::Flag),
        ("user_editable", Shape::Flag),
        ("user_visible", Shape::Flag),
    ],
    required: &[],
};
///`Record`
pub(crate) static RECORD: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Record)),
        ("user", Shape::Id(Kind::Learner)),
        ("user_field", Shape::Id(Kind::UserField)),
        ("value", Shape::Text),
        ("reference", Shape::Text),
        ("cost", Shape::Text),
        ("notes", Shape::Text),
        ("training_provider", Shape::Text),
        ("payment_date", Shape::Text),
        ("achieved_on", Shape::Time),
        ("expires_on", Shape::Time),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("created_by", Shape::Text),
        ("modified_by", Shape::Text),
        ("filename", Shape::Text),
        ("content_type", Shape::Text),
        ("blob_key", Shape::Text),
        ("file_size", Shape::Int64),
        ("user_visible", Shape::Flag),
        ("user_editable", Shape::Flag),
        ("not_applicable", Shape::Flag),
        ("has_value", Shape::Flag),
        ("achievable", Shape::Flag),
        ("valid", Shape::Flag),
        ("upcoming", Shape::Flag),
        ("expires", Shape::Flag),
        ("expired", Shape::Flag),
        ("active", Shape::Flag),
        ("attachments", Shape::Many(&RECORD_ATTACHMENT)),
    ],
    required: &[],
};
///`RecordAttachment`
pub(crate) static RECORD_ATTACHMENT: Schema = Schema {
    fields: &[
        ("kind", Shape::Text),
        ("course_name", Shape::Text),
        ("blob_key", Shape::Text),
        ("user_log", Shape::Text),
        ("user_field_file", Shape::Text),
        ("filename", Shape::Text),
        ("course", Shape::Id(Kind::Course)),
        ("content_type", Shape::Text),
        ("file_size", Shape::Int64),
    ],
    required: &[],
};
///`SignupPage`
pub(crate) static SIGNUP_PAGE: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::SignupPage)),
        ("name", Shape::Text),
        ("page_title", Shape::Text),
        ("page_description", Shape::Text),
        ("url", Shape::Text),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("tags", Shape::Texts),
        ("courses", Shape::Texts),
    ],
    required: &[],
};
///`SignupPageList`
pub(crate) static SIGNUP_PAGE_LIST: Schema = Schema {
    fields: &[("items", Shape::Many(&SIGNUP_PAGE))],
    required: &[],
};
///`Tag`
pub(crate) static TAG: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Tag)),
        ("color", Shape::Text),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("name", Shape::Text),
    ],
    required: &["name"],
};
///`TagList`
pub(crate) static TAG_LIST: Schema = Schema {
    fields: &[("items", Shape::Many(&TAG))],
    required: &[],
};
///`TestResponse`
pub(crate) static TEST_RESPONSE: Schema = Schema {
    fields: &[("tid", Shape::Text)],
    required: &[],
};
///`TokenRequest`
pub(crate) static TOKEN_REQUEST: Schema = Schema {
    fields: &[
        ("code", Shape::Text),
        ("audience", Shape::Text),
        ("redirect_uri", Shape::Text),
        ("client_secret", Shape::Text),
        ("grant_type", Shape::Text),
        ("refresh_token", Shape::Text),
        ("client_id", Shape::Int64),
    ],
    required: &[],
};
///`TokenResponse`
pub(crate) static TOKEN_RESPONSE: Schema = Schema {
    fields: &[
        ("aud", Shape::Text),
        ("access_token", Shape::Text),
        ("token_type", Shape::Text),
        ("scope", Shape::Text),
        ("refresh_token", Shape::Text),
        ("name", Shape::Text),
        ("expires_in", Shape::Int64),
    ],
    required: &[],
};
///`Topic`
pub(crate) static TOPIC: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::Topic)),
        ("kind", Shape::Text),
        ("course", Shape::Id(Kind::Course)),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("name", Shape::Text),
        ("published", Shape::Flag),
        ("hide_heading", Shape::Flag),
        ("locked", Shape::Flag),
        ("require_confirmation", Shape::Flag),
    ],
    required: &["name", "published"],
};
///`TopicList`
pub(crate) static TOPIC_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&TOPIC)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("kind", Shape::Text),
        ("course", Shape::Id(Kind::Course)),
        ("published", Shape::Flag),
    ],
    required: &[],
};
///`TopicProgress`
pub(crate) static TOPIC_PROGRESS: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::TopicProgress)),
        ("user", Shape::Id(Kind::Learner)),
        ("topic", Shape::Id(Kind::Topic)),
        ("course", Shape::Id(Kind::Course)),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("completed_on", Shape::Time),
        ("completed_by", Shape::Text),
        ("confirmed_on", Shape::Time),
        ("confirmed_by", Shape::Text),
        ("completed", Shape::Flag),
        ("confirmed", Shape::Flag),
    ],
    required: &[],
};
///`TopicProgressList`
pub(crate) static TOPIC_PROGRESS_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&TOPIC_PROGRESS)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("topic", Shape::Id(Kind::Topic)),
        ("course", Shape::Id(Kind::Course)),
        ("user", Shape::Id(Kind::Learner)),
        ("completed", Shape::Flag),
    ],
    required: &[],
};
///`UserField`
pub(crate) static USER_FIELD: Schema = Schema {
    fields: &[
        ("id", Shape::Id(Kind::UserField)),
        ("name", Shape::Text),
        ("description", Shape::Text),
        ("kind", Shape::Text),
        ("default", Shape::Text),
        ("created", Shape::Time),
        ("modified", Shape::Time),
        ("required", Shape::Flag),
        ("user_visible", Shape::Flag),
        ("user_editable", Shape::Flag),
        ("disable_notifications", Shape::Flag),
        ("indexed", Shape::Flag),
        ("not_applicable", Shape::Flag),
        ("resource", Shape::One(&USER_FIELD_RESOURCE)),
    ],
    required: &[],
};
///`UserFieldList`
pub(crate) static USER_FIELD_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&USER_FIELD)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
    ],
    required: &[],
};
///`UserFieldPermission`
pub(crate) static USER_FIELD_PERMISSION: Schema = Schema {
    fields: &[
        ("user_field", Shape::Id(Kind::UserField)),
        ("user", Shape::Id(Kind::Learner)),
        ("not_applicable", Shape::Flag),
        ("user_visible", Shape::Flag),
        ("user_editable", Shape::Flag),
    ],
    required: &[],
};
///`UserFieldPermissionList`
pub(crate) static USER_FIELD_PERMISSION_LIST: Schema = Schema {
    fields: &[
        ("items", Shape::Many(&USER_FIELD_PERMISSION)),
        ("number_found", Shape::Int64),
        ("cursor", Shape::Text),
        ("next_cursor", Shape::Text),
        ("limit", Shape::Int64),
        ("more", Shape::Flag),
        ("user", Shape::Id(Kind::Learner)),
    ],
    required: &[],
};
///`UserFieldResource`
pub(crate) static USER_FIELD_RESOURCE: Schema = Schema {
    fields: &[
        ("kind", Shape::Text),
        ("name", Shape::Text),
        ("resource_id", Shape::Text),
    ],
    required: &[],
};
