//! Sign-up pages, and their assignments to learners. The API only reads them.

use rusqlite::{Connection, Row, params};

use super::fixtures::NewSignupPage;
use super::lookup::referenced;
use super::request::{ApiRequest, TENANT_DOMAIN};
use super::rows;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let sql = "SELECT id, name, page_title, page_description, url, created, modified, tags, courses
               FROM signup_pages ORDER BY id";
    rows::all(connection, request, sql)
}

/// The assignments that a learner gets from a sign-up page or a profile.
#[derive(Debug, Default)]
pub(crate) struct Assigned {
    /// Names of tags.
    pub(crate) tags: Vec<String>,
    /// Rows of courses.
    pub(crate) courses: Vec<i64>,
}

impl Assigned {
    /// Reads the columns `tags` and `courses`, which are JSON arrays.
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let array = |column| -> rusqlite::Result<Vec<String>> {
            Ok(serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default())
        };
        Ok(Self {
            tags: array("tags")?,
            courses: array("courses")?
                .iter()
                .filter_map(|id| Kind::Course.parse(id))
                .collect(),
        })
    }
}

/// The row of a sign-up page in a field of the body, and its assignments; 422 if it does not exist.
pub(crate) fn assigned(
    connection: &Connection,
    field: &str,
    id: &str,
) -> Result<(i64, Assigned), Problem> {
    let number = referenced(connection, Kind::SignupPage, field, id)?;
    let mut statement =
        connection.prepare_cached("SELECT tags, courses FROM signup_pages WHERE id = ?1")?;
    Ok((number, statement.query_row([number], Assigned::read)?))
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
            json::to_string(&page.tags),
            json::to_string(&page.courses),
            now
        ])?;
    Ok(connection.last_insert_rowid())
}
