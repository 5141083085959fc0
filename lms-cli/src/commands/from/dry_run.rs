//! `--from FILE --dry-run`: the engine with requests that only read, and a ledger that is forgotten.

use std::collections::BTreeSet;

use lms_plan::{Action, Ledger};
use schemars::JsonSchema;
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
    import::show::{self, Entry, Line},
    output::Printer,
    wording::count,
};

/// The effect that a row of a file would have.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RowPlan<'a> {
    line: u64,
    /// The result that the row would have, such as added.
    result: &'a str,
    /// The name of the person or the object.
    name: &'a str,
    /// The id of the learner or of another object; empty if it would be added.
    id: &'a str,
    /// The change; none if the row would fail.
    #[serde(flatten)]
    action: Option<&'a Action>,
    /// The values that an object which exists would keep.
    note: &'a str,
    error: &'a str,
}

/// A change that a row would make, as a row of a table.
#[derive(Serialize)]
struct RowChange<'a> {
    line: u64,
    result: &'a str,
    name: &'a str,
    id: &'a str,
    #[serde(flatten)]
    change: Line,
    note: &'a str,
    error: &'a str,
}

impl<'a> RowPlan<'a> {
    /// Returns `true` if the row would change something.
    fn is_change(&self) -> bool {
        let unchanged = [Effect::Existed, Effect::Unchanged, Effect::Absent];
        self.action.is_some() && !unchanged.map(Effect::name).contains(&self.result)
    }

    /// A row for each change; one for a row without any.
    fn changes(&self) -> Vec<RowChange<'a>> {
        let lines = self.action.filter(|_| self.is_change()).map(show::lines);
        let lines = lines.filter(|lines| !lines.is_empty());
        let lines = lines.unwrap_or_else(|| vec![Line::default()]).into_iter();
        let rows = lines.map(|change| RowChange {
            line: self.line,
            result: self.result,
            name: self.name,
            id: self.id,
            change,
            note: self.note,
            error: self.error,
        });
        rows.collect()
    }

    fn entry(&self) -> Option<Entry<'a>> {
        let mark = match self.result {
            result if result == Effect::Added.name() => '+',
            result if result == Effect::Removed.name() => '-',
            _ => '~',
        };
        self.is_change().then(|| Entry {
            mark,
            name: self.name,
            about: format!("line {}", self.line),
            actions: self.action.into_iter().collect(),
        })
    }

    fn noted(&self) -> Option<String> {
        let about = [self.note, self.error].concat();
        let name = match self.name {
            "" => String::new(),
            name => format!("{name}, "),
        };
        let (line, result) = (self.line, self.result);
        (!about.is_empty()).then(|| format!("{name}line {line}: {result}: {about}"))
    }
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

/// Prints the effect that each row would have.
pub(super) fn show(
    context: &Context,
    printer: Printer,
    batch: &Batch,
    mut endings: Vec<Option<Ending>>,
    ledger: &Ledger,
) -> Result<(), Failure> {
    count_once(batch, &mut endings);
    let steps = ledger.steps(None, None)?;
    let mut steps = steps.iter().map(|recorded| &recorded.step).peekable();
    let rows = batch.rows().iter().zip(&endings);
    let rows = rows.enumerate().filter_map(|(index, (row, ending))| {
        let (line, ending) = (row.line, ending.as_ref()?);
        let step = steps.next_if(|step| step.line == line);
        (!batch.is_done(index)).then(|| RowPlan {
            line,
            result: &ending.status,
            name: step.map_or("", |step| &step.name),
            id: step
                .and_then(|step| step.learner.as_ref())
                .unwrap_or(&ending.id),
            action: step.filter(|_| ending.is_well()).map(|step| &step.action),
            note: &ending.note,
            error: &ending.error,
        })
    });
    let rows: Vec<_> = rows.collect();
    let counts = ending::counts(&endings);
    let summary = format!("dry run: {}", batch.counted(&counts));
    let changes = rows.iter().flat_map(RowPlan::changes).collect::<Vec<_>>();
    let entries = rows.iter().filter_map(RowPlan::entry);
    let notes = rows.iter().filter_map(RowPlan::noted);
    let more = Some("-o csv shows them");
    let printed = show::print(
        context,
        printer,
        &summary,
        || show::listed(summary.clone(), entries, notes, more),
        &changes,
        |printer| printer.rows_of(&rows),
    );
    let failed = rows.iter().filter(|row| !row.error.is_empty());
    let decided = failed.clone().next().map_or(Ok(()), |first| {
        let (failed, rows) = (failed.count(), count(rows.len(), "row"));
        let message = format!(
            "{failed} of {rows} would fail, for example: {}",
            first.error
        );
        Err(Failure::of_job((Exit::Partial, "partial"), message))
    });
    conclude(decided, printed)
}
