//! Sign-up pages and profiles: tags, courses and permissions that are assigned to a learner together. The API only reads them.

use rusqlite::Connection;
use serde_json::Value;

use super::request::{ApiRequest, OperationResult, TENANT_DOMAIN};
use super::rows::{self, existing, referenced};
use crate::api::generated::{PROFILE, SIGNUP_PAGE};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list_signup_pages(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::all(db, request, "SELECT * FROM signup_pages ORDER BY id")
}

pub(crate) fn list_profiles(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::all(db, request, "SELECT * FROM profiles ORDER BY id")
}

/// The assignments that a learner gets from a sign-up page or a profile.
#[derive(Debug)]
pub(crate) struct Assigned {
    /// Names of tags.
    pub(crate) tags: Vec<String>,
    /// Rows of courses.
    pub(crate) courses: Vec<i64>,
    pub(crate) permissions: Vec<Value>,
}

/// The assignments of a sign-up page or a profile in a field of the body; 422 if it does not exist.
pub(crate) fn assigned(
    db: &Connection,
    kind: Kind,
    field: &str,
    id: &str,
) -> Result<Assigned, Problem> {
    let number = referenced(db, kind, field, id)?;
    let permissions = match kind {
        Kind::Profile => "permissions",
        _ => "'[]'",
    };
    let table = kind.table();
    let sql = format!("SELECT tags, courses, {permissions} FROM {table} WHERE id = ?1");
    let found: Option<(String, String, String)> = sql::first(db, &sql, [number])?;
    let (tags, courses, permissions) = found.unwrap_or_default();
    let courses: Vec<String> = serde_json::from_str(&courses).unwrap_or_default();
    let courses = courses.iter().filter_map(|id| Kind::Course.parse(id));
    Ok(Assigned {
        tags: serde_json::from_str(&tags).unwrap_or_default(),
        courses: courses.collect(),
        permissions: serde_json::from_str(&permissions).unwrap_or_default(),
    })
}

/// Checks that the courses of a sign-up page or a profile exist.
fn check_courses(db: &Connection, object: &Value) -> Result<(), Problem> {
    let courses = object["courses"].as_array().into_iter().flatten();
    for course in courses.filter_map(Value::as_str) {
        referenced(db, Kind::Course, "courses", course)?;
    }
    Ok(())
}

pub(crate) fn insert_signup_page(db: &Connection, page: &Value, now: i64) -> Result<i64, Problem> {
    check_courses(db, page)?;
    let mut page = page.clone();
    if page["url"].is_null() {
        let name = page["name"].as_str().unwrap_or_default().to_lowercase();
        page["url"] = format!("https://{TENANT_DOMAIN}/signup/{name}").into();
    }
    rows::insert(db, "INSERT INTO signup_pages", &[&SIGNUP_PAGE], &page, now)
}

pub(crate) fn insert_profile(db: &Connection, profile: &Value, now: i64) -> Result<i64, Problem> {
    check_courses(db, profile)?;
    for permission in profile["permissions"].as_array().into_iter().flatten() {
        let field = permission["user_field"].as_str().unwrap_or_default();
        existing(db, Kind::UserField, field)?;
    }
    rows::insert(db, "INSERT INTO profiles", &[&PROFILE], profile, now)
}
