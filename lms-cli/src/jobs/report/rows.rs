//! Rows of a query as JSON and CSV.

use std::io;

use lms_sync::{ColumnKind, Value};
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{part::Part, read::Row};

/// A row as an object.
pub(super) struct Object<'a>(
    pub(super) &'a [(String, ColumnKind)],
    pub(super) &'a [Value],
);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for ((name, _), value) in self.0.iter().zip(self.1) {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}

/// The text of a value; empty for none.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Json(text) => text.clone(),
        Value::Integer(integer) => integer.to_string(),
        Value::Float(float) => float.to_string(),
        Value::Boolean(boolean) => boolean.to_string(),
        other => other.utc_text().unwrap_or_default(),
    }
}

pub(super) fn json(columns: &[(String, ColumnKind)], rows: &[Row]) -> io::Result<String> {
    let objects: Vec<Object<'_>> = rows.iter().map(|row| Object(columns, row)).collect();
    Ok(serde_json::to_string_pretty(&objects)? + "\n")
}

pub(super) fn csv(columns: &[(String, ColumnKind)], rows: &[Row]) -> io::Result<Vec<u8>> {
    let names = columns.iter().map(|(name, _)| &**name);
    let rows = rows.iter().map(|row| row.iter().map(text).collect());
    written(names.collect(), rows)
}

/// Only these columns of a part, with this value in one of them.
pub(super) fn csv_of(
    names: &[&str],
    (replaced, by): (&str, &Value),
    part: &Part,
) -> io::Result<Vec<u8>> {
    let position = |name: &str| part.columns.iter().position(|(known, _)| known == name);
    let rows = part.rows.iter().map(|row| {
        let cells = names.iter().map(|name| match *name == replaced {
            true => text(by),
            false => position(name)
                .and_then(|at| row.get(at))
                .map(text)
                .unwrap_or_default(),
        });
        cells.collect()
    });
    written(names.to_vec(), rows)
}

fn written(names: Vec<&str>, rows: impl Iterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(names)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer
        .into_inner()
        .map_err(::csv::IntoInnerError::into_error)
}
