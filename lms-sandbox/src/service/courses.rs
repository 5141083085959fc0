//! Courses: add, list, read, replace, delete (the service description, §4, "Courses").

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params};

use super::course_document::{self, Stamp};
use super::{enrolments, topics};
use crate::call::Call;
use crate::ids::Kind;
use crate::pages::{Listing, Window, page};
use crate::problem::Problem;

pub(crate) fn add(connection: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    let document = course_document::from_add(&call.body)?;
    let (_, document) = insert(connection, document, &call.settings.client_id, call.now)?;
    Ok(document.into_bytes())
}

pub(crate) fn list(connection: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(call, 200, &["archived", "published"])?;
    let (archived, published) = (call.query.flag("archived")?, call.query.flag("published")?);
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
        call,
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

pub(crate) fn get(connection: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    let id = call.param(0)?;
    Kind::Course
        .parse(id)
        .map(|number| document(connection, number))
        .transpose()?
        .flatten()
        .map(String::into_bytes)
        .ok_or_else(|| Problem::no_such(Kind::Course, id))
}

pub(crate) fn edit(connection: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, call.param(0)?)?;
    let before = document(connection, number)?.unwrap_or_default();
    let document = course_document::replaced(&before, &call.body, call.now)?;
    store(connection, number, &document)?;
    Ok(document.text.into_bytes())
}

pub(crate) fn delete(connection: &Connection, call: &Call<'_>) -> Result<Vec<u8>, Problem> {
    let number = existing(connection, call.param(0)?)?;
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

/// The row of a course that is in a path; 404 if there is none.
pub(crate) fn existing(connection: &Connection, id: &str) -> Result<i64, Problem> {
    find(connection, id)?.ok_or_else(|| Problem::no_such(Kind::Course, id))
}

/// The row of a course that a body refers to; 422 if there is none.
pub(crate) fn referred(connection: &Connection, field: &str, id: &str) -> Result<i64, Problem> {
    find(connection, id)?.ok_or_else(|| Problem::refers_to_nothing(field, Kind::Course, id))
}

fn find(connection: &Connection, id: &str) -> Result<Option<i64>, Problem> {
    let Some(number) = Kind::Course.parse(id) else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached("SELECT id FROM courses WHERE id = ?1")?;
    Ok(statement.query_row([number], |row| row.get(0)).optional()?)
}

/// A course as it goes on the wire.
pub(crate) fn document(connection: &Connection, number: i64) -> Result<Option<String>, Problem> {
    let mut statement = connection.prepare_cached("SELECT document FROM courses WHERE id = ?1")?;
    Ok(statement.query_row([number], |row| row.get(0)).optional()?)
}

/// Adds a course and returns its number and what it looks like on the wire.
pub(crate) fn insert(
    connection: &Connection,
    content: course_document::Content,
    creator: &str,
    now: i64,
) -> Result<(i64, String), Problem> {
    connection
        .prepare_cached("INSERT INTO courses (archived, published, document) VALUES (0, 0, '')")?
        .execute([])?;
    let number = connection.last_insert_rowid();
    let document = course_document::stamped(
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
    document: &course_document::Document,
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
