//! Learners.
//!
//! A password is checked, but never stored and never sent: nothing here needs it, and a data file cannot leak what it does
//! not have.

use rusqlite::{Connection, params};
use serde_json::Value;

use super::assignments::assigned;
use super::pages::{Listing, Order, page};
use super::request::{AUTHOR, ApiRequest, OperationResult};
use super::rows::{existing, referenced};
use super::{enrolments, rows, tags, user_fields};
use crate::api::fields::Fields;
use crate::api::generated::{ADD_LEARNER, LEARNER};
use crate::api::id::Kind;
use crate::api::problem::{Problem, quote};
use crate::api::timestamp;
use crate::store::sql;

/// The fields of a learner.
const COLUMNS: &str = "*, 0 AS deleted, 1 AS is_learner";

/// The orders of the list, each of which has an index.
const ORDERS: [&str; 6] = [
    "created",
    "updated",
    "firstname",
    "surname",
    "email",
    "username",
];

/// The condition for the name of a tag.
const HAS_TAG: &str = "EXISTS (SELECT 1 FROM tags g JOIN learner_tags h ON h.tag = g.id WHERE g.name = ? AND h.learner = l.id)";

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let query = &request.query;
    let mut listing = Listing::by_id(COLUMNS, "learners l", "l.id");
    listing.order = match query.one_of("order_by", &ORDERS)? {
        Some("updated") => Order::Pair("l.updated", "l.id"),
        Some("firstname") => Order::Pair("l.firstname", "l.id"),
        Some("surname") => Order::Pair("l.surname", "l.id"),
        Some("email") => Order::Pair("l.email", "l.id"),
        Some("username") => Order::Pair("l.username_order", "l.id"),
        // Ids ascend in the order of creation.
        _ => Order::Id("l.id"),
    };
    listing.descending = query.one_of("order_direction", &["ASC", "DESC"])? == Some("DESC");
    for tag in query.all("tags") {
        listing.filter(HAS_TAG, tag.to_owned());
    }
    let text = |name| query.text(name).map(str::to_owned);
    listing.filter_some("l.signup_page = ?", text("signup_page"));
    listing.filter_some("l.username = ?", text("username"));
    listing.filter_some("l.email = ?", text("email"));
    page(db, request, 200, &listing)
}

pub(crate) fn get(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    rows::by_id(db, request, Kind::Learner, COLUMNS)
}

pub(crate) fn get_by_email(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let email = request.param(0)?;
    let sql = format!("SELECT {COLUMNS} FROM learners WHERE email = ?1");
    rows::first(db, request, &sql, [email])?.ok_or_else(|| {
        Problem::not_found(format!("there is no learner with email {}", quote(email)))
            .about("email")
    })
}

/// The learner who was added or edited.
fn written(db: &Connection, request: &ApiRequest<'_>, number: i64) -> OperationResult {
    let sql = format!("SELECT {COLUMNS} FROM learners WHERE id = ?1");
    let missing = || Problem::no_such(Kind::Learner, &Kind::Learner.id(number));
    rows::first(db, request, &sql, [number])?.ok_or_else(missing)
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
    written(db, request, number)
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
    written(db, request, number)
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
    let page = fields.text("signup_page");
    let page = page.map(|id| (Kind::SignupPage, "signup_page".to_owned(), id));
    let profiles = fields.texts("profiles").into_iter().enumerate();
    let profiles = profiles.map(|(index, id)| (Kind::Profile, format!("profiles[{index}]"), id));
    let mut permissions = Vec::new();
    for (kind, field, id) in page.into_iter().chain(profiles) {
        let assigned = assigned(db, kind, &field, id)?;
        names.extend(assigned.tags);
        enrol_in.extend(assigned.courses);
        permissions.extend(assigned.permissions);
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

/// Rejects text that cannot be an email address.
fn check_email(email: &str) -> Result<(), Problem> {
    let well_formed = email.len() <= 254
        && !email.chars().any(|c| c.is_whitespace() || c.is_control())
        && email.split_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !domain.contains('@')
                && domain.split('.').all(|label| !label.is_empty())
        });
    if well_formed {
        return Ok(());
    }
    let message = format!(
        "email is {}; send an address such as jo@example.com",
        quote(email)
    );
    Err(Problem::invalid("email", message))
}

/// Rejects an empty password.
fn check_password(body: &Fields) -> Result<(), Problem> {
    if body.text("password") == Some("") {
        let message = "password is empty; send one, or omit the field";
        return Err(Problem::invalid("password", message));
    }
    Ok(())
}

/// Rejects an email or a username of a learner other than `except`.
fn check_unique(
    db: &Connection,
    except: Option<i64>,
    email: &str,
    username: Option<&str>,
) -> Result<(), Problem> {
    for (field, value) in [("email", Some(email)), ("username", username)] {
        let sql = format!("SELECT id FROM learners WHERE {field} = ?1 AND id IS NOT ?2");
        if let Some((number,)) = sql::first(db, &sql, params![value, except])? {
            let (value, learner) = (quote(value.unwrap_or_default()), Kind::Learner.id(number));
            let message = format!("{field} {value} belongs to learner {learner}; use another");
            return Err(Problem::conflict(field, message));
        }
    }
    Ok(())
}
