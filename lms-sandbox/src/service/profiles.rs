//! Profiles: tags, courses and permissions that are assigned to a learner together. The API only reads them.

use rusqlite::{Connection, params};

use super::fixtures::{FieldPermission, NewProfile};
use super::lookup::{existing, referenced};
use super::request::ApiRequest;
use super::rows;
use super::signup_pages::Assigned;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql =
        "SELECT id, name, created, modified, tags, courses, permissions FROM profiles ORDER BY id";
    rows::all(connection, request, sql)
}

/// The assignments of a profile that a field of the body names; 422 if the profile does not exist.
pub(crate) fn assigned(
    connection: &Connection,
    field: &str,
    id: &str,
) -> Result<(Assigned, Vec<FieldPermission>), Problem> {
    let number = referenced(connection, Kind::Profile, field, id)?;
    let mut statement = connection
        .prepare_cached("SELECT tags, courses, permissions FROM profiles WHERE id = ?1")?;
    let found = statement.query_row([number], |row| {
        let permissions = row.get_ref("permissions")?.as_str()?;
        let permissions = serde_json::from_str(permissions).unwrap_or_default();
        Ok((Assigned::read(row)?, permissions))
    })?;
    Ok(found)
}

pub(crate) fn insert(
    connection: &Connection,
    profile: &NewProfile,
    now: i64,
) -> Result<i64, Problem> {
    for course in &profile.courses {
        referenced(connection, Kind::Course, "courses", course)?;
    }
    for permission in &profile.permissions {
        existing(connection, Kind::UserField, &permission.user_field)?;
    }
    connection
        .prepare_cached(
            "INSERT INTO profiles (name, tags, courses, permissions, created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        )?
        .execute(params![
            profile.name,
            json::to_string(&profile.tags),
            json::to_string(&profile.courses),
            json::to_string(&profile.permissions),
            now
        ])?;
    Ok(connection.last_insert_rowid())
}
