//! Commands that add, edit or delete one object.

use lms_ext::{ErrorKind, Lms, WriteMode};
use lms_plan::{Plan, Step};

use super::{
    dry_run, ending, planned,
    references::{self, Known},
};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        input::Place,
        invalid::Invalid,
        label,
    },
    context::Context,
    exit::Exit,
    failure::Failure,
    operations::lookup::{body_fields, is_removal},
    output::Printer,
    session::Session,
    terminal::confirm,
    verbs,
    wording::count,
};

/// Makes the change and prints the object that it returns, or shows the change as a plan with one step.
pub(super) async fn run(
    context: &Context,
    session: &Session,
    call: &Call,
    known: &Known,
) -> Result<(), Failure> {
    let lms = &session.lms;
    let printer = Printer::new(context, call.command.output.schema())?;
    note_undocumented(context, call);
    let verb = verbs::of(call.command);
    if let Some(note) = verb.note(call) {
        context.note(note);
    }
    let command = call.command.name();
    if call.is_dry_run() {
        let (step, applied) = plan(lms, call, known).await?;
        let plan = Plan::of_command(command, None, std::iter::empty(), String::new());
        let ending = ending::of_applied(call, &applied);
        let rows = [(0, Some(step), &ending)].into_iter();
        let counted = format!("{} 1", ending::word(&ending));
        return dry_run::show(context, printer.of_any(), plan, rows, &counted);
    }
    if is_removal(call.command) && !context.yes {
        let (_, planned) = plan(lms, call, known).await?;
        let ended = planned.ended.map(|ended| count(ended, "enrolment"));
        let ended = ended.map_or(String::new(), |ended| format!(" for {ended}"));
        let objects = references::label(call, known);
        confirm(
            context,
            &label::question(session, &format!("{command}{ended}"), &objects),
        )?;
    }
    let applied = verb.apply(lms, call).await;
    let applied = applied.map_err(|problem| failed(call, problem))?;
    for note in &applied.notes {
        context.note(note);
    }
    match applied.shown {
        None => Ok(()),
        Some(object) => {
            let printed = printer.object(&object);
            let unchanged = [Effect::Existed, Effect::Unchanged, Effect::Absent];
            if unchanged.contains(&applied.effect) {
                return printed;
            }
            let (effect, id) = (applied.effect.name(), applied.id.as_deref());
            let what = format!(
                "{} was {effect}, and not printed",
                id.unwrap_or("the object")
            );
            printed.map_err(|problem| {
                let problem = problem.into_partial(&what);
                problem.advice("do not repeat the command: the change was made")
            })
        }
    }
}

/// The step of a call, and what it would do.
async fn plan(lms: &Lms, call: &Call, known: &Known) -> Result<(Step, Applied), Failure> {
    let call = &Call {
        mode: WriteMode::DryRun,
        ..call.clone()
    };
    let applied = verbs::of(call.command).apply(lms, call).await;
    let applied = applied.map_err(|problem| failed(call, problem))?;
    let mut step = planned::step(call, known, (1, 0), Vec::new());
    if step.name.is_empty() {
        step.name = references::label(call, known);
    }
    let (learner, action) = planned::changed(call, Some(&applied), known);
    (step.learner, step.action) = (learner, action);
    Ok((step, applied))
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

/// The failure of a write. One that can be repeated needs no other advice when it is ambiguous.
fn failed(call: &Call, failure: Failure) -> Failure {
    let conflicts = failure
        .call()
        .is_some_and(|error| error.kind() == ErrorKind::Conflict);
    match failure.exit() {
        Exit::Refused
            if conflicts
                && !call.if_not_exists
                && verbs::of(call.command).if_not_exists().is_some() =>
        {
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
