//! A file of people who are still there, of which the columns that identify a learner are read.
//!
//! A learner who is not found in the file is listed as a leaver, and such a list is deleted. So a file that may have been
//! misunderstood is refused.

use std::fs;

use lms_plan::column_key;
use serde_json::{Map, Value};

use crate::{
    failure::Failure,
    spreadsheet::{self, Column, Record, Wanted, check_identifier},
};

/// The columns that identify a learner.
const KEYS: [&str; 4] = ["id", "email", "username", "sso_id"];

/// The people of a file as a JSON array of objects.
///
/// # Errors
///
/// Usage, if a person in the file cannot be identified, because then a learner who is there would have left.
pub(super) fn read(file: &str) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::usage(error.to_string()))?;
    let table = spreadsheet::read(&bytes)?;
    let keys: Vec<Option<&str>> = table.columns.iter().map(key).collect();
    if keys.iter().all(Option::is_none) {
        return Err(Failure::usage(
            "the file has no person with an id, email, username or sso_id, which the first line of CSV names",
        ));
    }
    if let Some(column) = table.columns.iter().find(|column| is_like_a_key(column)) {
        return Err(Failure::usage(format!(
            "line {}: whether {} identifies people cannot be told",
            column.line, column.name
        ))
        .advice("remove it from the file, or name it id, email, username or sso_id"));
    }
    let people = table.records.iter().map(|record| {
        person(record, &keys).map_err(|problem| {
            Failure::usage(format!("line {}, {problem}", record.line))
                .advice("correct the file: a learner who is not found in it is listed as a leaver")
        })
    });
    let people: Vec<Value> = people.collect::<Result<_, _>>()?;
    match people.is_empty() {
        true => Err(Failure::usage("the file has no person")),
        false => Ok(Value::Array(people).to_string()),
    }
}

fn key(column: &Column) -> Option<&'static str> {
    KEYS.into_iter()
        .find(|key| column_key(key) == column_key(&column.name))
}

/// Returns `true` if a column is named nearly as one that identifies people, such as a second email address.
fn is_like_a_key(column: &Column) -> bool {
    let name = column_key(&column.name);
    key(column).is_none()
        && ["mail", "username", "ssoid"]
            .iter()
            .any(|key| name.contains(key))
}

/// The fields that identify a person.
fn person(record: &Record, keys: &[Option<&str>]) -> Result<Value, String> {
    if let Some(problem) = &record.problem {
        return Err(problem.clone());
    }
    let mut known = Map::new();
    for (index, value) in &record.cells {
        let Some(key) = keys[*index] else { continue };
        let about = |problem: String| format!("{key}: {problem}");
        let text = value.text(Wanted::Text).map_err(about)?;
        check_identifier(&text).map_err(about)?;
        if text.starts_with(['{', '[']) {
            return Err(about(
                "the value is a list or an object; write a text".to_owned(),
            ));
        }
        if !text.is_empty() {
            known.insert(key.to_owned(), Value::from(text));
        }
    }
    match known.is_empty() {
        true => Err("it has no value that identifies the person".to_owned()),
        false => Ok(Value::Object(known)),
    }
}
