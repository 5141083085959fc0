// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

/// The requests that a mock responds to and its response, for each operation.
pub mod operations {
    use crate::*;
    /// The requests of `ListCourses` that a mock responds to.
    pub struct ListCoursesWhen(::httpmock::When);
    impl ListCoursesWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/courses$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn archived<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("archived", value.to_string()))
            } else {
                Self(self.0.query_param_missing("archived"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn published<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("published", value.to_string()))
            } else {
                Self(self.0.query_param_missing("published"))
            }
        }
    }
    /// The response of a mock to `ListCourses`.
    pub struct ListCoursesThen(::httpmock::Then);
    impl ListCoursesThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::CourseList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `AddCourse` that a mock responds to.
    pub struct AddCourseWhen(::httpmock::When);
    impl AddCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/courses$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::AddCourse) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `AddCourse`.
    pub struct AddCourseThen(::httpmock::Then);
    impl AddCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Course) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetCourse` that a mock responds to.
    pub struct GetCourseWhen(::httpmock::When);
    impl GetCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/courses/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetCourse`.
    pub struct GetCourseThen(::httpmock::Then);
    impl GetCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Course) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `EditCourse` that a mock responds to.
    pub struct EditCourseWhen(::httpmock::When);
    impl EditCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::PUT)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/courses/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::Course) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `EditCourse`.
    pub struct EditCourseThen(::httpmock::Then);
    impl EditCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Course) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `DeleteCourse` that a mock responds to.
    pub struct DeleteCourseWhen(::httpmock::When);
    impl DeleteCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/courses/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `DeleteCourse`.
    pub struct DeleteCourseThen(::httpmock::Then);
    impl DeleteCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// The requests of `AddDuplicateCourse` that a mock responds to.
    pub struct AddDuplicateCourseWhen(::httpmock::When);
    impl AddDuplicateCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(
                        regex::Regex::new("^/api/v1/duplicate_courses$").unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::AddDuplicateCourse) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `AddDuplicateCourse`.
    pub struct AddDuplicateCourseThen(::httpmock::Then);
    impl AddDuplicateCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::DuplicateCourse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ViewDuplicateCourse` that a mock responds to.
    pub struct ViewDuplicateCourseWhen(::httpmock::When);
    impl ViewDuplicateCourseWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/duplicate_courses/[^/]*$").unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/duplicate_courses/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `ViewDuplicateCourse`.
    pub struct ViewDuplicateCourseThen(::httpmock::Then);
    impl ViewDuplicateCourseThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::DuplicateCourse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListTopics` that a mock responds to.
    pub struct ListTopicsWhen(::httpmock::When);
    impl ListTopicsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topics$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn kind<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("kind", value.to_string()))
            } else {
                Self(self.0.query_param_missing("kind"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn published<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("published", value.to_string()))
            } else {
                Self(self.0.query_param_missing("published"))
            }
        }
    }
    /// The response of a mock to `ListTopics`.
    pub struct ListTopicsThen(::httpmock::Then);
    impl ListTopicsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TopicList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetTopic` that a mock responds to.
    pub struct GetTopicWhen(::httpmock::When);
    impl GetTopicWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topics/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/topics/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetTopic`.
    pub struct GetTopicThen(::httpmock::Then);
    impl GetTopicThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Topic) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListLearners` that a mock responds to.
    pub struct ListLearnersWhen(::httpmock::When);
    impl ListLearnersWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/learners$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn email<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("email", value.to_string()))
            } else {
                Self(self.0.query_param_missing("email"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn order_by<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("order_by", value.to_string()))
            } else {
                Self(self.0.query_param_missing("order_by"))
            }
        }
        pub fn order_direction<T>(self, value: T) -> Self
        where
            T: Into<Option<types::ListLearnersOrderDirection>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("order_direction", value.to_string()))
            } else {
                Self(self.0.query_param_missing("order_direction"))
            }
        }
        pub fn signup_page<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("signup_page", value.to_string()))
            } else {
                Self(self.0.query_param_missing("signup_page"))
            }
        }
        pub fn tags<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a ::std::vec::Vec<::std::string::String>>>,
        {
            match value.into() {
                Some(values) => {
                    Self(
                        values
                            .iter()
                            .fold(
                                self.0,
                                |when, value| {
                                    when.query_param("tags", value.to_string())
                                },
                            ),
                    )
                }
                None => Self(self.0.query_param_missing("tags")),
            }
        }
        pub fn username<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("username", value.to_string()))
            } else {
                Self(self.0.query_param_missing("username"))
            }
        }
    }
    /// The response of a mock to `ListLearners`.
    pub struct ListLearnersThen(::httpmock::Then);
    impl ListLearnersThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::LearnerList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `AddLearner` that a mock responds to.
    pub struct AddLearnerWhen(::httpmock::When);
    impl AddLearnerWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/learners$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::AddLearner) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `AddLearner`.
    pub struct AddLearnerThen(::httpmock::Then);
    impl AddLearnerThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Learner) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetLearnerByEmail` that a mock responds to.
    pub struct GetLearnerByEmailWhen(::httpmock::When);
    impl GetLearnerByEmailWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/learners/email/[^/]*$").unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn email(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/learners/email/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetLearnerByEmail`.
    pub struct GetLearnerByEmailThen(::httpmock::Then);
    impl GetLearnerByEmailThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Learner) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetLearnerById` that a mock responds to.
    pub struct GetLearnerByIdWhen(::httpmock::When);
    impl GetLearnerByIdWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/learners/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetLearnerById`.
    pub struct GetLearnerByIdThen(::httpmock::Then);
    impl GetLearnerByIdThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Learner) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `EditLearner` that a mock responds to.
    pub struct EditLearnerWhen(::httpmock::When);
    impl EditLearnerWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::PUT)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/learners/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::EditLearner) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `EditLearner`.
    pub struct EditLearnerThen(::httpmock::Then);
    impl EditLearnerThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Learner) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `DeleteLearner` that a mock responds to.
    pub struct DeleteLearnerWhen(::httpmock::When);
    impl DeleteLearnerWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/learners/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `DeleteLearner`.
    pub struct DeleteLearnerThen(::httpmock::Then);
    impl DeleteLearnerThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// The requests of `ListEnrolments` that a mock responds to.
    pub struct ListEnrolmentsWhen(::httpmock::When);
    impl ListEnrolmentsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn user<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("user", value.to_string()))
            } else {
                Self(self.0.query_param_missing("user"))
            }
        }
    }
    /// The response of a mock to `ListEnrolments`.
    pub struct ListEnrolmentsThen(::httpmock::Then);
    impl ListEnrolmentsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::EnrolmentList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `AddEnrolment` that a mock responds to.
    pub struct AddEnrolmentWhen(::httpmock::When);
    impl AddEnrolmentWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::AddEnrolment) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `AddEnrolment`.
    pub struct AddEnrolmentThen(::httpmock::Then);
    impl AddEnrolmentThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Enrolment) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `DeleteEnrolment` that a mock responds to.
    pub struct DeleteEnrolmentWhen(::httpmock::When);
    impl DeleteEnrolmentWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
        pub fn user<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("user", value.to_string()))
            } else {
                Self(self.0.query_param_missing("user"))
            }
        }
    }
    /// The response of a mock to `DeleteEnrolment`.
    pub struct DeleteEnrolmentThen(::httpmock::Then);
    impl DeleteEnrolmentThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// The requests of `GetTopicProgress` that a mock responds to.
    pub struct GetTopicProgressWhen(::httpmock::When);
    impl GetTopicProgressWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/topic_progress/[^/]*/[^/]*$")
                            .unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn user(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/topic_progress/{}/.*$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        pub fn topic(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/topic_progress/.*/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        pub fn completed<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("completed", value.to_string()))
            } else {
                Self(self.0.query_param_missing("completed"))
            }
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
    }
    /// The response of a mock to `GetTopicProgress`.
    pub struct GetTopicProgressThen(::httpmock::Then);
    impl GetTopicProgressThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TopicProgress) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListTopicProgress` that a mock responds to.
    pub struct ListTopicProgressWhen(::httpmock::When);
    impl ListTopicProgressWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topic_progress$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn completed<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("completed", value.to_string()))
            } else {
                Self(self.0.query_param_missing("completed"))
            }
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn topic<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("topic", value.to_string()))
            } else {
                Self(self.0.query_param_missing("topic"))
            }
        }
        pub fn user<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("user", value.to_string()))
            } else {
                Self(self.0.query_param_missing("user"))
            }
        }
    }
    /// The response of a mock to `ListTopicProgress`.
    pub struct ListTopicProgressThen(::httpmock::Then);
    impl ListTopicProgressThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TopicProgressList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetCourseProgress` that a mock responds to.
    pub struct GetCourseProgressWhen(::httpmock::When);
    impl GetCourseProgressWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/course_progress/[^/]*/[^/]*$")
                            .unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn course(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/course_progress/{}/.*$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        pub fn user(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/course_progress/.*/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetCourseProgress`.
    pub struct GetCourseProgressThen(::httpmock::Then);
    impl GetCourseProgressThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::CourseProgress) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListCourseCompletions` that a mock responds to.
    pub struct ListCourseCompletionsWhen(::httpmock::When);
    impl ListCourseCompletionsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/course_completions$").unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn course<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("course", value.to_string()))
            } else {
                Self(self.0.query_param_missing("course"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn user<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("user", value.to_string()))
            } else {
                Self(self.0.query_param_missing("user"))
            }
        }
    }
    /// The response of a mock to `ListCourseCompletions`.
    pub struct ListCourseCompletionsThen(::httpmock::Then);
    impl ListCourseCompletionsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::CourseCompletionsResponse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetUserField` that a mock responds to.
    pub struct GetUserFieldWhen(::httpmock::When);
    impl GetUserFieldWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/user_fields/[^/]*$").unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn id(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/user_fields/{}$", crate ::mocks::segment(& value
                        .to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetUserField`.
    pub struct GetUserFieldThen(::httpmock::Then);
    impl GetUserFieldThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::UserField) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListUserFields` that a mock responds to.
    pub struct ListUserFieldsWhen(::httpmock::When);
    impl ListUserFieldsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/user_fields$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn archived<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("archived", value.to_string()))
            } else {
                Self(self.0.query_param_missing("archived"))
            }
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
        pub fn published<T>(self, value: T) -> Self
        where
            T: Into<Option<bool>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("published", value.to_string()))
            } else {
                Self(self.0.query_param_missing("published"))
            }
        }
    }
    /// The response of a mock to `ListUserFields`.
    pub struct ListUserFieldsThen(::httpmock::Then);
    impl ListUserFieldsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::UserFieldList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListUserFieldPermissions` that a mock responds to.
    pub struct ListUserFieldPermissionsWhen(::httpmock::When);
    impl ListUserFieldPermissionsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/users/[^/]*/user_field_permissions$")
                            .unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn user(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/users/{}/user_field_permissions$", crate
                        ::mocks::segment(& value.to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        pub fn cursor<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a str>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("cursor", value.to_string()))
            } else {
                Self(self.0.query_param_missing("cursor"))
            }
        }
        pub fn limit<'a, T>(self, value: T) -> Self
        where
            T: Into<Option<&'a crate::wire::Int64>>,
        {
            if let Some(value) = value.into() {
                Self(self.0.query_param("limit", value.to_string()))
            } else {
                Self(self.0.query_param_missing("limit"))
            }
        }
    }
    /// The response of a mock to `ListUserFieldPermissions`.
    pub struct ListUserFieldPermissionsThen(::httpmock::Then);
    impl ListUserFieldPermissionsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::UserFieldPermissionList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetActiveRecord` that a mock responds to.
    pub struct GetActiveRecordWhen(::httpmock::When);
    impl GetActiveRecordWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new(
                                "^/api/v1/users/[^/]*/user_fields/[^/]*/record$",
                            )
                            .unwrap(),
                    ),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        pub fn user(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/users/{}/user_fields/.*/record$", crate
                        ::mocks::segment(& value.to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
        pub fn user_field(self, value: &str) -> Self {
            let re = regex::Regex::new(
                    &format!(
                        "^/api/v1/users/.*/user_fields/{}/record$", crate
                        ::mocks::segment(& value.to_string())
                    ),
                )
                .unwrap();
            Self(self.0.path_matches(re))
        }
    }
    /// The response of a mock to `GetActiveRecord`.
    pub struct GetActiveRecordThen(::httpmock::Then);
    impl GetActiveRecordThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::Record) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListSignupPages` that a mock responds to.
    pub struct ListSignupPagesWhen(::httpmock::When);
    impl ListSignupPagesWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/signup_pages$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// The response of a mock to `ListSignupPages`.
    pub struct ListSignupPagesThen(::httpmock::Then);
    impl ListSignupPagesThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::SignupPageList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListProfiles` that a mock responds to.
    pub struct ListProfilesWhen(::httpmock::When);
    impl ListProfilesWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/profiles$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// The response of a mock to `ListProfiles`.
    pub struct ListProfilesThen(::httpmock::Then);
    impl ListProfilesThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::ProfileList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `ListTags` that a mock responds to.
    pub struct ListTagsWhen(::httpmock::When);
    impl ListTagsWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/tags$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// The response of a mock to `ListTags`.
    pub struct ListTagsThen(::httpmock::Then);
    impl ListTagsThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TagList) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `GetToken` that a mock responds to.
    pub struct GetTokenWhen(::httpmock::When);
    impl GetTokenWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/oauth/token$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// Matches requests with exactly this body.
        pub fn body(self, value: &types::TokenRequest) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// The response of a mock to `GetToken`.
    pub struct GetTokenThen(::httpmock::Then);
    impl GetTokenThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TokenResponse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `Me` that a mock responds to.
    pub struct MeWhen(::httpmock::When);
    impl MeWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/oauth/me$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// The response of a mock to `Me`.
    pub struct MeThen(::httpmock::Then);
    impl MeThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::MeResponse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
    /// The requests of `Test` that a mock responds to.
    pub struct TestWhen(::httpmock::When);
    impl TestWhen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/test$").unwrap()),
            )
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// The response of a mock to `Test`.
    pub struct TestThen(::httpmock::Then);
    impl TestThen {
        /// Starts from a builder of httpmock.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// The builder of httpmock, for what the document does not declare.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Responds with status 200 and this body.
        pub fn ok(self, value: &types::TestResponse) -> Self {
            Self(
                self
                    .0
                    .status(200u16)
                    .header("content-type", "application/json")
                    .json_body_obj(value),
            )
        }
    }
}
/// Adds a method for each operation to [`MockServer`](::httpmock::MockServer).
pub trait MockServerExt {
    /// Adds a mock for requests of [`list_courses`](crate::Client::list_courses).
    fn list_courses<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListCoursesWhen, operations::ListCoursesThen);
    /// Adds a mock for requests of [`add_course`](crate::Client::add_course).
    fn add_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddCourseWhen, operations::AddCourseThen);
    /// Adds a mock for requests of [`get_course`](crate::Client::get_course).
    fn get_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseWhen, operations::GetCourseThen);
    /// Adds a mock for requests of [`edit_course`](crate::Client::edit_course).
    fn edit_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditCourseWhen, operations::EditCourseThen);
    /// Adds a mock for requests of [`delete_course`](crate::Client::delete_course).
    fn delete_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteCourseWhen, operations::DeleteCourseThen);
    /// Adds a mock for requests of [`add_duplicate_course`](crate::Client::add_duplicate_course).
    fn add_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::AddDuplicateCourseWhen,
            operations::AddDuplicateCourseThen,
        );
    /// Adds a mock for requests of [`view_duplicate_course`](crate::Client::view_duplicate_course).
    fn view_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ViewDuplicateCourseWhen,
            operations::ViewDuplicateCourseThen,
        );
    /// Adds a mock for requests of [`list_topics`](crate::Client::list_topics).
    fn list_topics<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicsWhen, operations::ListTopicsThen);
    /// Adds a mock for requests of [`get_topic`](crate::Client::get_topic).
    fn get_topic<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicWhen, operations::GetTopicThen);
    /// Adds a mock for requests of [`list_learners`](crate::Client::list_learners).
    fn list_learners<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListLearnersWhen, operations::ListLearnersThen);
    /// Adds a mock for requests of [`add_learner`](crate::Client::add_learner).
    fn add_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddLearnerWhen, operations::AddLearnerThen);
    /// Adds a mock for requests of [`get_learner_by_email`](crate::Client::get_learner_by_email).
    fn get_learner_by_email<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByEmailWhen, operations::GetLearnerByEmailThen);
    /// Adds a mock for requests of [`get_learner_by_id`](crate::Client::get_learner_by_id).
    fn get_learner_by_id<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByIdWhen, operations::GetLearnerByIdThen);
    /// Adds a mock for requests of [`edit_learner`](crate::Client::edit_learner).
    fn edit_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditLearnerWhen, operations::EditLearnerThen);
    /// Adds a mock for requests of [`delete_learner`](crate::Client::delete_learner).
    fn delete_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteLearnerWhen, operations::DeleteLearnerThen);
    /// Adds a mock for requests of [`list_enrolments`](crate::Client::list_enrolments).
    fn list_enrolments<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListEnrolmentsWhen, operations::ListEnrolmentsThen);
    /// Adds a mock for requests of [`add_enrolment`](crate::Client::add_enrolment).
    fn add_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddEnrolmentWhen, operations::AddEnrolmentThen);
    /// Adds a mock for requests of [`delete_enrolment`](crate::Client::delete_enrolment).
    fn delete_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteEnrolmentWhen, operations::DeleteEnrolmentThen);
    /// Adds a mock for requests of [`get_topic_progress`](crate::Client::get_topic_progress).
    fn get_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicProgressWhen, operations::GetTopicProgressThen);
    /// Adds a mock for requests of [`list_topic_progress`](crate::Client::list_topic_progress).
    fn list_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicProgressWhen, operations::ListTopicProgressThen);
    /// Adds a mock for requests of [`get_course_progress`](crate::Client::get_course_progress).
    fn get_course_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseProgressWhen, operations::GetCourseProgressThen);
    /// Adds a mock for requests of [`list_course_completions`](crate::Client::list_course_completions).
    fn list_course_completions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListCourseCompletionsWhen,
            operations::ListCourseCompletionsThen,
        );
    /// Adds a mock for requests of [`get_user_field`](crate::Client::get_user_field).
    fn get_user_field<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetUserFieldWhen, operations::GetUserFieldThen);
    /// Adds a mock for requests of [`list_user_fields`](crate::Client::list_user_fields).
    fn list_user_fields<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListUserFieldsWhen, operations::ListUserFieldsThen);
    /// Adds a mock for requests of [`list_user_field_permissions`](crate::Client::list_user_field_permissions).
    fn list_user_field_permissions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListUserFieldPermissionsWhen,
            operations::ListUserFieldPermissionsThen,
        );
    /// Adds a mock for requests of [`get_active_record`](crate::Client::get_active_record).
    fn get_active_record<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetActiveRecordWhen, operations::GetActiveRecordThen);
    /// Adds a mock for requests of [`list_signup_pages`](crate::Client::list_signup_pages).
    fn list_signup_pages<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListSignupPagesWhen, operations::ListSignupPagesThen);
    /// Adds a mock for requests of [`list_profiles`](crate::Client::list_profiles).
    fn list_profiles<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListProfilesWhen, operations::ListProfilesThen);
    /// Adds a mock for requests of [`list_tags`](crate::Client::list_tags).
    fn list_tags<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTagsWhen, operations::ListTagsThen);
    /// Adds a mock for requests of [`get_token`](crate::Client::get_token).
    fn get_token<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTokenWhen, operations::GetTokenThen);
    /// Adds a mock for requests of [`me`](crate::Client::me).
    fn me<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::MeWhen, operations::MeThen);
    /// Adds a mock for requests of [`test`](crate::Client::test).
    fn test<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::TestWhen, operations::TestThen);
}
impl MockServerExt for ::httpmock::MockServer {
    fn list_courses<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListCoursesWhen, operations::ListCoursesThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListCoursesWhen::new(when),
                operations::ListCoursesThen::new(then),
            )
        })
    }
    fn add_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddCourseWhen, operations::AddCourseThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::AddCourseWhen::new(when),
                operations::AddCourseThen::new(then),
            )
        })
    }
    fn get_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseWhen, operations::GetCourseThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetCourseWhen::new(when),
                operations::GetCourseThen::new(then),
            )
        })
    }
    fn edit_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditCourseWhen, operations::EditCourseThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::EditCourseWhen::new(when),
                operations::EditCourseThen::new(then),
            )
        })
    }
    fn delete_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteCourseWhen, operations::DeleteCourseThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::DeleteCourseWhen::new(when),
                operations::DeleteCourseThen::new(then),
            )
        })
    }
    fn add_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::AddDuplicateCourseWhen,
            operations::AddDuplicateCourseThen,
        ),
    {
        self.mock(|when, then| {
            config_fn(
                operations::AddDuplicateCourseWhen::new(when),
                operations::AddDuplicateCourseThen::new(then),
            )
        })
    }
    fn view_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ViewDuplicateCourseWhen,
            operations::ViewDuplicateCourseThen,
        ),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ViewDuplicateCourseWhen::new(when),
                operations::ViewDuplicateCourseThen::new(then),
            )
        })
    }
    fn list_topics<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicsWhen, operations::ListTopicsThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListTopicsWhen::new(when),
                operations::ListTopicsThen::new(then),
            )
        })
    }
    fn get_topic<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicWhen, operations::GetTopicThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetTopicWhen::new(when),
                operations::GetTopicThen::new(then),
            )
        })
    }
    fn list_learners<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListLearnersWhen, operations::ListLearnersThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListLearnersWhen::new(when),
                operations::ListLearnersThen::new(then),
            )
        })
    }
    fn add_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddLearnerWhen, operations::AddLearnerThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::AddLearnerWhen::new(when),
                operations::AddLearnerThen::new(then),
            )
        })
    }
    fn get_learner_by_email<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByEmailWhen, operations::GetLearnerByEmailThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetLearnerByEmailWhen::new(when),
                operations::GetLearnerByEmailThen::new(then),
            )
        })
    }
    fn get_learner_by_id<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByIdWhen, operations::GetLearnerByIdThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetLearnerByIdWhen::new(when),
                operations::GetLearnerByIdThen::new(then),
            )
        })
    }
    fn edit_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditLearnerWhen, operations::EditLearnerThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::EditLearnerWhen::new(when),
                operations::EditLearnerThen::new(then),
            )
        })
    }
    fn delete_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteLearnerWhen, operations::DeleteLearnerThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::DeleteLearnerWhen::new(when),
                operations::DeleteLearnerThen::new(then),
            )
        })
    }
    fn list_enrolments<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListEnrolmentsWhen, operations::ListEnrolmentsThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListEnrolmentsWhen::new(when),
                operations::ListEnrolmentsThen::new(then),
            )
        })
    }
    fn add_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddEnrolmentWhen, operations::AddEnrolmentThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::AddEnrolmentWhen::new(when),
                operations::AddEnrolmentThen::new(then),
            )
        })
    }
    fn delete_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteEnrolmentWhen, operations::DeleteEnrolmentThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::DeleteEnrolmentWhen::new(when),
                operations::DeleteEnrolmentThen::new(then),
            )
        })
    }
    fn get_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicProgressWhen, operations::GetTopicProgressThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetTopicProgressWhen::new(when),
                operations::GetTopicProgressThen::new(then),
            )
        })
    }
    fn list_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicProgressWhen, operations::ListTopicProgressThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListTopicProgressWhen::new(when),
                operations::ListTopicProgressThen::new(then),
            )
        })
    }
    fn get_course_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseProgressWhen, operations::GetCourseProgressThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetCourseProgressWhen::new(when),
                operations::GetCourseProgressThen::new(then),
            )
        })
    }
    fn list_course_completions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListCourseCompletionsWhen,
            operations::ListCourseCompletionsThen,
        ),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListCourseCompletionsWhen::new(when),
                operations::ListCourseCompletionsThen::new(then),
            )
        })
    }
    fn get_user_field<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetUserFieldWhen, operations::GetUserFieldThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetUserFieldWhen::new(when),
                operations::GetUserFieldThen::new(then),
            )
        })
    }
    fn list_user_fields<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListUserFieldsWhen, operations::ListUserFieldsThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListUserFieldsWhen::new(when),
                operations::ListUserFieldsThen::new(then),
            )
        })
    }
    fn list_user_field_permissions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListUserFieldPermissionsWhen,
            operations::ListUserFieldPermissionsThen,
        ),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListUserFieldPermissionsWhen::new(when),
                operations::ListUserFieldPermissionsThen::new(then),
            )
        })
    }
    fn get_active_record<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetActiveRecordWhen, operations::GetActiveRecordThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetActiveRecordWhen::new(when),
                operations::GetActiveRecordThen::new(then),
            )
        })
    }
    fn list_signup_pages<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListSignupPagesWhen, operations::ListSignupPagesThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListSignupPagesWhen::new(when),
                operations::ListSignupPagesThen::new(then),
            )
        })
    }
    fn list_profiles<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListProfilesWhen, operations::ListProfilesThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListProfilesWhen::new(when),
                operations::ListProfilesThen::new(then),
            )
        })
    }
    fn list_tags<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTagsWhen, operations::ListTagsThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::ListTagsWhen::new(when),
                operations::ListTagsThen::new(then),
            )
        })
    }
    fn get_token<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTokenWhen, operations::GetTokenThen),
    {
        self.mock(|when, then| {
            config_fn(
                operations::GetTokenWhen::new(when),
                operations::GetTokenThen::new(then),
            )
        })
    }
    fn me<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::MeWhen, operations::MeThen),
    {
        self.mock(|when, then| {
            config_fn(operations::MeWhen::new(when), operations::MeThen::new(then))
        })
    }
    fn test<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::TestWhen, operations::TestThen),
    {
        self.mock(|when, then| {
            config_fn(operations::TestWhen::new(when), operations::TestThen::new(then))
        })
    }
}
