//! `add --if-not-exists`: adds an object once, by the idempotent calls of `lms-ext`.

use lms_ext::Ensured;
use lms_plan::Edit;
use serde::{Serialize, de::DeserializeOwned};

use super::plain;
use crate::{
    args::IF_NOT_EXISTS,
    calls::{
        Call,
        applied::{Applied, Effect, id_of},
        input::{ENROL, Place},
        invalid::Invalid,
        value,
    },
    failure::Failure,
    operations::lookup::body_fields,
};

/// Fails if a required field is missing, or the body has a field that the idempotent calls cannot send.
pub(super) fn check(call: &Call) -> Result<(), Invalid> {
    plain::check_required(call)?;
    if !call.if_not_exists {
        return refuse_steps(call);
    }
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    let mut fields = call.input.body.iter().map(|(name, _)| name);
    match fields.find(|name| !known.contains(name)) {
        Some(unknown) => Err(Failure::usage(format!(
            "{unknown} is not a documented field, which --{IF_NOT_EXISTS} cannot send"
        ))
        .into()),
        None => Ok(()),
    }
}

/// Fails if an addition that does not look up its object first has steps after the addition, which a row may name.
fn refuse_steps(call: &Call) -> Result<(), Invalid> {
    let tags = call.input.at(Place::Add);
    let mut flags = tags.map(|(field, _)| format!("add-{}", field.flag));
    let enrol = call.input.has(Place::Enrol, &ENROL);
    let enrol = enrol.then(|| ENROL.flag.to_owned());
    match flags.next().or(enrol) {
        Some(flag) => Err(Invalid::Value {
            flag,
            reason: format!("requires --{IF_NOT_EXISTS}"),
        }),
        None => Ok(()),
    }
}

/// The values of fields of the body, as the service compares them.
pub(super) fn texts(call: &Call, names: &[&str]) -> Option<Vec<String>> {
    let text = |name: &&str| {
        let text: String = serde_json::from_str(call.input.body.get(name)?.get()).ok()?;
        Some(text.trim().to_lowercase())
    };
    names.iter().map(text).collect()
}

/// The body of an addition.
pub(super) fn body<T: DeserializeOwned>(call: &Call) -> Result<T, Failure> {
    serde_json::from_str(&call.input.body.json(Some(call.command))?)
        .map_err(|error| Failure::usage(format!("a value has the wrong type: {error}")))
}

/// The result of an addition, and of the tags and enrolments that a learner got after it.
pub(super) fn applied<T: Serialize>(
    call: &Call,
    report: &Ensured<T>,
    edit: Edit,
) -> Result<Applied, Failure> {
    let differs = report.differs().iter().map(ToString::to_string);
    let differs: Vec<_> = differs.filter(|_| !report.is_new()).collect();
    let (tags, courses) = (&edit.add_tags, edit.enrolled.keys());
    let object = value::ordered(&call.command.output, report.value())?;
    let id = id_of(&object);
    let shown = (!call.is_dry_run()).then_some(object);
    let effect = match report.is_new() {
        true => Effect::Added,
        false if !edit.enrolled.is_empty() => Effect::Enrolled,
        false if !tags.is_empty() => Effect::Tagged,
        false => Effect::Existed,
    };
    let mut notes = Vec::new();
    if !report.is_new() {
        notes.push("nothing was added: it exists already".to_owned());
        let differs = differs.iter();
        notes.extend(differs.map(|change| format!("differs from the request: {change}")));
    }
    notes.extend(tags.iter().map(|tag| format!("was tagged {tag}")));
    notes.extend(courses.map(|course| format!("was enrolled in {course}")));
    let is_changed = !edit.is_empty() || !edit.enrolled.is_empty();
    Ok(Applied {
        id,
        notes,
        differs,
        edit: is_changed.then_some(edit),
        ..Applied::new(effect, shown)
    })
}
