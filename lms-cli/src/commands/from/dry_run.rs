//! `--from FILE --dry-run`: the changes of the rows as a plan, by the engine with requests that only read.

use std::collections::BTreeSet;

use lms_plan::{Ledger, Note, Plan, Step};
use serde::Serialize;

use super::{
    batch::Batch,
    ending::{self, Ending},
};
use crate::{
    calls::applied::Effect,
    commands::write::ensured,
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    import::show,
    output::Printer,
    wording::count,
};

/// A row of a dry run: its change, or the reason why it would fail or keep values of an object.
#[derive(Serialize)]
#[serde(untagged)]
enum RowPlan<'a> {
    Change(&'a Step),
    Note(&'a Note),
}

/// Prints the changes that rows would make. The ledger has their steps.
pub(super) fn show(
    context: &Context,
    printer: Printer,
    batch: &Batch,
    mut endings: Vec<Option<Ending>>,
    (mut plan, ledger): (Plan, &Ledger),
) -> Result<(), Failure> {
    count_once(batch, &mut endings);
    let steps = ledger.steps(None, None)?.into_iter();
    let mut steps = steps.map(|recorded| recorded.step).peekable();
    plan.steps.clear();
    for (index, (row, ending)) in batch.rows().iter().zip(&endings).enumerate() {
        let step = steps.next_if(|step| step.line == row.line);
        let ending = ending.as_ref().filter(|_| !batch.is_done(index));
        let Some(Ending {
            status,
            note,
            error,
            ..
        }) = ending
        else {
            continue;
        };
        if !note.is_empty() || !error.is_empty() {
            let name = step.as_ref().map_or("", |step| &step.name);
            let reason = format!("{status}: {note}{error}");
            plan.notes.push(Note::of_row(row.line, name, reason));
        }
        plan.steps
            .extend(step.filter(|_| Effect::is_change(status)));
    }
    let mut rows: Vec<_> = plan
        .steps
        .iter()
        .map(|step| (step.line, RowPlan::Change(step)))
        .collect();
    rows.extend(
        plan.notes
            .iter()
            .map(|note| (note.line, RowPlan::Note(note))),
    );
    rows.sort_by_key(|(line, _)| *line);
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    let summary = format!("dry run: {}", batch.counted(&ending::counts(&endings)));
    let json = |printer: Printer| printer.rows_of(&rows);
    let printed = show::print(
        context,
        printer,
        &plan,
        &summary,
        Some("-o csv shows them"),
        json,
    );
    let failed = endings
        .iter()
        .flatten()
        .filter(|ending| !ending.error.is_empty());
    let decided = failed.clone().next().map_or(Ok(()), |first| {
        let (failed, rows) = (failed.count(), count(batch.rows().len(), "row"));
        let message = format!(
            "{failed} of {rows} would fail, for example: {}",
            first.error
        );
        Err(Failure::of_job((Exit::Partial, "partial"), message))
    });
    conclude(decided, printed)
}

/// Counts an object that several rows would add once: it exists for the later ones.
fn count_once(batch: &Batch, endings: &mut [Option<Ending>]) {
    let mut added = BTreeSet::new();
    for (index, call) in batch.calls() {
        let Some(ending) = &mut endings[index] else {
            continue;
        };
        let is_added = ending.status == Effect::Added.name();
        if is_added && !ensured(call).is_none_or(|object| added.insert(object)) {
            let effect = match call.input.enrol.is_empty() {
                true => Effect::Existed,
                false => Effect::Enrolled,
            };
            effect.name().clone_into(&mut ending.status);
        }
    }
}
