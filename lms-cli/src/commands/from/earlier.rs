//! The ledger knows what earlier runs of a command have done with the rows of a file.

use std::collections::{BTreeSet, HashMap};

use clap::ArgMatches;
use lms_ext::Lms;
use lms_plan::{Action, Ledger, Plan, RecordedStep, Run, Status, Step, StepState};
use lms_sync::tenant_id;

use super::{file::Row, results::by_row};
use crate::{
    args::has,
    commands::planned::{command_of, object},
    failure::Failure,
    ledger,
    operations::{lookup::is_removal, table::Command},
    verbs,
};

/// The reason of a row that is not sent again.
pub(super) const EARLIER: &str = "ended well in an earlier run";

/// Opens the ledger, which no other run may have open. Its path is that of the tenant, unless it is given. A dry run only
/// reads it.
pub(super) async fn open_ledger(
    matches: &ArgMatches,
    lms: &Lms,
    is_dry_run: bool,
) -> Result<Ledger, Failure> {
    let path = ledger::path(matches, lms.base_url())?;
    Ok(match has(matches, "state") {
        _ if is_dry_run && path.is_file() => Ledger::open_existing(&path)?,
        _ if is_dry_run => Ledger::temporary()?,
        true => ledger::open(matches, lms, &tenant_id(lms).await?)?,
        false => Ledger::open(&path, None)?,
    })
}

/// The earlier runs of a command for the rows of a plan, or with its results.
pub(super) struct Earlier {
    /// The step of each row in the run that has not ended; empty if there is none.
    pub(super) open: Vec<Option<RecordedStep>>,
    /// The rows that ended well, and whose object a later run has changed: an undo, an import, or another command.
    pub(super) overtaken: BTreeSet<usize>,
    /// The last step of each row that was sent.
    last: Vec<Option<RecordedStep>>,
}

impl Earlier {
    /// # Errors
    ///
    /// Usage, if the results are those of another command, which has sent rows and has not ended.
    pub(super) fn of(
        ledger: &Ledger,
        plan: &Plan,
        rows: &[Row],
        (command, described): (&Command, &str),
    ) -> Result<Self, Failure> {
        let results = &plan.input.results;
        let mut runs = ledger.runs()?;
        runs.retain(|run| {
            let is_it = run.hash == plan.hash || (run.results == *results && !results.is_empty());
            run.purpose == "command" && is_it
        });
        let is_of_command = |run: &Run| run.input.starts_with(&format!("{described} --from "));
        let has_sent = |run: &Run| {
            let mut statuses = run.steps.keys();
            statuses.any(|status| !matches!(status, Status::Planned | Status::Failed))
        };
        let open = match runs.iter().find(|run| run.ended.is_none()) {
            Some(open) if is_of_command(open) => steps_of(ledger, open, rows)?,
            Some(open) if has_sent(open) => {
                return Err(Failure::usage(format!(
                    "{results} is for the results of another command, which has not ended: {}; run that command again, or name another file for the results",
                    open.input
                )));
            }
            _ => Vec::new(),
        };
        runs.retain(is_of_command);
        let last = last_steps(ledger, &runs, rows)?;
        Ok(Self {
            open,
            overtaken: overtaken(ledger, &last, command)?,
            last,
        })
    }

    /// Completes the endings of rows that have succeeded, or may have, and that the results lack: they were in an earlier file,
    /// or a spreadsheet has changed them in the results, where 007 became 7. Returns `true` if there are such rows.
    pub(super) fn complete_results(&self, endings: &mut [Option<StepState>]) -> bool {
        let mut are_lacking = false;
        for (step, ending) in self.last.iter().zip(endings) {
            let state = step.as_ref().map(|step| &step.state);
            let sent = state.filter(|it| it.status.is_well() || it.status == Status::Sent);
            if let (None, Some(state)) = (&ending, sent) {
                *ending = Some(state.clone());
                are_lacking = true;
            }
        }
        are_lacking
    }

    /// Completes the endings of rows by the steps of the run that has not ended: it was killed, or its results are gone.
    pub(super) fn complete(self, endings: &mut [Option<StepState>]) {
        for (step, ending) in self.open.into_iter().zip(endings.iter_mut()) {
            let Some(RecordedStep { state, .. }) = step else {
                continue;
            };
            let is_better = match (&ending, state.status) {
                (Some(ending), _) if ending.status.is_well() => false,
                (None, Status::Sent) => true,
                // A person may have corrected the results of a run that was not killed.
                (Some(ending), Status::Sent) => {
                    ending.status != Status::Sent && state.reason.is_empty()
                }
                (_, status) => status.is_well(),
            };
            if is_better {
                *ending = Some(state);
            }
        }
        for row in self.overtaken {
            endings[row] = None;
        }
    }
}

/// The step of each row in a run.
fn steps_of(
    ledger: &Ledger,
    run: &Run,
    rows: &[Row],
) -> Result<Vec<Option<RecordedStep>>, Failure> {
    let steps = ledger.steps(Some(run.run), None)?.into_iter();
    let steps = steps.map(|mut step| (std::mem::take(&mut step.step.row), step));
    Ok(by_row(steps, rows).0)
}

/// The last step of each row that was sent in these runs.
fn last_steps(
    ledger: &Ledger,
    runs: &[Run],
    rows: &[Row],
) -> Result<Vec<Option<RecordedStep>>, Failure> {
    let is_it = |RecordedStep { state, .. }: &RecordedStep| {
        state.status != Status::Planned && state.reason != EARLIER
    };
    let mut last: Vec<Option<RecordedStep>> = vec![None; rows.len()];
    for run in runs {
        for (last, step) in last.iter_mut().zip(steps_of(ledger, run, rows)?) {
            *last = last.take().or(step.filter(is_it));
        }
        if last.iter().all(Option::is_some) {
            break;
        }
    }
    Ok(last)
}

/// The rows whose effect a later run has ended or may have changed.
fn overtaken(
    ledger: &Ledger,
    last: &[Option<RecordedStep>],
    command: &Command,
) -> Result<BTreeSet<usize>, Failure> {
    let found = || last.iter().flatten();
    let Some(oldest) = found().map(|recorded| recorded.run).min() else {
        return Ok(BTreeSet::new());
    };
    let learners = found().filter_map(|of| of.step.learner.as_deref());
    let later = ledger.steps_after(oldest, &learners.collect::<Vec<_>>())?;
    let mut of_object: HashMap<_, Vec<&RecordedStep>> = HashMap::new();
    for recorded in &later {
        let of = of_object.entry(object(&recorded.step)).or_default();
        of.push(recorded);
    }
    let is_overtaken = |row: &RecordedStep| {
        let mut later = of_object.get(&object(&row.step)).into_iter().flatten();
        row.state.status.is_well()
            && object(&row.step).is_some()
            && later.any(|it| it.run > row.run && reverses(&it.step, &row.step, command))
    };
    let rows = last.iter().enumerate();
    let rows = rows.filter(|(_, row)| row.as_ref().is_some_and(is_overtaken));
    Ok(rows.map(|(row, _)| row).collect())
}

/// Returns `true` if a later step about the same object ends the effect of a row of the command: it removes the object, or may
/// have set other values.
fn reverses(later: &Step, row: &Step, command: &Command) -> bool {
    match (&later.action, &row.action) {
        (Action::Unenrol(ended), Action::Enrol(of))
        | (Action::Enrol(ended), Action::Unenrol(of)) => ended.course == of.course,
        (Action::Edit(_), _) => verbs::of(command).is_edit(),
        (Action::Command { .. }, _) => command_of(later).is_some_and(|later| {
            let are_edits = [later, command].iter().all(|of| verbs::of(of).is_edit());
            let kinds = [object(row).map(|(kind, _)| kind), Some(command.resource)];
            are_edits || (is_removal(later) && kinds.contains(&Some(later.resource)))
        }),
        _ => false,
    }
}
