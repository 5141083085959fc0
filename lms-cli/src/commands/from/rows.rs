//! The rows as the operations of a plan, and the file with their results.
//!
//! The engine of plans writes each row into the ledger before it is sent and after. The same command again sends what the
//! ledger and the results do not know to be done.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::ArgMatches;
use lms_ext::{Error, Lms, OperationInfo};
use lms_plan::{
    Action, Apply, Ledger, Operations, Plan, RecordedStep, Sending, Sent, Status, Step,
};
use lms_sync::tenant_id;

use super::{
    batch::Batch,
    results::{AMBIGUOUS, Ending, FAILED, Results, SENT, UNSENT},
};
use crate::{
    args::has,
    calls::{
        Call,
        applied::{Applied, Effect, Problem, Shown},
    },
    commands::write::is_idempotent,
    context::Context,
    failure::Failure,
    ledger,
    operations::lookup::is_removal,
    progress::Progress,
    signal::stop_signal,
    verbs,
};

/// Why a row in doubt is not sent again.
const UNCLEAR: &str = "an earlier run may have sent it; look for it, then correct lms_status in the results: added, or failed to send it again";

/// The rows of a run, and how each has ended.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) batch: Batch,
    /// `true` if every row to send can be sent again.
    is_idempotent: bool,
    endings: Mutex<Vec<Option<Ending>>>,
    /// Until they are finished.
    results: Mutex<Option<Results>>,
}

/// Opens the ledger, which no other run may have open. Its path is that of the tenant, unless it is given.
pub(super) async fn open_ledger(matches: &ArgMatches, lms: &Lms) -> Result<Ledger, Failure> {
    match has(matches, "state") {
        true => ledger::open(matches, lms, &tenant_id(lms).await?),
        false => Ok(Ledger::open_for_commands(&ledger::path(matches, lms)?)?),
    }
}

/// Completes the endings of an earlier run by the ledger: the results may lack them after a power cut.
pub(super) fn complete(
    steps: Vec<RecordedStep>,
    endings: &mut [Option<Ending>],
    operation: &OperationInfo,
) {
    for step in steps {
        let Some(known) = endings.get_mut(index_of(&step.step)) else {
            continue;
        };
        let is_known = match (&known, step.status) {
            (Some(known), _) if known.is_well() => true,
            (_, Status::Done | Status::Unneeded) => false,
            (None, Status::Sent) => false,
            // A person may have corrected the results of a run that was not killed.
            (Some(known), Status::Sent) => known.is_in_doubt() || !step.reason.is_empty(),
            _ => true,
        };
        if !is_known {
            *known = Some(recorded(&step, operation));
        }
    }
}

/// The ending of a row that the ledger knows.
fn recorded(known: &RecordedStep, operation: &OperationInfo) -> Ending {
    let (done, unneeded) = match operation.method.as_str() {
        "DELETE" => (Effect::Removed, Effect::Absent),
        "PUT" => (Effect::Changed, Effect::Unchanged),
        _ => (Effect::Added, Effect::Existed),
    };
    let status = match known.status {
        Status::Done => done.name(),
        Status::Unneeded => unneeded.name(),
        _ => SENT,
    };
    let id = match &known.step.action {
        Action::Command { object, .. } => Some(object),
        Action::Create { .. } | Action::Edit { .. } => known.step.learner.as_ref(),
        _ => None,
    };
    Ending {
        status: status.to_owned(),
        id: id.cloned().unwrap_or_default(),
        ..Ending::default()
    }
}

/// The steps of the rows that are valid.
pub(super) fn steps(batch: &Batch) -> Vec<Step> {
    let steps = batch.calls().map(|(index, call)| {
        let (learner, action) = verbs::of(call.command).step(call, None);
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let (line, name) = (batch.row(index).line, call.command.name());
        Step::of_row(number, line, name, action).about(learner)
    });
    steps.collect()
}

fn index_of(step: &Step) -> usize {
    (step.number as usize).saturating_sub(1)
}

impl Rows {
    /// Rows that have not ended well are sent; those in doubt are looked up if that is possible.
    pub(super) fn new(mut batch: Batch, results: Option<Results>) -> Self {
        batch.end_invalid();
        batch.look_up_doubtful();
        let mut endings = std::mem::take(&mut batch.endings);
        let mut idempotent = true;
        for (index, call) in batch.calls() {
            let in_doubt = match &endings[index] {
                Some(ending) if ending.is_well() => continue,
                Some(ending) => ending.is_in_doubt(),
                None => false,
            };
            match (in_doubt, is_idempotent(call)) {
                (true, true) => {}
                (true, false) => endings[index] = Some(Ending::error(AMBIGUOUS, UNCLEAR)),
                (false, again) => {
                    idempotent &= again;
                    endings[index] = None;
                }
            }
        }
        Self {
            batch,
            is_idempotent: idempotent,
            endings: Mutex::new(endings),
            results: Mutex::new(results),
        }
    }

    fn endings(&self) -> MutexGuard<'_, Vec<Option<Ending>>> {
        self.endings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn results(&self) -> MutexGuard<'_, Option<Results>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the rows. Returns how each has ended, and why rows are left, if some are.
    pub(super) async fn send(
        self: &Arc<Self>,
        context: &Context,
        apply: Apply<'_>,
        plan: Plan,
    ) -> Result<(Vec<Option<Ending>>, Option<Failure>), Failure> {
        let progress = Progress::of_writes(context, self.batch.rows().len() as u64);
        let well =
            |endings: &[Option<Ending>]| endings.iter().flatten().filter(|it| it.is_well()).count();
        progress.add(well(&self.endings()) as u64, None);
        let report = |steps: &[Step], _| {
            let index = index_of(&steps[0]);
            if let Some(ending) = &self.endings()[index]
                && !ending.is_well()
            {
                let line = self.batch.row(index).line;
                progress.line(&format!("line {line}: {}", ending.error));
            }
            progress.add(1, None);
        };
        let apply = apply.operations(Arc::clone(self) as Arc<dyn Operations>);
        let applied = apply.run_until(plan, report, stop_signal()).await?;
        let endings = std::mem::take(&mut *self.endings());
        Ok((endings, applied.stopped.map(Failure::from)))
    }

    /// Writes the ending of a row to the results.
    fn log(&self, index: usize, ending: Ending) -> Result<(), lms_plan::Error> {
        let ending = match self.batch.call(index) {
            Some(call) => ending.of(call),
            None => ending,
        };
        if let Some(results) = self.results().as_mut() {
            let appended = results.append(self.batch.row(index), &ending);
            appended.map_err(|failure| lms_plan::Error::results(failure.message()))?;
        }
        self.endings()[index] = Some(ending);
        Ok(())
    }
}

impl Operations for Rows {
    fn known(&self, step: &Step) -> Option<Status> {
        Some(match &self.endings()[index_of(step)] {
            Some(ending) if ending.is_well() => Status::Unneeded,
            Some(ending) if ending.is_in_doubt() => Status::Sent,
            _ => Status::Planned,
        })
    }

    fn is_idempotent(&self) -> bool {
        self.is_idempotent
    }

    fn reason(&self, error: &Error) -> String {
        Failure::from(error).message().to_owned()
    }

    fn send<'a>(
        &'a self,
        lms: &'a Lms,
        step: &'a Step,
        _: Option<&'a str>,
        in_doubt: bool,
    ) -> Sending<'a> {
        let index = index_of(step);
        Box::pin(async move {
            let Some(call) = self.batch.call(index) else {
                let reason = "the row is not valid".to_owned();
                return Err(lms_plan::Problem::Ended(Status::Failed, reason));
            };
            if in_doubt && !is_idempotent(call) {
                return Err(lms_plan::Problem::Ended(Status::Sent, UNCLEAR.to_owned()));
            }
            // So that the row is known to be in doubt if the program is killed.
            if !in_doubt {
                self.log(index, Ending::error(SENT, ""))?;
            }
            let result = apply(lms, call, in_doubt).await;
            self.log(index, ending(&result))?;
            match result {
                Ok(applied) => {
                    let is_done = !matches!(
                        applied.effect,
                        Effect::Existed | Effect::Unchanged | Effect::Absent
                    );
                    let (learner, action) = verbs::of(call.command).step(call, Some(&applied));
                    Ok(Sent::new(is_done, learner).with(action))
                }
                Err(Problem::Call(error)) => Err(error.into()),
                Err(Problem::Other(failure)) => {
                    let reason = failure.message().to_owned();
                    Err(lms_plan::Problem::Ended(Status::Failed, reason))
                }
            }
        })
    }

    /// Ends the rows of a run that was stopped, and replaces the results by a line for each row.
    fn store(&self) -> Result<(), lms_plan::Error> {
        let mut endings = self.endings();
        for ending in &mut *endings {
            match ending {
                Some(sent) if sent.status == SENT => {
                    AMBIGUOUS.clone_into(&mut sent.status);
                    "the run was stopped".clone_into(&mut sent.error);
                }
                Some(_) => {}
                None => *ending = Some(Ending::error(UNSENT, "")),
            }
        }
        let Some(results) = self.results().take() else {
            return Ok(());
        };
        let ended = self.batch.rows().iter().zip(&*endings);
        let finished =
            results.finish(ended.filter_map(|(row, ending)| Some((row, ending.as_ref()?))));
        finished.map_err(|failure| lms_plan::Error::results(failure.message()))
    }
}

async fn apply(lms: &Lms, call: &Call, in_doubt: bool) -> Result<Applied, Problem> {
    match verbs::of(call.command).apply(lms, call).await {
        Err(Problem::Call(error))
            if in_doubt && is_removal(call.command) && error.is_not_found() =>
        {
            Ok(Applied::new(Effect::Removed, Shown::Nothing))
        }
        result => result,
    }
}

fn ending(result: &Result<Applied, Problem>) -> Ending {
    match result {
        Ok(applied) => Ending {
            status: applied.effect.name().to_owned(),
            id: applied.id.clone().unwrap_or_default(),
            note: match applied.differs.is_empty() {
                true => String::new(),
                false => format!("kept: {}", applied.differs.join("; ")),
            },
            ..Ending::default()
        },
        Err(Problem::Other(failure)) => Ending::error(FAILED, failure.message()),
        Err(Problem::Call(error)) => {
            let status = match error.is_ambiguous() {
                true => AMBIGUOUS,
                false => FAILED,
            };
            Ending::error(status, Failure::from(error).message())
        }
    }
}
