//! A table as every reader of a file returns it, and the rules that hold for all of them.

use std::collections::HashMap;

use lms_plan::column_key;
use serde_json::value::RawValue;

use crate::{failure::Failure, output::json::unquoted};

/// The rows of a file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) form: Form,
    pub(crate) columns: Vec<Column>,
    pub(crate) records: Vec<Record>,
    /// The unit in which rows are counted: `line`, or `row` if several are in one line.
    pub(crate) unit: &'static str,
    /// The encoding, if the file does not say it.
    pub(crate) assumed: Option<&'static str>,
}

/// The form in which rows of the file can be written back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// CSV, and a workbook.
    Csv {
        delimiter: u8,
        bom: bool,
    },
    Ndjson,
}

impl Form {
    /// The names of the columns, with which a file begins.
    pub(crate) fn head<'a>(self, names: impl Iterator<Item = &'a str>) -> Vec<u8> {
        let mut head = Vec::new();
        if let Self::Csv { bom: true, .. } = self {
            head.extend(b"\xef\xbb\xbf");
        }
        head.extend(self.record(names));
        head
    }

    /// A row as it was written, with more columns. In NDJSON it is written as one object.
    pub(crate) fn line(self, written: &[String], more: &[(&str, &str)]) -> Vec<u8> {
        if self != Self::Ndjson {
            let more = more.iter().map(|(_, text)| *text);
            return self.record(written.iter().map(String::as_str).chain(more));
        }
        let more: serde_json::Map<_, _> = more
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).into()))
            .collect();
        let more = serde_json::Value::Object(more).to_string();
        let object = written.concat();
        let separator = if object == "{}" { "" } else { "," };
        let object = object.strip_suffix('}').unwrap_or_default();
        format!("{object}{separator}{}\n", &more[1..]).into_bytes()
    }

    /// A line of CSV; nothing in NDJSON, whose objects have the names of the columns.
    fn record<'a>(self, cells: impl Iterator<Item = &'a str>) -> Vec<u8> {
        let Self::Csv { delimiter, .. } = self else {
            return Vec::new();
        };
        let mut builder = ::csv::WriterBuilder::new();
        let mut writer = builder.delimiter(delimiter).from_writer(Vec::new());
        // Into memory, which does not fail.
        let _ = writer.write_record(cells);
        writer.into_inner().unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The line of the header, or of the first object that has it.
    pub(crate) line: u64,
}

/// A row that is not empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) line: u64,
    /// The cells with the index of their column, in their order.
    pub(crate) cells: Vec<(usize, Value)>,
    /// The mistake that makes it unreadable, without any of its values.
    pub(crate) problem: Option<String>,
}

/// The value of a cell.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "xlsx"),
    expect(dead_code, reason = "values of workbooks")
)]
pub(crate) enum Value {
    Text(String),
    /// A number of a workbook that is no integer.
    Number(String),
    /// A date or time of a workbook, as ISO 8601.
    Time(String),
    /// A value of NDJSON.
    Json(Box<RawValue>),
    /// A value that cannot be told.
    Unknown(&'static str),
}

/// The kind of value that the reader of a cell needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Text,
    Number,
    Time,
}

impl Value {
    /// The value as text; empty for none.
    ///
    /// # Errors
    ///
    /// The value is of another kind, and its text in the spreadsheet is not known.
    pub(crate) fn text(&self, wanted: Wanted) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text.trim().to_owned()),
            Self::Number(text) if wanted == Wanted::Number => Ok(text.clone()),
            Self::Time(text) if wanted == Wanted::Time => Ok(text.clone()),
            Self::Number(_) => Err("the cell is a number with a fraction; format the column as text, and write the value again".to_owned()),
            Self::Time(_) => Err("the cell is a date; format the column as text, and write the value again".to_owned()),
            Self::Json(value) => Ok(unquoted(value)),
            Self::Unknown(reason) => Err((*reason).to_owned()),
        }
    }

    /// The text that identifies an object; empty for none.
    ///
    /// # Errors
    ///
    /// The value is no text, or has characters that a person does not see.
    pub(crate) fn identifier(&self) -> Result<String, String> {
        let text = self.flat_text()?;
        check_identifier(&text)?;
        Ok(text)
    }

    /// The value as text, unless it is a list or an object.
    pub(crate) fn flat_text(&self) -> Result<String, String> {
        let text = self.text(Wanted::Text)?;
        if matches!(self, Self::Json(_)) && text.starts_with(['{', '[']) {
            return Err("the value is a list or an object; write a text".to_owned());
        }
        Ok(text)
    }

    /// The value as it is written back.
    pub(crate) fn written(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Time(text) => text,
            Self::Json(value) => value.get(),
            Self::Unknown(_) => "",
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

impl Record {
    pub(super) fn unreadable(line: u64, problem: impl Into<String>) -> Self {
        Self {
            line,
            cells: Vec::new(),
            problem: Some(problem.into()),
        }
    }
}

/// The columns of a header in this line.
pub(super) fn header(names: Vec<String>, line: u64) -> Result<Vec<Column>, Failure> {
    if names.iter().all(|name| name.trim().is_empty()) {
        return Err(Failure::usage(
            "the file is empty; its first line names the columns",
        ));
    }
    let mut known: HashMap<String, &str> = HashMap::new();
    for name in names.iter().filter(|name| !name.trim().is_empty()) {
        if let Some(problem) = control(name) {
            return Err(Failure::usage(format!(
                "line {line}: the name of a column {problem}"
            )));
        }
        if let Some(other) = known.insert(column_key(name), name) {
            return Err(Failure::usage(format!(
                "line {line}: {other} and {name} are the same column"
            ))
            .advice("remove or rename one of them: which of them counts cannot be told"));
        }
    }
    let columns = names.into_iter().map(|name| Column { name, line });
    Ok(columns.collect())
}

/// The rows of a table with a header: cells by the index of their column.
pub(super) fn records(
    columns: &[Column],
    rows: impl Iterator<Item = (u64, Vec<(usize, Value)>)>,
) -> Vec<Record> {
    let problem = |cells: &[(usize, Value)]| {
        let (width, mut cells) = (columns.len(), cells.iter());
        let is_beyond = |(index, value): &&(usize, Value)| *index >= width && !value.is_blank();
        if let Some((last, _)) = cells.clone().rfind(is_beyond) {
            let found = last + 1;
            return Some(format!("it has {found} cells, and the header has {width}"));
        }
        if repeats_header(columns, cells.as_slice()) {
            return Some("it repeats the names of the columns".to_owned());
        }
        cells.find_map(|(index, value)| {
            let (column, problem) = (columns.get(*index)?, control(value.written())?);
            Some(format!("{}: the cell {problem}", column.name.trim()))
        })
    };
    let rows = rows.filter(|(_, cells)| cells.iter().any(|(_, value)| !value.is_blank()));
    let record = |(line, mut cells): (u64, Vec<(usize, Value)>)| match problem(&cells) {
        Some(problem) => Record::unreadable(line, problem),
        None => {
            cells.retain(|(index, _)| *index < columns.len());
            let problem = None;
            Record {
                line,
                cells,
                problem,
            }
        }
    };
    rows.map(record).collect()
}

/// True for a row of several cells that has the names of the columns once more, as files do that were joined.
fn repeats_header(columns: &[Column], cells: &[(usize, Value)]) -> bool {
    let is_name = |(index, value): &(usize, Value)| {
        let name = columns.get(*index).map_or("", |column| &column.name);
        column_key(name) == column_key(value.written())
    };
    cells.len() > 1 && cells.iter().all(is_name)
}

/// The control character of a text that no spreadsheet means.
pub(super) fn control(text: &str) -> Option<String> {
    let is_one = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    let found = text.chars().find(is_one)?;
    let code = u32::from(found);
    Some(format!("has the control character U+{code:04X}"))
}

/// Refuses a text that identifies an object, but has characters that a person does not see, or letters in two parts: it
/// would not be found.
///
/// # Errors
///
/// The text has such a character.
pub(crate) fn check_identifier(text: &str) -> Result<(), String> {
    let is_unseen = |c: &char| {
        (c.is_whitespace() && *c != ' ')
            || matches!(c, '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let Some(found) = text.chars().find(is_unseen) else {
        return Ok(());
    };
    let kind = match found {
        '\u{300}'..='\u{36f}' => "combining",
        _ => "invisible",
    };
    let code = u32::from(found);
    Err(format!(
        "the cell has the {kind} character U+{code:04X}; write the value again"
    ))
}
