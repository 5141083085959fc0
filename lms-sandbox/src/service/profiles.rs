//! Profiles: tags, courses and permissions given to a learner at once. The API reads them only.

use rusqlite::{Connection, OptionalExtension, params};

use super::fixtures::{FieldPermission, NewProfile};
use super::request::ApiRequest;
use super::signup_pages::Assigned;
use crate::api::id::Kind;
use crate::api::json::{self, Object};
use crate::api::problem::Problem;
use crate::service::lookup::{existing, referenced};

pub(crate) fn list(connection: &Connection, _: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql =
        "SELECT id, name, created, modified, tags, courses, permissions FROM profiles ORDER BY id";
    super::whole_list(connection, sql, |row, profile| {
        profile.id("id", Kind::Profile, row.get(0)?);
        profile.text("name", row.get_ref(1)?.as_str()?);
        profile.time("created", row.get(2)?);
        profile.time("modified", row.get(3)?);
        profile.raw("tags", row.get_ref(4)?.as_str()?);
        profile.raw("courses", row.get_ref(5)?.as_str()?);
        profile.raw("permissions", row.get_ref(6)?.as_str()?);
        Ok(())
    })
}

/// What a profile that a body refers to assigns; 422 if there is none.
pub(crate) fn assigns(
    connection: &Connection,
    field: &str,
    id: &str,
) -> Result<(Assigned, Vec<FieldPermission>), Problem> {
    let missing = || Problem::unknown_reference(field, Kind::Profile, id);
    let number = Kind::Profile.parse(id).ok_or_else(missing)?;
    let mut statement = connection
        .prepare_cached("SELECT tags, courses, permissions FROM profiles WHERE id = ?1")?;
    let found = statement.query_row([number], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    });
    let (tags, courses, permissions) = found.optional()?.ok_or_else(missing)?;
    let permissions: Vec<serde_json::Value> =
        serde_json::from_str(&permissions).unwrap_or_default();
    let flag = |permission: &serde_json::Value, name: &str| {
        permission.get(name).and_then(serde_json::Value::as_bool) == Some(true)
    };
    let permissions = permissions
        .iter()
        .map(|permission| FieldPermission {
            user_field: permission
                .get("user_field")
                .and_then(|f| f.as_str())
                .unwrap_or_default()
                .to_owned(),
            not_applicable: flag(permission, "not_applicable"),
            user_visible: flag(permission, "user_visible"),
            user_editable: flag(permission, "user_editable"),
        })
        .collect();
    Ok((Assigned::parse(&tags, &courses), permissions))
}

pub(crate) fn insert(
    connection: &Connection,
    profile: &NewProfile,
    now: i64,
) -> Result<i64, Problem> {
    for course in &profile.courses {
        referenced(connection, Kind::Course, "courses", course)?;
    }
    let mut permissions = vec![b'['];
    for (index, permission) in profile.permissions.iter().enumerate() {
        existing(connection, Kind::UserField, &permission.user_field)?;
        if index > 0 {
            permissions.push(b',');
        }
        let mut object = Object::open(&mut permissions);
        object.text("user_field", &permission.user_field);
        object.flag("not_applicable", permission.not_applicable);
        object.flag("user_editable", permission.user_editable);
        object.flag("user_visible", permission.user_visible);
        object.close();
    }
    permissions.push(b']');
    connection
        .prepare_cached(
            "INSERT INTO profiles (name, tags, courses, permissions, created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        )?
        .execute(params![
            profile.name,
            json::strings_text(profile.tags.iter().map(String::as_str)),
            json::strings_text(profile.courses.iter().map(String::as_str)),
            String::from_utf8(permissions).unwrap_or_default(),
            now
        ])?;
    Ok(connection.last_insert_rowid())
}
