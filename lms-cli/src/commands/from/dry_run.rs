//! `--from FILE --dry-run`: the changes of the rows, by the engine of plans with requests that only read.

use std::collections::BTreeMap;

use lms_plan::{Ledger, Plan, Status, StepState};

use super::{batch::Batch, file::Row};
use crate::{
    calls::{
        Call,
        applied::Effect,
        input::{ENROL, Place},
    },
    commands::{
        dry_run::show,
        ending::{counts, word},
    },
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    output::Printer,
    verbs,
    wording::count,
};

/// Prints the changes that the rows of a file would make. The ledger has their steps.
pub(super) fn of_rows(
    context: &Context,
    printer: Printer,
    batch: &Batch,
    mut endings: Vec<StepState>,
    (plan, ledger): (Plan, &Ledger),
) -> Result<(), Failure> {
    let is_unknown = |(row, ending): (&Row, &StepState)| {
        let can_look_up =
            |call: &Call| verbs::of(call.command).if_not_exists().is_some() && !call.if_not_exists;
        word(ending) == Effect::Added.name() && row.call.as_ref().is_ok_and(can_look_up)
    };
    if batch.rows.iter().zip(&endings).any(is_unknown) {
        context.note(
            "objects that exist already were not looked up, and the service may refuse to add them again; --if-not-exists looks them up",
        );
    }
    count_once(batch, &mut endings);
    let steps = ledger.steps(None, None)?.into_iter();
    let mut steps = steps.map(|recorded| recorded.step).peekable();
    let rows = batch.rows.iter().zip(&endings);
    let rows = rows.filter_map(|(row, ending)| {
        let step = steps.next_if(|step| step.line == row.line);
        (!row.is_done()).then_some((row.line, step, ending))
    });
    let counted = batch.counted(&counts(&endings));
    let printed = show(context, printer, plan, rows, &counted);
    let failed = endings.iter().filter(|ending| !ending.status.is_well());
    let decided = failed.clone().next().map_or(Ok(()), |first| {
        let (failed, rows) = (failed.count(), count(batch.rows.len(), "row"));
        let message = format!(
            "{failed} of {rows} would fail, for example: {}",
            first.reason
        );
        Err(Failure::of_job((Exit::Partial, "partial"), message))
    });
    conclude(decided, printed)
}

/// Counts an object that several rows would add once: it exists for the later ones.
fn count_once(batch: &Batch, endings: &mut [StepState]) {
    let mut added = BTreeMap::new();
    for (row, ending) in batch.rows.iter().zip(endings) {
        let Ok(call) = &row.call else { continue };
        let is_added = word(ending) == Effect::Added.name();
        let target = verbs::of(call.command).target(call);
        let Some(object) = target.filter(|_| is_added && call.if_not_exists) else {
            continue;
        };
        let first = *added.entry(object).or_insert(&row.place);
        if *first != row.place {
            let (status, effect) = match call.input.has(Place::Enrol, &ENROL) {
                true => (Status::Done, Effect::Enrolled),
                false => (Status::Unneeded, Effect::Existed),
            };
            *ending = StepState::new(status, format!("{first} adds it"), effect.name());
        }
    }
}
