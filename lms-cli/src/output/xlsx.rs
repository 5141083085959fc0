//! Rows as a workbook of Excel, which is written at the end.

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde_json::value::RawValue;

use super::{cell::text, json::Members};
use crate::failure::Failure;

/// Numbers from here on may not be kept exactly by a cell, and are written as text.
const INEXACT: f64 = 9_007_199_254_740_992.0;

/// The advice about a text that is too long for a cell.
const LEAVE_OUT: &str = "choose another format, or other --columns";

/// Number of characters of a time such as `2026-01-31T09:00:00`.
const UTC: usize = 19;

/// Width of a column, in characters.
const WIDTH: f64 = 22.0;

/// A workbook with a sheet for the rows, which is written while they arrive.
pub(super) struct Sheet {
    workbook: Box<Workbook>,
    time: Format,
    /// The number of the next row; 0 until the names of the columns were written.
    next: u32,
    columns: u16,
}

impl Sheet {
    pub(super) fn new() -> Self {
        Self {
            workbook: Box::default(),
            time: Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
            next: 0,
            columns: 0,
        }
    }

    /// Adds rows, after the names of the columns if it is the first time, which stay in view. Text is never a formula.
    pub(super) fn write(&mut self, names: &[String], rows: &[Members<'_>]) -> Result<(), Failure> {
        if self.next == 0 {
            let sheet = self.workbook.add_worksheet_with_constant_memory()?;
            sheet.set_freeze_panes(1, 0)?;
            for (name, column) in names.iter().zip(0..) {
                sheet.set_column_width(column, WIDTH)?;
                sheet.write_string_with_format(0, column, name, &Format::new().set_bold())?;
            }
            self.next = 1;
            self.columns = u16::try_from(names.len()).unwrap_or(u16::MAX);
        }
        let sheet = self.workbook.worksheet_from_index(0)?;
        for row in rows {
            for (name, column) in names.iter().zip(0..) {
                if let Some(value) = row.get(name) {
                    let written = cell(sheet, (self.next, column), value, &self.time);
                    written.map_err(|error| Failure::from(error).of(name).advice(LEAVE_OUT))?;
                }
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The file, with these lines on a second sheet.
    pub(super) fn bytes(&mut self, about: &[String]) -> Result<Vec<u8>, XlsxError> {
        if let (Some(rows), Some(columns)) = (self.next.checked_sub(1), self.columns.checked_sub(1))
        {
            let sheet = self.workbook.worksheet_from_index(0)?;
            sheet.autofilter(0, 0, rows, columns)?;
        }
        if !about.is_empty() {
            let sheet = self.workbook.add_worksheet().set_name("About")?;
            for (line, row) in about.iter().zip(0..) {
                sheet.write_string(row, 0, line)?;
            }
        }
        self.workbook.save_to_buffer()
    }
}

/// Writes a value. A time in UTC is a date of Excel; a value that a cell cannot keep is text.
fn cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &RawValue,
    time: &Format,
) -> Result<(), XlsxError> {
    let json = value.get();
    match (json, json.parse::<f64>()) {
        ("null", _) => return Ok(()),
        ("true" | "false", _) => sheet.write_boolean(row, column, json == "true")?,
        (_, Ok(number)) if number.abs() < INEXACT => sheet.write_number(row, column, number)?,
        _ => {
            let text = text(Some(value));
            let date = text.strip_suffix('Z').filter(|date| date.len() == UTC);
            match date.map(ExcelDateTime::parse_from_str) {
                Some(Ok(date)) => sheet.write_datetime_with_format(row, column, &date, time)?,
                _ => sheet.write_string(row, column, text)?,
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

#[cfg(test)]
mod tests {
    use calamine::{Data, Reader as _, Xlsx};

    use super::*;

    #[test]
    fn values_that_a_cell_cannot_keep_are_texts_or_refused() {
        let written = |json: &str| {
            let row = serde_json::from_str(json).unwrap();
            let mut sheet = Sheet::new();
            let names = ["notes".to_owned()];
            sheet
                .write(&names, &[row])
                .map_err(|failure| failure.message().to_owned())?;
            let bytes = std::io::Cursor::new(sheet.bytes(&[]).unwrap());
            let cells = Xlsx::new(bytes)
                .unwrap()
                .worksheet_range_at(0)
                .unwrap()
                .unwrap();
            Ok::<_, String>(cells.get((1, 0)).unwrap().clone())
        };
        assert_eq!(
            written(r#"{"notes": 9007199254740993}"#).unwrap(),
            Data::String("9007199254740993".into())
        );
        let longest = "x".repeat(32_767);
        let of = |text: &str| written(&format!(r#"{{"notes": "{text}"}}"#));
        assert_eq!(of(&longest).unwrap(), Data::String(longest.clone()));
        let refused = of(&(longest + "x")).unwrap_err();
        assert!(refused.starts_with("notes: "), "{refused}");
    }
}
