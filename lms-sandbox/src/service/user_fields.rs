//! Custom fields, and who may see and change them. The API only reads them.

use rusqlite::Connection;
use serde_json::Value;

use super::pages::{Listing, page};
use super::request::{ApiRequest, OperationResult};
use super::rows;
use super::rows::existing;
use crate::api::generated::{USER_FIELD, USER_FIELD_PERMISSION};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::api::schema::{Schema, Shape};

/// Filters of the list, which responses do not have.
const FILTERS: Schema = Schema {
    fields: &[("archived", Shape::Flag), ("published", Shape::Flag)],
    required: &[],
};

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let mut listing = Listing::by_id("*", "user_fields", "id");
    listing.filter_some("archived = ?", request.query.flag("archived")?);
    listing.filter_some("published = ?", request.query.flag("published")?);
    page(db, request, 100, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::by_id(db, request, Kind::UserField, "*")
}

pub(crate) fn list_permissions(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let learner = existing(db, Kind::Learner, request.param(0)?)?;
    let mut listing = Listing::by_id(
        "f.id AS user_field, l.id AS user, ifnull(p.not_applicable, f.not_applicable) AS not_applicable,
         ifnull(p.user_visible, f.user_visible) AS user_visible,
         ifnull(p.user_editable, f.user_editable) AS user_editable",
        "user_fields f JOIN learners l ON l.id = ?
         LEFT JOIN permissions p ON p.user = l.id AND p.user_field = f.id",
        "f.id",
    );
    listing.values.push(learner.into());
    page(db, request, 100, &listing)
}

pub(crate) fn insert(db: &Connection, field: &Value, now: i64) -> Result<i64, Problem> {
    let schemas = [&USER_FIELD, &FILTERS];
    rows::insert(db, "INSERT INTO user_fields", &schemas, field, now)
}

/// Sets the permissions of a learner for a field.
pub(crate) fn permit(db: &Connection, permission: &Value, now: i64) -> Result<(), Problem> {
    let into = "INSERT OR REPLACE INTO permissions";
    rows::insert(db, into, &[&USER_FIELD_PERMISSION], permission, now).map(drop)
}
