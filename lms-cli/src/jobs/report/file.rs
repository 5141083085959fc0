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
use crate::{context::Context, failure::Failure};

/// A file that is being written.
pub(super) struct ReportFile {
    path: PathBuf,
    /// The path until the file is complete.
    part: PathBuf,
    rows: u64,
    form: Form,
}

enum Form {
    #[cfg(feature = "parquet")]
    Parquet(Box<lms_sync::sink::files::ParquetTable>),
    #[cfg(feature = "xlsx")]
    Workbook(Box<Workbook>),
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
        let form = match path.extension() {
            #[cfg(feature = "parquet")]
            Some(ending) if ending == "parquet" => {
                let text = serde_json::to_string(header);
                let text = text.map_err(|error| Failure::fault(error.to_string()))?;
                let table = lms_sync::sink::files::ParquetTable::create(
                    &part,
                    "report",
                    columns,
                    &[("lms.report", text)],
                );
                Form::Parquet(Box::new(table.map_err(|error| failure(&error))?))
            }
            #[cfg(feature = "xlsx")]
            Some(ending) if ending == "xlsx" => {
                Form::Workbook(Box::new(Workbook::new(header, columns)?))
            }
            _ => return Err(Failure::usage("--to: the format of the file is not known")),
        };
        Ok(Self {
            path,
            part,
            rows: 0,
            form,
        })
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Failure> {
        self.rows += rows.len() as u64;
        for row in rows {
            match &mut self.form {
                #[cfg(feature = "parquet")]
                Form::Parquet(table) => table.write(row).map_err(|error| failure(&error))?,
                #[cfg(feature = "xlsx")]
                Form::Workbook(workbook) => workbook.write(row)?,
            }
        }
        Ok(())
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
        match self.form {
            #[cfg(feature = "parquet")]
            Form::Parquet(table) => table.finish().map_err(|error| failure(&error))?,
            #[cfg(feature = "xlsx")]
            Form::Workbook(workbook) => workbook.save(&self.part)?,
        }
        let path = self.path.display();
        fs::rename(&self.part, &self.path)
            .map_err(|error| Failure::fault(format!("could not write {path}: {error}")))?;
        context.note(&format!("wrote {} rows to {path}", self.rows));
        Ok(())
    }
}
