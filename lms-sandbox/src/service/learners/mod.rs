//! Learners.
//!
//! A password is checked, but never stored and never sent: nothing here needs it, and a data file cannot leak what it does
//! not have.

pub(crate) mod list;
mod validation;

use rusqlite::{Connection, params};
use serde_json::Value;

use self::validation::{check_email, check_password, check_unique};
use super::request::{AUTHOR, ApiRequest, OperationResult};
use super::rows::{existing, referenced};
use super::{enrolments, profiles, rows, signup_pages, tags, user_fields};
use crate::api::fields::Fields;
use crate::api::generated::{ADD_LEARNER, LEARNER};
use crate::api::id::Kind;
use crate::api::problem::{Problem, quote};
use crate::api::timestamp;
use crate::store::sql;

/// The fields of a learner, from the table named `l`.
pub(crate) const COLUMNS: &str = "l.*, 0 AS deleted, 1 AS is_learner";

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let id = request.param(0)?;
    by_number(db, request, Kind::Learner.parse(id))?
        .ok_or_else(|| Problem::no_such(Kind::Learner, id))
}

pub(crate) fn get_by_email(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let email = request.param(0)?;
    let sql = format!("SELECT {COLUMNS} FROM learners l WHERE l.email = ?1");
    rows::first(db, request, &sql, [email])?.ok_or_else(|| {
        Problem::not_found(format!("there is no learner with email {}", quote(email)))
            .about("email")
    })
}

fn by_number(
    db: &Connection,
    request: &ApiRequest<'_>,
    number: Option<i64>,
) -> Result<Option<Vec<u8>>, Problem> {
    let sql = format!("SELECT {COLUMNS} FROM learners l WHERE l.id = ?1");
    rows::first(db, request, &sql, [number])
}

pub(crate) fn add(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let body = &request.body;
    check_password(body)?;
    if body.flag("generate_password") == Some(false) && body.text("password").is_none() {
        let message = "password is missing; it is required when generate_password is false";
        return Err(Problem::invalid("password", message));
    }
    let known = body.iter().filter(|(name, _)| {
        let is_secret = name.contains("password") || name.starts_with("send_");
        !is_secret && ADD_LEARNER.field(name).is_some()
    });
    let mut learner: Value = known
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if learner["username"] == "" {
        learner["username"] = Value::Null;
    }
    learner["created_by"] = request.settings.client_id.as_str().into();
    learner["creator_kind"] = "api".into();
    learner["create_type"] = "api".into();
    let number = insert(db, &learner, request.now)?;
    by_number(db, request, Some(number))?.ok_or_else(|| Problem::no_such(Kind::Learner, ""))
}

pub(crate) fn edit(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let (id, body) = (request.param(0)?, &request.body);
    let number = existing(db, Kind::Learner, id)?;
    if let Some(other) = body.text("id").filter(|other| *other != id) {
        let message = format!(
            "id is {}, but the path has {id}; send the same id or omit the field",
            quote(other)
        );
        return Err(Problem::invalid("id", message));
    }
    let (username, email) = (body.filled_text("username"), body.required("email"));
    check_email(email)?;
    check_password(body)?;
    check_unique(db, Some(number), email, username)?;
    let names = tags::checked("tags", body.texts("tags"))?;
    let tags = tags::assign(db, number, &names, request.now)?;
    let sql = "UPDATE learners SET username = ?2, firstname = ?3, surname = ?4, email = ?5, phone_number = ?6,
                   notes = ?7, tags = ?8, updated = ?9 WHERE id = ?1";
    let [firstname, surname] = ["firstname", "surname"].map(|name| body.required(name));
    let [phone, notes] = ["phone_number", "notes"].map(|name| body.text(name));
    let now = request.now;
    let row = params![
        number, username, firstname, surname, email, phone, notes, tags, now
    ];
    sql::run(db, sql, row)?;
    by_number(db, request, Some(number))?.ok_or_else(|| Problem::no_such(Kind::Learner, id))
}

pub(crate) fn delete(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let number = existing(db, Kind::Learner, request.param(0)?)?;
    enrolments::delete_of_learner(db, number)?;
    tags::assign(db, number, &[], request.now)?;
    for sql in [
        "DELETE FROM permissions WHERE user = ?1",
        "DELETE FROM records WHERE learner = ?1",
        "DELETE FROM learners WHERE id = ?1",
    ] {
        sql::run(db, sql, [number])?;
    }
    Ok(Vec::new())
}

/// Adds a learner, with the assignments of the sign-up page, the profiles and the request.
pub(crate) fn insert(db: &Connection, learner: &Value, now: i64) -> Result<i64, Problem> {
    let mut fields = Fields::to_add(learner, &[&LEARNER, &ADD_LEARNER])?;
    check_email(fields.required("email"))?;
    check_unique(db, None, fields.required("email"), fields.text("username"))?;
    let mut names: Vec<_> = fields
        .texts("tags")
        .into_iter()
        .map(str::to_owned)
        .collect();
    let mut enrol_in = Vec::new();
    for (index, course) in fields.texts("courses").into_iter().enumerate() {
        let field = format!("courses[{index}]");
        enrol_in.push(referenced(db, Kind::Course, &field, course)?);
    }
    if let Some(id) = fields.text("signup_page") {
        let assigned = signup_pages::assigned(db, "signup_page", id)?;
        names.extend(assigned.tags);
        enrol_in.extend(assigned.courses);
    }
    let mut permissions = Vec::new();
    for (index, profile) in fields.texts("profiles").into_iter().enumerate() {
        let (assigned, granted) = profiles::assigned(db, &format!("profiles[{index}]"), profile)?;
        names.extend(assigned.tags);
        enrol_in.extend(assigned.courses);
        permissions.extend(granted);
    }
    let names = tags::checked("tags", names.iter().map(String::as_str))?;
    let created = fields.time("created")?.unwrap_or(now);
    fields.set("tags", names.clone());
    fields.set_default("updated", timestamp::format(created));
    fields.set_default("created_by", AUTHOR);
    fields.set_default("creator_kind", "admin");
    fields.set_default("create_type", "manual");
    fields.retain(|name| name != "password" && LEARNER.field(name).is_some());
    let learner = fields.into_map().into();
    let number = rows::insert(db, "INSERT INTO learners", &[&LEARNER], &learner, now)?;
    tags::assign(db, number, &names, now)?;
    for course in enrol_in {
        // A course can be assigned more than once, by the request and by profiles.
        enrolments::insert(db, number, course, created)?;
    }
    for mut permission in permissions {
        permission["user"] = Kind::Learner.id(number).into();
        user_fields::permit(db, &permission, now)?;
    }
    Ok(number)
}
