//! Learners.
//!
//! A password is checked, but never stored and never sent: nothing here needs it, and a data file cannot leak what it does
//! not have.

pub(crate) mod list;
mod validation;

use rusqlite::{Connection, params};

use self::validation::{check_email, check_password, check_unique, email};
use super::fixtures::{AUTHOR, NewLearner, seconds};
use super::lookup::{existing, referenced};
use super::request::{ApiRequest, OperationResult};
use super::{enrolments, profiles, rows, signup_pages, tags, user_fields};
use crate::api::id::Kind;
use crate::api::problem::{Problem, quote};
use crate::store::sql;

/// The fields of a learner, from the table named `l`.
pub(crate) const COLUMNS: &str = "l.id, l.username, l.firstname, l.surname, l.email, l.phone_number, l.image, \
     l.notes, l.sso_id, 's' || l.signup_page AS signup_page, l.tags, l.archived, 0 AS deleted, l.is_admin, \
     1 AS is_learner, l.created_by, l.creator_kind, l.create_type, l.created, l.updated, l.last_logged_in";

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
    for flag in ["send_email", "send_sms"] {
        body.flag(flag)?;
    }
    let password = body.text("password")?;
    check_password(password)?;
    if body.flag("generate_password")? == Some(false) && password.is_none() {
        let message = "password is missing; it is required when generate_password is false";
        return Err(Problem::invalid("password", message));
    }
    let learner = NewLearner {
        username: body.filled_text("username")?.map(str::to_owned),
        firstname: body.required_text("firstname")?.to_owned(),
        surname: body.required_text("surname")?.to_owned(),
        email: email(body)?.to_owned(),
        phone_number: body.text("phone_number")?.map(str::to_owned),
        sso_id: body.text("sso_id")?.map(str::to_owned),
        signup_page: body.text("signup_page")?.map(str::to_owned),
        tags: owned(body.texts("tags")?),
        profiles: owned(body.texts("profiles")?),
        courses: owned(body.texts("courses")?),
        created_by: Some(request.settings.client_id.clone()),
        creator_kind: Some("api".into()),
        create_type: Some("api".into()),
        ..NewLearner::default()
    };
    let number = insert(db, &learner, request.now)?;
    by_number(db, request, Some(number))?.ok_or_else(|| Problem::no_such(Kind::Learner, ""))
}

pub(crate) fn edit(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let (id, body) = (request.param(0)?, &request.body);
    let number = existing(db, Kind::Learner, id)?;
    if let Some(other) = body.text("id")?.filter(|other| *other != id) {
        let message = format!(
            "id is {}, but the path has {id}; send the same id or omit the field",
            quote(other)
        );
        return Err(Problem::invalid("id", message));
    }
    let username = body.filled_text("username")?;
    let firstname = body.required_text("firstname")?;
    let surname = body.required_text("surname")?;
    let email = email(body)?;
    let (phone_number, notes) = (body.text("phone_number")?, body.text("notes")?);
    check_password(body.text("password")?)?;
    check_unique(db, Some(number), email, username)?;
    let names = tags::checked("tags", body.texts("tags")?.unwrap_or_default())?;
    let tags = tags::assign(db, number, &names, request.now)?;
    let sql = "UPDATE learners SET username = ?2, firstname = ?3, surname = ?4, email = ?5, phone_number = ?6,
                   notes = ?7, tags = ?8, updated = ?9 WHERE id = ?1";
    let now = request.now;
    let row = params![
        number,
        username,
        firstname,
        surname,
        email,
        phone_number,
        notes,
        tags,
        now
    ];
    sql::run(db, sql, row)?;
    by_number(db, request, Some(number))?.ok_or_else(|| Problem::no_such(Kind::Learner, id))
}

pub(crate) fn delete(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let number = existing(db, Kind::Learner, request.param(0)?)?;
    enrolments::delete_of_learner(db, number)?;
    tags::assign(db, number, &[], request.now)?;
    for sql in [
        "DELETE FROM permissions WHERE learner = ?1",
        "DELETE FROM records WHERE learner = ?1",
        "DELETE FROM learners WHERE id = ?1",
    ] {
        sql::run(db, sql, [number])?;
    }
    Ok(Vec::new())
}

/// Adds a learner, with the assignments of the sign-up page, the profiles and the request.
pub(crate) fn insert(db: &Connection, learner: &NewLearner, now: i64) -> Result<i64, Problem> {
    check_email(&learner.email)?;
    check_unique(db, None, &learner.email, learner.username.as_deref())?;
    let mut names = learner.tags.clone();
    let mut enrol_in = Vec::new();
    for (index, course) in learner.courses.iter().enumerate() {
        let field = format!("courses[{index}]");
        enrol_in.push(referenced(db, Kind::Course, &field, course)?);
    }
    let mut signup_page = None;
    if let Some(id) = &learner.signup_page {
        let (number, assigned) = signup_pages::assigned(db, "signup_page", id)?;
        signup_page = Some(number);
        names.extend(assigned.tags);
        enrol_in.extend(assigned.courses);
    }
    let mut permissions = Vec::new();
    for (index, profile) in learner.profiles.iter().enumerate() {
        let (assigned, granted) = profiles::assigned(db, &format!("profiles[{index}]"), profile)?;
        names.extend(assigned.tags);
        enrol_in.extend(assigned.courses);
        permissions.extend(granted);
    }
    let names = tags::checked("tags", names.iter().map(String::as_str))?;

    let created = seconds(learner.created).unwrap_or(now);
    let number = insert_row(db, learner, signup_page, created)?;
    if !names.is_empty() {
        let tags = tags::assign(db, number, &names, now)?;
        sql::run(
            db,
            "UPDATE learners SET tags = ?2 WHERE id = ?1",
            params![number, tags],
        )?;
    }
    for course in enrol_in {
        // A course can be assigned more than once, by the request and by profiles.
        enrolments::insert(db, number, course, created)?;
    }
    for permission in permissions {
        user_fields::permit(db, number, &permission)?;
    }
    Ok(number)
}

fn insert_row(
    db: &Connection,
    learner: &NewLearner,
    signup_page: Option<i64>,
    created: i64,
) -> Result<i64, Problem> {
    sql::insert(
        db,
        "INSERT INTO learners (username, firstname, surname, email, phone_number, image, notes, sso_id, signup_page,
             tags, archived, is_admin, created_by, creator_kind, create_type, created, updated, last_logged_in)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '[]', ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?16)",
        params![
            learner.username,
            learner.firstname,
            learner.surname,
            learner.email,
            learner.phone_number,
            learner.image,
            learner.notes,
            learner.sso_id,
            signup_page,
            learner.archived,
            learner.is_admin,
            learner.created_by.as_deref().unwrap_or(AUTHOR),
            learner.creator_kind.as_deref().unwrap_or("admin"),
            learner.create_type.as_deref().unwrap_or("manual"),
            created,
            seconds(learner.last_logged_in)
        ],
    )
}

fn owned(texts: Option<Vec<&str>>) -> Vec<String> {
    let texts = texts.unwrap_or_default().into_iter();
    texts.map(str::to_owned).collect()
}
