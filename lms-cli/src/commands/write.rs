//! Commands that add, edit or delete one object.

use lms_ext::{ErrorKind, WriteMode};
use serde_json::value::to_raw_value;

use crate::{
    calls::{
        Call,
        applied::{Problem, Shown},
        input::Place,
        invalid::Invalid,
        plan,
    },
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    operations::lookup::{body_fields, is_removal},
    output::Printer,
    session::Session,
    terminal::confirm,
    verbs,
};

/// Makes the change and prints the object that it returns, or shows the changes.
pub(super) async fn run(context: &Context, session: &Session, call: &Call) -> Result<(), Failure> {
    let lms = &session.lms;
    let printer = Printer::new(context, call.command.output.schema())?;
    note_undocumented(context, call);
    let verb = verbs::of(call.command);
    if let Some(note) = verb.note(call) {
        context.note(note);
    }
    if call.mode == WriteMode::Apply && is_removal(call.command) && !context.yes {
        confirm(context, &verb.question(session, call).await?)?;
    }
    let applied = verb.apply(lms, call).await;
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
            let edits = plan::edit(&id, &changes);
            match printer.format() {
                Format::Table if context.jq.is_none() => {
                    printer.text(&plan::described(call.command, &id, &changes))
                }
                format if format.has_cells() => printer.of_any().rows_of(&edits.changes),
                _ => printer.of_any().object(&to_raw_value(&edits)?),
            }
        }
    }
}

/// Fails if the values cannot be sent. Sends nothing.
pub(super) fn check(call: &Call) -> Result<(), Invalid> {
    let of_path = call.command.path.iter();
    let missing = of_path.filter(|field| !call.input.has(Place::Path, field));
    let missing: Vec<_> = missing.map(|field| field.flag.to_owned()).collect();
    match missing.is_empty() {
        true => verbs::of(call.command).check(call),
        false => Err(Invalid::Missing(missing)),
    }
}

/// Returns `true` if the call has the same effect when it is made again.
pub(super) fn is_idempotent(call: &Call) -> bool {
    call.if_not_exists || ["DELETE", "PUT"].contains(&call.operation.method.as_str())
}

/// The object that the call adds unless it exists; `None` if it is another call.
pub(super) fn ensured(call: &Call) -> Option<Vec<String>> {
    let addition = Call {
        if_not_exists: false,
        ..call.clone()
    };
    let target = || verbs::of(call.command).target(&addition);
    call.if_not_exists.then(target).flatten()
}

/// The failure of a write. One that can be repeated needs no other advice when it is ambiguous.
fn failed(call: &Call, problem: Problem) -> Failure {
    let conflicts = matches!(&problem, Problem::Call(error) if error.kind() == ErrorKind::Conflict);
    let failure = Failure::from(problem);
    match failure.exit() {
        Exit::Refused if conflicts && verbs::of(call.command).if_not_exists().is_some() => {
            failure.advice("if it exists already, --if-not-exists accepts that")
        }
        Exit::Ambiguous if is_idempotent(call) => failure
            .advice("the change may have been made; it is safe to run the same command again"),
        _ => failure,
    }
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
