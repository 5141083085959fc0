//! The rows as the operations of a plan.
//!
//! The engine of plans writes each row into the ledger before it is sent and after, with how it ended. The same command
//! again sends what the ledger and the results do not know to be done.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use clap::ArgMatches;
use lms_ext::{Error, ErrorKind, Lms};
use lms_plan::{
    Action, Apply, Input, Ledger, MAYBE_DONE, Operations, Plan, Problem, Processed, RecordedStep,
    Run, Sending, Status, Step, StepState,
};
use lms_sync::tenant_id;

use super::{batch::Batch, file::Row, results::by_row};
use crate::{
    args::has,
    calls::{
        Call,
        applied::{Applied, Effect},
    },
    commands::{
        ending::{AMBIGUOUS, Ending, FAILED, INVALID, UNSENT},
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

/// The runs of a command for the rows of a plan, or with its results, the newest first; and the step of each row in the one
/// that has not ended.
///
/// # Errors
///
/// Usage, if the results are those of another command, which has sent rows and has not ended.
pub(super) fn earlier_runs(
    ledger: &Ledger,
    plan: &Plan,
    rows: &[Row],
    command: &str,
) -> Result<(Vec<Run>, Vec<Option<RecordedStep>>), Failure> {
    let Input { results, .. } = &plan.input;
    let mut runs = ledger.runs()?;
    runs.retain(|run| {
        let is_it = run.hash == plan.hash || (run.results == *results && !results.is_empty());
        run.purpose == "command" && is_it
    });
    let is_of_command = |run: &Run| run.input.starts_with(&format!("{command} --from "));
    let is_sent = |run: &Run| {
        let mut statuses = run.steps.keys();
        statuses.any(|status| !matches!(status, Status::Planned | Status::Failed))
    };
    let known = match runs.iter().find(|run| run.ended.is_none()) {
        Some(open) if is_of_command(open) => steps_of(ledger, open, rows)?,
        Some(open) if is_sent(open) => {
            return Err(Failure::usage(format!(
                "{results} is for the results of another command, which has not ended: {}; run that command again, or name another file for the results",
                open.input
            )));
        }
        _ => Vec::new(),
    };
    Ok((runs, known))
}

/// Completes the endings of rows by the steps of a run that has not ended: it was killed, or its results are gone.
pub(super) fn complete(steps: Vec<Option<RecordedStep>>, endings: &mut [Option<Ending>]) {
    for (step, ending) in steps.into_iter().zip(endings) {
        let Some(step) = step else { continue };
        let is_better = match (&ending, step.state.status) {
            (None, Status::Sent) => true,
            // A person may have corrected the results of a run that was not killed.
            (Some(ending), Status::Sent) => !ending.is_ambiguous() && step.state.reason.is_empty(),
            (Some(ending), _) if ending.is_well() => false,
            (_, status) => status.is_well(),
        };
        if is_better {
            let mut found = recorded(&step.state);
            if let (Action::Command { object, .. }, true) = (step.step.action, found.id.is_empty())
            {
                found.id = object;
            }
            *ending = Some(found);
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

/// The rows that ended well in an earlier run of the command, and whose object a later run has changed: an undo, an import,
/// or another command.
pub(super) fn overtaken(
    ledger: &Ledger,
    runs: &[Run],
    rows: &[Row],
    command: &Command,
) -> Result<BTreeSet<usize>, Failure> {
    let mut last: Vec<Option<RecordedStep>> = rows.iter().map(|_| None).collect();
    for run in runs {
        for (last, step) in last.iter_mut().zip(steps_of(ledger, run, rows)?) {
            let is_it = |RecordedStep { step, state, .. }: &RecordedStep| {
                state.status != Status::Planned && state.reason != EARLIER && object(step).is_some()
            };
            *last = last.take().or(step.filter(is_it));
        }
        if last.iter().all(Option::is_some) {
            break;
        }
    }
    let last: BTreeMap<usize, RecordedStep> = (0..)
        .zip(last)
        .filter_map(|(row, step)| Some((row, step?)))
        .collect();
    let Some(oldest) = last.values().map(|recorded| recorded.run).min() else {
        return Ok(BTreeSet::new());
    };
    let learners = last.values().filter_map(|of| of.step.learner.as_deref());
    let later = ledger.steps_after(oldest, &learners.collect::<Vec<_>>())?;
    let mut of_object: HashMap<_, Vec<&RecordedStep>> = HashMap::new();
    for recorded in &later {
        of_object
            .entry(object(&recorded.step))
            .or_default()
            .push(recorded);
    }
    let is_overtaken = |(_, row): &(usize, RecordedStep)| {
        let mut later = of_object.get(&object(&row.step)).into_iter().flatten();
        row.state.status.is_well()
            && later.any(|it| it.run > row.run && reverses(&it.step, &row.step, command))
    };
    let overtaken = last.into_iter().filter(is_overtaken);
    Ok(overtaken.map(|(row, _)| row).collect())
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
fn recorded(state: &StepState) -> Ending {
    let stored: Ending = serde_json::from_str(&state.result).unwrap_or_default();
    let (status, error) = match state.status {
        // The result of a state that is damaged is not known.
        status if status.is_well() && stored.status.is_empty() => (Effect::Changed.name(), ""),
        status if status.is_well() => return stored,
        Status::Sent => (AMBIGUOUS, state.reason.as_str()),
        Status::Planned => (UNSENT, ""),
        _ => (FAILED, state.reason.as_str()),
    };
    Ending {
        id: stored.id,
        ..Ending::error(status, error)
    }
}

/// The steps of the rows that are valid, with the number of the row.
pub(super) fn steps(batch: &Batch) -> Vec<Step> {
    let rows = batch.rows.iter().zip(1..);
    let steps = rows.filter_map(|(row, number)| {
        let call = row.call.as_ref().ok()?;
        let (place, texts) = ((number, row.line), row.written.clone());
        Some(planned::step(call, &batch.known, place, texts))
    });
    steps.collect()
}

impl Batch {
    fn row(&self, step: &Step) -> &Row {
        &self.rows[step.number as usize - 1]
    }

    /// The ending of each row, by the states of the steps.
    fn endings(&self, states: &[StepState]) -> Vec<Ending> {
        let mut states = states.iter();
        let endings = self.rows.iter().map(|row| match (&row.call, &row.ending) {
            (Ok(call), _) => {
                let state = states.next().cloned().unwrap_or_default();
                recorded(&state).of(call)
            }
            (Err(_), Some(ending)) if ending.may_be_processed() => ending.clone(),
            // The results have nothing else of a row that cannot be read.
            (Err(problem), _) if row.is_unreadable => {
                Ending::error(INVALID, format!("{}: {problem}", row.place))
            }
            (Err(problem), _) => Ending::error(INVALID, problem),
        });
        endings.collect()
    }

    /// Sends the rows that have not ended well; ambiguous ones are looked up if that is possible. Returns the batch, the ending of
    /// each row, and the reason if rows are left.
    pub(super) async fn send(
        mut self,
        context: &Context,
        apply: Apply<'_>,
        plan: Plan,
    ) -> Result<(Arc<Self>, Vec<Ending>, Option<Failure>), Failure> {
        self.look_up_ambiguous();
        let batch = Arc::new(self);
        let progress = Progress::of_writes(context, batch.rows.len() as u64);
        progress.add(batch.earlier() as u64, None);
        let report = |of: Processed<'_>| {
            let (step, state) = (&of.steps[0], &of.states[0]);
            if !state.status.is_well() && !context.dry_run {
                progress.line(&format!("{}: {}", batch.row(step).place, state.reason));
            }
            progress.add(1, None);
        };
        let operations = Some(Arc::clone(&batch) as Arc<dyn Operations>);
        let apply = Apply {
            operations,
            ..apply
        };
        let applied = apply.run(plan, report, stop_signal()).await?;
        let endings = batch.endings(&applied.states);
        Ok((batch, endings, applied.stopped.map(Failure::from)))
    }
}

impl Operations for Batch {
    fn known(&self, step: &Step) -> Option<StepState> {
        Some(match &self.row(step).ending {
            Some(ending) if ending.is_well() => {
                StepState::new(Status::Unneeded, EARLIER, ending.stored())
            }
            Some(ending) if ending.is_ambiguous() => {
                StepState::new(Status::Sent, &ending.error, ending.stored())
            }
            _ => StepState::default(),
        })
    }

    fn is_idempotent(&self) -> bool {
        let is_settled = |row: &Row| row.ending.as_ref().is_some_and(Ending::may_be_processed);
        let mut open = self.calls().filter(|(row, _)| !is_settled(row));
        open.all(|(_, call)| call.is_dry_run() || is_idempotent(call))
    }

    fn reason(&self, error: &Error) -> String {
        Failure::from(error).message().to_owned()
    }

    fn send<'a>(&'a self, lms: &'a Lms, step: &'a Step, before: &'a StepState) -> Sending<'a> {
        let ended = |status, reason: &str| Problem::Ended(status, reason.to_owned());
        Box::pin(async move {
            let call = self.row(step).call.as_ref();
            let call = call.map_err(|problem| ended(Status::Failed, problem))?;
            let maybe_processed = before.status == Status::Sent;
            let begun = maybe_processed && verbs::of(call.command).waits();
            let begun = begun
                .then(|| recorded(before).id)
                .filter(|id| !id.is_empty());
            if maybe_processed && begun.is_none() && !is_idempotent(call) {
                return Err(ended(Status::Sent, UNCLEAR));
            }
            let call = Call {
                begun,
                ..call.clone()
            };
            let applied = apply(lms, &call, maybe_processed).await;
            let applied = applied.map_err(|failure| match failure.call() {
                // The end of the time to wait says nothing about other rows.
                Some(error)
                    if call.begun.is_some() && error.kind() == ErrorKind::DeadlineExceeded =>
                {
                    ended(Status::Sent, failure.message())
                }
                Some(error) => error.clone().into(),
                None => ended(Status::Failed, failure.message()),
            })?;
            let (status, is_whole) = match applied.effect {
                _ if applied.has_begun => (Status::Sent, true),
                Effect::Existed | Effect::Unchanged | Effect::Absent => (Status::Unneeded, false),
                // The learner may have been added by the interrupted attempt.
                Effect::Tagged | Effect::Enrolled => (Status::Done, false),
                Effect::Added | Effect::Changed | Effect::Removed => (Status::Done, true),
            };
            let (learner, action) = planned::changed(&call, Some(&applied), &self.known);
            let ending = Ending::of_applied(&applied).of(&call);
            let ending = ending.or_earlier(maybe_processed && !is_whole);
            let reason = ending.may_be_done().then_some(MAYBE_DONE);
            let reason = reason.unwrap_or_default();
            let mut state = StepState::new(status, reason, ending.stored());
            state.learner = learner;
            Ok((state, action))
        })
    }

    /// Replaces the results by a line for each row.
    fn store(&self, states: &[StepState]) -> Result<(), lms_plan::Error> {
        let Some(results) = &self.results else {
            return Ok(());
        };
        let endings = self.endings(states);
        let finished = results.finish(self.rows.iter().zip(&endings));
        finished.map_err(|failure| lms_plan::Error::results(failure.message()))
    }
}

async fn apply(lms: &Lms, call: &Call, maybe_processed: bool) -> Result<Applied, Failure> {
    let applied = verbs::of(call.command).apply(lms, call).await;
    applied.or_else(|failure| {
        let is_gone = failure.call().is_some_and(Error::is_not_found);
        match maybe_processed && is_removal(call.command) && is_gone {
            true => Ok(Applied::new(Effect::Removed, None)),
            false => Err(failure),
        }
    })
}
