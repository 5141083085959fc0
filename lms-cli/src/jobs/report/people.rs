//! A file of people who are still there, of which the columns that identify a learner are read.
//!
//! A learner who is not found in the file is listed as a leaver, and such a list is deleted. So a file that may have been
//! misunderstood is refused.

use std::fs;

use lms_plan::column_key;
use serde_json::{Map, Value};

use crate::{
    failure::Failure,
    spreadsheet::{self, Column, Record, Table},
};

/// The columns that identify a learner.
pub(super) const KEYS: [&str; 4] = ["id", "email", "username", "sso_id"];

/// The people of a file as a JSON array of objects, each with its line.
///
/// # Errors
///
/// Usage, if a person in the file cannot be identified, because then a learner who is there would have left.
pub(super) fn read(file: &str) -> Result<String, Failure> {
    let (table, keys) = table(file, &KEYS)?;
    if keys.iter().all(Option::is_none) {
        return Err(Failure::usage(
            "the file has no person with an id, email, username or sso_id, which the first line of CSV names",
        ));
    }
    let mut columns = table.columns.iter().zip(&keys);
    let doubtful = columns.find(|(column, key)| key.is_none() && is_like_a_key(column));
    if let Some((column, _)) = doubtful {
        return Err(Failure::usage(format!(
            "line {}: whether {} identifies people cannot be told",
            column.line, column.name
        ))
        .advice("remove it from the file, or name it id, email, username or sso_id"));
    }
    let people = table.records.iter().map(|record| {
        let known = texts(record, &keys).and_then(|mut known| match known.is_empty() {
            true => Err(Failure::usage(format!(
                "line {}, it has no value that identifies the person",
                record.line
            ))),
            false => {
                known.insert("line".to_owned(), record.line.into());
                Ok(Value::Object(known))
            }
        });
        known.map_err(|failure| {
            failure
                .advice("correct the file: a learner who is not found in it is listed as a leaver")
        })
    });
    let people: Vec<Value> = people.collect::<Result<_, _>>()?;
    match people.is_empty() {
        true => Err(Failure::usage("the file has no person")),
        false => Ok(Value::Array(people).to_string()),
    }
}

/// A file of people, with the key of each column that is one of these.
pub(super) fn table(
    file: &str,
    known: &[&'static str],
) -> Result<(Table, Vec<Option<&'static str>>), Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::usage(error.to_string()))?;
    let table = spreadsheet::read(&bytes)?;
    let key = |column: &Column| {
        let is_it = |key: &&&str| column_key(key) == column_key(&column.name);
        known.iter().find(is_it).copied()
    };
    let keys = table.columns.iter().map(key).collect();
    Ok((table, keys))
}

/// Returns `true` if a column is named nearly as one that identifies people, such as a second email address.
fn is_like_a_key(column: &Column) -> bool {
    let name = column_key(&column.name);
    let keys = ["mail", "username", "ssoid"];
    keys.iter().any(|key| name.contains(key))
}

/// The texts of the columns with a key.
///
/// # Errors
///
/// Usage, if one of them cannot be told.
pub(super) fn texts(
    record: &Record,
    keys: &[Option<&'static str>],
) -> Result<Map<String, Value>, Failure> {
    let refused = |problem: String| Failure::usage(format!("line {}, {problem}", record.line));
    if let Some(problem) = &record.problem {
        return Err(refused(problem.clone()));
    }
    let mut known = Map::new();
    for (index, value) in &record.cells {
        let Some(key) = keys[*index] else { continue };
        let text = value.identifier();
        let text = text.map_err(|problem| refused(format!("{key}: {problem}")))?;
        if !text.is_empty() {
            known.insert(key.to_owned(), Value::from(text));
        }
    }
    Ok(known)
}
