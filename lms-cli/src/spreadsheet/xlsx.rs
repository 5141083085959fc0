//! Workbooks of Excel.
//!
//! A workbook has no text for dates and numbers: a date in a column of text would be read as one of several spellings, and
//! a number of more than 15 digits has been rounded. A column that needs text refuses both. A number whose format adds zeros
//! in front is read with them, as it is shown. Of merged cells, only the first has the value, so rows would lack it; and
//! programs that do not calculate write formulas without a result, which would be read as empty cells.

use std::{collections::HashSet, io::Cursor};

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};

use super::{Form, Table, Value, header, records};
use crate::failure::Failure;

/// Integers from here on may have been rounded.
const INEXACT: f64 = 1e15;

/// The cells of a row, by their column.
type Row = (u64, Vec<(usize, Value)>);

/// Reads the visible sheet that has cells.
///
/// # Errors
///
/// Usage, if it is not a workbook, several sheets have cells, or cells are merged.
pub(super) fn read(bytes: &[u8]) -> Result<Table, Failure> {
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| unread(&error))?;
    let sheets = book.sheets_metadata().iter().filter(|sheet| {
        sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible
    });
    let names: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let mut filled: Vec<(String, Vec<Row>)> = Vec::new();
    for name in names {
        let rows = rows(&mut book, &name)?;
        if !rows.is_empty() {
            filled.push((name, rows));
        }
    }
    if filled.len() > 1 {
        let names: Vec<_> = filled.iter().map(|(name, _)| name.as_str()).collect();
        let names = names.join(", ");
        let several = format!("the workbook has several sheets with cells: {names}");
        return Err(Failure::usage(several)
            .advice("hide the others: which of them is meant cannot be told"));
    }
    let (name, rows) = filled.pop().unwrap_or_default();
    let merged = match rows.is_empty() {
        true => Vec::new(),
        false => book
            .merge_cells_by_sheet_name(&name)
            .map_err(|error| unread(&error))?,
    };
    if let Some(cells) = merged.iter().find(|cells| cells.start != cells.end) {
        let line = u64::from(cells.start.0) + 1;
        return Err(Failure::usage(format!("line {line}: cells are merged"))
            .advice("separate them, and write the value into each cell"));
    }
    let mut rows = rows.into_iter();
    let (line, first) = rows.next().unwrap_or((1, Vec::new()));
    let width = first.last().map_or(0, |(column, _)| column + 1);
    let mut names = vec![String::new(); width];
    for (column, value) in first {
        value.written().trim().clone_into(&mut names[column]);
    }
    let columns = header(names, line)?;
    // A cell that does not exist is an empty one.
    let rows = rows.map(|(line, cells)| {
        let empty = |column| (column, Value::Text(String::new()));
        let mut row: Vec<_> = (0..width).map(empty).collect();
        for (column, value) in cells {
            match row.get_mut(column) {
                Some(cell) => cell.1 = value,
                None => row.push((column, value)),
            }
        }
        (line, row)
    });
    Ok(Table {
        form: Form::Csv {
            delimiter: b',',
            bom: true,
        },
        records: records(&columns, rows),
        columns,
        unit: "line",
        assumed: None,
    })
}

/// The rows of a sheet that have a cell. A sheet may name a far cell as its end, so only cells that exist are kept.
fn rows(book: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Vec<Row>, Failure> {
    let without_result = without_result(book, name).map_err(|error| unread(&error))?;
    let mut cells = book
        .worksheet_cells_reader(name)
        .map_err(|error| unread(&error))?;
    let mut rows: Vec<Row> = Vec::new();
    while let Some((cell, style)) = cells
        .next_cell_with_style_id()
        .map_err(|error| unread(&error))?
    {
        let (row, column) = cell.get_position();
        let found = if without_result.contains(&(row, column)) {
            Some(Value::Unknown(
                "the formula has no result; open the file in Excel, and save it again",
            ))
        } else {
            let style = cells.styles().get(style);
            let format = style.and_then(|style| style.number_format.as_ref());
            value(cell.get_value(), format.map_or("", |it| &it.format_code))
        };
        let (line, column) = (u64::from(row) + 1, column as usize);
        let Some(value) = found else {
            continue;
        };
        match rows.last_mut() {
            Some((last, cells)) if *last == line => cells.push((column, value)),
            _ => rows.push((line, vec![(column, value)])),
        }
    }
    Ok(rows)
}

/// The positions of formulas whose result the file lacks.
fn without_result(
    book: &mut Xlsx<Cursor<&[u8]>>,
    name: &str,
) -> Result<HashSet<(u32, u32)>, XlsxError> {
    let mut cells = book.worksheet_cells_reader(name)?;
    let mut found = HashSet::new();
    while let Some(cell) = cells.next_cell_with_formula_metadata()? {
        if cell.formula.is_some() && matches!(cell.value, DataRef::Empty) {
            found.insert(cell.pos);
        }
    }
    Ok(found)
}

/// The value of a cell with this format of numbers.
fn value(data: &DataRef<'_>, format: &str) -> Option<Value> {
    let value = match data {
        DataRef::Empty => return None,
        DataRef::String(text) => Value::Text(text.clone()),
        DataRef::SharedString(text) => Value::Text((*text).to_owned()),
        DataRef::Bool(flag) => Value::Text(flag.to_string()),
        DataRef::Int(number) => integer(number.to_string(), format),
        DataRef::Float(number) if number.abs() >= INEXACT => Value::Unknown(
            "the number has more digits than Excel keeps; format the column as text, and write the value again",
        ),
        DataRef::Float(number) if number.fract() == 0.0 => integer(format!("{number:.0}"), format),
        DataRef::Float(number) => Value::Number(number.to_string()),
        DataRef::DateTime(time) if time.is_datetime() => Value::Time(iso(time)),
        DataRef::DateTimeIso(time) => Value::Time(time.clone()),
        DataRef::DateTime(_) | DataRef::DurationIso(_) => Value::Unknown(
            "the cell is a duration; format the column as text, and write the value again",
        ),
        DataRef::Error(_) => Value::Unknown("the cell has an error of a formula"),
    };
    (!value.is_blank()).then_some(value)
}

/// An integer as it is shown: a format like `0000` adds zeros in front. A format that puts something between them, such as
/// `000-000`, shows another text.
fn integer(digits: String, format: &str) -> Value {
    // Negative numbers, zero and text have sections of their own. In brackets are colours, currencies and languages.
    let positive = format.split(';').next().unwrap_or_default();
    let format: String = positive
        .split('[')
        .map(|part| part.split_once(']').map_or(part, |(_, shown)| shown))
        .collect();
    let width = format.bytes().filter(|byte| *byte == b'0').count();
    if width < 2 || format.contains(['.', '#', ',', '%', 'E', '?', '/']) {
        Value::Text(digits)
    } else if format.len() == width && !digits.starts_with('-') {
        Value::Text(format!("{digits:0>width$}"))
    } else {
        Value::Unknown(
            "the number is shown in a format of its own; format the column as text, and write the value again",
        )
    }
}

/// A date, or a time without a zone.
fn iso(time: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second) {
        (0, 0, 0) => date,
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
    }
}

fn unread(error: &XlsxError) -> Failure {
    Failure::usage(format!(
        "the file is not a workbook of Excel that can be read: {error}"
    ))
    .advice("open it in Excel, and save it as .xlsx or as \"CSV UTF-8\"")
}
