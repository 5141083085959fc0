//! A report as a file for an auditor: Parquet, or a workbook of Excel.
//!
//! The file gets its name when it is complete.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lms_sync::ColumnKind;
#[cfg(feature = "parquet")]
use lms_sync::sink::files::ParquetTable;

#[cfg(feature = "xlsx")]
use super::workbook::Workbook;
use super::{read::Row, sources::Header};
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
impl Form for ParquetTable {
    fn write(&mut self, row: &Row) -> Result<(), Failure> {
        Ok(Self::write(self, row)?)
    }

    fn finish(self: Box<Self>, _: &Path) -> Result<(), Failure> {
        Ok(Self::finish(*self)?)
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

pub(super) fn ending(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

/// The path of a file whose name says in which format it is written.
pub(super) fn named(path: &str) -> Result<String, String> {
    match ending(path) {
        Some("parquet") if cfg!(feature = "parquet") => Ok(path.to_owned()),
        Some("xlsx") if cfg!(feature = "xlsx") => Ok(path.to_owned()),
        Some(name @ ("parquet" | "xlsx")) => {
            Err(format!("this program was built without its feature {name}"))
        }
        _ => Err("name a file that ends with .xlsx or .parquet; for CSV and JSON, redirect the output: -o csv > report.csv".to_owned()),
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
            let metadata = [("lms.report", serde_json::to_string(header)?)];
            let table = ParquetTable::create(part, "report", columns, &metadata);
            Ok(Box::new(table?))
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
