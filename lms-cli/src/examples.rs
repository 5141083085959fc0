//! The examples in the help of every command.
//!
//! Those of operations follow from the table, as the commands do. A test runs all of them on demo data.

use clap::Command;

use crate::{
    args::IF_NOT_EXISTS,
    commands::arguments::long,
    operations::{
        lookup::{body_fields, is_write, named},
        table::{Command as Row, Field, Kind, Output},
    },
    verbs,
};

/// Examples of the commands that are not operations: the words of a command, and lines with examples.
const OTHERS: &str = include_str!("examples.txt");

/// Adds examples to the help of a command and of all commands below it.
pub(crate) fn add(command: Command) -> Command {
    below(command, &[])
}

fn below(command: Command, words: &[String]) -> Command {
    let examples = of(words);
    let command = command.mut_subcommands(|inner| {
        let words = [words, &[inner.get_name().to_owned()]].concat();
        below(inner, &words)
    });
    if examples.is_empty() {
        return command;
    }
    let lines = examples.iter().map(|example| format!("  lms {example}\n"));
    let examples = format!("Examples:\n{}", lines.collect::<String>());
    let text = match command.get_after_help() {
        Some(text) => format!("{text}\n\n{examples}"),
        None => examples,
    };
    command.after_help(text.trim_end().to_owned())
}

fn of(words: &[String]) -> Vec<String> {
    let name = words.join(" ");
    let mut known = OTHERS.split("\n\n").map(str::lines);
    let known = known.find_map(|mut lines| (lines.next() == Some(&name)).then_some(lines));
    if let Some(examples) = known {
        return examples.map(|line| line.trim().to_owned()).collect();
    }
    match words {
        _ if let Some(row) = named(&name) => of_operation(row),
        [report, _] if report == "report" => vec![
            format!("{name} --mirror sqlite:tenant.db"),
            format!("{name} --mirror sqlite:tenant.db -o csv > {}.csv", words[1]),
        ],
        _ => Vec::new(),
    }
}

fn of_operation(row: &'static Row) -> Vec<String> {
    let of_body = body_fields(row).filter(|field| row.positional.contains(&field.name));
    let mut call = row.name();
    for field in row.path.iter().chain(of_body) {
        call = format!("{call} {}", value(field));
    }
    if is_write(row) {
        return of_write(row, call);
    }
    match row.output {
        Output::List { item, pages } => {
            let mut examples = vec![call.clone()];
            let mut filters = row.query.iter();
            if let Some(filter) = filters.find(|field| !matches!(field.kind, Kind::Text)) {
                examples.push(format!("{call} --{}={}", long(filter), value(filter)));
            }
            if pages {
                examples.push(format!(
                    "{call} --limit 10 --columns {}",
                    columns(item.fields)
                ));
            }
            examples.push(format!("{call} -o csv > {}.csv", row.resource));
            examples
        }
        _ => {
            let fields = row.output.schema().map_or(&[][..], |schema| schema.fields);
            let columns = columns(fields);
            vec![call.clone(), format!("{call} --columns {columns}")]
        }
    }
}

fn of_write(row: &'static Row, mut call: String) -> Vec<String> {
    let options = body_fields(row).filter(|field| !row.positional.contains(&field.name));
    let mut options = options.filter(|field| !field.secret && !field.list);
    let given: Vec<_> = match verbs::of(row).is_edit() {
        true => options
            .find(|field| field.kind == Kind::Text)
            .into_iter()
            .collect(),
        false => options
            .filter(|field| field.required)
            .chain(row.query)
            .collect(),
    };
    for field in given {
        call = format!("{call} --{} {}", long(field), value(field));
    }
    let rows = format!("{} --from {}.csv", row.name(), row.resource);
    let dry_run = format!("{call} --dry-run");
    match (&row.output, verbs::of(row).if_not_exists()) {
        (Output::Nothing, _) => vec![
            dry_run,
            format!("{rows} --dry-run"),
            format!("{call} --yes"),
        ],
        (_, None) => vec![dry_run, call, rows],
        (_, Some(_)) => [dry_run, call, rows]
            .map(|example| format!("{example} --{IF_NOT_EXISTS}"))
            .into(),
    }
}

/// The first columns of a table.
fn columns(fields: &[Field]) -> String {
    let shown = fields.iter().filter(|field| !field.secret && !field.list);
    let names: Vec<_> = shown.take(3).map(|field| field.name).collect();
    names.join(",")
}

/// A value that the demo data has, as far as the kind tells.
fn value(field: &Field) -> &'static str {
    if let Some(value) = field.values.first() {
        return value;
    }
    match (field.kind, field.name) {
        (Kind::Id("course-id"), _) => "c1",
        (Kind::Id("learner-id"), _) => "l3",
        (Kind::Id("topic-id"), _) => "t1",
        (Kind::Id("user-field-id"), _) => "f1",
        (Kind::Id("duplicate-course-id"), _) => "d1",
        (Kind::Id(_), _) => "ID",
        (Kind::Boolean, _) => "true",
        (Kind::Integer | Kind::Number, _) => "1",
        (Kind::Timestamp, _) => "2026-01-31",
        (Kind::Json, _) => "{}",
        (Kind::Text, "email") => "jo@acme.example",
        (Kind::Text, "firstname") => "Jo",
        (Kind::Text, "surname") => "Jones",
        (Kind::Text, _) => "\"First aid\"",
    }
}
