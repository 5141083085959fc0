//! Custom fields, and who may see and change them. The API only reads them.

use rusqlite::{Connection, params};

use super::fixtures::{FieldPermission, NewUserField};
use super::lookup::existing;
use super::pages::{Listing, Window, page};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::store::sql;

const COLUMNS: &str = "id, name, description, kind, default_value AS 'default', created, modified, required, \
     user_visible, user_editable, disable_notifications, indexed, not_applicable, \
     iif(resource_kind IS NULL, NULL, json_object('kind', resource_kind, 'name', resource_name, \
         'resource_id', resource_id)) AS resource";

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let window = Window::of(request, 100)?;
    let mut listing = Listing::by_id(COLUMNS, "user_fields", "id");
    listing.filter_some("archived = ?", request.query.flag("archived")?);
    listing.filter_some("published = ?", request.query.flag("published")?);
    page(db, request, &window, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let id = request.param(0)?;
    let sql = format!("SELECT {COLUMNS} FROM user_fields WHERE id = ?1");
    rows::first(db, request, &sql, [Kind::UserField.parse(id)])?
        .ok_or_else(|| Problem::no_such(Kind::UserField, id))
}

pub(crate) fn list_permissions(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let window = Window::of(request, 100)?;
    let learner = existing(db, Kind::Learner, request.param(0)?)?;
    let mut listing = Listing::by_id(
        "f.id AS user_field, l.id AS user, ifnull(p.not_applicable, f.not_applicable) AS not_applicable,
         ifnull(p.user_visible, f.user_visible) AS user_visible,
         ifnull(p.user_editable, f.user_editable) AS user_editable",
        "user_fields f JOIN learners l ON l.id = ?
         LEFT JOIN permissions p ON p.learner = l.id AND p.user_field = f.id",
        "f.id",
    );
    listing.values.push(learner.into());
    page(db, request, &window, &listing)
}

pub(crate) fn insert(db: &Connection, field: &NewUserField, now: i64) -> Result<i64, Problem> {
    let resource = field.resource.as_ref();
    sql::insert(
        db,
        "INSERT INTO user_fields (name, description, kind, default_value, required, user_visible, user_editable,
             disable_notifications, indexed, not_applicable, resource_kind, resource_name, resource_id, archived,
             published, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16)",
        params![
            field.name,
            field.description,
            field.kind,
            field.default,
            field.required,
            field.user_visible,
            field.user_editable,
            field.disable_notifications,
            field.indexed,
            field.not_applicable,
            resource.map(|r| &r.kind),
            resource.map(|r| &r.name),
            resource.map(|r| &r.resource_id),
            field.archived,
            field.published,
            now
        ],
    )
}

/// Sets the permissions of a learner for a field.
pub(crate) fn permit(
    db: &Connection,
    learner: i64,
    permission: &FieldPermission,
) -> Result<(), Problem> {
    let field = existing(db, Kind::UserField, &permission.user_field)?;
    let FieldPermission {
        not_applicable,
        user_visible,
        user_editable,
        ..
    } = permission;
    let sql = "INSERT OR REPLACE INTO permissions VALUES (?1, ?2, ?3, ?4, ?5)";
    sql::run(
        db,
        sql,
        params![learner, field, not_applicable, user_visible, user_editable],
    )
}
