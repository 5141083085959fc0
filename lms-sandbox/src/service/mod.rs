//! The operations.
//!
//! There is one module per resource. An operation is a function of a database connection and an [`ApiRequest`]; it
//! returns the body of the 200 response or a `Problem`. It does not know about HTTP, tokens or threads.

pub(crate) mod assignments;
pub(crate) mod courses;
pub(crate) mod enrolments;
pub(crate) mod learners;
pub(crate) mod pages;
pub(crate) mod progress;
pub(crate) mod records;
pub(crate) mod request;
pub(crate) mod rows;
pub(crate) mod tags;
pub(crate) mod topics;
pub(crate) mod user_fields;

use rusqlite::Connection;

use self::courses::duplication;
use self::request::{ApiRequest, OperationResult, TENANT_DOMAIN, TENANT_NAME};
use crate::api::json;
use crate::api::operation::Operation;

/// Runs an operation and returns the body of its response.
pub(crate) fn run(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let handler = match request.operation {
        Operation::AddCourse => courses::add,
        Operation::ListCourses => courses::list,
        Operation::GetCourse => courses::get,
        Operation::EditCourse => courses::edit,
        Operation::DeleteCourse => courses::delete,
        Operation::AddDuplicateCourse => duplication::add,
        Operation::ViewDuplicateCourse => duplication::poll,
        Operation::ListTopics => topics::list,
        Operation::GetTopic => topics::get,
        Operation::AddLearner => learners::add,
        Operation::ListLearners => learners::list,
        Operation::GetLearnerByEmail => learners::get_by_email,
        Operation::GetLearnerById => learners::get,
        Operation::EditLearner => learners::edit,
        Operation::DeleteLearner => learners::delete,
        Operation::AddEnrolment => enrolments::add,
        Operation::ListEnrolments => enrolments::list,
        Operation::DeleteEnrolment => enrolments::delete,
        Operation::GetTopicProgress => progress::get_of_topic,
        Operation::ListTopicProgress => progress::list_of_topics,
        Operation::GetCourseProgress => progress::get_of_course,
        Operation::ListCourseCompletions => progress::list_of_completions,
        Operation::GetUserField => user_fields::get,
        Operation::ListUserFields => user_fields::list,
        Operation::ListUserFieldPermissions => user_fields::list_permissions,
        Operation::GetActiveRecord => records::get_active,
        Operation::ListSignupPages => assignments::list_signup_pages,
        Operation::ListProfiles => assignments::list_profiles,
        Operation::ListTags => tags::list,
        Operation::Me => me,
        // Tokens are issued by the router, without the store.
        Operation::GetToken | Operation::Test => test,
    };
    handler(db, request)
}

/// `GET /oauth/me`.
fn me(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    Ok(json::object([
        ("tid", request.settings.tenant_id.as_str().into()),
        ("domain", TENANT_DOMAIN.into()),
        ("aud", request.settings.base_url.as_str().into()),
        ("name", TENANT_NAME.into()),
    ]))
}

/// `GET /test`.
fn test(_: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let tid = request.settings.tenant_id.as_str();
    Ok(json::object([("tid", tid.into())]))
}
