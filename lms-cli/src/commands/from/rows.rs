//! The rows as the operations of a plan.
//!
//! The engine of plans writes each row into the ledger before it is sent and after, with how it ended. The same command
//! again sends what the ledger and the results do not know to be done.

use std::sync::Arc;

use lms_ext::{Error, ErrorKind, Lms};
use lms_plan::{Apply, MAYBE_DONE, Operations, Plan, Problem, Sending, Status, Step, StepState};

use super::{batch::Batch, earlier::EARLIER, file::Row};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
    },
    commands::{
        ending::{self, INVALID, id, may_be_processed, unsent},
        planned,
        write::is_idempotent,
    },
    context::Context,
    failure::Failure,
    operations::lookup::is_removal,
    progress::Progress,
    signal::stop_signal,
    verbs,
};

/// The reason for not sending an ambiguous row again.
const UNCLEAR: &str = "an earlier run may have sent it; look for it, then correct lms_status in the results: added, or failed to send it again";

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
    fn endings(&self, states: &[StepState]) -> Vec<StepState> {
        let mut states = states.iter();
        let endings = self.rows.iter().map(|row| {
            let state = row.call.is_ok().then(|| states.next()).flatten();
            match (&row.call, state, &row.ending) {
                (Ok(_), _, Some(ending)) if row.is_done() => ending.clone(),
                (Ok(_), state, _) => state.cloned().unwrap_or_default(),
                (Err(_), _, Some(ending)) if may_be_processed(ending) => ending.clone(),
                (Err(problem), ..) => {
                    let reason = format!("{}: {problem}", row.place);
                    StepState::new(Status::Failed, reason, INVALID)
                }
            }
        });
        endings.collect()
    }

    /// Sends the rows that have not ended well; ambiguous ones are looked up if that is possible. Returns the batch, the ending of
    /// each row, and the reason if rows are left.
    pub(super) async fn send(
        self,
        context: &Context,
        apply: Apply<'_>,
        plan: Plan,
    ) -> Result<(Arc<Self>, Vec<StepState>, Option<Failure>), Failure> {
        let batch = Arc::new(self);
        let progress = Progress::of_writes(context, batch.rows.len() as u64);
        progress.add(batch.earlier() as u64, None);
        let report = |steps: &[Step], states: &[StepState], _: usize| {
            let (step, state) = (&steps[0], &states[0]);
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
        let row = self.row(step);
        Some(match &row.ending {
            Some(ending) if row.is_done() => {
                StepState::new(Status::Unneeded, EARLIER, &ending.result)
            }
            Some(ending) if may_be_processed(ending) => ending.clone(),
            _ => row.call.as_ref().map(unsent).unwrap_or_default(),
        })
    }

    fn is_idempotent(&self) -> bool {
        let is_settled = |row: &Row| row.ending.as_ref().is_some_and(may_be_processed);
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
            let begun = begun.then(|| id(before)).filter(|id| !id.is_empty());
            if maybe_processed && begun.is_none() && !is_idempotent(call) {
                return Err(ended(Status::Sent, UNCLEAR));
            }
            let call = Call {
                begun: begun.map(str::to_owned),
                ..call.clone()
            };
            let applied = apply(lms, &call, maybe_processed).await;
            let applied = applied.map_err(|failure| match failure.call() {
                error if call.begun.is_some() && error.is_none_or(leaves_copy) => {
                    ended(Status::Sent, failure.message())
                }
                Some(error) => error.clone().into(),
                None => ended(Status::Failed, failure.message()),
            })?;
            let (learner, action) = planned::changed(&call, Some(&applied), &self.known);
            let mut state = ending::of_applied(&call, &applied);
            state.learner = learner;
            // The learner may have been added by the interrupted attempt.
            let is_part = [Effect::Tagged, Effect::Enrolled].contains(&applied.effect);
            if maybe_processed && is_part && state.reason.is_empty() {
                MAYBE_DONE.clone_into(&mut state.reason);
            }
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

/// Returns `true` if a copy that was started may be there after an error that says nothing about other rows.
fn leaves_copy(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::TaskFailed => false,
        ErrorKind::DeadlineExceeded => true,
        _ => error.is_object_specific(),
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
