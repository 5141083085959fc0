//! JSON Schemas of the output of commands that are not operations of the document, of dry runs, and of errors.

use lms_plan::{Plan, RecordedStep, Run};
use lms_sync::{ColumnKind, changes::Change};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Map, Value, json};

use crate::{
    commands::api::RequestPlan,
    doctor::Finding,
    import::AppliedPlan,
    jobs::{
        export::Exported,
        mirror::Mirrored,
        report::{
            ListedReport,
            definition::{Definition, reports},
            dossier::DossierPart,
            sources::Header,
        },
        status::CollectionStatus,
        tap,
        verify::Verified,
    },
    profiles::Listed,
};

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The output of each command, by its name; `None` for no output.
const OUTPUTS: &[(&str, Option<SchemaOf>)] = &[
    ("export", Some(list::<Exported<'_>>)),
    ("mirror", Some(list::<Mirrored<'_>>)),
    ("status", Some(list::<CollectionStatus>)),
    ("changes", Some(list::<Change>)),
    ("verify", Some(list::<Verified<'_>>)),
    ("import init", None),
    ("import plan", Some(object_of::<Plan>)),
    ("import apply", Some(object_of::<AppliedPlan>)),
    ("history", Some(history)),
    ("undo", Some(object_of::<Plan>)),
    ("report list", Some(list::<ListedReport>)),
    ("report dossier", Some(list::<DossierPart>)),
    ("report page", None),
    ("remind", None),
    ("tap singer", Some(tap::singer_output)),
    ("tap airbyte spec", Some(tap::airbyte_output)),
    ("tap airbyte check", Some(tap::airbyte_output)),
    ("tap airbyte discover", Some(tap::airbyte_output)),
    ("tap airbyte read", Some(tap::airbyte_output)),
    ("api", Some(any)),
    ("profile add", None),
    ("profile list", Some(list::<Listed>)),
    ("profile use", None),
    ("profile check", Some(list::<Finding>)),
    ("profile rm", None),
    ("doctor", Some(list::<Finding>)),
    ("schema", Some(object)),
    ("skill install", None),
    ("completion", Some(text)),
    ("man", Some(text)),
];

/// The output of a command to stdout; `None` for no output.
pub(super) fn of_command(name: &str) -> Option<Value> {
    if let Some(report) = name.strip_prefix("report ")
        && let Some(report) = reports().ok()?.iter().find(|known| known.name == report)
    {
        return Some(of_report(report));
    }
    let (_, output) = OUTPUTS.iter().find(|(known, _)| *known == name)?;
    output.map(|schema| schema(&mut generator()).to_value())
}

/// The fields of the objects that a command lists; empty if it lists none, or their fields are not known.
pub(crate) fn fields_of(command: &str) -> Vec<String> {
    let output = of_command(command).unwrap_or_default();
    let fields = output["items"]["properties"].as_object();
    fields.into_iter().flat_map(Map::keys).cloned().collect()
}

/// The header of a report with its rows.
fn of_report(report: &Definition) -> Value {
    let columns = report.columns.iter().map(|(name, kind)| {
        let kind = match kind {
            ColumnKind::Integer => json!(["integer", "null"]),
            ColumnKind::Float => json!(["number", "null"]),
            ColumnKind::Boolean => json!(["boolean", "null"]),
            ColumnKind::Json => return (name.clone(), json!({})),
            _ => json!(["string", "null"]),
        };
        (name.clone(), json!({ "type": kind }))
    });
    let columns: Map<String, Value> = columns.collect();
    let mut schema = of::<Header>();
    schema["properties"]["rows"] =
        json!({ "type": "array", "items": { "type": "object", "properties": columns } });
    schema
}

/// The output of a dry run of a write.
pub(super) fn dry_run() -> Value {
    let request = object_of::<RequestPlan<'_>>(&mut generator());
    let changes = json!({
        "description": "The steps of a plan, one for the object or for each row of --from that would change, and a note for each that would fail or keep values",
        "type": "array",
        "items": { "type": "object", "required": ["line", "name", "situation"] },
    });
    json!({ "description": "The output of a command with --dry-run; an object for `lms api`", "anyOf": [changes, request] })
}

/// The output of commands of several kinds, or an error.
pub(super) fn of<T: JsonSchema>() -> Value {
    object_of::<T>(&mut generator()).to_value()
}

/// The schemas stand for themselves: their names could be those of schemas in a document.
fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
}

fn object_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn list<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Vec<T>>()
}

fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "description": "The response, or the items of all pages with --paginate" })
}

fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "required": ["commands", "$defs"] })
}

/// The runs, or with `show` the steps.
fn history(generator: &mut SchemaGenerator) -> Schema {
    let any = [list::<Run>(generator), list::<RecordedStep>(generator)];
    json_schema!({ "anyOf": any })
}

/// Text that is not JSON.
fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "contentMediaType": "text/plain" })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Command;

    use super::*;
    use crate::{cli::command, operations::lookup::COMMANDS};

    #[test]
    fn the_output_of_every_command_is_described() {
        let mut names = BTreeSet::new();
        collect(&command(), "", &mut names);
        for operation in COMMANDS {
            assert!(names.remove(&operation.name()), "{}", operation.name());
        }
        for report in reports().unwrap() {
            assert!(names.remove(&format!("report {}", report.name)));
        }
        let described = OUTPUTS.iter().map(|(name, _)| (*name).to_owned());
        assert_eq!(names, described.collect());
    }

    /// The names of all commands that have none below them.
    fn collect(command: &Command, above: &str, names: &mut BTreeSet<String>) {
        for inner in command.get_subcommands() {
            let name = format!("{above} {}", inner.get_name());
            if inner.has_subcommands() {
                collect(inner, name.trim(), names);
            } else {
                names.insert(name.trim().to_owned());
            }
        }
    }
}
