//! Sign-up pages, and their assignments to learners. The API only reads them.

use rusqlite::Connection;
use serde_json::Value;

use super::request::{ApiRequest, OperationResult, TENANT_DOMAIN};
use super::rows;
use super::rows::referenced;
use crate::api::generated::SIGNUP_PAGE;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::all(db, request, "SELECT * FROM signup_pages ORDER BY id")
}

/// The assignments that a learner gets from a sign-up page or a profile.
#[derive(Debug, Default)]
pub(crate) struct Assigned {
    /// Names of tags.
    pub(crate) tags: Vec<String>,
    /// Rows of courses.
    pub(crate) courses: Vec<i64>,
}

impl Assigned {
    /// Reads the columns `tags` and `courses`, which are JSON arrays.
    pub(crate) fn read(tags: &str, courses: &str) -> Self {
        let courses: Vec<String> = serde_json::from_str(courses).unwrap_or_default();
        let courses = courses.iter().filter_map(|id| Kind::Course.parse(id));
        Self {
            tags: serde_json::from_str(tags).unwrap_or_default(),
            courses: courses.collect(),
        }
    }
}

/// The assignments of a sign-up page in a field of the body; 422 if it does not exist.
pub(crate) fn assigned(db: &Connection, field: &str, id: &str) -> Result<Assigned, Problem> {
    let number = referenced(db, Kind::SignupPage, field, id)?;
    let sql = "SELECT tags, courses FROM signup_pages WHERE id = ?1";
    let found: Option<(String, String)> = sql::first(db, sql, [number])?;
    let (tags, courses) = found.unwrap_or_default();
    Ok(Assigned::read(&tags, &courses))
}

/// Checks that the courses of a sign-up page or a profile exist.
pub(crate) fn check_courses(db: &Connection, object: &Value) -> Result<(), Problem> {
    let courses = object["courses"].as_array().into_iter().flatten();
    for course in courses.filter_map(Value::as_str) {
        referenced(db, Kind::Course, "courses", course)?;
    }
    Ok(())
}

pub(crate) fn insert(db: &Connection, page: &Value, now: i64) -> Result<i64, Problem> {
    check_courses(db, page)?;
    let mut page = page.clone();
    if page["url"].is_null() {
        let name = page["name"].as_str().unwrap_or_default().to_lowercase();
        page["url"] = format!("https://{TENANT_DOMAIN}/signup/{name}").into();
    }
    rows::insert(db, "INSERT INTO signup_pages", &[&SIGNUP_PAGE], &page, now)
}
