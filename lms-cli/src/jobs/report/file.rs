//! A report as a file for an auditor: Parquet, or a workbook of Excel.
//!
//! The file gets its name when it is complete.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lms_sync::ColumnKind;

#[cfg(feature = "xlsx")]
use super::workbook::Workbook;
use super::{read::Row, sources::Header};
#[cfg(feature = "parquet")]
use crate::jobs::failure;
use crate::{context::Context, failure::Failure, wording::count};

/// A file that is being written.
pub(super) struct ReportFile {
    path: PathBuf,
    /// The path until the file is complete.
    part: PathBuf,
    rows: usize,
    form: Option<Box<dyn Form>>,
}

/// A format of files.
trait Form {
    fn write(&mut self, row: &Row) -> Result<(), Failure>;

    /// Ends the file at this path, which is that of a format that writes while rows arrive.
    fn finish(self: Box<Self>, part: &Path) -> Result<(), Failure>;
}

#[cfg(feature = "parquet")]
impl Form for lms_sync::sink::files::ParquetTable {
    fn write(&mut self, row: &Row) -> Result<(), Failure> {
        Self::write(self, row).map_err(|error| failure(&error))
    }

    fn finish(self: Box<Self>, _: &Path) -> Result<(), Failure> {
        Self::finish(*self).map_err(|error| failure(&error))
    }
}

#[cfg(feature = "xlsx")]
impl Form for Workbook {
    fn write(&mut self, row: &Row) -> Result<(), Failure> {
        Self::write(self, row)
    }

    fn finish(self: Box<Self>, part: &Path) -> Result<(), Failure> {
        self.save(part)
    }
}

fn ending(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

/// Fails if a path does not say in which format a file is written.
pub(super) fn check(path: &str) -> Result<(), Failure> {
    match ending(path) {
        Some("parquet") if cfg!(feature = "parquet") => Ok(()),
        Some("xlsx") if cfg!(feature = "xlsx") => Ok(()),
        Some(name @ ("parquet" | "xlsx")) => Err(Failure::usage(format!(
            "--to {path}: this program was built without its feature {name}"
        ))),
        _ => Err(Failure::usage(format!(
            "--to {path}: name a file that ends with .xlsx or .parquet"
        ))
        .advice("for CSV and JSON, redirect the output: -o csv > report.csv")),
    }
}

/// Begins a file in the format of its name.
#[cfg_attr(
    not(feature = "parquet"),
    expect(unused_variables, reason = "only Parquet writes while rows arrive")
)]
fn form(
    path: &str,
    part: &Path,
    header: &Header,
    columns: &[(String, ColumnKind)],
) -> Result<Box<dyn Form>, Failure> {
    match ending(path) {
        #[cfg(feature = "parquet")]
        Some("parquet") => {
            let text = serde_json::to_string(header);
            let text = text.map_err(|error| Failure::fault(error.to_string()))?;
            let metadata = [("lms.report", text)];
            let table =
                lms_sync::sink::files::ParquetTable::create(part, "report", columns, &metadata);
            Ok(Box::new(table.map_err(|error| failure(&error))?))
        }
        #[cfg(feature = "xlsx")]
        Some("xlsx") => Ok(Box::new(Workbook::new(header, columns)?)),
        _ => Err(Failure::fault("the format of the file is not known")),
    }
}

impl ReportFile {
    pub(super) fn create(
        path: &str,
        header: &Header,
        columns: &[(String, ColumnKind)],
    ) -> Result<Self, Failure> {
        let part = PathBuf::from(format!("{path}.part"));
        Ok(Self {
            form: Some(form(path, &part, header, columns)?),
            path: path.into(),
            part,
            rows: 0,
        })
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Failure> {
        self.rows += rows.len();
        let mut form = self.form.iter_mut();
        form.try_for_each(|form| rows.iter().try_for_each(|row| form.write(row)))
    }

    /// Ends the file and gives it its name.
    pub(super) fn finish(mut self, context: &Context) -> Result<(), Failure> {
        if let Some(form) = self.form.take() {
            form.finish(&self.part)?;
        }
        fs::rename(&self.part, &self.path)
            .map_err(|error| Failure::destination(&self.path, &error))?;
        let path = self.path.display();
        context.note(&format!("wrote {} to {path}", count(self.rows, "row")));
        Ok(())
    }
}

/// Removes a file that lacks rows.
impl Drop for ReportFile {
    fn drop(&mut self) {
        self.form = None;
        let _ = fs::remove_file(&self.part);
    }
}
