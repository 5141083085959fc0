//! `report`: questions about the data of a mirror.
//!
//! A report is a [query with a header](definition). Its rows are read on a thread of their own and printed as they arrive.

mod cache;
pub(crate) mod definition;
mod dossier;
mod erase;
mod file;
mod names;
mod page;
mod parameters;
pub(crate) mod part;
mod people;
mod print;
mod read;
mod rows;
pub(crate) mod sources;
mod tenants;
#[cfg(feature = "xlsx")]
mod workbook;
mod xapi;

use std::{fs, path::Path, thread};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::mpsc;

use self::{
    definition::{Definition, reports},
    read::read,
};
use super::{database, print_rows};
use crate::{
    args::{switch, text},
    context::Context,
    failure::{Failure, conclude},
    selection,
};

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

pub(super) fn command() -> Command {
    let reports = reports().unwrap_or_default();
    Command::new("report")
        .about("Answer the usual questions about a tenant")
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
        .subcommand(dossier::command())
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
        .args((report.name == xapi::REPORT).then(xapi::option))
        .args(options())
        .args(selection::options())
}

/// The options of all reports.
fn options() -> Vec<Arg> {
    vec![
        database::argument(
            "mirror",
            "The database of `lms mirror`; without it, the collections that the report needs are mirrored into a cache first",
        )
        .required(false),
        text(
            "at",
            "TIME",
            "The time from which durations count; default: now",
        ),
        text(
            "to",
            "FILE",
            "Write a workbook of Excel, or Parquet: a file that ends with .xlsx or .parquet",
        )
        .value_hint(ValueHint::FilePath),
        switch(
            "with-header",
            "Also write the sources of the report into the output: as comments of CSV, or as the first object of NDJSON",
        ),
    ]
}

/// Prints a report.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let is_own = matches.subcommand().is_none();
    let (report, matches) = match matches.subcommand() {
        Some(("list", _)) => return list(context),
        Some(("dossier", matches)) => return dossier::run(context, matches).await,
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
    let mut report = report;
    report.choose(context.columns.as_deref())?;
    let now = parameters::now(matches)?;
    let values = if is_own {
        parameters::of_settings(&report, matches, now)?
    } else {
        parameters::of_options(&report, matches, now)?
    };
    if let Some(selection) = &context.selection {
        let now = now.to_string();
        let asked = tenants::Asked {
            report,
            values,
            now,
        };
        return tenants::run(context, selection, matches, asked).await;
    }
    let output = print::Output::new(context, matches, report.columns.clone())?;
    let database = cache::open(context, matches, &report.needs).await?;
    let (sender, receiver) = mpsc::channel(4);
    let reader =
        thread::spawn(move || read(&database, &report, &values, &now.to_string(), &sender));
    let printed = tokio::select! {
        printed = output.take(receiver) => printed,
        Ok(()) = tokio::signal::ctrl_c() => return Err(Failure::cancelled("cancelled")),
    };
    let read = reader.join();
    conclude(
        read.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        printed,
    )
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
    let dossier = ListedReport {
        report: "dossier".to_owned(),
        title: "What is held on one person, as a folder".to_owned(),
        needs: dossier::needs(),
        parameters: ["learner", "to", "erase"].map(str::to_owned).into(),
    };
    let listed: Vec<ListedReport> = listed.chain([dossier]).collect();
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
