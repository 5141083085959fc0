//! Sends the request of an operation.

use lms_ext::Lms;
use lms_plan::{Action, FieldChange};
use serde_json::{json, value::RawValue};

use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        input::Place,
        invalid::Invalid,
    },
    failure::Failure,
    operations::{
        lookup::{HIDDEN, body_fields, is_removal, is_secret},
        table::Output,
    },
    output::json::{self, Style, unquoted},
};

/// The name of one object of a command, such as `course`.
pub(crate) fn noun(call: &Call) -> &'static str {
    let resource = call.command.resource;
    resource.strip_suffix('s').unwrap_or(resource)
}

/// The object of a call, such as `course c1`.
fn object(call: &Call) -> String {
    let path = call.input.path(call.command).join(" ");
    format!("{} {path}", noun(call))
}

/// The object of the path.
pub(super) fn target(call: &Call) -> Option<Vec<String>> {
    let path = call.input.path(call.command);
    (!path.is_empty()).then(|| path.into_iter().map(str::to_owned).collect())
}

/// The step of a change. The old values are known after an edit.
pub(super) fn step(call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
    let path = call.input.path(call.command).join(" ");
    let id = applied.and_then(|applied| applied.id.clone());
    let object = id.unwrap_or(path);
    let is_of_learner = call.command.resource == "learners" && !object.is_empty();
    let learner = is_of_learner.then(|| object.clone());
    if let Some(edit) = applied.and_then(|applied| applied.edit.clone()) {
        return (learner, Action::Edit(Box::new(edit)));
    }
    let fields = texts(call).map(|(name, text)| FieldChange::new(name, String::new(), text));
    let (command, fields) = (call.command.name(), fields.collect());
    let action = Action::Command {
        command,
        object,
        fields,
    };
    (learner, action)
}

/// The values of a call by the names of their fields; those of secrets are hidden.
pub(super) fn texts(call: &Call) -> impl Iterator<Item = (&str, String)> {
    let input = &call.input;
    let body = input.body.iter();
    let body = body.map(|(name, value)| match value.get() {
        "[]" => (name, String::new()),
        // Without secrets in objects.
        text if text.starts_with(['{', '[']) => (name, json::text(value, Style::Line)),
        _ => (name, unquoted(value)),
    });
    let others = |place| input.at(place).map(|(field, texts)| (field.name, texts));
    let query = others(Place::Query).map(|(name, texts)| (name, texts.join(", ")));
    let added = others(Place::Add).map(|(name, texts)| (name, json!(texts).to_string()));
    let courses = others(Place::Enrol).map(|(name, texts)| (name, texts.join(", ")));
    let is_hidden = move |name: &str| {
        let mut fields = body_fields(call.command).filter(|field| field.secret);
        is_secret(name) || fields.any(|field| field.name == name)
    };
    let texts = query.chain(body).chain(added).chain(courses);
    texts.map(move |(name, text)| match is_hidden(name) {
        true => (name, HIDDEN.to_owned()),
        false => (name, text),
    })
}

/// Sends the request of the operation.
pub(super) async fn send(lms: &Lms, call: &Call) -> Result<Applied, Failure> {
    let mut request = call.request(lms)?;
    if call.command.body.is_some() {
        request = request.body(call.input.body.json(Some(call.command))?);
    }
    let effect = match call.operation.method.as_str() {
        "DELETE" => Effect::Removed,
        "PUT" => Effect::Changed,
        _ => Effect::Added,
    };
    if call.is_dry_run() {
        return Ok(Applied::new(effect, None));
    }
    if matches!(call.command.output, Output::Nothing) {
        let response = request.call_as::<()>().await?;
        let already = match response.already_removed {
            true => ", by an attempt whose response was lost",
            false => "",
        };
        let (effect, done) = match is_removal(call.command) {
            true => (Effect::Removed, "was deleted"),
            false => (Effect::Changed, "was accepted"),
        };
        let applied = Applied::new(effect, None);
        return Ok(applied.note(format!("{} {done}{already}", object(call))));
    }
    let object: Box<RawValue> = request.call_as().await?.value;
    Ok(Applied::new(effect, Some(object)))
}

/// Fails if a required field is missing or empty, such as an id: the service may refuse the request or not.
pub(super) fn check_required(call: &Call) -> Result<(), Invalid> {
    let required = || body_fields(call.command).filter(|field| field.required);
    let body = &call.input.body;
    if let Some(field) = required().find(|field| body.is_blank(field.name)) {
        return Err(Invalid::Empty(field.flag.to_owned()));
    }
    let missing = required().filter(|field| body.get(field.name).is_none());
    let missing: Vec<_> = missing.map(|field| field.flag.to_owned()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Invalid::Missing(missing))
}
