//! Parquet, column by column.
//!
//! Text, timestamps as sent and JSON are strings, points in time are microseconds in UTC. The values of a row group are kept
//! in memory and written together. A group ends after a number of bytes and not of rows, so that the memory does not depend
//! on the length of the rows.

use std::{fmt, fs::File, num::NonZeroU64, path::Path, sync::Arc};

use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel},
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion},
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::{ColumnPath, Type},
};

use super::output::{Encoder, FileInfo, Output};
use crate::{
    collection::{Collection, ColumnKind, Row, Value},
    error::Error,
    sink::files::format::{BYTES_PER_GROUP, FilesOptions},
};

/// A Parquet file of rows with any columns.
pub struct ParquetTable {
    writer: SerializedFileWriter<Output>,
    /// The kind of each column, and its values that are not written.
    columns: Vec<(ColumnKind, Vec<Value>)>,
    /// The size of these values.
    bytes: u64,
    rows: u64,
    bytes_per_group: NonZeroU64,
}

impl ParquetTable {
    /// Creates a file. `metadata` has names and texts that are stored with the schema.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the file cannot be created.
    pub fn create(
        path: &Path,
        name: &str,
        columns: &[(String, ColumnKind)],
        metadata: &[(&str, String)],
    ) -> Result<Self, Error> {
        let file = File::create(path).map_err(|error| Error::file("create", path, error))?;
        let columns = columns.iter().map(|(name, kind)| (&**name, *kind));
        let metadata = metadata.iter();
        let metadata = metadata.map(|(name, text)| KeyValue::new((*name).to_owned(), text.clone()));
        let properties = properties().set_key_value_metadata(Some(metadata.collect()));
        let output = Output::new(file, path);
        Self::new(output, name, columns, properties, BYTES_PER_GROUP).map_err(failed)
    }

    /// The file of a collection.
    pub(super) fn start(
        output: Output,
        collection: &'static Collection,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let mut properties = properties();
        if let [key] = collection.key {
            // Its values are all different, so a dictionary would only repeat them.
            let key = ColumnPath::from(*key);
            properties = properties.set_column_dictionary_enabled(key, false);
        }
        let columns = collection.columns.iter();
        let columns = columns.map(|column| (column.name, column.kind));
        let bytes = options.bytes_per_group;
        Self::new(output, collection.name, columns, properties, bytes).map_err(failed)
    }

    fn new<'a>(
        to: Output,
        name: &str,
        columns: impl Iterator<Item = (&'a str, ColumnKind)> + Clone,
        properties: WriterPropertiesBuilder,
        bytes_per_group: NonZeroU64,
    ) -> Result<Self, ParquetError> {
        let fields = columns.clone().map(|(name, kind)| field(name, kind));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder(name).with_fields(fields).build()?;
        let properties = Arc::new(properties.build());
        Ok(Self {
            writer: SerializedFileWriter::new(to, Arc::new(schema), properties)?,
            columns: columns.map(|(_, kind)| (kind, Vec::new())).collect(),
            bytes: 0,
            rows: 0,
            bytes_per_group,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the file cannot be written.
    pub fn write(&mut self, row: &[Value]) -> Result<(), Error> {
        for ((_, values), value) in self.columns.iter_mut().zip(row) {
            self.bytes += size(value);
            values.push(value.clone());
        }
        self.rows += 1;
        if self.bytes < self.bytes_per_group.get() {
            return Ok(());
        }
        self.write_group().map_err(failed)
    }

    /// Ends the file. Without this, it cannot be read.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        self.finished().map(drop)
    }

    fn finished(mut self) -> Result<FileInfo, Error> {
        self.write_group().map_err(failed)?;
        let output = self.writer.into_inner().map_err(failed)?;
        output.finish(self.rows)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.bytes == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (kind, values) in &mut self.columns {
            if let Some(column) = group.next_column()? {
                write_column(column, *kind, std::mem::take(values))?;
            }
        }
        group.close()?;
        self.bytes = 0;
        Ok(())
    }
}

impl fmt::Debug for ParquetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetTable").finish_non_exhaustive()
    }
}

impl Encoder for ParquetTable {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        self.write(row.values())
    }

    fn finish(self: Box<Self>) -> Result<FileInfo, Error> {
        self.finished()
    }
}

/// The properties of every file.
fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(format!("lms-sync {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
}

/// The size of a value in a group, with the number that says whether there is one.
fn size(value: &Value) -> u64 {
    let bytes = match value {
        Value::Null => 0,
        Value::Text(text) | Value::Json(text) => text.len() + size_of::<usize>(),
        Value::Integer(_) | Value::Utc(_) | Value::Float(_) => size_of::<i64>(),
        Value::Boolean(_) => size_of::<bool>(),
    };
    (bytes + size_of::<i16>()) as u64
}

fn write_column(
    column: SerializedColumnWriter<'_>,
    kind: ColumnKind,
    values: Vec<Value>,
) -> Result<(), ParquetError> {
    match kind {
        ColumnKind::Integer | ColumnKind::Utc => {
            write_cells::<Int64Type>(column, values, |value| match value {
                Value::Integer(integer) | Value::Utc(integer) => Some(integer),
                _ => None,
            })
        }
        ColumnKind::Float => write_cells::<DoubleType>(column, values, |value| match value {
            Value::Float(float) => Some(float),
            _ => None,
        }),
        ColumnKind::Boolean => write_cells::<BoolType>(column, values, |value| match value {
            Value::Boolean(boolean) => Some(boolean),
            _ => None,
        }),
        ColumnKind::Text | ColumnKind::Timestamp | ColumnKind::Json => {
            write_cells::<ByteArrayType>(column, values, |value| match value {
                Value::Text(text) | Value::Json(text) => Some(ByteArray::from(text.into_bytes())),
                _ => None,
            })
        }
    }
}

/// Writes the values of a column that are not null, and for each row whether it has one.
fn write_cells<T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    values: Vec<Value>,
    cell: impl Fn(Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = values.into_iter().map(cell).collect();
    let present: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let cells: Vec<T::T> = cells.into_iter().flatten().collect();
    let writer = column.typed::<T>();
    writer.write_batch(&cells, Some(&present), None)?;
    column.close()
}

fn field(name: &str, kind: ColumnKind) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnKind::Text | ColumnKind::Timestamp => {
            (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnKind::Json => (PhysicalType::BYTE_ARRAY, Some(LogicalType::Json)),
        ColumnKind::Integer => (PhysicalType::INT64, None),
        ColumnKind::Utc => (
            PhysicalType::INT64,
            Some(LogicalType::timestamp(true, TimeUnit::MICROS)),
        ),
        ColumnKind::Float => (PhysicalType::DOUBLE, None),
        ColumnKind::Boolean => (PhysicalType::BOOLEAN, None),
    };
    // A row may lack even its key, so every column is optional.
    let field = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

fn failed(error: ParquetError) -> Error {
    Error::destination("cannot write Parquet", error)
}
