//! The files that commands are given, and the people of one as the mapping reads them.

use std::path::Path;

use clap::{Arg, ArgMatches, ValueHint};
use lms_plan::{Mapping, People, column_key};

use super::{Context, Failure};
use crate::{
    calls::stdin::Stdin,
    operations::lookup::is_secret_column,
    spreadsheet::{self, Form, Table, Value, Wanted},
};

/// The argument of a command that is a file.
pub(super) fn path(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    let arg = Arg::new(id).value_name(name).required(true);
    arg.value_hint(ValueHint::FilePath).help(help)
}

/// The argument with people.
pub(super) fn people_arg() -> Arg {
    path("people", "FILE", "The people: CSV, NDJSON or .xlsx")
}

/// The file of a command.
pub(super) fn given<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// Reads a file of people.
pub(super) fn table(
    context: &Context,
    stdin: &mut Stdin,
    path: &str,
) -> Result<(Vec<u8>, Table), Failure> {
    let bytes = stdin.or_file(path, "people")?;
    let table = spreadsheet::read(&bytes).map_err(|failure| failure.of(path))?;
    if let Some(encoding) = table.assumed {
        context.note(&format!("note: {path} is read as {encoding}"));
    }
    Ok((bytes, table))
}

/// The rows of a file as people. A cell that the mapping needs and that cannot be read makes its row invalid.
pub(super) fn people(
    context: &Context,
    stdin: &mut Stdin,
    path: &str,
    mapping: &Mapping,
) -> Result<People, Failure> {
    let (bytes, table) = table(context, stdin, path)?;
    let columns = table.columns.iter();
    let names = columns.map(|column| column.name.trim().to_owned());
    let name = Path::new(path).file_name().unwrap_or_default();
    let mut people = People::new(name.to_string_lossy(), &bytes, names.collect());
    if let Form::Csv { delimiter, bom } = table.form {
        (people.input.delimiter, people.input.bom) = (Some(delimiter.into()), bom);
    }
    let needed: Vec<String> = mapping.columns().map(column_key).collect();
    let identifying: Vec<String> = mapping.identifying().map(|name| column_key(name)).collect();
    let read = |name: &str, value: &Value| {
        let key = column_key(name);
        match is_secret_column(name) {
            _ if identifying.contains(&key) => value.identifier(),
            _ if needed.contains(&key) => value.flat_text(),
            // A plan has the row, and its readers need no passwords.
            true => Ok(String::new()),
            false => Ok(value
                .text(Wanted::Text)
                .unwrap_or_else(|_| value.written().to_owned())),
        }
    };
    for record in table.records {
        let mut texts = vec![String::new(); table.columns.len()];
        let mut problem = record.problem;
        for (index, value) in record.cells {
            let name = &people.input.columns[index];
            match read(name, &value) {
                Ok(text) => texts[index] = text,
                Err(reason) => problem = problem.or(Some(format!("{name}: {reason}"))),
            }
        }
        people.push(record.line, texts, problem);
    }
    Ok(people)
}
