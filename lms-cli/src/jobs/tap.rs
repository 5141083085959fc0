//! `tap`: the protocols of Singer and Airbyte on stdout.

use std::{fs, path::PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use lms_sync::{
    Error,
    tap::{TapConfig, TapSummary, airbyte, singer},
};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::verdict;
use crate::{
    args::{switch, text},
    console::{Reader, Stdout},
    context::Context,
    failure::{Failure, conclude},
    limits::Patience,
    wording,
};

pub(super) fn command() -> Command {
    let singer = Command::new("singer")
        .about("Write Singer messages, for Meltano and other runners of taps")
        .args([
            file("config", "The configuration, a JSON object").required(true),
            file("catalog", "The catalog with the selected streams"),
            file("state", "The last state message that the target wrote"),
            switch("discover", "Print the catalog of all streams"),
        ]);
    let config = || file("config", "The configuration, a JSON object").required(true);
    let verb = |name, about| Command::new(name).about(about);
    let airbyte = Command::new("airbyte")
        .about("Act as an Airbyte source")
        .subcommand_required(true)
        .subcommands([
            verb("spec", "Print the schema of the configuration"),
            verb("check", "Check that every tenant accepts the credentials").arg(config()),
            verb("discover", "Print the catalog of all streams").arg(config()),
            verb("read", "Read the streams of a configured catalog").args([
                config(),
                file("catalog", "The configured catalog").required(true),
                file("state", "The state messages of the last sync"),
            ]),
        ]);
    Command::new("tap")
        .about("Write collections as messages for Meltano or Airbyte")
        .long_about(
            "Write collections as messages for Meltano (Singer) or Airbyte.\n\nA stream is declared complete only when \
             every page of every tenant was read. Otherwise the exit code is not 0, and loaders delete nothing.",
        )
        .subcommand_required(true)
        .subcommands([singer, airbyte])
}

fn file(name: &'static str, help: &'static str) -> Arg {
    text(name, "FILE", help)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
}

/// The output of `tap singer`: a message on each line, or the catalog.
pub(crate) fn singer_output(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "Each line of the output; with --discover, the catalog",
        "anyOf": [
            {
                "type": "object",
                "properties": { "type": { "enum": ["SCHEMA", "RECORD", "STATE", "ACTIVATE_VERSION"] } },
                "required": ["type"],
            },
            { "type": "object", "properties": { "streams": { "type": "array" } }, "required": ["streams"] },
        ],
    })
}

/// The output of `tap airbyte`: a message on each line.
pub(crate) fn airbyte_output(_: &mut SchemaGenerator) -> Schema {
    let types = [
        "SPEC",
        "CONNECTION_STATUS",
        "CATALOG",
        "RECORD",
        "STATE",
        "TRACE",
    ];
    json_schema!({
        "description": "Each line of the output",
        "type": "object",
        "properties": { "type": { "enum": types } },
        "required": ["type"],
    })
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    if context.sandbox {
        return Err(Failure::usage(
            "a tap reads the tenants of its --config, and not the sandbox; leave out --sandbox",
        ));
    }
    let ran = match matches.subcommand() {
        Some(("singer", matches)) => run_singer(context, matches).await,
        Some(("airbyte", matches)) => match matches.subcommand() {
            Some((verb, matches)) => run_airbyte(context, verb, matches).await,
            None => Err(Failure::usage("name one of spec, check, discover, read")),
        },
        _ => Err(Failure::usage("name one of singer, airbyte")),
    };
    ran.map_err(|failure| match failure.is_of_connection() {
        true => failure.advice("check the file of --config: `lms tap airbyte check --config FILE`"),
        false => failure,
    })
}

async fn run_singer(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let config = config(context, matches)??;
    if matches.get_flag("discover") {
        return print(&singer::discover(&config));
    }
    let (catalog, state) = (read(matches, "catalog")?, read(matches, "state")?);
    let (catalog, state) = (catalog.as_deref(), state.as_deref());
    let out = Stdout::new(Reader::Required);
    report(context, &singer::sync(&config, catalog, state, out).await?)
}

async fn run_airbyte(context: &Context, verb: &str, matches: &ArgMatches) -> Result<(), Failure> {
    match verb {
        "spec" => print(&airbyte::spec()),
        // A mistake in the configuration is the result of the check.
        "check" => print(&airbyte::check(&config(context, matches)?).await),
        "discover" => print(&airbyte::discover(&config(context, matches)??)),
        _ => {
            let catalog = read(matches, "catalog")?.unwrap_or_default();
            let state = read(matches, "state")?;
            let out = Stdout::new(Reader::Required);
            let read = match config(context, matches)? {
                Ok(config) => airbyte::read(&config, &catalog, state.as_deref(), out).await,
                Err(error) => Err(error),
            };
            match read {
                Ok(summary) => report(context, &summary),
                Err(error) => conclude(Err(Failure::from(&error)), print(&airbyte::error(&error))),
            }
        }
    }
}

/// The configuration, whose clients also have the limits of the command line. The second error is a mistake in it.
fn config(context: &Context, matches: &ArgMatches) -> Result<Result<TapConfig, Error>, Failure> {
    let (text, limits) = (read(matches, "config")?.unwrap_or_default(), context.limits);
    Ok(TapConfig::parse(&text).map(|config| {
        config.configure_clients(move |builder| limits.apply(builder, Patience::Job))
    }))
}

/// The text of the file that an option names.
fn read(matches: &ArgMatches, option: &str) -> Result<Option<String>, Failure> {
    let Some(path) = matches.get_one::<PathBuf>(option) else {
        return Ok(None);
    };
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) => Err(Failure::usage(format!(
            "cannot read --{option} {}: {error}",
            path.display()
        ))),
    }
}

fn print(message: &Value) -> Result<(), Failure> {
    Ok(Stdout::new(Reader::Required).print(format!("{message}\n").as_bytes())?)
}

/// Says on stderr how each stream was read, and fails unless all are complete.
fn report(context: &Context, summary: &TapSummary) -> Result<(), Failure> {
    for outcome in &summary.outcomes {
        let name = match outcome.tenant.as_str() {
            "" => outcome.collection.name.to_owned(),
            tenant => format!("{tenant}: {}", outcome.collection.name),
        };
        let rows = outcome.record.as_ref().map_or(0, |record| record.rows);
        let rows = wording::count(rows, "row");
        context.note(&match &outcome.error {
            None => format!("{name}: complete, {rows}"),
            Some(error) => format!(
                "{name}: incomplete after {rows}: {}",
                wording::of_job(error)
            ),
        });
    }
    verdict::of_tap(summary)
}
