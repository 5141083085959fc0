//! Courses: add, list, read, replace, delete (the service description, §4, "Courses").

pub(crate) mod document;
pub(crate) mod duplication;

use self::document::Stamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params};

use super::{enrolments, topics};
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::service::lookup::existing;
use crate::service::pages::{Listing, Window, page};
use crate::service::request::ApiRequest;

pub(crate) fn add(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let document = document::from_add(&request.body)?;
    let (_, document) = insert(
        connection,
        document,
        &request.settings.client_id,
        request.now,
    )?;
    Ok(document.into_bytes())
}

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200, &["archived", "published"])?;
    let (archived, published) = (
        request.query.flag("archived")?,
        request.query.flag("published")?,
    );
    let mut listing = Listing::by_id("document", "courses", "id");
    if let Some(archived) = archived {
        listing.filter("archived = ?", i64::from(archived));
    }
    if let Some(published) = published {
        listing.filter("published = ?", i64::from(published));
    }
    // A tenant has thousands of courses at most: counting them in an index is cheap.
    listing.number_found = Some(listing.count_rows(connection)?);
    page(
        connection,
        request,
        &window,
        &listing,
        |row, item| {
            let document = row.get_ref(0)?.as_str()?;
            item.raw_fields(
                document
                    .strip_prefix('{')
                    .and_then(|rest| rest.strip_suffix('}'))
                    .unwrap_or_default(),
            );
            Ok(())
        },
        &|page| {
            if let Some(archived) = archived {
                page.flag("archived", archived);
            }
            if let Some(published) = published {
                page.flag("published", published);
            }
        },
    )
}

pub(crate) fn get(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    Kind::Course
        .parse(id)
        .map(|number| document(connection, number))
        .transpose()?
        .flatten()
        .map(String::into_bytes)
        .ok_or_else(|| Problem::no_such(Kind::Course, id))
}

pub(crate) fn edit(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, Kind::Course, request.param(0)?)?;
    let before = document(connection, number)?.unwrap_or_default();
    let document = document::replaced(&before, &request.body, request.now)?;
    store(connection, number, &document)?;
    Ok(document.text.into_bytes())
}

pub(crate) fn delete(
    connection: &Connection,
    request: &ApiRequest<'_>,
) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, Kind::Course, request.param(0)?)?;
    enrolments::delete_of_course(connection, number)?;
    topics::delete_of_course(connection, number)?;
    connection
        .prepare_cached("DELETE FROM courses WHERE id = ?1")?
        .execute([number])?;
    // Profiles and sign-up pages would otherwise go on assigning a course that is gone.
    for table in ["profiles", "signup_pages"] {
        let sql = format!(
            "UPDATE {table} SET courses =
                 (SELECT json_group_array(value) FROM json_each({table}.courses) WHERE value <> ?1)"
        );
        connection.execute(&sql, params![Kind::Course.id(number)])?;
    }
    Ok(Vec::new())
}

/// A course as it goes on the wire.
pub(crate) fn document(connection: &Connection, number: i64) -> Result<Option<String>, Problem> {
    let mut statement = connection.prepare_cached("SELECT document FROM courses WHERE id = ?1")?;
    Ok(statement.query_row([number], |row| row.get(0)).optional()?)
}

/// Adds a course and returns its number and what it looks like on the wire.
pub(crate) fn insert(
    connection: &Connection,
    content: document::Content,
    creator: &str,
    now: i64,
) -> Result<(i64, String), Problem> {
    connection
        .prepare_cached("INSERT INTO courses (archived, published, document) VALUES (0, 0, '')")?
        .execute([])?;
    let number = connection.last_insert_rowid();
    let document = document::stamped(
        content,
        &Stamp {
            number,
            creator,
            created: now,
        },
    );
    store(connection, number, &document)?;
    Ok((number, document.text))
}

fn store(
    connection: &Connection,
    number: i64,
    document: &document::Document,
) -> Result<(), Problem> {
    let values: [Value; 4] = [
        number.into(),
        i64::from(document.archived).into(),
        i64::from(document.published).into(),
        document.text.clone().into(),
    ];
    connection
        .prepare_cached(
            "UPDATE courses SET archived = ?2, published = ?3, document = ?4 WHERE id = ?1",
        )?
        .execute(values)?;
    Ok(())
}
