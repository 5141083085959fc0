//! A Parquet file of rows that are of no collection, such as the result of a query.

use std::{fmt, fs::File, io::BufWriter, path::Path};

use parquet::file::metadata::KeyValue;

use super::{
    encode::parquet_encoder::{Table, failed, properties},
    format::BYTES_PER_GROUP,
};
use crate::{
    collection::{ColumnKind, Value},
    error::Error,
};

/// A Parquet file of rows with any columns.
pub struct ParquetTable(Table<BufWriter<File>>);

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
        let table = Table::new(
            BufWriter::new(file),
            name,
            &columns,
            properties,
            BYTES_PER_GROUP,
        );
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
        let (file, _) = self.0.end().map_err(failed)?;
        let file = file
            .into_inner()
            .map_err(|error| Error::destination("cannot write Parquet", error.into_error()))?;
        file.sync_all()
            .map_err(|error| Error::destination("cannot write Parquet", error))
    }
}

impl fmt::Debug for ParquetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetTable").finish_non_exhaustive()
    }
}
