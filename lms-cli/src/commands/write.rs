//! Commands that add, edit or delete one object.

use lms_ext::{ErrorKind, Lms, WriteMode};
use serde_json::value::{RawValue, to_raw_value};

use super::{
    applied::{Applied, Effect, Problem, Shown},
    call::Call,
    copies, edit, enrolments, ensure,
    invalid::Invalid,
    label,
    plan::RequestPlan,
};
use crate::{
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    operations::{
        lookup::{body_fields, is_edit, is_removal},
        table::Output,
    },
    output::Printer,
    session::Session,
    terminal::confirm,
};

/// Makes the change and prints the object that it returns, or shows the changes.
pub(super) async fn run(context: &Context, session: &Session, call: &Call) -> Result<(), Failure> {
    let lms = &session.lms;
    let printer = Printer::new(context, call.command.output.schema())?;
    note_undocumented(context, call);
    copies::note_published(context, call);
    if call.mode == WriteMode::Apply && is_removal(call.command) && !context.yes {
        confirm(context, &question(session, call).await?)?;
    }
    let applied = apply(lms, call).await;
    let applied = applied.map_err(|problem| failed(call, problem))?;
    for note in &applied.notes {
        context.note(note);
    }
    match applied.shown {
        Shown::Nothing => Ok(()),
        Shown::Object(object) => printer.object(&object),
        Shown::Plan(plan) => printer.of_any().object(&plan),
        Shown::Changes(changes) => {
            let id = applied.id.unwrap_or_default();
            let edits = edit::plan(&id, &changes);
            match printer.format() {
                Format::Table if context.jq.is_none() => {
                    printer.text(&edit::described(call.command, &id, &changes))
                }
                Format::Csv => printer.of_any().rows_of(&edits.changes),
                _ => printer.of_any().object(&to_raw_value(&edits)?),
            }
        }
    }
}

/// Fails if the values cannot be sent. Sends nothing.
pub(super) fn check(call: &Call) -> Result<(), Invalid> {
    let of_path = call.command.path.iter();
    let missing = of_path.filter(|field| !call.input.has(super::input::Place::Path, field));
    let missing: Vec<_> = missing.map(|field| field.flag.to_owned()).collect();
    if !missing.is_empty() {
        return Err(Invalid::Missing(missing));
    }
    match call.operation.id {
        _ if is_edit(call.command) => edit::changes(call).map(drop),
        "delete_enrolment" => enrolments::scope(call).map(drop),
        _ if call.if_not_exists => check_required(call).and_then(|()| ensure::check(call)),
        _ => check_required(call).and_then(|()| ensure::refuse_steps(call)),
    }
}

/// Makes the change, or in a dry run only determines it.
pub(super) async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Problem> {
    match call.operation.id {
        _ if is_edit(call.command) => edit::apply(lms, call).await,
        "delete_enrolment" => enrolments::apply(lms, call).await,
        _ if call.if_not_exists => ensure::apply(lms, call).await,
        _ => send(lms, call).await,
    }
}

/// Returns `true` if the call has the same effect when it is made again.
pub(super) fn is_idempotent(call: &Call) -> bool {
    call.if_not_exists || ["DELETE", "PUT"].contains(&call.operation.method.as_str())
}

/// The object that the call changes, of which there is one; `None` if two equal calls make two objects.
pub(super) fn target(call: &Call) -> Option<Vec<String>> {
    let texts = |names: &[&str]| {
        let body = |name: &&str| {
            let text: String = serde_json::from_str(call.input.body.get(name)?.get()).ok()?;
            Some(text.trim().to_lowercase())
        };
        names.iter().map(body).collect()
    };
    match call.operation.id {
        _ if !call.command.path.is_empty() => {
            let path = call.input.path(call.command);
            Some(path.into_iter().map(str::to_owned).collect())
        }
        "delete_enrolment" => {
            let query = ["user", "course"].map(|name| call.input.query(name));
            Some(query.map(|id| id.unwrap_or_default().to_owned()).into())
        }
        // These may be repeated, as with other courses.
        _ if call.if_not_exists => None,
        "add_learner" => texts(&["email"]),
        "add_enrolment" => texts(&["user", "course"]),
        _ => None,
    }
}

/// The object that the call adds unless it exists; `None` if it is another call.
pub(super) fn ensured(call: &Call) -> Option<Vec<String>> {
    let addition = Call {
        if_not_exists: false,
        ..call.clone()
    };
    call.if_not_exists.then(|| target(&addition)).flatten()
}

/// The name of one object of a command, such as `course`.
pub(super) fn noun(call: &Call) -> &'static str {
    let resource = call.command.resource;
    resource.strip_suffix('s').unwrap_or(resource)
}

async fn question(session: &Session, call: &Call) -> Result<String, Failure> {
    if call.operation.id == "delete_enrolment" {
        return enrolments::question(session, call).await;
    }
    let path = call.input.path(call.command);
    let label = label::of(&session.lms, call.command.resource, &path).await;
    Ok(format!(
        "{} {}{label} at {}?",
        call.command.verb,
        object(call),
        label::place(session)
    ))
}

/// The object of a call, such as `course c1`.
fn object(call: &Call) -> String {
    let path = call.input.path(call.command).join(" ");
    format!("{} {path}", noun(call))
}

/// The failure of a write. One that can be repeated needs no other advice when it is ambiguous.
fn failed(call: &Call, problem: Problem) -> Failure {
    let conflicts = matches!(&problem, Problem::Call(error) if error.kind() == ErrorKind::Conflict);
    let failure = Failure::from(problem);
    match failure.exit() {
        Exit::Refused if conflicts && ensure::can(call) => {
            failure.advice("if it exists already, --if-not-exists accepts that")
        }
        Exit::Ambiguous if is_idempotent(call) => failure
            .advice("the change may have been made; it is safe to run the same command again"),
        _ => failure,
    }
}

async fn send(lms: &Lms, call: &Call) -> Result<Applied, Problem> {
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
        let plan = RequestPlan::of(&request, &call.input.body).raw()?;
        return Ok(Applied::new(effect, Shown::Plan(plan)));
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
        let applied = Applied::new(effect, Shown::Nothing);
        return Ok(applied.note(format!("{} {done}{already}", object(call))));
    }
    let object: Box<RawValue> = request.call_as().await?.value;
    if let Some(time) = call.wait {
        let course = copies::wait(lms, &object, time, |_| ()).await?;
        return Ok(Applied::new(Effect::Added, Shown::Object(course)));
    }
    Ok(Applied::new(effect, Shown::Object(object)))
}

/// Fails if a required field is missing or empty, such as an id: the service may refuse the request or not.
fn check_required(call: &Call) -> Result<(), Invalid> {
    let required = || body_fields(call.command).filter(|field| field.required);
    let is_empty = |value: &RawValue| {
        serde_json::from_str::<String>(value.get()).is_ok_and(|text| text.trim().is_empty())
    };
    let body = &call.input.body;
    if let Some(field) = required().find(|field| body.get(field.name).is_some_and(is_empty)) {
        return Err(Invalid::Empty(field.flag.to_owned()));
    }
    let missing = required().filter(|field| body.get(field.name).is_none());
    let missing: Vec<_> = missing.map(|field| field.flag.to_owned()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Invalid::Missing(missing))
}

/// A field that the document does not have may be one of the tenant, or a mistake.
fn note_undocumented(context: &Context, call: &Call) {
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    let body = call.input.body.iter();
    for (name, _) in body.filter(|(name, _)| !known.contains(name)) {
        context.note(&format!(
            "note: {name} is not a documented field, and is sent as it is"
        ));
    }
}
