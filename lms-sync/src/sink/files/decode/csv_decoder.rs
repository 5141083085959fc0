//! CSV as the sink writes it. Other readers read `""` as an empty field; this one reads it as an empty text.

use std::{
    io::{self, BufRead},
    iter,
};

use crate::{
    collection::{Collection, Column, ColumnKind, Row, Value},
    sink::files::encode::csv_encoder::{BYTE_ORDER_MARK, unguard},
};

/// A field; `None` if it is empty and has no quotes.
type Field = Option<String>;

pub(super) fn rows(
    mut text: impl BufRead,
    collection: &'static Collection,
    formula_guard: bool,
) -> io::Result<impl Iterator<Item = io::Result<Row>>> {
    let mut fields = Vec::new();
    read_record(&mut text, &mut fields)?;
    let header = fields.iter().map(|field| {
        let name = field.as_deref().unwrap_or_default();
        name.strip_prefix(BYTE_ORDER_MARK).unwrap_or(name)
    });
    let columns = collection.positions(header)?;
    Ok(iter::from_fn(move || {
        match read_record(&mut text, &mut fields) {
            Ok(true) => Some(row(collection, &columns, &mut fields, formula_guard)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }))
}

/// The row of a record, whose fields are those of the columns at these positions.
fn row(
    collection: &'static Collection,
    columns: &[usize],
    fields: &mut Vec<Field>,
    formula_guard: bool,
) -> io::Result<Row> {
    if fields.len() != columns.len() {
        return Err(invalid(format!(
            "a record has {} fields instead of {}",
            fields.len(),
            columns.len()
        )));
    }
    let mut values = vec![Value::Null; collection.columns.len()];
    for (index, field) in columns.iter().zip(fields.drain(..)) {
        let column = &collection.columns[*index];
        if let Some(text) = field {
            values[*index] = value(column, text, formula_guard).ok_or_else(|| {
                invalid(format!("a value does not fit the column {}", column.name))
            })?;
        }
    }
    Ok(Row::new(collection, values))
}

fn value(column: &Column, text: String, formula_guard: bool) -> Option<Value> {
    Some(match column.kind {
        ColumnKind::Text | ColumnKind::Timestamp if formula_guard => Value::Text(unguard(text)),
        ColumnKind::Text | ColumnKind::Timestamp => Value::Text(text),
        ColumnKind::Json => Value::Json(text),
        ColumnKind::Integer => Value::Integer(text.parse().ok()?),
        ColumnKind::Float => Value::Float(text.parse().ok()?),
        ColumnKind::Boolean => Value::Boolean(text.parse().ok()?),
        ColumnKind::Utc => Value::from_utc_text(&text)?,
    })
}

/// Reads a record; false at the end of the text.
fn read_record(text: &mut impl BufRead, fields: &mut Vec<Field>) -> io::Result<bool> {
    let (mut record, mut quotes) = (Vec::new(), 0);
    // A line feed between quotes belongs to a field.
    while record.is_empty() || quotes % 2 == 1 {
        let read = text.read_until(b'\n', &mut record)?;
        match (read, record.len()) {
            (0, 0) => return Ok(false),
            (0, _) => return Err(invalid("the last record is truncated")),
            (read, length) => quotes += memchr::memchr_iter(b'"', &record[length - read..]).count(),
        }
    }
    let record = String::from_utf8(record).map_err(|_| invalid("a record is not UTF-8"))?;
    let Some(mut rest) = record.strip_suffix("\r\n") else {
        return Err(invalid("a record does not end with CRLF"));
    };
    fields.clear();
    loop {
        let (field, after) = split(rest)?;
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(true),
            None => return Err(invalid("text follows a quoted field")),
        }
    }
}

/// The first field, and the rest.
fn split(text: &str) -> io::Result<(Field, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(',').unwrap_or(text.len());
        let (field, after) = text.split_at(end);
        return Ok(((!field.is_empty()).then(|| field.to_owned()), after));
    };
    let mut field = String::new();
    let mut rest = quoted;
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            return Err(invalid("a quoted field has no end"));
        };
        field.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return Ok((Some(field), after)),
        }
    }
}

/// The error of a file that is not as the sink writes it.
pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
