// @generated from spec/openapi.yaml by `cargo xtask regen`.
// Do not edit: change the document, then run that command again.

/// For each operation, the requests that a mock answers and its answer.
pub mod operations {
    use crate::*;
    /// Which requests of `ListCourses` a mock answers.
    pub struct ListCoursesWhen(::httpmock::When);
    impl ListCoursesWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/courses$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListCourses`.
    pub struct ListCoursesThen(::httpmock::Then);
    impl ListCoursesThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `AddCourse` a mock answers.
    pub struct AddCourseWhen(::httpmock::When);
    impl AddCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/courses$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// The body is exactly this.
        pub fn body(self, value: &types::AddCourse) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `AddCourse`.
    pub struct AddCourseThen(::httpmock::Then);
    impl AddCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetCourse` a mock answers.
    pub struct GetCourseWhen(::httpmock::When);
    impl GetCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetCourse`.
    pub struct GetCourseThen(::httpmock::Then);
    impl GetCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `EditCourse` a mock answers.
    pub struct EditCourseWhen(::httpmock::When);
    impl EditCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::PUT)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
        /// The body is exactly this.
        pub fn body(self, value: &types::Course) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `EditCourse`.
    pub struct EditCourseThen(::httpmock::Then);
    impl EditCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `DeleteCourse` a mock answers.
    pub struct DeleteCourseWhen(::httpmock::When);
    impl DeleteCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/courses/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `DeleteCourse`.
    pub struct DeleteCourseThen(::httpmock::Then);
    impl DeleteCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// Which requests of `AddDuplicateCourse` a mock answers.
    pub struct AddDuplicateCourseWhen(::httpmock::When);
    impl AddDuplicateCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(
                        regex::Regex::new("^/api/v1/duplicate_courses$").unwrap(),
                    ),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// The body is exactly this.
        pub fn body(self, value: &types::AddDuplicateCourse) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `AddDuplicateCourse`.
    pub struct AddDuplicateCourseThen(::httpmock::Then);
    impl AddDuplicateCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ViewDuplicateCourse` a mock answers.
    pub struct ViewDuplicateCourseWhen(::httpmock::When);
    impl ViewDuplicateCourseWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/duplicate_courses/[^/]*$").unwrap(),
                    ),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ViewDuplicateCourse`.
    pub struct ViewDuplicateCourseThen(::httpmock::Then);
    impl ViewDuplicateCourseThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListTopics` a mock answers.
    pub struct ListTopicsWhen(::httpmock::When);
    impl ListTopicsWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topics$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListTopics`.
    pub struct ListTopicsThen(::httpmock::Then);
    impl ListTopicsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetTopic` a mock answers.
    pub struct GetTopicWhen(::httpmock::When);
    impl GetTopicWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topics/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetTopic`.
    pub struct GetTopicThen(::httpmock::Then);
    impl GetTopicThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListLearners` a mock answers.
    pub struct ListLearnersWhen(::httpmock::When);
    impl ListLearnersWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/learners$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListLearners`.
    pub struct ListLearnersThen(::httpmock::Then);
    impl ListLearnersThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `AddLearner` a mock answers.
    pub struct AddLearnerWhen(::httpmock::When);
    impl AddLearnerWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/learners$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// The body is exactly this.
        pub fn body(self, value: &types::AddLearner) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `AddLearner`.
    pub struct AddLearnerThen(::httpmock::Then);
    impl AddLearnerThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetLearnerByEmail` a mock answers.
    pub struct GetLearnerByEmailWhen(::httpmock::When);
    impl GetLearnerByEmailWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/learners/email/[^/]*$").unwrap(),
                    ),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetLearnerByEmail`.
    pub struct GetLearnerByEmailThen(::httpmock::Then);
    impl GetLearnerByEmailThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetLearnerById` a mock answers.
    pub struct GetLearnerByIdWhen(::httpmock::When);
    impl GetLearnerByIdWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetLearnerById`.
    pub struct GetLearnerByIdThen(::httpmock::Then);
    impl GetLearnerByIdThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `EditLearner` a mock answers.
    pub struct EditLearnerWhen(::httpmock::When);
    impl EditLearnerWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::PUT)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
        /// The body is exactly this.
        pub fn body(self, value: &types::EditLearner) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `EditLearner`.
    pub struct EditLearnerThen(::httpmock::Then);
    impl EditLearnerThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `DeleteLearner` a mock answers.
    pub struct DeleteLearnerWhen(::httpmock::When);
    impl DeleteLearnerWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/learners/[^/]*$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `DeleteLearner`.
    pub struct DeleteLearnerThen(::httpmock::Then);
    impl DeleteLearnerThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// Which requests of `ListEnrolments` a mock answers.
    pub struct ListEnrolmentsWhen(::httpmock::When);
    impl ListEnrolmentsWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListEnrolments`.
    pub struct ListEnrolmentsThen(::httpmock::Then);
    impl ListEnrolmentsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `AddEnrolment` a mock answers.
    pub struct AddEnrolmentWhen(::httpmock::When);
    impl AddEnrolmentWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// The body is exactly this.
        pub fn body(self, value: &types::AddEnrolment) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `AddEnrolment`.
    pub struct AddEnrolmentThen(::httpmock::Then);
    impl AddEnrolmentThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `DeleteEnrolment` a mock answers.
    pub struct DeleteEnrolmentWhen(::httpmock::When);
    impl DeleteEnrolmentWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::DELETE)
                    .path_matches(regex::Regex::new("^/api/v1/enrolments$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `DeleteEnrolment`.
    pub struct DeleteEnrolmentThen(::httpmock::Then);
    impl DeleteEnrolmentThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
        pub fn ok(self) -> Self {
            Self(self.0.status(200u16))
        }
    }
    /// Which requests of `GetTopicProgress` a mock answers.
    pub struct GetTopicProgressWhen(::httpmock::When);
    impl GetTopicProgressWhen {
        /// Begins with what httpmock has.
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
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetTopicProgress`.
    pub struct GetTopicProgressThen(::httpmock::Then);
    impl GetTopicProgressThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListTopicProgress` a mock answers.
    pub struct ListTopicProgressWhen(::httpmock::When);
    impl ListTopicProgressWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/topic_progress$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListTopicProgress`.
    pub struct ListTopicProgressThen(::httpmock::Then);
    impl ListTopicProgressThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetCourseProgress` a mock answers.
    pub struct GetCourseProgressWhen(::httpmock::When);
    impl GetCourseProgressWhen {
        /// Begins with what httpmock has.
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
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetCourseProgress`.
    pub struct GetCourseProgressThen(::httpmock::Then);
    impl GetCourseProgressThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListCourseCompletions` a mock answers.
    pub struct ListCourseCompletionsWhen(::httpmock::When);
    impl ListCourseCompletionsWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/course_completions$").unwrap(),
                    ),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListCourseCompletions`.
    pub struct ListCourseCompletionsThen(::httpmock::Then);
    impl ListCourseCompletionsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetUserField` a mock answers.
    pub struct GetUserFieldWhen(::httpmock::When);
    impl GetUserFieldWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(
                        regex::Regex::new("^/api/v1/user_fields/[^/]*$").unwrap(),
                    ),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetUserField`.
    pub struct GetUserFieldThen(::httpmock::Then);
    impl GetUserFieldThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListUserFields` a mock answers.
    pub struct ListUserFieldsWhen(::httpmock::When);
    impl ListUserFieldsWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/user_fields$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListUserFields`.
    pub struct ListUserFieldsThen(::httpmock::Then);
    impl ListUserFieldsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListUserFieldPermissions` a mock answers.
    pub struct ListUserFieldPermissionsWhen(::httpmock::When);
    impl ListUserFieldPermissionsWhen {
        /// Begins with what httpmock has.
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
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `ListUserFieldPermissions`.
    pub struct ListUserFieldPermissionsThen(::httpmock::Then);
    impl ListUserFieldPermissionsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetActiveRecord` a mock answers.
    pub struct GetActiveRecordWhen(::httpmock::When);
    impl GetActiveRecordWhen {
        /// Begins with what httpmock has.
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
        /// Goes on with what httpmock has, for what the document does not allow.
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
    /// What a mock answers to `GetActiveRecord`.
    pub struct GetActiveRecordThen(::httpmock::Then);
    impl GetActiveRecordThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListSignupPages` a mock answers.
    pub struct ListSignupPagesWhen(::httpmock::When);
    impl ListSignupPagesWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/signup_pages$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// What a mock answers to `ListSignupPages`.
    pub struct ListSignupPagesThen(::httpmock::Then);
    impl ListSignupPagesThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListProfiles` a mock answers.
    pub struct ListProfilesWhen(::httpmock::When);
    impl ListProfilesWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/profiles$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// What a mock answers to `ListProfiles`.
    pub struct ListProfilesThen(::httpmock::Then);
    impl ListProfilesThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `ListTags` a mock answers.
    pub struct ListTagsWhen(::httpmock::When);
    impl ListTagsWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/tags$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// What a mock answers to `ListTags`.
    pub struct ListTagsThen(::httpmock::Then);
    impl ListTagsThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `GetToken` a mock answers.
    pub struct GetTokenWhen(::httpmock::When);
    impl GetTokenWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::POST)
                    .path_matches(regex::Regex::new("^/api/v1/oauth/token$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
        /// The body is exactly this.
        pub fn body(self, value: &types::TokenRequest) -> Self {
            Self(self.0.json_body_obj(value))
        }
    }
    /// What a mock answers to `GetToken`.
    pub struct GetTokenThen(::httpmock::Then);
    impl GetTokenThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `Me` a mock answers.
    pub struct MeWhen(::httpmock::When);
    impl MeWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/oauth/me$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// What a mock answers to `Me`.
    pub struct MeThen(::httpmock::Then);
    impl MeThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
    /// Which requests of `Test` a mock answers.
    pub struct TestWhen(::httpmock::When);
    impl TestWhen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::When) -> Self {
            Self(
                inner
                    .method(::httpmock::Method::GET)
                    .path_matches(regex::Regex::new("^/api/v1/test$").unwrap()),
            )
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::When {
            self.0
        }
    }
    /// What a mock answers to `Test`.
    pub struct TestThen(::httpmock::Then);
    impl TestThen {
        /// Begins with what httpmock has.
        pub fn new(inner: ::httpmock::Then) -> Self {
            Self(inner)
        }
        /// Goes on with what httpmock has, for what the document does not allow.
        pub fn into_inner(self) -> ::httpmock::Then {
            self.0
        }
        /// Answers 200.
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
/// Puts a mock for each operation on [`MockServer`](::httpmock::MockServer).
pub trait MockServerExt {
    /// Answers requests of [`list_courses`](crate::Client::list_courses) as the closure says.
    fn list_courses<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListCoursesWhen, operations::ListCoursesThen);
    /// Answers requests of [`add_course`](crate::Client::add_course) as the closure says.
    fn add_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddCourseWhen, operations::AddCourseThen);
    /// Answers requests of [`get_course`](crate::Client::get_course) as the closure says.
    fn get_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseWhen, operations::GetCourseThen);
    /// Answers requests of [`edit_course`](crate::Client::edit_course) as the closure says.
    fn edit_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditCourseWhen, operations::EditCourseThen);
    /// Answers requests of [`delete_course`](crate::Client::delete_course) as the closure says.
    fn delete_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteCourseWhen, operations::DeleteCourseThen);
    /// Answers requests of [`add_duplicate_course`](crate::Client::add_duplicate_course) as the closure says.
    fn add_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::AddDuplicateCourseWhen,
            operations::AddDuplicateCourseThen,
        );
    /// Answers requests of [`view_duplicate_course`](crate::Client::view_duplicate_course) as the closure says.
    fn view_duplicate_course<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ViewDuplicateCourseWhen,
            operations::ViewDuplicateCourseThen,
        );
    /// Answers requests of [`list_topics`](crate::Client::list_topics) as the closure says.
    fn list_topics<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicsWhen, operations::ListTopicsThen);
    /// Answers requests of [`get_topic`](crate::Client::get_topic) as the closure says.
    fn get_topic<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicWhen, operations::GetTopicThen);
    /// Answers requests of [`list_learners`](crate::Client::list_learners) as the closure says.
    fn list_learners<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListLearnersWhen, operations::ListLearnersThen);
    /// Answers requests of [`add_learner`](crate::Client::add_learner) as the closure says.
    fn add_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddLearnerWhen, operations::AddLearnerThen);
    /// Answers requests of [`get_learner_by_email`](crate::Client::get_learner_by_email) as the closure says.
    fn get_learner_by_email<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByEmailWhen, operations::GetLearnerByEmailThen);
    /// Answers requests of [`get_learner_by_id`](crate::Client::get_learner_by_id) as the closure says.
    fn get_learner_by_id<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetLearnerByIdWhen, operations::GetLearnerByIdThen);
    /// Answers requests of [`edit_learner`](crate::Client::edit_learner) as the closure says.
    fn edit_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::EditLearnerWhen, operations::EditLearnerThen);
    /// Answers requests of [`delete_learner`](crate::Client::delete_learner) as the closure says.
    fn delete_learner<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteLearnerWhen, operations::DeleteLearnerThen);
    /// Answers requests of [`list_enrolments`](crate::Client::list_enrolments) as the closure says.
    fn list_enrolments<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListEnrolmentsWhen, operations::ListEnrolmentsThen);
    /// Answers requests of [`add_enrolment`](crate::Client::add_enrolment) as the closure says.
    fn add_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::AddEnrolmentWhen, operations::AddEnrolmentThen);
    /// Answers requests of [`delete_enrolment`](crate::Client::delete_enrolment) as the closure says.
    fn delete_enrolment<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::DeleteEnrolmentWhen, operations::DeleteEnrolmentThen);
    /// Answers requests of [`get_topic_progress`](crate::Client::get_topic_progress) as the closure says.
    fn get_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTopicProgressWhen, operations::GetTopicProgressThen);
    /// Answers requests of [`list_topic_progress`](crate::Client::list_topic_progress) as the closure says.
    fn list_topic_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTopicProgressWhen, operations::ListTopicProgressThen);
    /// Answers requests of [`get_course_progress`](crate::Client::get_course_progress) as the closure says.
    fn get_course_progress<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetCourseProgressWhen, operations::GetCourseProgressThen);
    /// Answers requests of [`list_course_completions`](crate::Client::list_course_completions) as the closure says.
    fn list_course_completions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListCourseCompletionsWhen,
            operations::ListCourseCompletionsThen,
        );
    /// Answers requests of [`get_user_field`](crate::Client::get_user_field) as the closure says.
    fn get_user_field<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetUserFieldWhen, operations::GetUserFieldThen);
    /// Answers requests of [`list_user_fields`](crate::Client::list_user_fields) as the closure says.
    fn list_user_fields<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListUserFieldsWhen, operations::ListUserFieldsThen);
    /// Answers requests of [`list_user_field_permissions`](crate::Client::list_user_field_permissions) as the closure says.
    fn list_user_field_permissions<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(
            operations::ListUserFieldPermissionsWhen,
            operations::ListUserFieldPermissionsThen,
        );
    /// Answers requests of [`get_active_record`](crate::Client::get_active_record) as the closure says.
    fn get_active_record<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetActiveRecordWhen, operations::GetActiveRecordThen);
    /// Answers requests of [`list_signup_pages`](crate::Client::list_signup_pages) as the closure says.
    fn list_signup_pages<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListSignupPagesWhen, operations::ListSignupPagesThen);
    /// Answers requests of [`list_profiles`](crate::Client::list_profiles) as the closure says.
    fn list_profiles<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListProfilesWhen, operations::ListProfilesThen);
    /// Answers requests of [`list_tags`](crate::Client::list_tags) as the closure says.
    fn list_tags<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::ListTagsWhen, operations::ListTagsThen);
    /// Answers requests of [`get_token`](crate::Client::get_token) as the closure says.
    fn get_token<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::GetTokenWhen, operations::GetTokenThen);
    /// Answers requests of [`me`](crate::Client::me) as the closure says.
    fn me<F>(&self, config_fn: F) -> ::httpmock::Mock<'_>
    where
        F: FnOnce(operations::MeWhen, operations::MeThen);
    /// Answers requests of [`test`](crate::Client::test) as the closure says.
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
