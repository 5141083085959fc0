//! The run of a command in the ledger of its tenant.
//!
//! Each row is written there before it is sent and after, and each write is on the disk when it returns. The same command
//! again sends what the ledger and the results do not know to be done.

use clap::ArgMatches;
use lms_ext::{Lms, OperationInfo};
use lms_plan::{Action, CommandRun, Ledger, RecordedStep, Status, Step};
use lms_sync::tenant_id;

use super::{
    batch::Batch,
    file::Row,
    results::{Ending, SENT},
};
use crate::{
    args::has,
    calls::{
        applied::{Applied, Effect},
        call::Call,
    },
    failure::Failure,
    ledger, verbs,
};

/// The run of a command.
#[derive(Debug)]
pub(super) struct Record {
    ledger: Ledger,
    command: CommandRun,
    run: i64,
}

impl Record {
    /// Opens the ledger, which no other run may have open. Its path is that of the tenant, unless it is given.
    pub(super) async fn open(
        matches: &ArgMatches,
        lms: &Lms,
        command: CommandRun,
    ) -> Result<Self, Failure> {
        let ledger = match has(matches, "state") {
            true => ledger::open(matches, lms, &tenant_id(lms).await?)?,
            false => Ledger::open_for_commands(&ledger::path(matches, lms)?)?,
        };
        Ok(Self {
            ledger,
            command,
            run: 0,
        })
    }

    /// Completes the endings of an earlier run, which the results may lack after a power cut.
    pub(super) fn complete(
        &self,
        endings: &mut [Option<Ending>],
        operation: &OperationInfo,
    ) -> Result<(), Failure> {
        for step in self.ledger.unfinished(&self.command)? {
            let index = (step.step.number as usize).saturating_sub(1);
            let Some(known) = endings.get_mut(index) else {
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
                *known = Some(ending(&step, operation));
            }
        }
        Ok(())
    }

    /// Begins the run, or continues it. `is_new` if an earlier one of the same rows is not continued.
    pub(super) fn begin(
        &mut self,
        batch: &Batch,
        base: &Call,
        is_new: bool,
    ) -> Result<(), Failure> {
        let mut calls = batch.calls().peekable();
        let name = base.command.name();
        let steps = batch.rows().iter().enumerate().map(|(index, row)| {
            let call = calls.next_if(|(of, _)| *of == index).map(|(_, call)| call);
            match call {
                Some(call) => step(index, row, call, None),
                None => Step::of_row(
                    number(index),
                    row.line,
                    name.clone(),
                    Action::Command {
                        object: String::new(),
                        fields: Vec::new(),
                    },
                ),
            }
        });
        let steps: Vec<_> = steps.collect();
        if is_new {
            self.ledger.close_commands(&self.command)?;
        }
        let endings = batch.endings.iter().enumerate();
        let ended = endings.filter(|(_, ending)| ending.as_ref().is_some_and(Ending::is_well));
        let ended: Vec<_> = ended.map(|(index, _)| number(index)).collect();
        self.run = self.ledger.begin_command(&self.command, &steps, &ended)?;
        Ok(())
    }

    /// Writes the status of a row.
    pub(super) fn note(&self, step: &Step, status: Status, reason: &str) -> Result<(), Failure> {
        let noted = self.ledger.note_command(self.run, step, status, reason);
        Ok(noted?)
    }

    /// Ends the run if every row has ended well. The results decide about rows that remain in doubt.
    pub(super) fn end(&self, batch: &Batch) -> Result<(), Failure> {
        for (index, call) in batch.calls() {
            if let Some(ending) = &batch.endings[index]
                && ending.is_in_doubt()
            {
                let step = step(index, batch.row(index), call, None);
                self.note(&step, Status::Sent, &ending.error)?;
            }
        }
        Ok(self.ledger.end_command(self.run)?)
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// The step of a row, with its result if it has ended.
pub(super) fn step(index: usize, row: &Row, call: &Call, applied: Option<&Applied>) -> Step {
    let (learner, action) = verbs::of(call.command).step(call, applied);
    Step::of_row(number(index), row.line, call.command.name(), action).about(learner)
}

/// The ending of a row that the ledger knows.
fn ending(known: &RecordedStep, operation: &OperationInfo) -> Ending {
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
