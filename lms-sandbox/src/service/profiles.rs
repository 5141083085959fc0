//! Profiles: tags, courses and permissions that are assigned to a learner together. The API only reads them.

use rusqlite::{Connection, params};

use super::fixtures::{FieldPermission, NewProfile};
use super::lookup::{existing, referenced};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use super::signup_pages::Assigned;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let sql =
        "SELECT id, name, created, modified, tags, courses, permissions FROM profiles ORDER BY id";
    rows::all(db, request, sql)
}

/// The assignments of a profile that a field of the body names; 422 if the profile does not exist.
pub(crate) fn assigned(
    db: &Connection,
    field: &str,
    id: &str,
) -> Result<(Assigned, Vec<FieldPermission>), Problem> {
    let number = referenced(db, Kind::Profile, field, id)?;
    let sql = "SELECT tags, courses, permissions FROM profiles WHERE id = ?1";
    let found: Option<(String, String, String)> = sql::first(db, sql, [number])?;
    let (tags, courses, permissions) = found.unwrap_or_default();
    let permissions = serde_json::from_str(&permissions).unwrap_or_default();
    Ok((Assigned::read(&tags, &courses), permissions))
}

pub(crate) fn insert(db: &Connection, profile: &NewProfile, now: i64) -> Result<i64, Problem> {
    for course in &profile.courses {
        referenced(db, Kind::Course, "courses", course)?;
    }
    for permission in &profile.permissions {
        existing(db, Kind::UserField, &permission.user_field)?;
    }
    sql::insert(
        db,
        "INSERT INTO profiles (name, tags, courses, permissions, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        params![
            profile.name,
            json::to_string(&profile.tags),
            json::to_string(&profile.courses),
            json::to_string(&profile.permissions),
            now
        ],
    )
}
