//! A Parquet file of rows that are of no collection, such as the result of a query.

use std::{fmt, fs::File, path::Path};

use parquet::file::metadata::KeyValue;

use super::{
    encode::{
        Encoder as _, Output,
        parquet_encoder::{Parquet, failed, properties},
    },
    format::BYTES_PER_GROUP,
};
use crate::{
    collection::{ColumnKind, Value},
    error::Error,
};

/// A Parquet file of rows with any columns.
pub struct ParquetTable(Parquet);

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
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, kind)| (&**name, *kind))
            .collect();
        let metadata = metadata.iter();
        let metadata = metadata.map(|(name, text)| KeyValue::new((*name).to_owned(), text.clone()));
        let properties = properties().set_key_value_metadata(Some(metadata.collect()));
        let output = Output::new(file, path);
        let table = Parquet::new(output, name, &columns, properties, BYTES_PER_GROUP);
        Ok(Self(table.map_err(failed)?))
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the file cannot be written.
    pub fn write(&mut self, row: &[Value]) -> Result<(), Error> {
        self.0.push(row).map_err(failed)
    }

    /// Ends the file. Without this, it cannot be read.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        Box::new(self.0).finish().map(drop)
    }
}

impl fmt::Debug for ParquetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetTable").finish_non_exhaustive()
    }
}
