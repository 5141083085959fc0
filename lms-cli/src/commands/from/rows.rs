//! The rows as the operations of a plan.
//!
//! The engine of plans writes each row into the ledger before it is sent and after, with how it ended. The same command
//! again sends what the ledger and the results do not know to be done.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use clap::ArgMatches;
use lms_ext::{Error, Lms, OperationInfo};
use lms_plan::{
    Action, Apply, Ledger, Operations, Plan, Processed, RecordedStep, Sending, Sent, Status, Step,
    StepState,
};
use lms_sync::tenant_id;

use super::{batch::Batch, file::Row, results::by_row};
use crate::{
    args::has,
    calls::{
        Call,
        applied::{Applied, ApplyError, Effect},
    },
    commands::{
        ending::{AMBIGUOUS, Ending, FAILED, UNSENT},
        planned::{self, command_of, object},
        write::is_idempotent,
    },
    context::Context,
    failure::Failure,
    ledger,
    operations::{lookup::is_removal, table::Command},
    progress::Progress,
    signal::stop_signal,
    verbs,
};

/// The reason for not sending an ambiguous row again.
const UNCLEAR: &str = "an earlier run may have sent it; look for it, then correct lms_status in the results: added, or failed to send it again";

/// The reason of a row that is not sent again.
const EARLIER: &str = "ended well in an earlier run";

/// Opens the ledger, which no other run may have open. Its path is that of the tenant, unless it is given. A dry run only
/// reads it.
pub(super) async fn open_ledger(
    matches: &ArgMatches,
    lms: &Lms,
    is_dry_run: bool,
) -> Result<Ledger, Failure> {
    let path = ledger::path(matches, lms)?;
    if is_dry_run {
        return Ok(match path.is_file() {
            true => Ledger::open_existing(&path)?,
            false => Ledger::temporary()?,
        });
    }
    match has(matches, "state") {
        true => ledger::open(matches, lms, &tenant_id(lms).await?),
        false => Ok(Ledger::open_for_commands(&path)?),
    }
}

/// Completes the endings of rows by the steps of a run that has not ended: it was killed, or its results are gone.
pub(super) fn complete(
    steps: Vec<RecordedStep>,
    rows: &[Row],
    endings: &mut [Option<Ending>],
    operation: &OperationInfo,
) {
    for (step, ending) in of_rows(steps, rows).into_iter().zip(endings) {
        let Some(step) = step else { continue };
        let is_better = match (&ending, step.state.status) {
            (None, Status::Sent) => true,
            // A person may have corrected the results of a run that was not killed.
            (Some(ending), Status::Sent) => !ending.is_ambiguous() && step.state.reason.is_empty(),
            (Some(ending), _) if ending.is_well() => false,
            (_, Status::Done | Status::Unneeded) => true,
            _ => false,
        };
        if is_better {
            let mut found = recorded(&step.state, operation);
            if let (Action::Command { object, .. }, true) = (step.step.action, found.id.is_empty())
            {
                found.id = object;
            }
            *ending = Some(found);
        }
    }
}

/// The step of each row in a run.
fn of_rows(steps: Vec<RecordedStep>, rows: &[Row]) -> Vec<Option<RecordedStep>> {
    let steps = steps.into_iter();
    let steps = steps.map(|mut step| (std::mem::take(&mut step.step.row), step));
    by_row(steps, rows).0
}

/// The rows that ended well in an earlier run of the command, and whose object a later run has changed: an undo, an import,
/// or another command.
pub(super) fn overtaken(
    ledger: &Ledger,
    plan: &Plan,
    rows: &[Row],
    command: &Command,
) -> Result<BTreeSet<usize>, Failure> {
    let is_left_out =
        |state: &StepState| state.status == Status::Unneeded && state.reason == EARLIER;
    let mut last: Vec<Option<RecordedStep>> = rows.iter().map(|_| None).collect();
    for run in ledger.runs_of(plan)? {
        let steps = of_rows(ledger.steps(Some(run), None)?, rows);
        for (last, step) in last.iter_mut().zip(steps) {
            let is_it = |RecordedStep { step, state, .. }: &RecordedStep| {
                state.status != Status::Planned && !is_left_out(state) && object(step).is_some()
            };
            if last.is_none() {
                *last = step.filter(is_it);
            }
        }
        if last.iter().all(Option::is_some) {
            break;
        }
    }
    let known = || last.iter().flatten();
    let Some(oldest) = known().map(|recorded| recorded.run).min() else {
        return Ok(BTreeSet::new());
    };
    let learners = known().filter_map(|recorded| recorded.step.learner.as_deref());
    let mut later: HashMap<_, Vec<RecordedStep>> = HashMap::new();
    for recorded in ledger.steps_after(oldest, &learners.collect::<Vec<_>>())? {
        if let Some(object) = object(&recorded.step) {
            later.entry(object).or_default().push(recorded);
        }
    }
    let is_overtaken = |row: &RecordedStep| {
        let later = object(&row.step).and_then(|object| later.get(&object));
        let mut later = later.into_iter().flatten();
        row.state.status.is_well()
            && later.any(|it| it.run > row.run && reverses(&it.step, &row.step, command))
    };
    let overtaken = last.iter().enumerate();
    let overtaken = overtaken.filter(|(_, row)| row.as_ref().is_some_and(is_overtaken));
    Ok(overtaken.map(|(index, _)| index).collect())
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

/// The ending of a row in the ledger.
fn recorded(state: &StepState, operation: &OperationInfo) -> Ending {
    let (done, unneeded) = match operation.method.as_str() {
        "DELETE" => (Effect::Removed, Effect::Absent),
        "PUT" => (Effect::Changed, Effect::Unchanged),
        _ => (Effect::Added, Effect::Existed),
    };
    let unnamed = |effect: Effect| Ending::error(effect.name(), "");
    match state.status {
        status if status.is_well() => {
            let effect = if status == Status::Done {
                done
            } else {
                unneeded
            };
            serde_json::from_str(&state.result).unwrap_or_else(|_| unnamed(effect))
        }
        Status::Sent => Ending::error(AMBIGUOUS, &state.reason),
        Status::Planned => Ending::error(UNSENT, ""),
        _ => Ending::error(FAILED, &state.reason),
    }
}

/// The steps of the rows that are valid.
pub(super) fn steps(batch: &Batch) -> Vec<Step> {
    let steps = batch.calls().map(|(index, call)| {
        let row = batch.row(index);
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        planned::step(call, &batch.known, (number, row.line), row.written.clone())
    });
    steps.collect()
}

fn index_of(step: &Step) -> usize {
    (step.number as usize).saturating_sub(1)
}

impl Batch {
    /// The ending of each row, by the states of the steps.
    fn endings(&self, states: &[StepState]) -> Vec<Option<Ending>> {
        let mut endings = self.endings.clone();
        for ((index, call), state) in self.calls().zip(states) {
            endings[index] = Some(recorded(state, call.operation).of(call));
        }
        endings
    }

    /// Sends the rows that have not ended well; ambiguous ones are looked up if that is possible. Returns the batch, the ending of
    /// each row, and the reason if rows are left.
    pub(super) async fn send(
        mut self,
        context: &Context,
        apply: Apply<'_>,
        plan: Plan,
    ) -> Result<(Arc<Self>, Vec<Option<Ending>>, Option<Failure>), Failure> {
        self.end_invalid();
        self.look_up_ambiguous();
        let rows = Arc::new(self);
        let progress = Progress::of_writes(context, rows.rows().len() as u64);
        progress.add(rows.earlier as u64, None);
        let report = |of: Processed<'_>| {
            let (step, state) = (&of.steps[0], &of.states[0]);
            if !state.status.is_well() && !context.dry_run {
                progress.line(&format!("line {}: {}", step.line, state.reason));
            }
            progress.add(1, None);
        };
        let apply = apply.operations(Arc::clone(&rows) as Arc<dyn Operations>);
        let applied = apply.run_until(plan, report, stop_signal()).await?;
        let endings = rows.endings(&applied.states);
        Ok((rows, endings, applied.stopped.map(Failure::from)))
    }
}

impl Operations for Batch {
    fn known(&self, step: &Step) -> Option<StepState> {
        let ending = self.endings[index_of(step)].as_ref();
        Some(match ending {
            Some(ending) if ending.is_well() => {
                StepState::new(Status::Unneeded, EARLIER, ending.stored())
            }
            Some(ending) if ending.is_ambiguous() => {
                StepState::new(Status::Sent, &ending.error, "")
            }
            _ => StepState::default(),
        })
    }

    fn is_idempotent(&self) -> bool {
        let mut open = self.calls().filter(|(index, _)| !self.is_settled(*index));
        open.all(|(_, call)| call.is_dry_run() || is_idempotent(call))
    }

    fn reason(&self, error: &Error) -> String {
        Failure::from(error).message().to_owned()
    }

    fn send<'a>(
        &'a self,
        lms: &'a Lms,
        step: &'a Step,
        _: Option<&'a str>,
        maybe_processed: bool,
    ) -> Sending<'a> {
        let index = index_of(step);
        Box::pin(async move {
            let Some(call) = self.call(index) else {
                let reason = "the row is not valid".to_owned();
                return Err(lms_plan::Problem::Ended(Status::Failed, reason));
            };
            if maybe_processed && !is_idempotent(call) {
                return Err(lms_plan::Problem::Ended(Status::Sent, UNCLEAR.to_owned()));
            }
            let applied = match apply(lms, call, maybe_processed).await {
                Ok(applied) => applied,
                Err(ApplyError::Call(error)) => return Err(error.into()),
                Err(ApplyError::Other(failure)) => {
                    let reason = failure.message().to_owned();
                    return Err(lms_plan::Problem::Ended(Status::Failed, reason));
                }
            };
            let is_done = !matches!(
                applied.effect,
                Effect::Existed | Effect::Unchanged | Effect::Absent
            );
            let (learner, action) = planned::changed(call, Some(&applied), &self.known);
            let ending = Ending::of_applied(&applied).of(call);
            let ending = ending.or_earlier(maybe_processed && !is_done);
            Ok(Sent::new(is_done, learner).with(action, ending.stored()))
        })
    }

    /// Replaces the results by a line for each row.
    fn store(&self, states: &[StepState]) -> Result<(), lms_plan::Error> {
        let Some(results) = &self.results else {
            return Ok(());
        };
        let endings = self.endings(states);
        let ended = self.rows().iter().zip(&endings);
        let finished =
            results.finish(ended.filter_map(|(row, ending)| Some((row, ending.as_ref()?))));
        finished.map_err(|failure| lms_plan::Error::results(failure.message()))
    }
}

async fn apply(lms: &Lms, call: &Call, maybe_processed: bool) -> Result<Applied, ApplyError> {
    match verbs::of(call.command).apply(lms, call).await {
        Err(ApplyError::Call(error))
            if maybe_processed && is_removal(call.command) && error.is_not_found() =>
        {
            Ok(Applied::new(Effect::Removed, None))
        }
        result => result,
    }
}
