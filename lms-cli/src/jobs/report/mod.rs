//! `report`: what people ask of the data of a mirror.
//!
//! A report is a [query with a header](definition). Its rows are read on a thread of their own and printed as they arrive.

pub(crate) mod definition;
mod parameters;
mod people;
mod print;
pub(crate) mod sources;

use std::{fs, path::Path};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use lms_sync::{ColumnKind, Error, mirror::Query};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use self::{
    definition::{Definition, reports},
    parameters::Values,
    sources::Header,
};
use super::{
    database::{self, Database},
    print_rows,
};
use crate::{
    args::{switch, text},
    context::Context,
    failure::{Failure, conclude},
};

/// Number of rows that are read before they are printed.
const CHUNK: usize = 500;

/// A report of this program.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ListedReport {
    /// The name.
    report: String,
    /// The question that it answers.
    title: String,
    /// The collections that it reads.
    needs: Vec<&'static str>,
    /// The names of its parameters.
    parameters: Vec<String>,
}

/// A row of a report.
type Row = Vec<lms_sync::Value>;

/// The messages of the reading thread, in this order. Without an end, rows are missing.
enum Message {
    Header(Box<Header>),
    Rows(Vec<Row>),
    End,
}

pub(super) fn command() -> Command {
    let reports = reports().unwrap_or_default();
    Command::new("report")
        .about("Answer the usual questions about a tenant from a mirror")
        .arg_required_else_help(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .arg(
            Arg::new("file")
                .long("file")
                .value_name("FILE")
                .value_hint(ValueHint::FilePath)
                .required(true)
                .help("A report of your own: SQL with a header"),
        )
        .arg(
            text(
                "set",
                "NAME=VALUE",
                "Set a parameter of the report; can be repeated",
            )
            .action(ArgAction::Append),
        )
        .args(options())
        .subcommand(Command::new("list").about("List the reports"))
        .subcommands(reports.iter().map(subcommand))
}

fn subcommand(report: &Definition) -> Command {
    let needs: Vec<&str> = report.needs.iter().map(|known| known.name).collect();
    let more = format!(
        "{}\n\nIt reads {}.",
        report.about.join(" "),
        needs.join(", ")
    );
    Command::new(report.name.clone())
        .about(report.title.clone())
        .after_help(more.trim().to_owned())
        .args(parameters::options(report))
        .args(options())
}

/// The options of all reports.
fn options() -> Vec<Arg> {
    vec![
        database::argument("mirror", "The database of `lms mirror`"),
        text(
            "at",
            "TIME",
            "The time from which durations count; default: now",
        ),
        switch(
            "with-header",
            "Write what the report rests on into the output, too: as comments of CSV, or as the first object of NDJSON",
        ),
    ]
}

/// Prints a report.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (report, matches) = match matches.subcommand() {
        Some(("list", _)) => return list(context),
        Some((name, matches)) => {
            let mut known = reports()?.into_iter();
            let report = known.find(|report| report.name == name);
            (
                report.ok_or_else(|| Failure::fault(format!("there is no report {name}")))?,
                matches,
            )
        }
        None => (of_file(matches)?, matches),
    };
    let now = parameters::now(matches)?;
    let values = if matches.try_contains_id("set").is_ok() {
        parameters::of_settings(&report, matches, now)?
    } else {
        parameters::of_options(&report, matches, now)?
    };
    let database = Database::of(context, matches, "mirror")?;
    let (sender, receiver) = mpsc::channel(4);
    let columns = report.columns.clone();
    let reader =
        std::thread::spawn(move || read(&database, &report, &values, &now.to_string(), &sender));
    let printed = tokio::select! {
        printed = print::messages(context, matches, &columns, receiver) => printed,
        Ok(()) = tokio::signal::ctrl_c() => return Err(Failure::cancelled("cancelled")),
    };
    let read = reader
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    conclude(read, printed?)
}

fn list(context: &Context) -> Result<(), Failure> {
    let listed = reports()?.into_iter().map(|report| ListedReport {
        report: report.name,
        title: report.title,
        needs: report.needs.iter().map(|known| known.name).collect(),
        parameters: report
            .parameters
            .into_iter()
            .map(|parameter| parameter.name)
            .collect(),
    });
    let listed: Vec<ListedReport> = listed.collect();
    print_rows(context, &["report", "title", "parameters"], &listed)
}

/// The report of a file.
fn of_file(matches: &ArgMatches) -> Result<Definition, Failure> {
    let file = matches.get_one::<String>("file").map_or("", String::as_str);
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("--file {file}: {error}")))?;
    let name = Path::new(file)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    Definition::parse(&name, &text).map_err(|reason| Failure::usage(format!("{file}: {reason}")))
}

/// Sends the header and the rows of a report. Blocks.
fn read(
    database: &Database,
    report: &Definition,
    values: &Values,
    now: &str,
    sender: &mpsc::Sender<Message>,
) -> Result<(), Failure> {
    database.read(|mirror| {
        let header = Header::new(
            (&report.name, &report.needs),
            mirror.records()?,
            (now.to_owned(), shown(values)),
            &database.argument(),
        );
        let header = match header {
            Ok(header) => header,
            Err(failure) => return Ok(Err(failure)),
        };
        let verdict = header.verdict();
        // Without a receiver, the command has ended.
        let send = |message| drop(sender.blocking_send(message));
        send(Message::Header(Box::new(header)));
        let mut rows = Vec::new();
        let query = Query {
            sql: &report.sql,
            parameters: values,
            columns: &report.columns,
            order: &report.order,
        };
        mirror.query(&query, &mut |row| {
            rows.push(row);
            if rows.len() == CHUNK {
                send(Message::Rows(std::mem::take(&mut rows)));
            }
        })?;
        send(Message::Rows(rows));
        send(Message::End);
        Ok::<_, Error>(verdict)
    })?
}

/// The values of parameters for the header of a report. A file of people is not repeated there.
fn shown(values: &Values) -> Map<String, Value> {
    let shown = values.iter().filter(|(name, kind, value)| {
        name != "at" && *kind != ColumnKind::Json && !value.is_null()
    });
    shown
        .filter_map(|(name, _, value)| Some((name.clone(), serde_json::to_value(value).ok()?)))
        .collect()
}
