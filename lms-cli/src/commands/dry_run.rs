//! `--dry-run`: the changes of a call, or of each row of `--from`, as a plan.

use lms_plan::{Note, Plan, Status, Step, StepState};
use serde_json::json;

use super::ending;
use crate::{context::Context, failure::Failure, import::show, output::Printer};

/// A row by its line, with its step if it is valid, and its ending.
pub(super) type Planned<'a> = (u64, Option<Step>, &'a StepState);

/// Prints the changes that rows would make.
pub(super) fn show<'a>(
    context: &Context,
    printer: Printer,
    mut plan: Plan,
    rows: impl Iterator<Item = Planned<'a>>,
    counted: &str,
) -> Result<(), Failure> {
    plan.steps.clear();
    for (line, step, ending) in rows {
        if !ending.reason.is_empty() {
            let name = step.as_ref().map(|step| step.name.clone());
            plan.notes.push(Note {
                line,
                name: name.unwrap_or_default(),
                reason: format!("{}: {}", ending::word(ending), ending.reason),
                ..Note::default()
            });
        }
        let changes = ending.status == Status::Done;
        plan.steps.extend(step.filter(|_| changes));
    }
    // Changes, and the reasons why rows would fail or keep values.
    let steps = plan.steps.iter().map(|step| (step.line, json!(step)));
    let notes = plan.notes.iter().map(|note| (note.line, json!(note)));
    let mut rows: Vec<_> = steps.chain(notes).collect();
    rows.sort_by_key(|(line, _)| *line);
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    let summary = format!("dry run: {counted}");
    let json = |printer: Printer| printer.rows_of(&rows);
    let more = Some("-o csv shows them");
    show::print(context, printer, &plan, &summary, more, json)
}
