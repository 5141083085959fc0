//! `edit`: changes the given fields and keeps the others, by the safe edits of `lms-ext`.

use std::sync::mpsc::{self, Sender};

use lms_ext::{Edited, Error, Lms};
use lms_plan::{Edit as Changes, FieldChange};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::verb::{Doing, Verb};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        input::{CLEAR, Place},
        invalid::Invalid,
        value,
    },
    failure::Failure,
    operations::lookup::{body_fields, is_secret},
};

const EDIT_LEARNER: &str = "edit_learner";

pub(super) struct Edit;

impl Verb for Edit {
    fn operations(&self) -> &'static [&'static str] {
        &["edit_course", EDIT_LEARNER]
    }

    fn is_edit(&self) -> bool {
        true
    }

    fn check(&self, call: &Call) -> Result<(), Invalid> {
        changes(call).map(drop)
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        Box::pin(apply(lms, call))
    }
}

/// The changes for the ledger, without secrets.
fn edit_of(call: &Call, id: &str, changes: &[lms_ext::FieldChange]) -> Changes {
    let course = (call.operation.id != EDIT_LEARNER).then(|| id.to_owned());
    let mut edit = Changes {
        course,
        ..Changes::default()
    };
    let tags = |value: Option<&Value>| -> Option<Vec<String>> {
        serde_json::from_value(value.cloned().unwrap_or_else(|| json!([]))).ok()
    };
    let text = |value: Option<&Value>| value.map(FieldChange::text).unwrap_or_default();
    for change in changes {
        let (field, from, to) = (change.field(), change.from(), change.to());
        if is_secret(field) {
            edit.hidden.push(field.to_owned());
        } else if let ("tags", Some(from), Some(to)) = (field, tags(from), tags(to)) {
            let added = to.iter().filter(|tag| !from.contains(tag));
            edit.add_tags.extend(added.cloned());
            let removed = from.into_iter().filter(|tag| !to.contains(tag));
            edit.remove_tags.extend(removed);
        } else {
            let changed = FieldChange::new(field, text(from), text(to));
            edit.fields.push(changed);
        }
    }
    edit
}

/// Edits a learner or a course.
async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Failure> {
    let changes = changes(call).map_err(|invalid| invalid.of_options(call.command))?;
    let [added, removed] = [Place::Add, Place::Remove].map(|place| call.input.lists(place));
    let (added, removed) = (added?, removed?);
    let id = call.input.path(call.command).concat();
    // The closure runs in the task of the edit.
    let (wrong, problem) = mpsc::channel();
    let edit = move |fields: &mut Map<String, Value>| {
        for (name, value) in changes {
            match value {
                Value::Null => fields.remove(&name),
                value => fields.insert(name, value),
            };
        }
        for (name, values) in added {
            let list = fields.entry(name).or_insert_with(|| json!([]));
            let Value::Array(list) = list else { continue };
            for value in values {
                if !list.contains(&value) {
                    list.push(value);
                }
            }
        }
        for (name, values) in removed {
            if let Some(Value::Array(list)) = fields.get_mut(name) {
                list.retain(|value| !values.contains(value));
            }
        }
    };
    let applied = if call.operation.id == EDIT_LEARNER {
        let edit = lms.update_learner(id.as_str(), move |draft| change(draft, edit, &wrong));
        applied(call, &id, edit.run(call.mode).await)
    } else {
        let edit = lms.update_course(id.as_str(), move |draft| change(draft, edit, &wrong));
        applied(call, &id, edit.run(call.mode).await)
    };
    match problem.try_recv() {
        Ok(problem) => Err(problem),
        Err(_) => applied,
    }
}

/// The fields to change, by name; `null` clears one.
fn changes(call: &Call) -> Result<Map<String, Value>, Invalid> {
    let input = &call.input;
    let mut changes = Map::new();
    for (name, value) in input.body.iter() {
        let parsed = serde_json::from_str(value.get());
        let parsed = parsed.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        changes.insert(name.to_owned(), parsed);
    }
    for name in input.texts(Place::Clear, CLEAR.name) {
        changes.insert(name.trim().replace('-', "_"), Value::Null);
    }
    let is_cleared = |name: &str| changes.get(name).is_some_and(Value::is_null);
    let mut required = body_fields(call.command).filter(|field| field.required);
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    let mut parts = input.at(Place::Add).chain(input.at(Place::Remove));
    let problem = if let Some(field) = required.find(|field| is_cleared(field.name)) {
        let name = field.name;
        Failure::usage(format!(
            "{name} cannot be cleared, because the service requires it"
        ))
    } else if let Some(unknown) = changes.keys().find(|name| !known.contains(&name.as_str())) {
        Failure::usage(format!("{unknown} is not a field that can be edited"))
            .advice(format!("the fields are {}", known.join(", ")))
    } else if changes.is_empty() && parts.next().is_none() && !input.keeps {
        Failure::usage(format!("{} needs a field to change", call.command.name()))
            .advice("see `--help` for the fields")
    } else {
        return Ok(changes);
    };
    Err(problem.into())
}

/// Changes a draft; on a wrong value leaves it as it is, so that nothing is written.
fn change<T: Serialize + DeserializeOwned>(
    draft: &mut T,
    edit: impl FnOnce(&mut Map<String, Value>),
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

fn applied<T: Serialize>(
    call: &Call,
    id: &str,
    edited: Result<Edited<T>, Error>,
) -> Result<Applied, Failure> {
    let edited = edited?;
    let changes = edited.changes();
    let effect = match changes.is_empty() {
        true => Effect::Unchanged,
        false => Effect::Changed,
    };
    let edit = (!changes.is_empty()).then(|| edit_of(call, id, changes));
    let mut applied = if call.is_dry_run() {
        Applied::new(effect, None)
    } else {
        let object = value::ordered(&call.command.output, edited.value())?;
        let applied = Applied::new(effect, Some(object));
        if edited.was_written() {
            let notes = changes.iter().map(|change| format!("changed {change}"));
            notes.fold(applied, Applied::note)
        } else {
            applied.note("nothing was written: every field already has its value")
        }
    };
    applied.id = Some(id.to_owned());
    applied.edit = edit;
    Ok(applied)
}
