//! Parquet, column by column.
//!
//! Text, timestamps as sent and JSON are strings, points in time are microseconds in UTC. The values of a row group are kept
//! in memory and written together. A group ends after a number of bytes and not of rows, so that the memory does not depend
//! on the length of the rows.

use std::{num::NonZeroU64, sync::Arc};

use bytes::Bytes;
use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel},
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{
        properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion},
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::{ColumnPath, Type},
};

use super::output::{Encoder, FileInfo, Output};
use crate::{
    collection::{Collection, ColumnKind, Row, Value},
    error::Error,
    sink::files::format::FilesOptions,
};

/// Rows with typed columns.
pub(in crate::sink::files) struct Parquet {
    writer: SerializedFileWriter<Output>,
    columns: Vec<Values>,
    /// The rows in `columns`, and the size of their values.
    pending: u64,
    bytes: u64,
    rows: u64,
    bytes_per_group: NonZeroU64,
}

/// The values of a column that are not null, and for each row whether it has one.
struct Values {
    present: Vec<i16>,
    cells: Cells,
}

enum Cells {
    Bytes(Texts),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Booleans(Vec<bool>),
}

/// Texts one after the other, so that not each is an allocation.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len());
    }

    fn take(&mut self) -> Vec<ByteArray> {
        let bytes = Bytes::from(std::mem::take(&mut self.bytes));
        let mut start = 0;
        let part = |end| ByteArray::from(bytes.slice(std::mem::replace(&mut start, end)..end));
        self.ends.drain(..).map(part).collect()
    }
}

impl Parquet {
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
        let columns: Vec<_> = columns.map(|column| (column.name, column.kind)).collect();
        let bytes = options.bytes_per_group;
        Self::new(output, collection.name, &columns, properties, bytes).map_err(failed)
    }
}

/// The properties of every file.
pub(in crate::sink::files) fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(format!("lms-sync {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
}

impl Parquet {
    pub(in crate::sink::files) fn new(
        to: Output,
        name: &str,
        columns: &[(&str, ColumnKind)],
        properties: WriterPropertiesBuilder,
        bytes_per_group: NonZeroU64,
    ) -> Result<Self, ParquetError> {
        let fields = columns.iter().map(|(name, kind)| field(name, *kind));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder(name).with_fields(fields).build()?;
        let properties = Arc::new(properties.build());
        Ok(Self {
            writer: SerializedFileWriter::new(to, Arc::new(schema), properties)?,
            columns: columns.iter().map(|(_, kind)| Values::new(*kind)).collect(),
            pending: 0,
            bytes: 0,
            rows: 0,
            bytes_per_group,
        })
    }

    pub(in crate::sink::files) fn push(&mut self, row: &[Value]) -> Result<(), ParquetError> {
        for (values, value) in self.columns.iter_mut().zip(row) {
            self.bytes += values.push(value);
        }
        self.pending += 1;
        if self.bytes >= self.bytes_per_group.get() {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.pending == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for values in &mut self.columns {
            if let Some(column) = group.next_column()? {
                values.write(column)?;
            }
        }
        group.close()?;
        self.rows += std::mem::take(&mut self.pending);
        self.bytes = 0;
        Ok(())
    }
}

impl Encoder for Parquet {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        self.push(row.values()).map_err(failed)
    }

    fn finish(mut self: Box<Self>) -> Result<FileInfo, Error> {
        self.write_group().map_err(failed)?;
        let output = self.writer.into_inner().map_err(failed)?;
        output.finish(self.rows)
    }
}

impl Values {
    fn new(kind: ColumnKind) -> Self {
        let cells = match kind {
            ColumnKind::Integer | ColumnKind::Utc => Cells::Integers(Vec::new()),
            ColumnKind::Float => Cells::Floats(Vec::new()),
            ColumnKind::Boolean => Cells::Booleans(Vec::new()),
            ColumnKind::Text | ColumnKind::Timestamp | ColumnKind::Json => {
                Cells::Bytes(Texts::default())
            }
        };
        Self {
            present: Vec::new(),
            cells,
        }
    }

    /// Adds a value. Returns the memory that it takes.
    fn push(&mut self, value: &Value) -> u64 {
        let bytes = match (&mut self.cells, value) {
            (Cells::Bytes(cells), Value::Text(text) | Value::Json(text)) => {
                cells.push(text);
                Some(text.len() + size_of::<usize>())
            }
            (Cells::Integers(cells), Value::Integer(integer) | Value::Utc(integer)) => {
                cells.push(*integer);
                Some(size_of::<i64>())
            }
            (Cells::Floats(cells), Value::Float(float)) => {
                cells.push(*float);
                Some(size_of::<f64>())
            }
            (Cells::Booleans(cells), Value::Boolean(boolean)) => {
                cells.push(*boolean);
                Some(size_of::<bool>())
            }
            _ => None,
        };
        self.present.push(i16::from(bytes.is_some()));
        (bytes.unwrap_or_default() + size_of::<i16>()) as u64
    }

    fn write(&mut self, column: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match &mut self.cells {
            Cells::Bytes(texts) => {
                write::<ByteArrayType>(column, &mut texts.take(), &mut self.present)
            }
            Cells::Integers(cells) => write::<Int64Type>(column, cells, &mut self.present),
            Cells::Floats(cells) => write::<DoubleType>(column, cells, &mut self.present),
            Cells::Booleans(cells) => write::<BoolType>(column, cells, &mut self.present),
        }
    }
}

/// Writes a column and clears its values.
fn write<T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    cells: &mut Vec<T::T>,
    present: &mut Vec<i16>,
) -> Result<(), ParquetError> {
    column
        .typed::<T>()
        .write_batch(cells, Some(present), None)?;
    column.close()?;
    cells.clear();
    present.clear();
    Ok(())
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

pub(in crate::sink::files) fn failed(error: ParquetError) -> Error {
    Error::destination("cannot write Parquet", error)
}
