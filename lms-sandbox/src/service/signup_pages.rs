//! Sign-up pages, and what signing up on one assigns. The API reads them only.

use rusqlite::{Connection, OptionalExtension, params};

use super::fixtures::NewSignupPage;
use super::request::{ApiRequest, TENANT_DOMAIN};
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::service::lookup::referenced;

pub(crate) fn list(connection: &Connection, _: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql = "SELECT id, name, page_title, page_description, url, created, modified, tags, courses
               FROM signup_pages ORDER BY id";
    super::whole_list(connection, sql, |row, page| {
        page.id("id", Kind::SignupPage, row.get(0)?);
        page.text("name", row.get_ref(1)?.as_str()?);
        page.some_text("page_title", row.get_ref(2)?.as_str_or_null()?);
        page.some_text("page_description", row.get_ref(3)?.as_str_or_null()?);
        page.some_text("url", row.get_ref(4)?.as_str_or_null()?);
        page.time("created", row.get(5)?);
        page.time("modified", row.get(6)?);
        page.raw("tags", row.get_ref(7)?.as_str()?);
        page.raw("courses", row.get_ref(8)?.as_str()?);
        Ok(())
    })
}

/// What a sign-up page or a profile gives a learner.
#[derive(Debug, Default)]
pub(crate) struct Assigned {
    /// Names of tags.
    pub(crate) tags: Vec<String>,
    /// Rows of courses.
    pub(crate) courses: Vec<i64>,
}

impl Assigned {
    /// Reads the JSON arrays that the two tables keep.
    pub(crate) fn parse(tags: &str, courses: &str) -> Self {
        let courses: Vec<String> = serde_json::from_str(courses).unwrap_or_default();
        Self {
            tags: serde_json::from_str(tags).unwrap_or_default(),
            courses: courses
                .iter()
                .filter_map(|id| Kind::Course.parse(id))
                .collect(),
        }
    }
}

/// The row of a sign-up page that a body refers to, and what it assigns; 422 if there is none.
pub(crate) fn assigns(
    connection: &Connection,
    field: &str,
    id: &str,
) -> Result<(i64, Assigned), Problem> {
    let missing = || Problem::unknown_reference(field, Kind::SignupPage, id);
    let number = Kind::SignupPage.parse(id).ok_or_else(missing)?;
    let mut statement =
        connection.prepare_cached("SELECT tags, courses FROM signup_pages WHERE id = ?1")?;
    let found = statement.query_row([number], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    });
    let (tags, courses) = found.optional()?.ok_or_else(missing)?;
    Ok((number, Assigned::parse(&tags, &courses)))
}

pub(crate) fn insert(
    connection: &Connection,
    page: &NewSignupPage,
    now: i64,
) -> Result<i64, Problem> {
    for course in &page.courses {
        referenced(connection, Kind::Course, "courses", course)?;
    }
    connection
        .prepare_cached(
            "INSERT INTO signup_pages (name, page_title, page_description, url, tags, courses, created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
        )?
        .execute(params![
            page.name,
            page.page_title,
            page.page_description,
            page.url.clone().unwrap_or_else(|| format!("https://{TENANT_DOMAIN}/signup/{}", page.name.to_lowercase())),
            json::strings_text(page.tags.iter().map(String::as_str)),
            json::strings_text(page.courses.iter().map(String::as_str)),
            now
        ])?;
    Ok(connection.last_insert_rowid())
}
