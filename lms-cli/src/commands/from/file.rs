//! The rows of a file: which option each cell is for, and how the row is written into the results.

use serde_json::value::RawValue;

use super::columns::{COLUMNS, Columns, Target, is_own};
use crate::{
    commands::ending::Ending,
    context::Context,
    failure::Failure,
    operations::{
        lookup::is_secret_column,
        table::{Field, Kind},
    },
    output::json::{Members, Style, unquoted},
    spreadsheet::{self, Form, Record, Table, Value, Wanted, check_identifier},
};

/// The format of the results: that of the file, or CSV for a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) form: Form,
    /// The columns of CSV, without those of results.
    pub(super) header: Vec<String>,
}

/// A row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) line: u64,
    /// The cells as they were written, or the object, without secrets. Empty if the row cannot be read: which of its values
    /// is secret is not known then.
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
    pub(super) texts: Result<Vec<String>, String>,
}

/// A line of results: the row as it was written, the tenant with the command, and the result.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) written: Vec<String>,
    pub(super) run: String,
    pub(super) ending: Ending,
}

/// The rows of a file.
pub(super) struct Rows {
    pub(super) format: Format,
    pub(super) rows: Vec<Row>,
    /// `true` if a column is secret, so that the results do not show whether a row has changed.
    pub(super) has_secrets: bool,
}

/// Reads the rows of a file. Those without any value are left out.
pub(super) fn read(context: &Context, bytes: &[u8], columns: &Columns) -> Result<Rows, Failure> {
    let table = spreadsheet::read(bytes).map_err(|failure| failure.of("--from"))?;
    if let Some(encoding) = table.assumed {
        context.note(&format!("note: the file is read as {encoding}"));
    }
    let targets = columns.targets(&table.columns)?;
    let hidden: Vec<bool> = table
        .columns
        .iter()
        .zip(&targets)
        .map(|(column, target)| {
            target.is_some_and(|target| target.field.secret) || is_secret_column(&column.name)
        })
        .collect();
    let reader = Reader {
        table: &table,
        targets,
        hidden: &hidden,
    };
    let mut header = Vec::new();
    if table.form != Form::Ndjson {
        reader.refuse_same()?;
        let names = reader
            .public()
            .map(|index| table.columns[index].name.clone());
        header.extend(names);
    }
    let format = Format {
        form: table.form,
        header,
    };
    Ok(Rows {
        rows: table
            .records
            .iter()
            .map(|record| reader.row(record))
            .collect(),
        has_secrets: hidden.contains(&true),
        format,
    })
}

impl Format {
    /// The entries of a file with results; `None` if it does not have those of such rows.
    pub(super) fn entries(&self, bytes: &[u8]) -> Option<Vec<Entry>> {
        let table = spreadsheet::read(bytes).ok()?;
        let reader = Reader {
            table: &table,
            targets: Vec::new(),
            hidden: &vec![false; table.columns.len()],
        };
        let own = COLUMNS.map(|name| table.columns.iter().position(|column| column.name == name));
        let names = reader.public().map(|index| &table.columns[index].name);
        if table.form != Form::Ndjson && !names.eq(&self.header) {
            return None;
        }
        let entries = table.records.iter().map(|record| {
            let mut own = own.iter().map(|own| {
                let cell = record.cells.iter().find(|(index, _)| Some(*index) == *own);
                cell.and_then(|(_, value)| match value {
                    Value::Json(json) => serde_json::from_str(json.get()).ok(),
                    value => Some(value.written().to_owned()),
                })
            });
            let mut next = || own.next().flatten();
            Some(Entry {
                ending: Ending {
                    status: next()?,
                    id: next()?,
                    error: next()?,
                    note: next()?,
                },
                run: next()?,
                written: reader.written(record),
            })
        });
        entries.collect()
    }
}

struct Reader<'a> {
    table: &'a Table,
    targets: Vec<Option<Target>>,
    hidden: &'a [bool],
}

impl Reader<'_> {
    /// The columns of the results that are those of the file.
    fn public(&self) -> impl Iterator<Item = usize> {
        let columns = self.table.columns.iter().enumerate();
        columns
            .filter(|(_, column)| !is_own(&column.name))
            .map(|(index, _)| index)
    }

    /// Fails if two columns of a header are for the same option.
    fn refuse_same(&self) -> Result<(), Failure> {
        let indexes: Vec<_> = (0..self.targets.len()).collect();
        match self.same(&indexes) {
            None => Ok(()),
            Some((one, other)) => {
                let [one, other] = [one, other].map(|index| &self.table.columns[index]);
                Err(Failure::usage(format!(
                    "line {}, {}: another column stands for the same option: {}",
                    other.line, other.name, one.name
                ))
                .advice(format!(
                    "leave one of them out, with --map '{}='",
                    other.name
                )))
            }
        }
    }

    /// Two of these columns that are for the same option.
    fn same(&self, indexes: &[usize]) -> Option<(usize, usize)> {
        let key =
            |index: &usize| self.targets[*index].map(|target| (target.place, target.field.name));
        indexes.iter().enumerate().find_map(|(place, index)| {
            let wanted = key(index)?;
            let earlier = indexes[..place]
                .iter()
                .find(|earlier| key(earlier) == Some(wanted))?;
            Some((*earlier, *index))
        })
    }

    fn row(&self, record: &Record) -> Row {
        let mut row = Row {
            line: record.line,
            problem: record.problem.clone(),
            written: self.written(record),
            ..Row::default()
        };
        let indexes: Vec<_> = record.cells.iter().map(|(index, _)| *index).collect();
        if let Some((one, other)) = self.same(&indexes) {
            let [one, other] = [one, other].map(|index| self.table.columns[index].name.as_str());
            row.problem = Some(format!(
                "{other}: another column stands for the same option: {one}"
            ));
        }
        for (index, value) in &record.cells {
            let Some(target) = self.targets[*index] else {
                continue;
            };
            row.cells.push(Cell {
                column: self.table.columns[*index].name.trim().to_owned(),
                target,
                texts: texts(target.field, value),
            });
        }
        row
    }

    fn written(&self, record: &Record) -> Vec<String> {
        if self.table.form == Form::Ndjson {
            return vec![self.object(record)];
        }
        let mut written = vec![String::new(); self.table.columns.len()];
        for (index, value) in &record.cells {
            if !self.hidden[*index] {
                value.written().clone_into(&mut written[*index]);
            }
        }
        self.public()
            .map(|index| std::mem::take(&mut written[index]))
            .collect()
    }

    fn object(&self, record: &Record) -> String {
        let name = |index: usize| self.table.columns[index].name.as_str();
        let public = record
            .cells
            .iter()
            .filter(|(index, _)| !self.hidden[*index] && !is_own(name(*index)));
        let members = public.map(|(index, value)| {
            // A string always serializes.
            format!(
                "{}:{}",
                serde_json::Value::from(name(*index)),
                value.written()
            )
        });
        let object = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        let members: Members<'_> = serde_json::from_str(&object).unwrap_or_default();
        let mut written = String::new();
        members.write(&mut written, Style::Line);
        written
    }
}

/// The texts of a cell for a field, none for an empty one.
fn texts(field: &Field, value: &Value) -> Result<Vec<String>, String> {
    let wanted = match field.kind {
        Kind::Timestamp => Wanted::Time,
        Kind::Number => Wanted::Number,
        _ => Wanted::Text,
    };
    let texts = match value {
        Value::Json(json) => match serde_json::from_str::<Vec<&RawValue>>(json.get()) {
            Ok(values) if field.list => values
                .into_iter()
                .map(|value| of_json(field, value))
                .collect::<Result<_, _>>()?,
            _ => vec![of_json(field, json)?],
        },
        value => {
            let text = value.text(wanted)?;
            match field.list {
                true => text.split(',').map(|text| text.trim().to_owned()).collect(),
                false => vec![text],
            }
        }
    };
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
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
