//! `edit`: changes the given fields and keeps the others, by the safe edits of `lms-ext`.

use std::{
    collections::BTreeMap,
    sync::mpsc::{self, Sender},
};

use lms_ext::{Change, Edited, Error, WriteMode};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use super::{call::Call, input::Body, typed};
use crate::{failure::Failure, format::Format, operations::lookup::body_fields, output::Printer};

/// An edit that a dry run does not make.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EditPlan<'a> {
    /// Always true.
    dry_run: bool,
    /// The id of the learner or the course.
    id: &'a str,
    changes: Vec<FieldEdit<'a>>,
}

/// A field that an edit would change.
#[derive(Serialize, JsonSchema)]
struct FieldEdit<'a> {
    field: &'a str,
    /// The old value; null if the field is absent.
    from: Option<&'a Value>,
    /// The new value; null if the field is left out.
    to: Option<&'a Value>,
}

/// Edits a learner or a course.
pub(super) async fn run(call: Call<'_>) -> Result<(), Failure> {
    let changes = changes(&call)?;
    let (added, removed) = (lists(&call.input.added)?, lists(&call.input.removed)?);
    let printer = Printer::new(call.context, call.command.output.schema())?;
    let id = call.input.path.first().cloned().unwrap_or_default();
    let lms = &call.session.lms;
    // The closure runs in the task of the edit.
    let (wrong, problem) = mpsc::channel();
    let edit = move |fields: &mut Map<String, Value>| {
        set(fields, &changes);
        change_lists(fields, &added, &removed);
    };
    let mode = match call.context.dry_run {
        true => WriteMode::DryRun,
        false => WriteMode::Apply,
    };
    if call.operation.id == "edit_learner" {
        let edit = lms.update_learner(id, move |draft| apply(draft, edit, &wrong));
        let edited = edit.run(mode).await;
        show(&call, printer, "learner", edited, problem.try_recv().ok())
    } else {
        let edit = lms.update_course(id, move |draft| apply(draft, edit, &wrong));
        let edited = edit.run(mode).await;
        show(&call, printer, "course", edited, problem.try_recv().ok())
    }
}

/// The fields to change, by name; `null` clears one.
fn changes(call: &Call<'_>) -> Result<Map<String, Value>, Failure> {
    let mut changes = Map::new();
    for (name, value) in call.input.body.iter() {
        changes.insert(name.to_owned(), parse(name, value)?);
    }
    let cleared = call
        .matches
        .get_many::<String>("clear")
        .into_iter()
        .flatten();
    for name in cleared {
        changes.insert(name.trim().replace('-', "_"), Value::Null);
    }
    let required = body_fields(call.command).find(|field| {
        let cleared = changes.get(field.name).is_some_and(Value::is_null);
        field.required && cleared
    });
    if let Some(field) = required {
        return Err(Failure::usage(format!(
            "{} cannot be cleared, because the service requires it",
            field.name
        )));
    }
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    if let Some(unknown) = changes.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(
            Failure::usage(format!("{unknown} is not a field that can be edited"))
                .advice(format!("the fields are {}", known.join(", "))),
        );
    }
    let input = &call.input;
    if changes.is_empty() && input.added.is_empty() && input.removed.is_empty() {
        return Err(
            Failure::usage(format!("{} needs a field to change", call.command.name()))
                .advice("see `--help` for the fields"),
        );
    }
    Ok(changes)
}

/// Changes a draft; on a wrong value leaves it as it is, so that nothing is written.
fn apply<T: Serialize + DeserializeOwned>(
    draft: &mut T,
    edit: impl Fn(&mut Map<String, Value>),
    wrong: &Sender<Failure>,
) {
    let changed = serde_json::to_value(&*draft).and_then(|mut value| {
        if let Some(fields) = value.as_object_mut() {
            edit(fields);
        }
        serde_json::from_value(value)
    });
    match changed {
        Ok(changed) => *draft = changed,
        Err(error) => {
            let problem = Failure::usage(format!("a value has the wrong type: {error}"));
            // The receiver waits for the end of the edit.
            let _ = wrong.send(problem);
        }
    }
}

fn set(fields: &mut Map<String, Value>, changes: &Map<String, Value>) {
    for (name, value) in changes {
        match value {
            Value::Null => fields.remove(name),
            value => fields.insert(name.clone(), value.clone()),
        };
    }
}

/// Adds what a list lacks, and removes what it has, in its order.
fn change_lists(fields: &mut Map<String, Value>, added: &Lists, removed: &Lists) {
    for (name, values) in added {
        let list = fields
            .entry(name.as_str())
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            for value in values {
                if !list.contains(value) {
                    list.push(value.clone());
                }
            }
        }
    }
    for (name, values) in removed {
        if let Some(Value::Array(list)) = fields.get_mut(name) {
            list.retain(|value| !values.contains(value));
        }
    }
}

/// Values by the name of the list that they are for.
type Lists = BTreeMap<String, Vec<Value>>;

fn lists(body: &Body) -> Result<Lists, Failure> {
    body.iter()
        .map(|(name, value)| Ok((name.to_owned(), parse(name, value)?)))
        .collect()
}

fn parse<T: DeserializeOwned>(name: &str, value: &RawValue) -> Result<T, Failure> {
    serde_json::from_str(value.get()).map_err(|error| Failure::usage(format!("{name}: {error}")))
}

fn show<T: Serialize>(
    call: &Call<'_>,
    printer: Printer,
    what: &str,
    edited: Result<Edited<T>, Error>,
    problem: Option<Failure>,
) -> Result<(), Failure> {
    if let Some(problem) = problem {
        return Err(problem);
    }
    let edited = edited?;
    if call.context.dry_run {
        return show_plan(call, printer, what, edited.changes());
    }
    if edited.was_written() {
        for change in edited.changes() {
            call.context.note(&format!("changed {change}"));
        }
    } else {
        call.context
            .note("nothing was written: every field already has its value");
    }
    typed::print(&call.command.output, printer, edited.value())
}

fn show_plan(
    call: &Call<'_>,
    printer: Printer,
    what: &str,
    changes: &[Change],
) -> Result<(), Failure> {
    let id = call.input.path.first().map_or("", String::as_str);
    let edits: Vec<_> = changes.iter().map(field_edit).collect();
    match printer.format() {
        Format::Table if call.context.jq.is_none() => {
            let head = match changes.len() {
                0 => "nothing changes".to_owned(),
                1 => "1 field changes".to_owned(),
                several => format!("{several} fields change"),
            };
            let lines = changes.iter().map(|change| format!("\n  {change}"));
            printer.text(&format!("{what} {id}: {head}{}", lines.collect::<String>()))
        }
        Format::Csv => printer.of_any().rows_of(&edits),
        _ => {
            let plan = EditPlan {
                dry_run: true,
                id,
                changes: edits,
            };
            printer.of_any().object(&typed::raw(&plan)?)
        }
    }
}

fn field_edit(change: &Change) -> FieldEdit<'_> {
    FieldEdit {
        field: change.field(),
        from: change.from(),
        to: change.to(),
    }
}
