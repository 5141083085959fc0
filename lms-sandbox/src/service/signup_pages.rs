//! Sign-up pages, and their assignments to learners. The API only reads them.

use rusqlite::{Connection, params};

use super::fixtures::NewSignupPage;
use super::lookup::referenced;
use super::request::{ApiRequest, OperationResult, TENANT_DOMAIN};
use super::rows;
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::store::sql;

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let sql = "SELECT id, name, page_title, page_description, url, created, modified, tags, courses
               FROM signup_pages ORDER BY id";
    rows::all(db, request, sql)
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
    pub(crate) fn read(tags: &str, courses: &str) -> Self {
        let courses: Vec<String> = serde_json::from_str(courses).unwrap_or_default();
        let courses = courses.iter().filter_map(|id| Kind::Course.parse(id));
        Self {
            tags: serde_json::from_str(tags).unwrap_or_default(),
            courses: courses.collect(),
        }
    }
}

/// The row of a sign-up page in a field of the body, and its assignments; 422 if it does not exist.
pub(crate) fn assigned(db: &Connection, field: &str, id: &str) -> Result<(i64, Assigned), Problem> {
    let number = referenced(db, Kind::SignupPage, field, id)?;
    let sql = "SELECT tags, courses FROM signup_pages WHERE id = ?1";
    let found: Option<(String, String)> = sql::first(db, sql, [number])?;
    let (tags, courses) = found.unwrap_or_default();
    Ok((number, Assigned::read(&tags, &courses)))
}

pub(crate) fn insert(db: &Connection, page: &NewSignupPage, now: i64) -> Result<i64, Problem> {
    for course in &page.courses {
        referenced(db, Kind::Course, "courses", course)?;
    }
    let url = || {
        format!(
            "https://{TENANT_DOMAIN}/signup/{}",
            page.name.to_lowercase()
        )
    };
    sql::insert(
        db,
        "INSERT INTO signup_pages (name, page_title, page_description, url, tags, courses, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
        params![
            page.name,
            page.page_title,
            page.page_description,
            page.url.clone().unwrap_or_else(url),
            json::to_string(&page.tags),
            json::to_string(&page.courses),
            now
        ],
    )
}
