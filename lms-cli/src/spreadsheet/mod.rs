//! Files that people make: CSV as spreadsheets write it, NDJSON, a JSON array, and workbooks of Excel.
//!
//! One reader with one set of rules for every command that takes such a file. What could be read in two ways is refused
//! with its line: columns whose names differ only in case or separators, control characters, and numbers that Excel has
//! rounded.

mod csv;
mod json;
mod table;
mod text;
#[cfg(feature = "xlsx")]
mod xlsx;

pub(crate) use table::{Column, Form, Record, Table, Value, Wanted, check_identifier};
use table::{control, header, records};

use crate::failure::Failure;

/// Reads the rows of a file.
///
/// # Errors
///
/// Usage, if the file cannot be read as a whole. A row that cannot be read has a problem.
pub(crate) fn read(bytes: &[u8]) -> Result<Table, Failure> {
    if bytes.starts_with(b"PK\x03\x04") {
        return workbook(bytes);
    }
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(Failure::usage("the file is a workbook of an old Excel")
            .advice("save it as .xlsx, or as \"CSV UTF-8\""));
    }
    let decoded = text::decode(bytes)?;
    let table = match decoded.text.trim_start() {
        text if text.starts_with('{') => json::lines(&decoded.text),
        text if text
            .strip_prefix('[')
            .is_some_and(|rest| rest.trim_start().starts_with(['{', ']'])) =>
        {
            json::array(&decoded.text)
        }
        _ => csv::read(&decoded.text, decoded.bom),
    }?;
    Ok(Table {
        assumed: decoded.assumed,
        ..table
    })
}

#[cfg(feature = "xlsx")]
fn workbook(bytes: &[u8]) -> Result<Table, Failure> {
    xlsx::read(bytes)
}

#[cfg(not(feature = "xlsx"))]
fn workbook(_: &[u8]) -> Result<Table, Failure> {
    Err(Failure::usage(
        "the file is a workbook of Excel, and this program was built without its feature xlsx",
    )
    .advice("save the spreadsheet as \"CSV UTF-8\""))
}

#[cfg(test)]
mod tests;
