//! A workbook of Excel: a sheet with the rows of a report, and one with its sources.

use std::{fs, path::Path};

use lms_sync::{ColumnKind, Value};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};

use super::{read::Row, sources::Header};
use crate::failure::Failure;

/// Number of characters after which the text of a cell is truncated.
const MAX_TEXT: usize = 32_767;

/// Largest integer that a cell keeps exactly; larger ones are written as text.
const MAX_EXACT: u64 = 1 << 53;

pub(super) struct Workbook {
    workbook: rust_xlsxwriter::Workbook,
    time: Format,
    /// The number of the next row.
    next: u32,
    columns: u16,
}

impl Workbook {
    pub(super) fn new(header: &Header, columns: &[(String, ColumnKind)]) -> Result<Self, Failure> {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        let created = ExcelDateTime::parse_from_str(header.at.trim_end_matches('Z'));
        if let Ok(created) = created {
            workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        }
        let rows = workbook.add_worksheet_with_constant_memory()?;
        head(rows, columns)?;
        let about = workbook.add_worksheet();
        about.set_name("About")?;
        for (line, row) in header.lines().iter().chain(&header.details()).zip(0..) {
            about.write_string(row, 0, line)?;
        }
        let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
        Ok(Self {
            workbook,
            time,
            next: 1,
            columns: u16::try_from(columns.len()).unwrap_or(u16::MAX),
        })
    }

    /// Adds a row. Times are in UTC.
    pub(super) fn write(&mut self, row: &Row) -> Result<(), Failure> {
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (value, column) in row.iter().zip(0..) {
            cell(sheet, (self.next, column), value, &self.time)?;
        }
        self.next += 1;
        Ok(())
    }

    pub(super) fn save(mut self, path: &Path) -> Result<(), Failure> {
        let (rows, columns) = (self.next - 1, self.columns.saturating_sub(1));
        let sheet = self.workbook.worksheet_from_index(0)?;
        sheet.autofilter(0, 0, rows, columns)?;
        // Not directly: the zip crate writes to stderr if the disk is full.
        let bytes = self.workbook.save_to_buffer()?;
        fs::write(path, bytes).map_err(|error| Failure::destination(path, &error))
    }
}

/// The names of the columns, which stay in view.
fn head(sheet: &mut Worksheet, columns: &[(String, ColumnKind)]) -> Result<(), XlsxError> {
    sheet.set_name("Report")?;
    sheet.set_freeze_panes(1, 0)?;
    let bold = Format::new().set_bold();
    for ((name, kind), column) in columns.iter().zip(0..) {
        sheet.set_column_width(column, if *kind == ColumnKind::Integer { 10 } else { 22 })?;
        sheet.write_string_with_format(0, column, name, &bold)?;
    }
    Ok(())
}

/// Writes a value. Text is never a formula; a value that a cell cannot keep is text.
fn cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &Value,
    time: &Format,
) -> Result<(), XlsxError> {
    match value {
        Value::Null => return Ok(()),
        Value::Text(text) | Value::Json(text) if text.chars().count() > MAX_TEXT => {
            let text: String = text.chars().take(MAX_TEXT).collect();
            sheet.write_string(row, column, text)?
        }
        Value::Text(text) | Value::Json(text) => sheet.write_string(row, column, text)?,
        Value::Integer(integer) if integer.unsigned_abs() > MAX_EXACT => {
            sheet.write_string(row, column, integer.to_string())?
        }
        #[expect(clippy::cast_precision_loss, reason = "larger integers are text")]
        Value::Integer(integer) => sheet.write_number(row, column, *integer as f64)?,
        Value::Float(float) => sheet.write_number(row, column, *float)?,
        Value::Boolean(boolean) => sheet.write_boolean(row, column, *boolean)?,
        other => {
            let text = other.utc_text().unwrap_or_default();
            match ExcelDateTime::parse_from_str(text.trim_end_matches('Z')) {
                Ok(value) => sheet.write_datetime_with_format(row, column, &value, time)?,
                Err(_) => sheet.write_string(row, column, text)?,
            }
        }
    };
    Ok(())
}

impl From<XlsxError> for Failure {
    fn from(error: XlsxError) -> Self {
        Self::fault(format!("could not write the workbook: {error}"))
    }
}
