//! `schema`: every command with its arguments and its output as JSON Schema, for programs that drive this one.

use clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::{PossibleValue, Str},
};
use serde_json::{Map, Value, json};

use super::outputs;
use crate::{
    commands::from::RowsSummary,
    console::{Reader, Stdout},
    exit::exit_codes,
    failure::{ErrorObject, Failure},
    operations::{
        lookup::{named, of_operation},
        table::Output,
    },
    tenants::TenantOutcome,
};

/// The schemas of the output, generated from the document.
#[cfg(not(feature = "tenant-document"))]
const OUTPUTS: &str = include_str!("../operations/schemas.json");
#[cfg(feature = "tenant-document")]
const OUTPUTS: &str = include_str!(concat!(env!("OUT_DIR"), "/schemas.json"));

pub(crate) fn command() -> Command {
    Command::new("schema")
        .about("Print every command with its arguments and output as JSON Schema")
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .num_args(0..)
                .help("Only this command, such as: courses list"),
        )
}

/// Prints the description.
pub(crate) fn run(root: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let wanted = matches.get_many::<String>("command").into_iter().flatten();
    let wanted = wanted.cloned().collect::<Vec<_>>().join(" ");
    let mut commands = Vec::new();
    describe(root, &mut Vec::new(), &mut commands);
    commands.retain(|command| {
        let name = command["command"].as_str().unwrap_or_default();
        wanted.is_empty() || name == wanted || name.starts_with(&format!("{wanted} "))
    });
    if commands.is_empty() {
        return Err(Failure::usage(format!("there is no command {wanted}")));
    }
    let exit_codes = exit_codes().map(|(code, meaning)| (code.to_owned(), json!(meaning)));
    let exit_codes: Map<String, Value> = exit_codes.collect();
    let definitions: Map<String, Value> = serde_json::from_str(OUTPUTS)
        .map_err(|error| Failure::fault(format!("the schemas are not JSON: {error}")))?;
    let definitions = used(definitions, &Value::from(commands.clone()).to_string());
    let all = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "version": env!("CARGO_PKG_VERSION"),
        "exit_codes": exit_codes,
        "error": outputs::of::<ErrorObject<'_>>(),
        "dry_run": outputs::dry_run(),
        "from": outputs::of::<RowsSummary>(),
        "profiles": outputs::of::<Vec<TenantOutcome>>(),
        "global_options": properties(root.get_arguments().filter(|arg| arg.is_global_set())),
        "commands": commands,
        "$defs": definitions,
    });
    Stdout::new(Reader::MayLeave).print(format!("{all:#}\n").as_bytes())?;
    Ok(())
}

/// The definitions that a text refers to, and those that they refer to.
fn used(mut definitions: Map<String, Value>, text: &str) -> Map<String, Value> {
    let mut used = Map::new();
    let mut texts = vec![text.to_owned()];
    while let Some(text) = texts.pop() {
        let refers = |name: &&String| text.contains(&format!(r##""#/$defs/{name}""##));
        let names: Vec<String> = definitions.keys().filter(refers).cloned().collect();
        for (name, schema) in names
            .into_iter()
            .filter_map(|name| definitions.remove_entry(&name))
        {
            texts.push(schema.to_string());
            used.insert(name, schema);
        }
    }
    used
}

fn describe(command: &Command, words: &mut Vec<String>, commands: &mut Vec<Value>) {
    for inner in command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help")
    {
        words.push(inner.get_name().to_owned());
        if inner.has_subcommands() {
            describe(inner, words, commands);
        } else {
            commands.push(one(inner, words));
        }
        words.pop();
    }
}

fn one(command: &Command, words: &[String]) -> Value {
    let arguments = || {
        let own = command.get_arguments().filter(|arg| !arg.is_global_set());
        own.filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version"))
    };
    let names = |is: fn(&Arg) -> bool| -> Vec<String> {
        arguments().filter(|arg| is(arg)).map(name).collect()
    };
    let words = words.join(" ");
    let row = named(&words);
    let output = match row.map(|row| &row.output) {
        None => outputs::of_command(&words),
        Some(Output::Nothing) => None,
        Some(Output::Object(schema)) => Some(reference(schema.name)),
        Some(Output::List { item, .. }) => {
            Some(json!({ "type": "array", "items": reference(item.name) }))
        }
    };
    let waits = arguments().any(|arg| arg.get_id().as_str() == "wait");
    let output = output.map(|task| match waits {
        true => {
            let course = of_operation("get_course").and_then(|row| row.output.schema());
            let course = course.map(|schema| reference(schema.name));
            json!({ "description": "The task, or the new course with --wait", "anyOf": [task, course] })
        }
        false => task,
    });
    json!({
        "command": words,
        "about": command.get_about().map(ToString::to_string),
        "operation": row.map(|row| row.operation),
        "arguments": {
            "type": "object",
            "properties": properties(arguments()),
            "required": names(Arg::is_required_set),
            "additionalProperties": false,
        },
        "positional": names(Arg::is_positional),
        "output": output,
    })
}

fn reference(schema: &str) -> Value {
    match schema {
        "" => json!({}),
        schema => json!({ "$ref": format!("#/$defs/{schema}") }),
    }
}

/// Name of an argument on the command line: `--name` or `NAME`.
fn name(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some([name, ..])) => name.to_string(),
        (None, _) => arg.get_id().to_string(),
    }
}

fn properties<'a>(arguments: impl Iterator<Item = &'a Arg>) -> Map<String, Value> {
    arguments.map(|arg| (name(arg), property(arg))).collect()
}

fn property(arg: &Arg) -> Value {
    let value_name = arg.get_value_names().and_then(|names| names.first());
    let values: Vec<_> = arg.get_possible_values();
    let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let mut one = match (arg.get_action(), value_name.map(Str::as_str)) {
        (ArgAction::SetTrue, _) | (_, Some("BOOL")) => json!({ "type": "boolean" }),
        (_, Some("INTEGER" | "N")) => json!({ "type": "integer" }),
        (_, Some("NUMBER")) => json!({ "type": "number" }),
        _ => json!({ "type": "string" }),
    };
    if one["type"] == "string" && !values.is_empty() {
        one["enum"] = json!(values);
    }
    let mut property = match arg.get_action() {
        ArgAction::Append => json!({ "type": "array", "items": one }),
        _ => one,
    };
    if let Some(help) = arg.get_help() {
        property["description"] = json!(help.to_string());
    }
    property
}
