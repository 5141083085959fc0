//! The rows of a file: CSV as spreadsheets write it, or NDJSON.

use csv::StringRecord;
use serde_json::value::RawValue;

use super::columns::{Columns, Target, is_own};
use crate::{
    failure::Failure,
    output::json::{Members, Style},
    spreadsheet::{Csv, is_ndjson, without_bom},
};

/// The format of a file with rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Csv {
        /// Without the columns of results.
        header: Vec<String>,
        delimiter: u8,
        bom: bool,
    },
    Ndjson,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) line: u64,
    /// The cells as they were written, or the object, without secrets.
    pub(super) written: Vec<String>,
    pub(super) cells: Vec<Cell>,
    /// The mistake that makes it unreadable.
    pub(super) problem: Option<String>,
}

/// The texts of a cell, none if it is empty.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) column: String,
    pub(super) target: Target,
    pub(super) texts: Vec<String>,
}

/// Reads the rows of a file. Those without any value are left out.
pub(super) fn read(bytes: &[u8], columns: &Columns) -> Result<(Form, Vec<Row>), Failure> {
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(Failure::usage(
            "--from: the file is an Excel workbook or another archive, not CSV",
        )
        .advice("save the spreadsheet as \"CSV UTF-8\""));
    }
    let text = without_bom(bytes);
    if is_ndjson(text) {
        Ok((Form::Ndjson, ndjson(text, columns)))
    } else {
        csv(text, bytes.len() > text.len(), columns)
    }
}

fn csv(text: &[u8], bom: bool, columns: &Columns) -> Result<(Form, Vec<Row>), Failure> {
    let csv = Csv::of(text);
    let mut reader = csv.reader()?;
    let header = reader.headers().map_err(|error| csv.unread(&error))?;
    let header = header.clone();
    if header.iter().all(|name| name.trim().is_empty()) {
        return Err(Failure::usage(
            "--from: the file is empty; its first line names the columns",
        ));
    }
    let line = csv.header_line();
    let mut targets: Vec<Option<Target>> = Vec::new();
    for name in &header {
        let target = match name.trim() {
            "" => None,
            name => columns
                .target(name)
                .map_err(|reason| Failure::usage(format!("line {line}, {name}: {reason}")))?,
        };
        let same = |known: &Target| {
            target.is_some_and(|new| (new.place, new.field.name) == (known.place, known.field.name))
        };
        if targets.iter().flatten().any(same) {
            let message = format!("line {line}, {name}: another column stands for the same option");
            return Err(Failure::usage(message));
        }
        targets.push(target);
    }
    let own: Vec<bool> = header.iter().map(is_own).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv.unread(&error))?;
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            let mut row = row(&record, &header, &targets, &own);
            row.line = record.position().map_or(0, |start| csv.line(start));
            rows.push(row);
        }
    }
    let header = header.iter().zip(&own).filter(|(_, own)| !**own);
    let header = header.map(|(name, _)| name.to_owned()).collect();
    let form = Form::Csv {
        header,
        delimiter: csv.delimiter,
        bom,
    };
    Ok((form, rows))
}

fn row(
    record: &StringRecord,
    header: &StringRecord,
    targets: &[Option<Target>],
    own: &[bool],
) -> Row {
    let mut row = Row::default();
    for (index, name) in header.iter().enumerate() {
        let cell = record.get(index).unwrap_or_default();
        let target = targets[index];
        if !own[index] {
            let secret = target.is_some_and(|target| target.field.secret);
            row.written.push(if secret { "" } else { cell }.to_owned());
        }
        let Some(target) = target else { continue };
        let texts: Vec<&str> = match target.field.list {
            true => cell.split(',').collect(),
            false => vec![cell],
        };
        let texts = texts.into_iter().map(str::trim);
        let texts = texts.filter(|text| !text.is_empty());
        row.cells.push(Cell {
            column: name.trim().to_owned(),
            target,
            texts: texts.map(str::to_owned).collect(),
        });
    }
    let more = record.iter().skip(header.len());
    if more.filter(|cell| !cell.trim().is_empty()).count() > 0 {
        row.problem = Some(format!(
            "it has {} cells, and the header has {}",
            record.len(),
            header.len()
        ));
    }
    row
}

fn ndjson(text: &[u8], columns: &Columns) -> Vec<Row> {
    let lines = text.split(|byte| *byte == b'\n').zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    lines
        .map(|(text, line)| match object(text, columns) {
            Ok(row) => Row { line, ..row },
            Err(problem) => Row {
                line,
                written: vec![String::from_utf8_lossy(text.trim_ascii()).into_owned()],
                problem: Some(problem),
                ..Row::default()
            },
        })
        .collect()
}

fn object(text: &[u8], columns: &Columns) -> Result<Row, String> {
    let members: Members<'_> = serde_json::from_slice(text)
        .map_err(|error| format!("it is not a JSON object: {error}"))?;
    let mut row = Row::default();
    let mut public = Vec::new();
    for (name, value) in members.iter() {
        let target = columns.target(name)?;
        if !is_own(name) && target.is_none_or(|target| !target.field.secret) {
            public.push(name.to_owned());
        }
        let Some(target) = target else { continue };
        let values = match serde_json::from_str::<Vec<&RawValue>>(value.get()) {
            Ok(values) if target.field.list => values,
            _ => vec![value],
        };
        let texts = values.into_iter().map(text_of);
        row.cells.push(Cell {
            column: name.to_owned(),
            target,
            texts: texts.filter(|text| !text.is_empty()).collect(),
        });
    }
    let mut written = String::new();
    members.select(&public).write(&mut written, Style::Line);
    row.written.push(written);
    Ok(row)
}

/// The text of a value: that of a string, nothing for null, and JSON for all others.
fn text_of(value: &RawValue) -> String {
    match value.get() {
        "null" => String::new(),
        json => serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()),
    }
}
