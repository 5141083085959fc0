//! Parquet as the sink writes it.

use std::{fs::File, io};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::{Field, Row as ParquetRow},
};

use super::csv_decoder::invalid;
use crate::collection::{Collection, ColumnKind, Row, Value};

pub(super) fn rows(
    file: File,
    collection: &'static Collection,
) -> io::Result<impl Iterator<Item = io::Result<Row>>> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema();
    let names = schema.get_fields().iter().map(|field| field.name());
    let columns = collection.positions(names)?;
    let rows = reader.into_iter();
    Ok(rows.map(move |row| read(collection, &columns, &row.map_err(io::Error::other)?)))
}

/// The row with the values of the columns at these positions.
fn read(collection: &'static Collection, columns: &[usize], row: &ParquetRow) -> io::Result<Row> {
    let mut values = vec![Value::Null; collection.columns.len()];
    for (index, (_, field)) in columns.iter().zip(row.get_column_iter()) {
        let column = &collection.columns[*index];
        values[*index] = match (column.kind, field) {
            (_, Field::Null) => Value::Null,
            (ColumnKind::Text | ColumnKind::Timestamp, Field::Str(text)) => {
                Value::Text(text.clone())
            }
            (ColumnKind::Json, Field::Str(json)) => Value::Json(json.clone()),
            (ColumnKind::Integer, Field::Long(integer)) => Value::Integer(*integer),
            (ColumnKind::Utc, Field::TimestampMicros(micros)) => Value::Utc(*micros),
            (ColumnKind::Float, Field::Double(float)) => Value::Float(*float),
            (ColumnKind::Boolean, Field::Bool(boolean)) => Value::Boolean(*boolean),
            (_, field) => {
                let message = format!("{field:?} does not fit the column {}", column.name);
                return Err(invalid(message));
            }
        };
    }
    Ok(Row::new(collection, values))
}
