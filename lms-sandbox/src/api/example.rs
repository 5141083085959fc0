//! A request of each operation that succeeds on the demo tenant.
//!
//! Tests of clients call all operations of the document. What they cannot know, such as the id of a topic that a learner has
//! begun, is here, in one place.

use serde_json::{Value, json};

use super::operation::Operation;

/// The default client id. It is numeric because the service's schema types client ids as integers.
pub const DEMO_CLIENT_ID: &str = "1000001";
/// The default client secret.
pub const DEMO_CLIENT_SECRET: &str = "sandbox-secret";

/// A request that succeeds on the demo tenant. Those of [`Operation::ALL`] succeed one after the other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Example {
    /// The values of the path parameters, in their order.
    pub path: Vec<&'static str>,
    /// The filters that the operation needs.
    pub query: Vec<(&'static str, &'static str)>,
    /// The body, if the operation has one.
    pub body: Option<Value>,
}

impl Operation {
    /// A request that succeeds on the [demo tenant](crate::SandboxBuilder::demo).
    ///
    /// ```
    /// let example = lms_sandbox::Operation::GetTopic.example();
    /// assert_eq!((example.path, example.body), (vec!["t1"], None));
    /// ```
    pub fn example(self) -> Example {
        let path: &[&str] = match self {
            Self::GetCourse | Self::EditCourse => &["c1"],
            Self::DeleteCourse => &["c12"],
            // The one that the operation before it has started.
            Self::ViewDuplicateCourse => &["d1"],
            Self::GetTopic => &["t1"],
            Self::GetLearnerByEmail => &["jo@acme.example"],
            Self::GetLearnerById | Self::ListUserFieldPermissions => &["l1"],
            Self::EditLearner => &["l2"],
            Self::DeleteLearner => &["l3"],
            Self::GetTopicProgress => &["l1", "t26"],
            Self::GetCourseProgress => &["c5", "l1"],
            Self::GetUserField => &["f1"],
            Self::GetActiveRecord => &["l1", "f1"],
            _ => &[],
        };
        let query: &[_] = match self {
            Self::DeleteEnrolment => &[("course", "c13"), ("user", "l1")],
            _ => &[],
        };
        let body = match self {
            Self::AddCourse | Self::EditCourse => json!({ "name": "Lifting" }),
            Self::AddDuplicateCourse => json!({ "course": "c1" }),
            Self::AddLearner => json!({
                "firstname": "Jo", "surname": "Bell", "email": "jo@acme.example", "generate_password": true,
            }),
            Self::EditLearner => json!({
                "firstname": "Sam", "surname": "Bell", "email": "sam@acme.example",
            }),
            Self::AddEnrolment => json!({ "course": "c13", "user": "l1" }),
            Self::GetToken => json!({
                "grant_type": "client_credentials",
                "client_id": DEMO_CLIENT_ID,
                "client_secret": DEMO_CLIENT_SECRET,
            }),
            _ => Value::Null,
        };
        Example {
            path: path.to_vec(),
            query: query.to_vec(),
            body: Some(body).filter(|body| !body.is_null()),
        }
    }
}
