//! Profiles: tags, courses and permissions that are assigned to a learner together. The API only reads them.

use rusqlite::Connection;
use serde_json::Value;

use super::request::{ApiRequest, OperationResult};
use super::rows;
use super::rows::{existing, referenced};
use super::signup_pages::{Assigned, check_courses};
use crate::api::generated::PROFILE;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::all(db, request, "SELECT * FROM profiles ORDER BY id")
}

/// The assignments of a profile that a field of the body names; 422 if the profile does not exist.
pub(crate) fn assigned(
    db: &Connection,
    field: &str,
    id: &str,
) -> Result<(Assigned, Vec<Value>), Problem> {
    let number = referenced(db, Kind::Profile, field, id)?;
    let sql = "SELECT tags, courses, permissions FROM profiles WHERE id = ?1";
    let found: Option<(String, String, String)> = sql::first(db, sql, [number])?;
    let (tags, courses, permissions) = found.unwrap_or_default();
    let permissions = serde_json::from_str(&permissions).unwrap_or_default();
    Ok((Assigned::read(&tags, &courses), permissions))
}

pub(crate) fn insert(db: &Connection, profile: &Value, now: i64) -> Result<i64, Problem> {
    check_courses(db, profile)?;
    for permission in profile["permissions"].as_array().into_iter().flatten() {
        let field = permission["user_field"].as_str().unwrap_or_default();
        existing(db, Kind::UserField, field)?;
    }
    rows::insert(db, "INSERT INTO profiles", &[&PROFILE], profile, now)
}
