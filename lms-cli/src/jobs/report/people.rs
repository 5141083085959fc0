//! A file of people: CSV as spreadsheets write it, or NDJSON, of which the columns that identify a learner are read.

use std::fs;

use serde_json::{Map, Value};

use crate::{
    failure::Failure,
    spreadsheet::{Csv, is_ndjson, normal, without_bom},
};

/// The columns that identify a learner.
const KEYS: [&str; 4] = ["id", "email", "username", "sso_id"];

/// The people of a file as a JSON array of objects.
///
/// # Errors
///
/// Usage, if nobody in the file can be identified: then each learner would have left.
pub(super) fn read(file: &str) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::usage(error.to_string()))?;
    let text = without_bom(&bytes);
    let people = if is_ndjson(text) {
        of_ndjson(text)?
    } else {
        of_csv(text)?
    };
    if people.is_empty() {
        return Err(Failure::usage(
            "the file has no person with an id, email, username or sso_id, which the first line of CSV names",
        ));
    }
    Ok(Value::Array(people).to_string())
}

fn of_csv(text: &[u8]) -> Result<Vec<Value>, Failure> {
    let csv = Csv::of(text);
    let mut reader = csv.reader()?;
    let header = reader.headers().map_err(|error| csv.unread(&error))?;
    let header = header.clone();
    let mut people = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv.unread(&error))?;
        people.extend(person(header.iter().zip(record.iter())));
    }
    Ok(people)
}

fn of_ndjson(text: &[u8]) -> Result<Vec<Value>, Failure> {
    let mut people = Vec::new();
    for (line, number) in text.split(|byte| *byte == b'\n').zip(1..) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let members: Map<String, Value> = serde_json::from_slice(line).map_err(|error| {
            Failure::usage(format!("line {number}: it is not a JSON object: {error}"))
        })?;
        let texts = members
            .iter()
            .filter_map(|(name, value)| Some((&**name, value.as_str()?)));
        people.extend(person(texts));
    }
    Ok(people)
}

/// The fields that identify a person; `None` if there are none.
fn person<'a>(cells: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Value> {
    let known = cells.filter_map(|(name, text)| {
        let key = KEYS.iter().find(|key| normal(key) == normal(name))?;
        let text = text.trim();
        (!text.is_empty()).then(|| ((*key).to_owned(), Value::from(text)))
    });
    let known: Map<String, Value> = known.collect();
    (!known.is_empty()).then_some(Value::Object(known))
}
