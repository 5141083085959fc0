//! `--dry-run`: the changes of a call, or of each row of `--from`, as a plan.

use lms_plan::{Note, Plan, Step};
use serde::Serialize;

use super::ending::Ending;
use crate::{
    calls::applied::Effect, context::Context, failure::Failure, import::show, output::Printer,
};

/// The change of a row, or the reason why it would fail or keep values of an object.
#[derive(Serialize)]
#[serde(untagged)]
enum RowPlan<'a> {
    Change(&'a Step),
    Note(&'a Note),
}

/// A row by its line, with its step if it is valid, and its ending.
pub(super) type Planned<'a> = (u64, Option<Step>, &'a Ending);

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
        let Ending {
            status,
            note,
            error,
            ..
        } = ending;
        if !note.is_empty() || !error.is_empty() {
            let name = step.as_ref().map_or("", |step| &step.name);
            let reason = format!("{status}: {note}{error}");
            plan.notes.push(Note::of_row(line, name, reason));
        }
        plan.steps
            .extend(step.filter(|_| Effect::is_change(status)));
    }
    let steps = plan.steps.iter();
    let steps = steps.map(|step| (step.line, RowPlan::Change(step)));
    let notes = plan.notes.iter();
    let notes = notes.map(|note| (note.line, RowPlan::Note(note)));
    let mut rows: Vec<_> = steps.chain(notes).collect();
    rows.sort_by_key(|(line, _)| *line);
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    let summary = format!("dry run: {counted}");
    let json = |printer: Printer| printer.rows_of(&rows);
    let more = Some("-o csv shows them");
    show::print(context, printer, &plan, &summary, more, json)
}
