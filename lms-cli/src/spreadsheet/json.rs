//! NDJSON, an object a line, and a JSON array of objects.

use std::collections::{HashMap, HashSet};

use lms_plan::column_key;
use serde_json::value::RawValue;

use super::{Column, Form, Record, Table, Value, control};
use crate::{failure::Failure, output::json::Members};

/// An object on each line.
#[expect(clippy::unnecessary_wraps, reason = "as the other readers")]
pub(super) fn lines(text: &str) -> Result<Table, Failure> {
    let lines = text.split('\n').zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty());
    Ok(table(lines.map(|(text, line)| (line, text))))
}

/// An array of objects.
pub(super) fn array(text: &str) -> Result<Table, Failure> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        Failure::usage(format!("the file is not a JSON array: {}", reason(&error)))
    })?;
    let (mut line, mut end) = (1, 0);
    let lines = items.iter().map(|item| {
        // The items are parts of the text.
        let start = item.get().as_ptr() as usize - text.as_ptr() as usize;
        line += text[end..start].matches('\n').count() as u64;
        end = start;
        line
    });
    let mut lines: Vec<u64> = lines.collect();
    let are_rows = lines.windows(2).any(|pair| pair[0] == pair[1]);
    if are_rows {
        lines = (1..).take(items.len()).collect();
    }
    let items = items.into_iter().map(RawValue::get);
    Ok(Table {
        unit: if are_rows { "row" } else { "line" },
        ..table(lines.into_iter().zip(items))
    })
}

fn table<'a>(objects: impl Iterator<Item = (u64, &'a str)>) -> Table {
    let mut columns: Vec<Column> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let records = objects.map(|(line, text)| match members(text) {
        Err(problem) => Record::unreadable(line, problem),
        Ok(members) => {
            let cells = members.iter().map(|(name, value)| {
                let index = *known.entry(column_key(name)).or_insert_with(|| {
                    let name = name.to_owned();
                    columns.push(Column { name, line });
                    columns.len() - 1
                });
                (index, Value::Json(value.to_owned()))
            });
            let (cells, problem) = (cells.collect(), None);
            Record {
                line,
                cells,
                problem,
            }
        }
    });
    let records = records.collect();
    Table {
        form: Form::Ndjson,
        columns,
        records,
        unit: "line",
        assumed: None,
    }
}

fn members(text: &str) -> Result<Members<'_>, String> {
    let members: Members<'_> = serde_json::from_str(text.trim())
        .map_err(|error| format!("it is not a JSON object: {}", reason(&error)))?;
    match problem(&members) {
        None => Ok(members),
        Some(problem) => Err(problem),
    }
}

fn problem(members: &Members<'_>) -> Option<String> {
    let mut names = HashSet::new();
    if let Some(name) = members.names().find(|name| !names.insert(column_key(name))) {
        return Some(format!("{name}: the object has it twice"));
    }
    members.iter().find_map(|(name, value)| {
        let value: serde_json::Value = serde_json::from_str(value.get()).ok()?;
        let problem = control(name).or_else(|| controls(&value))?;
        Some(format!("{name:?}: the value {problem}"))
    })
}

fn controls(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::String(text) => control(text),
        serde_json::Value::Array(values) => values.iter().find_map(controls),
        serde_json::Value::Object(members) => members.values().find_map(controls),
        _ => None,
    }
}

/// The reason without values, which may be secret.
fn reason(error: &serde_json::Error) -> String {
    match error.is_data() {
        true => "it is another value".to_owned(),
        false => error.to_string(),
    }
}
