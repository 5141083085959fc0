//! Rows as a workbook of Excel, which is written at the end.

use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::{cell, json::Members};

/// Number of characters after which the text of a cell is truncated.
const MAX_TEXT: usize = 32_767;

/// Largest number that a cell keeps exactly; larger ones are written as text.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A workbook with one sheet.
pub(super) struct Sheet {
    workbook: Box<Workbook>,
    /// The number of the next row; 0 until the names of the columns were written.
    next: u32,
}

impl Sheet {
    pub(super) fn new() -> Self {
        Self {
            workbook: Box::default(),
            next: 0,
        }
    }

    /// Adds rows, after the names of the columns if it is the first time. Text is never a formula.
    pub(super) fn write(
        &mut self,
        names: &[String],
        rows: &[Members<'_>],
    ) -> Result<(), XlsxError> {
        if self.next == 0 {
            let sheet = self.workbook.add_worksheet();
            sheet.set_freeze_panes(1, 0)?;
            for (name, column) in names.iter().zip(0..) {
                sheet.write_string_with_format(0, column, name, &Format::new().set_bold())?;
            }
            self.next = 1;
        }
        let sheet = self.workbook.worksheet_from_index(0)?;
        for row in rows {
            for (name, column) in names.iter().zip(0..) {
                let value = row.get(name);
                let json = value.map_or("null", |value| value.get());
                match (json, json.parse::<f64>()) {
                    ("null", _) => continue,
                    ("true" | "false", _) => {
                        sheet.write_boolean(self.next, column, json == "true")?
                    }
                    (_, Ok(number)) if number.abs() <= MAX_EXACT => {
                        sheet.write_number(self.next, column, number)?
                    }
                    _ => {
                        let text: String = cell::text(value).chars().take(MAX_TEXT).collect();
                        sheet.write_string(self.next, column, text)?
                    }
                };
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The file.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, XlsxError> {
        self.workbook.save_to_buffer()
    }
}

impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sheet")
    }
}
