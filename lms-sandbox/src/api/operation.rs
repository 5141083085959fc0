//! The table of the service's operations.
//!
//! The router is generated from it; the journal and the fault plan name operations by it.

use axum::http::Method;

use super::schema::{self, Schema};

macro_rules! operations {
    ($($variant:ident $id:literal $method:ident $path:literal -> $schema:expr;)*) => {
        /// An operation of the service.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(#[doc = concat!("`", $id, "`: `", stringify!($method), " ", $path, "`")] $variant,)*
        }

        impl Operation {
            /// All operations, in the order of the OpenAPI document.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The operation's id, such as `listLearners`.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The HTTP method.
            pub fn method(self) -> Method {
                match self { $(Self::$variant => Method::$method,)* }
            }

            /// The path below `/api/v1`, with parameters in braces.
            pub fn path(self) -> &'static str {
                match self { $(Self::$variant => $path,)* }
            }

            /// The schema of the 200 response; `None` if it has no body.
            pub(crate) fn response(self) -> Option<&'static Schema> {
                match self { $(Self::$variant => $schema,)* }
            }
        }
    };
}

operations! {
    AddCourse "addCourse" POST "/courses" -> Some(&schema::COURSE);
    ListCourses "listCourses" GET "/courses" -> Some(&schema::COURSE_LIST);
    GetCourse "getCourse" GET "/courses/{id}" -> Some(&schema::COURSE);
    EditCourse "editCourse" PUT "/courses/{id}" -> Some(&schema::COURSE);
    DeleteCourse "deleteCourse" DELETE "/courses/{id}" -> None;
    AddDuplicateCourse "addDuplicateCourse" POST "/duplicate_courses" -> Some(&schema::DUPLICATE_COURSE);
    ViewDuplicateCourse "viewDuplicateCourse" GET "/duplicate_courses/{id}" -> Some(&schema::DUPLICATE_COURSE);
    ListTopics "listTopics" GET "/topics" -> Some(&schema::TOPIC_LIST);
    GetTopic "getTopic" GET "/topics/{id}" -> Some(&schema::TOPIC);
    AddLearner "addLearner" POST "/learners" -> Some(&schema::LEARNER);
    ListLearners "listLearners" GET "/learners" -> Some(&schema::LEARNER_LIST);
    GetLearnerByEmail "getLearnerByEmail" GET "/learners/email/{email}" -> Some(&schema::LEARNER);
    GetLearnerById "getLearnerById" GET "/learners/{id}" -> Some(&schema::LEARNER);
    EditLearner "editLearner" PUT "/learners/{id}" -> Some(&schema::LEARNER);
    DeleteLearner "deleteLearner" DELETE "/learners/{id}" -> None;
    AddEnrolment "addEnrolment" POST "/enrolments" -> Some(&schema::ENROLMENT);
    ListEnrolments "listEnrolments" GET "/enrolments" -> Some(&schema::ENROLMENT_LIST);
    DeleteEnrolment "deleteEnrolment" DELETE "/enrolments" -> None;
    GetTopicProgress "getTopicProgress" GET "/topic_progress/{user}/{topic}" -> Some(&schema::TOPIC_PROGRESS);
    ListTopicProgress "listTopicProgress" GET "/topic_progress" -> Some(&schema::TOPIC_PROGRESS_LIST);
    GetCourseProgress "getCourseProgress" GET "/course_progress/{course}/{user}" -> Some(&schema::COURSE_PROGRESS);
    ListCourseCompletions "listCourseCompletions" GET "/course_completions" -> Some(&schema::COURSE_COMPLETIONS);
    GetUserField "getUserField" GET "/user_fields/{id}" -> Some(&schema::USER_FIELD);
    ListUserFields "listUserFields" GET "/user_fields" -> Some(&schema::USER_FIELD_LIST);
    ListUserFieldPermissions "listUserFieldPermissions" GET "/users/{user}/user_field_permissions"
        -> Some(&schema::PERMISSION_LIST);
    GetActiveRecord "getActiveRecord" GET "/users/{user}/user_fields/{user_field}/record" -> Some(&schema::RECORD);
    ListSignupPages "listSignupPages" GET "/signup_pages" -> Some(&schema::SIGNUP_PAGE_LIST);
    ListProfiles "listProfiles" GET "/profiles" -> Some(&schema::PROFILE_LIST);
    ListTags "listTags" GET "/tags" -> Some(&schema::TAG_LIST);
    GetToken "getToken" POST "/oauth/token" -> Some(&schema::TOKEN_RESPONSE);
    Me "me" GET "/oauth/me" -> Some(&schema::ME_RESPONSE);
    Test "test" GET "/test" -> Some(&schema::TEST_RESPONSE);
}

/// The prefix of all paths.
pub(crate) const PREFIX: &str = "/api/v1";

impl Operation {
    /// Returns `true` if the operation needs a bearer token. Only `test` and `getToken` do not.
    pub fn needs_token(self) -> bool {
        !matches!(self, Self::GetToken | Self::Test)
    }

    /// Returns `true` if the request has a JSON body.
    pub fn has_body(self) -> bool {
        matches!(self.method(), Method::POST | Method::PUT)
    }

    /// Returns `true` if the operation changes the store. Polling a duplication does: each poll advances it.
    pub(crate) fn writes(self) -> bool {
        self == Self::ViewDuplicateCourse
            || (self.method() != Method::GET && self != Self::GetToken)
    }

    /// The names of the query parameters.
    pub(crate) fn query(self) -> &'static [&'static str] {
        match self {
            Self::ListCourses | Self::ListUserFields => {
                &["limit", "cursor", "archived", "published"]
            }
            Self::ListTopics => &["limit", "cursor", "course", "kind", "published"],
            Self::ListLearners => &[
                "limit",
                "cursor",
                "signup_page",
                "username",
                "email",
                "tags",
                "order_by",
                "order_direction",
            ],
            Self::ListEnrolments | Self::ListCourseCompletions => {
                &["limit", "cursor", "course", "user"]
            }
            Self::DeleteEnrolment => &["user", "course"],
            Self::GetTopicProgress => &["course", "completed"],
            Self::ListTopicProgress => &["limit", "cursor", "user", "topic", "course", "completed"],
            Self::ListUserFieldPermissions => &["limit", "cursor"],
            _ => &[],
        }
    }

    /// Returns `true` if the operation returns a page of a list.
    pub(crate) fn is_paginated(self) -> bool {
        self.response()
            .is_some_and(|schema| schema.field("more").is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Operation;

    #[test]
    fn ids_and_addresses_are_unique() {
        let ids: HashSet<_> = Operation::ALL.iter().map(|o| o.id()).collect();
        let addresses: HashSet<_> = Operation::ALL
            .iter()
            .map(|o| (o.method(), o.path()))
            .collect();
        let all = Operation::ALL.len();
        assert_eq!((ids.len(), addresses.len()), (all, all));
    }
}
