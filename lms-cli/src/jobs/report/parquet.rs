//! A report as a Parquet file, which gets its name when it is complete, and which only the user can read.

use std::{fs, path::PathBuf};

use lms_sync::{ColumnKind, sink::files::ParquetTable};

use super::{row::Row, sources::Header};
use crate::{
    context::Context, failure::Failure, profile::config::create_private_file, wording::count,
};

/// A Parquet file that is being written.
pub(super) struct ParquetFile {
    path: PathBuf,
    /// The path until the file is complete.
    part: PathBuf,
    rows: usize,
    table: Option<ParquetTable>,
}

impl ParquetFile {
    pub(super) fn create(
        path: &str,
        header: &Header,
        columns: &[(String, ColumnKind)],
    ) -> Result<Self, Failure> {
        let part = PathBuf::from(format!("{path}.part"));
        let _ = fs::remove_file(&part);
        create_private_file(&part).map_err(|error| Failure::destination(&part, &error))?;
        let metadata = [("lms.report", serde_json::to_string(header)?)];
        Ok(Self {
            table: Some(ParquetTable::create(&part, "report", columns, &metadata)?),
            path: path.into(),
            part,
            rows: 0,
        })
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Failure> {
        self.rows += rows.len();
        let mut tables = self.table.iter_mut();
        Ok(tables.try_for_each(|table| rows.iter().try_for_each(|row| table.write(row)))?)
    }

    /// Ends the file and gives it its name.
    pub(super) fn finish(mut self, context: &Context) -> Result<(), Failure> {
        self.table.take().map_or(Ok(()), ParquetTable::finish)?;
        fs::rename(&self.part, &self.path)
            .map_err(|error| Failure::destination(&self.path, &error))?;
        let path = self.path.display();
        context.note(&format!("wrote {} to {path}", count(self.rows, "row")));
        Ok(())
    }
}

/// Removes a file that lacks rows.
impl Drop for ParquetFile {
    fn drop(&mut self) {
        self.table = None;
        let _ = fs::remove_file(&self.part);
    }
}
