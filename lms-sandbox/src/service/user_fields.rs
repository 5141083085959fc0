//! Custom fields and who may see and change them (the service description, §4, "Custom fields").

use rusqlite::{Connection, Row, params};

use super::fixtures::{FieldPermission, NewUserField};
use super::pages::{Listing, Window, page};
use super::request::ApiRequest;
use crate::api::id::Kind;
use crate::api::json::Object;
use crate::api::problem::Problem;
use crate::service::lookup::existing;

const COLUMNS: &str = "id, name, description, kind, default_value, created, modified, required, user_visible, \
     user_editable, disable_notifications, indexed, not_applicable, resource_kind, resource_name, resource_id";

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 100, &["archived", "published"])?;
    let mut listing = Listing::by_id(COLUMNS, "user_fields", "id");
    if let Some(archived) = request.query.flag("archived")? {
        listing.filter("archived = ?", i64::from(archived));
    }
    if let Some(published) = request.query.flag("published")? {
        listing.filter("published = ?", i64::from(published));
    }
    // A tenant has dozens of fields.
    listing.number_found = Some(listing.count_rows(connection)?);
    // UserFieldList has no fields that would echo the filters.
    page(connection, request, &window, &listing, render, &|_| {})
}

pub(crate) fn get(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let missing = || Problem::no_such(Kind::UserField, id);
    let number = Kind::UserField.parse(id).ok_or_else(missing)?;
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM user_fields WHERE id = ?1"))?;
    let mut rows = statement.query([number])?;
    let row = rows.next()?.ok_or_else(missing)?;
    super::object(|field| render(row, field))
}

fn render(row: &Row<'_>, field: &mut Object<'_>) -> Result<(), Problem> {
    field.id("id", Kind::UserField, row.get(0)?);
    field.text("name", row.get_ref(1)?.as_str()?);
    field.some_text("description", row.get_ref(2)?.as_str_or_null()?);
    field.some_text("kind", row.get_ref(3)?.as_str_or_null()?);
    field.some_text("default", row.get_ref(4)?.as_str_or_null()?);
    field.time("created", row.get(5)?);
    field.time("modified", row.get(6)?);
    field.flag("required", row.get(7)?);
    field.flag("user_visible", row.get(8)?);
    field.flag("user_editable", row.get(9)?);
    field.flag("disable_notifications", row.get(10)?);
    field.flag("indexed", row.get(11)?);
    field.flag("not_applicable", row.get(12)?);
    if let Some(kind) = row.get_ref(13)?.as_str_or_null()? {
        let mut resource = Object::open(field.key("resource"));
        resource.text("kind", kind);
        resource.some_text("name", row.get_ref(14)?.as_str_or_null()?);
        resource.some_text("resource_id", row.get_ref(15)?.as_str_or_null()?);
        resource.close();
    }
    Ok(())
}

pub(crate) fn list_permissions(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 100, &[])?;
    let user = request.param(0)?;
    let learner = existing(connection, Kind::Learner, user)?;
    let mut listing = Listing::by_id(
        "f.id, ifnull(p.not_applicable, f.not_applicable), ifnull(p.user_visible, f.user_visible),
         ifnull(p.user_editable, f.user_editable)",
        "user_fields f LEFT JOIN permissions p ON p.learner = ? AND p.user_field = f.id",
        "f.id",
    );
    listing.values.push(learner.into());
    listing.number_found = Some(listing.count_rows(connection)?);
    page(
        connection,
        request,
        &window,
        &listing,
        |row, permission| {
            permission.id("user_field", Kind::UserField, row.get(0)?);
            permission.id("user", Kind::Learner, learner);
            permission.flag("not_applicable", row.get(1)?);
            permission.flag("user_visible", row.get(2)?);
            permission.flag("user_editable", row.get(3)?);
            Ok(())
        },
        &|page| page.text("user", user),
    )
}

pub(crate) fn insert(
    connection: &Connection,
    field: &NewUserField,
    now: i64,
) -> Result<i64, Problem> {
    let resource = field.resource.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO user_fields (name, description, kind, default_value, required, user_visible, user_editable,
                 disable_notifications, indexed, not_applicable, resource_kind, resource_name, resource_id, archived,
                 published, created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16)",
        )?
        .execute(params![
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
        ])?;
    Ok(connection.last_insert_rowid())
}

/// Gives a learner a permission of his or her own for a field.
pub(crate) fn permit(
    connection: &Connection,
    learner: i64,
    permission: &FieldPermission,
) -> Result<(), Problem> {
    let field = existing(connection, Kind::UserField, &permission.user_field)?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO permissions VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![
            learner,
            field,
            permission.not_applicable,
            permission.user_visible,
            permission.user_editable
        ])?;
    Ok(())
}
