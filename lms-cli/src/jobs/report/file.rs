//! A report as a file for an auditor: Parquet, or a workbook of Excel.
//!
//! The file gets its name when it is complete.

use std::{
    fs,
    io::ErrorKind,
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
    rows: u64,
    form: Box<dyn Form>,
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

/// Begins a file in the format of its name.
#[cfg_attr(
    not(feature = "parquet"),
    expect(unused_variables, reason = "only Parquet writes while rows arrive")
)]
fn form(
    path: &Path,
    part: &Path,
    header: &Header,
    columns: &[(String, ColumnKind)],
) -> Result<Box<dyn Form>, Failure> {
    match path.extension().and_then(|ending| ending.to_str()) {
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
        _ => Err(Failure::usage("--to: the format of the file is not known")),
    }
}

/// Fails if a path does not say in which format a file is written.
pub(super) fn check(path: &str) -> Result<(), Failure> {
    let known = [
        ("parquet", cfg!(feature = "parquet")),
        ("xlsx", cfg!(feature = "xlsx")),
    ];
    let ending = Path::new(path)
        .extension()
        .and_then(|ending| ending.to_str());
    match known.iter().find(|(name, _)| ending == Some(*name)) {
        Some((_, true)) => Ok(()),
        Some((name, false)) => Err(Failure::usage(format!(
            "--to {path}: this program was built without its feature {name}"
        ))),
        None => Err(Failure::usage(format!(
            "--to {path}: name a file that ends with .xlsx or .parquet"
        ))
        .advice("for CSV and JSON, redirect the output: -o csv > report.csv")),
    }
}

impl ReportFile {
    pub(super) fn create(
        path: &str,
        header: &Header,
        columns: &[(String, ColumnKind)],
    ) -> Result<Self, Failure> {
        let path = PathBuf::from(path);
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let form = form(&path, &part, header, columns)?;
        Ok(Self {
            path,
            part,
            rows: 0,
            form,
        })
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Failure> {
        self.rows += rows.len() as u64;
        rows.iter().try_for_each(|row| self.form.write(row))
    }

    /// Removes a file that lacks rows.
    pub(super) fn discard(self) -> Result<(), Failure> {
        let Self { part, form, .. } = self;
        drop(form);
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(Failure::fault(format!(
                "could not remove {}: {error}",
                part.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Ends the file and gives it its name.
    pub(super) fn finish(self, context: &Context) -> Result<(), Failure> {
        self.form.finish(&self.part)?;
        fs::rename(&self.part, &self.path)
            .map_err(|error| Failure::destination(&self.path, &error))?;
        let path = self.path.display();
        context.note(&format!("wrote {} to {path}", count(self.rows, "row")));
        Ok(())
    }
}
