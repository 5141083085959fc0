//! `report`: questions about the data of a mirror.
//!
//! A report is a [query with a header](definition). Its rows are read on a thread of their own and printed as they arrive.

mod asked;
mod cache;
pub(crate) mod definition;
pub(crate) mod dossier;
mod group;
mod html;
mod key;
mod names;
mod only;
mod parameter;
#[cfg(feature = "parquet")]
mod parquet;
mod people;
mod print;
mod read;
pub(super) mod remind;
mod row;
mod rules;
pub(crate) mod sources;
mod standing;
mod training;

use std::{fs, path::Path, sync::Arc};

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use schemars::JsonSchema;
use serde::Serialize;

use self::{
    asked::Asked,
    definition::{Definition, reports},
    parameter::Parameter,
    read::read,
};
use super::print_rows;
use crate::{
    args::{switch, text},
    context::Context,
    failure::{Failure, conclude},
    output::Printer,
    selection,
    terminal::until_interrupted,
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
        .about("Report who completed what, who is late, and what expires")
        .arg_required_else_help(true)
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .after_help(names::COST)
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
                "Set a parameter of the report, or NAME alone for a flag; can be repeated",
            )
            .action(ArgAction::Append),
        )
        .args(options())
        .subcommand(Command::new("list").about("List the reports"))
        .subcommands(reports.iter().map(subcommand))
        .subcommand(training::command())
        .subcommand(dossier::command())
}

fn subcommand(report: &Definition) -> Command {
    let needs = report.needed().join(", ");
    let mut parameters = report.parameters.iter();
    let names = match parameters.any(|one| one.of.named.is_some()) {
        true => format!(" {}", names::COST),
        false => String::new(),
    };
    let more = format!("{}\n\nIt reads {needs}.{names}", report.about.trim());
    Command::new(report.name.clone())
        .about(report.title.clone())
        .after_help(more.trim().to_owned())
        .args(report.parameters.iter().map(Parameter::option))
        .args(options())
}

/// The options of all reports.
fn options() -> Vec<Arg> {
    vec![
        only::option(),
        group::option(),
        text(
            "to",
            "FILE",
            "Write a workbook of Excel, or Parquet: a file that ends with .xlsx or .parquet",
        )
        .value_hint(ValueHint::FilePath)
        .value_parser(print::named)
        .conflicts_with("jq"),
        switch(
            "with-header",
            "Also write the sources of the report into the output: as comments of CSV, or as the first object of NDJSON",
        )
        .conflicts_with_all(selection::TENANTS),
    ]
    .into_iter()
    .chain(cache::options())
    .chain(selection::options())
    .collect()
}

/// Prints a report.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (report, settings, matches) = match matches.subcommand() {
        Some(("list", _)) => return list(context),
        Some(("dossier", matches)) => return dossier::run(context, matches).await,
        Some(("page", matches)) => return training::run(context, matches).await,
        Some((name, matches)) => {
            let known = reports()?.into_iter().find(|report| report.name == name);
            let none = || Failure::fault(format!("there is no report {name}"));
            (known.ok_or_else(none)?, matches.clone(), matches)
        }
        None => {
            let report = of_file(matches)?;
            let settings = asked::of_settings(&report, matches)?;
            (report, settings, matches)
        }
    };
    let mut asked = Asked::of(report, &settings, matches.get_one("at"))?.shaped(matches)?;
    let names = asked.columns.iter().map(|(name, _)| name.clone());
    let printer = Printer::new(context, None)?.of_fields(names.collect())?;
    if let Some(chosen) = &context.columns {
        let known = |name| asked.columns.iter().find(|(known, _)| known == name);
        asked.columns = chosen.iter().filter_map(known).cloned().collect();
    }
    let asked = Arc::new(asked);
    if let Some(selection) = &context.selection {
        return print::of_tenants(context, selection, matches, printer, asked).await;
    }
    let printer = printer.in_pager();
    let mut output = print::Output::new(context, matches, printer, asked.columns.clone());
    let database = cache::open(context, matches, &asked.report.needs).await?;
    let reading = read(database, asked, async |message| output.take(message));
    let verdict = until_interrupted(reading, || Failure::cancelled("cancelled")).await?;
    conclude(verdict, output.end())
}

fn list(context: &Context) -> Result<(), Failure> {
    let listed = reports()?.into_iter().map(|report| ListedReport {
        needs: report.needed(),
        report: report.name,
        title: report.title,
        parameters: report.parameters.into_iter().map(|of| of.name).collect(),
    });
    let dossier = ListedReport {
        report: "dossier".to_owned(),
        title: "The data about one person, as a folder".to_owned(),
        needs: dossier::needs(),
        parameters: ["learner", "to", "erase"].map(str::to_owned).into(),
    };
    let page = ListedReport {
        report: "page".to_owned(),
        title: "Required training as a page to look at".to_owned(),
        needs: training::definition()?.needed(),
        parameters: ["rules", "to", "names"].map(str::to_owned).into(),
    };
    let listed: Vec<ListedReport> = listed.chain([page, dossier]).collect();
    print_rows(context, &["report", "title"], &listed)
}

/// The report of a file.
fn of_file(matches: &ArgMatches) -> Result<Definition, Failure> {
    let file = matches.get_one::<String>("file").map_or("", String::as_str);
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("--file {file}: {error}")))?;
    let name = Path::new(file).file_stem().unwrap_or_default();
    let parsed = Definition::parse(&name.to_string_lossy(), &text);
    match parsed {
        Ok(report) if report.has_rules() || report.decides() => Err(Failure::usage(format!(
            "{file}: only the report `required` has rules"
        ))),
        parsed => parsed.map_err(|reason| Failure::usage(format!("{file}: {reason}"))),
    }
}
