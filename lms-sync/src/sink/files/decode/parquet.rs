//! Parquet as the sink writes it.

use std::{fs::File, io};

use parquet::{
    file::reader::{FileReader as _, SerializedFileReader},
    record::{Field, Row as ParquetRow},
};

use super::invalid::invalid;
use crate::collection::{Collection, ColumnKind, Row, Value};

pub(super) fn rows(
    file: File,
    collection: &'static Collection,
) -> io::Result<impl Iterator<Item = io::Result<Row>>> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema();
    let names = schema.get_fields().iter().map(|field| field.name());
    if !names.eq(collection.columns.iter().map(|column| column.name)) {
        return Err(invalid(
            "the file does not have the columns of this release",
        ));
    }
    let rows = reader.into_iter();
    Ok(rows.map(move |row| read(collection, &row.map_err(io::Error::other)?)))
}

fn read(collection: &'static Collection, row: &ParquetRow) -> io::Result<Row> {
    let columns = collection.columns.iter().zip(row.get_column_iter());
    let values = columns.map(|(column, (_, field))| {
        Ok(match (column.kind, field) {
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
        })
    });
    Ok(Row::new(collection, values.collect::<io::Result<_>>()?))
}
