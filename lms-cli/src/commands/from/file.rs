//! The rows of a file: the call of each, and its text in the results.

use lms_plan::StepState;
use serde_json::value::RawValue;

use super::columns::{self, COLUMNS, Columns, Target, is_own};
use crate::{
    calls::{
        Call,
        input::{CLEAR, Place},
        invalid::Invalid,
        value::checked,
    },
    commands::{ending::parsed, write},
    context::Context,
    failure::Failure,
    operations::{
        lookup::is_secret_column,
        table::{Field, Kind},
    },
    output::json::{Members, Style, unquoted},
    spreadsheet::{self, Column, Form, Record, Table, Value, Wanted, check_identifier},
};

/// The format of the results: that of the file, or CSV for a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) form: Form,
    /// The columns of CSV, without those of results.
    pub(super) header: Vec<String>,
}

/// A row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    /// The place in the file, such as `line 2`.
    pub(super) place: String,
    /// The cells as they were written, or the object, without secrets. Empty if the row cannot be read: which of its values
    /// is secret is not known then.
    pub(super) written: Vec<String>,
    /// The call, or the mistake in the row.
    pub(super) call: Result<Call, String>,
    /// The ending in an earlier run.
    pub(super) ending: Option<StepState>,
}

/// A line of results: the row as it was written, the tenant with the command, and the result.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) written: Vec<String>,
    pub(super) run: String,
    pub(super) ending: StepState,
}

/// The rows of a file.
pub(super) struct Rows {
    pub(super) format: Format,
    pub(super) rows: Vec<Row>,
    /// `true` if a column is secret, so that the results do not show whether a row has changed.
    pub(super) has_secrets: bool,
}

/// Reads the rows of a file as calls, with the values of `base` where a row has none. Rows without any value are left out.
pub(super) fn read(
    context: &Context,
    bytes: &[u8],
    columns: &Columns,
    base: &Call,
    empty_clears: bool,
) -> Result<Rows, Failure> {
    let table = spreadsheet::read(bytes).map_err(|failure| failure.of("--from"))?;
    if let Some(encoding) = table.assumed {
        context.note(&format!("note: the file is read as {encoding}"));
    }
    let targets = columns.targets(&table.columns)?;
    if !table.records.is_empty() {
        columns::require_path(base, &table.columns, &targets)?;
    }
    let is_hidden = |(column, target): (&Column, &Option<Target>)| {
        target.is_some_and(|target| target.field.secret) || is_secret_column(&column.name)
    };
    let hidden: Vec<bool> = table.columns.iter().zip(&targets).map(is_hidden).collect();
    let rows = table.records.iter().map(|record| Row {
        line: record.line,
        place: format!("{} {}", table.unit, record.line),
        written: written(&table, &hidden, record),
        call: call(&table, &targets, record, base, empty_clears),
        ending: None,
    });
    Ok(Rows {
        rows: rows.collect(),
        has_secrets: hidden.contains(&true),
        format: Format {
            form: table.form,
            header: header(&table),
        },
    })
}

/// The call of a row, or the mistake in the row.
fn call(
    table: &Table,
    targets: &[Option<Target>],
    record: &Record,
    base: &Call,
    empty_clears: bool,
) -> Result<Call, String> {
    if let Some(problem) = &record.problem {
        return Err(problem.clone());
    }
    let mut call = base.clone();
    let mut columns: Vec<(Target, &str)> = Vec::new();
    for (index, value) in &record.cells {
        let Some(target) = targets[*index] else {
            continue;
        };
        let column = table.columns[*index].name.trim();
        let is_same =
            |known: &Target| known.place == target.place && known.field.name == target.field.name;
        if let Some((_, other)) = columns.iter().find(|(known, _)| is_same(known)) {
            return Err(format!(
                "{column}: another column stands for the same option: {other}; leave one of them out with --map"
            ));
        }
        let texts = texts(target.field, value).map_err(|reason| format!("{column}: {reason}"))?;
        set(&mut call, target, column, &texts, empty_clears)?;
        columns.push((target, column));
    }
    // A removal with fewer filters would remove more.
    let is_missing = |target: &Target| {
        target.place == Place::Query && !call.input.has(target.place, target.field)
    };
    let mut named = table.columns.iter().zip(targets);
    if let Some((column, _)) = named.find(|(_, target)| target.as_ref().is_some_and(is_missing)) {
        return Err(format!("{}: the cell is empty", column.name.trim()));
    }
    let column = |flag: &str| {
        let mut columns = columns.iter();
        let found = columns.find(|(target, _)| target.field.flag == flag);
        found.map_or(flag, |(_, column)| column).to_owned()
    };
    write::check(&call).map_err(|invalid| invalid.of_columns(column))?;
    Ok(call)
}

/// Sets a field to the texts of a cell, none if it is empty.
fn set(
    call: &mut Call,
    Target { place, field }: Target,
    column: &str,
    texts: &[String],
    empty_clears: bool,
) -> Result<(), String> {
    let of_column = |invalid: Invalid| invalid.of_columns(|_| column.to_owned());
    if texts.is_empty() {
        if place == Place::Body && empty_clears {
            let name = vec![field.name.to_owned()];
            return call
                .input
                .extend(Place::Clear, &CLEAR, name)
                .map_err(of_column);
        }
        call.input.keeps |= !matches!(place, Place::Path | Place::Query);
        return Ok(());
    }
    let texts = texts.iter().map(|text| checked(field, text));
    let texts = texts.collect::<Result<Vec<_>, _>>();
    let texts = texts.map_err(|reason| match field.secret {
        true => format!("{column}: the value is not valid"),
        false => format!("{column}: {reason}"),
    })?;
    call.input.extend(place, field, texts).map_err(of_column)
}

impl Format {
    /// The entries of a file with results; `None` if it does not have those of such rows.
    pub(super) fn entries(&self, bytes: &[u8]) -> Option<Vec<Entry>> {
        let table = spreadsheet::read(bytes).ok()?;
        if header(&table) != self.header {
            return None;
        }
        let hidden = vec![false; table.columns.len()];
        let own = COLUMNS.map(|name| table.columns.iter().position(|column| column.name == name));
        let entries = table.records.iter().map(|record| {
            let [word, id, error, note, run] = own.map(|own| {
                let cell = record.cells.iter().find(|(index, _)| Some(*index) == own);
                cell.and_then(|(_, value)| match value {
                    Value::Json(json) => serde_json::from_str(json.get()).ok(),
                    value => Some(value.written().to_owned()),
                })
            });
            Some(Entry {
                ending: parsed([word?, id?, error?, note?])?,
                run: run?,
                written: written(&table, &hidden, record),
            })
        });
        entries.collect()
    }
}

/// The columns of the results that are those of the file.
fn public(table: &Table) -> impl Iterator<Item = usize> {
    let columns = table.columns.iter().enumerate();
    let columns = columns.filter(|(_, column)| !is_own(&column.name));
    columns.map(|(index, _)| index)
}

/// The names of those columns in CSV.
fn header(table: &Table) -> Vec<String> {
    match table.form {
        Form::Ndjson => Vec::new(),
        Form::Csv { .. } => public(table)
            .map(|index| table.columns[index].name.clone())
            .collect(),
    }
}

fn written(table: &Table, hidden: &[bool], record: &Record) -> Vec<String> {
    let cells = record.cells.iter().filter(|(index, _)| !hidden[*index]);
    if table.form == Form::Ndjson {
        let public = cells.filter(|(index, _)| !is_own(&table.columns[*index].name));
        let members = public.map(|(index, value)| {
            let name = serde_json::Value::from(table.columns[*index].name.as_str());
            format!("{name}:{}", value.written())
        });
        let object = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        let members: Members<'_> = serde_json::from_str(&object).unwrap_or_default();
        return vec![members.text(Style::Line)];
    }
    let mut written = vec![String::new(); table.columns.len()];
    for (index, value) in cells {
        // As it is sent.
        value.written().trim().clone_into(&mut written[*index]);
    }
    public(table)
        .map(|index| std::mem::take(&mut written[index]))
        .collect()
}

/// The texts of a cell for a field, none for an empty one.
fn texts(field: &Field, value: &Value) -> Result<Vec<String>, String> {
    let wanted = match field.kind {
        Kind::Timestamp => Wanted::Time,
        Kind::Number => Wanted::Number,
        _ => Wanted::Text,
    };
    let mut texts = match value {
        Value::Json(json) => {
            let list = serde_json::from_str::<Vec<&RawValue>>(json.get());
            let list = list.ok().filter(|_| field.list);
            let values = list.unwrap_or_else(|| vec![json]).into_iter();
            values
                .map(|value| of_json(field, value))
                .collect::<Result<_, _>>()?
        }
        value if field.list => {
            // A JSON array of texts, or texts that are separated by commas.
            let text = value.text(wanted)?;
            let separated = || text.split(',').map(|text| text.trim().to_owned()).collect();
            serde_json::from_str(&text).unwrap_or_else(|_| separated())
        }
        value => vec![value.text(wanted)?],
    };
    texts.retain(|text: &String| !text.is_empty());
    if matches!(field.kind, Kind::Id(_)) || ["email", "username", "sso_id"].contains(&field.name) {
        texts.iter().try_for_each(|text| check_identifier(text))?;
    }
    Ok(texts)
}

fn of_json(field: &Field, value: &RawValue) -> Result<String, String> {
    match value.get().as_bytes().first() {
        Some(b'{' | b'[') if field.kind != Kind::Json => {
            Err("the value is a list or an object; write a text".to_owned())
        }
        _ => Ok(unquoted(value)),
    }
}
