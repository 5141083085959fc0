//! Applies a plan: sends its steps and nothing else, and notes each in the ledger before and after.
//!
//! After a kill, the same call continues: steps that are done are not sent again, and those that may have been sent are
//! looked up. The steps of one person follow each other; people are processed concurrently, by [`Lms::bulk`].

use std::{
    ops::Range,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::future::{Either, select};
use lms_ext::Lms;
use lms_sync::tenant_id;

use crate::{
    error::{Error, ErrorKind},
    ledger::{Ledger, MAYBE_DONE, RecordedStep, Status, StepState, WeakLedger},
    plan::{Group, Plan, Step, group_of},
    send::{Operations, Planned, Problem},
};

/// Applies a plan: sends its steps, and records each in the ledger before and after.
///
/// A plan that was applied in part continues: steps that are done are not sent again, and steps that may have been sent are
/// looked up first. A plan that was applied completely sends nothing. The steps of one person follow each other; people are
/// processed concurrently.
#[derive(Debug)]
#[must_use = "nothing is sent until `run` is awaited"]
pub struct Apply<'a> {
    /// The client of the tenant.
    pub lms: &'a Lms,
    /// The ledger of the tenant.
    pub ledger: &'a Ledger,
    /// The hash of the plan that is applied although it is held.
    pub approved: Option<String>,
    /// Maximum number of people to process; the same call later continues with others.
    pub limit: Option<usize>,
    /// The groups of people to process; all if it is empty.
    pub only: Vec<Group>,
    /// Number of people who failed after which the run ends.
    pub max_errors: Option<usize>,
    /// Number of people who are processed at the same time, at most `max_concurrent` of the client. 0 counts as 1.
    pub concurrency: usize,
    /// The operations that send the steps; those of the actions if there are none. With them, a [plan of a
    /// command](Plan::of_command) may be without a tenant, and applies to that of the client.
    pub operations: Option<Arc<dyn Operations>>,
}

/// The result of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The number of the run in the ledger.
    pub run: i64,
    /// The state of each step of the plan, in its order.
    pub states: Vec<StepState>,
    /// The first step of each person that failed, is a conflict or may have been sent, in this call or an earlier one for the
    /// plan, with the row of the person.
    pub failures: Vec<RecordedStep>,
    /// The error that ended the run early: an outage, invalid credentials, the ledger, or
    /// [`Cancelled`](ErrorKind::Cancelled). `None` after [`max_errors`](Apply::max_errors).
    pub stopped: Option<Error>,
    /// `true` if every step had ended before this call, so that it sent nothing.
    pub was_finished: bool,
}

impl Applied {
    /// Returns `true` if every step of the plan has ended well.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.states.iter().all(|state| state.status.is_well())
    }

    /// The number of steps with a status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        let states = self.states.iter();
        states.filter(|state| state.status == status).count()
    }
}

impl<'a> Apply<'a> {
    /// Applies plans to the tenant of a client, with the ledger of that tenant; 8 people at the same time.
    pub fn new(lms: &'a Lms, ledger: &'a Ledger) -> Self {
        Self {
            lms,
            ledger,
            approved: None,
            limit: None,
            only: Vec::new(),
            max_errors: None,
            concurrency: 8,
            operations: None,
        }
    }

    /// Sends the steps, and calls `progress` after each person, with the steps, their states and the number of people who are
    /// left. People for whom a request fails temporarily are tried once more after the others. An outage ends the run, and so
    /// does the completion of `cancelled`.
    ///
    /// # Errors
    ///
    /// [`Held`](ErrorKind::Held) if the plan is held and not approved, [`OtherTenant`](ErrorKind::OtherTenant) if it is for
    /// another tenant, and [`Ledger`](ErrorKind::Ledger) if the run cannot begin. Errors after that are in [`Applied`].
    pub async fn run(
        self,
        plan: impl Into<Arc<Plan>>,
        mut progress: impl FnMut(&[Step], &[StepState], usize),
        cancelled: impl Future<Output = ()>,
    ) -> Result<Applied, Error> {
        let plan = plan.into();
        self.check(&plan).await?;
        let operations = match &self.operations {
            Some(operations) => Arc::clone(operations),
            None => Arc::new(Planned),
        };
        let (run, mut states) = self.ledger.begin(&plan, |step| operations.known(step))?;
        let was_finished = states.iter().all(|state| state.status.is_final());
        let people = self.open_people(run, &plan, &mut states)?;
        let mut left = people.len();
        let mut bulk = self.lms.bulk(people).concurrency(self.concurrency);
        if operations.is_idempotent() {
            bulk = bulk.idempotent();
        }
        let run = Arc::new(Run {
            run,
            plan,
            operations,
            ledger: self.ledger.weak(),
            states: Mutex::new(states),
        });
        let sending = Arc::clone(&run);
        let mut outcomes = bulk.run(move |lms, steps| {
            let run = Arc::clone(&sending);
            async move { run.person(&lms, steps).await }
        });
        let mut failed = 0;
        let mut cancelled = pin!(cancelled);
        let stopped = loop {
            let outcome = match select(&mut cancelled, pin!(outcomes.try_next())).await {
                Either::Left(_) => break Some(Error::new(ErrorKind::Cancelled, "cancelled")),
                Either::Right((Ok(Some(outcome)), _)) => outcome,
                Either::Right((Ok(None), _)) => break None,
                Either::Right((Err(error), _)) => break Some(error.into()),
            };
            let is_well = match outcome.result {
                Ok(Ok(is_well)) => is_well,
                Ok(Err(error)) => break Some(error),
                Err(_) => false,
            };
            left -= 1;
            let steps = &run.plan.steps[outcome.item.clone()];
            progress(steps, &run.states()[outcome.item], left);
            failed += usize::from(!is_well);
            if self.max_errors.is_some_and(|max| failed >= max) {
                break None;
            }
        };
        // No step may be sent after this.
        drop(outcomes);
        Ok(run.conclude(self.ledger, stopped, was_finished))
    }

    /// Fails if the plan must not be applied to the tenant of the client.
    async fn check(&self, plan: &Plan) -> Result<(), Error> {
        plan.check_approval(self.approved.as_deref())?;
        if self.operations.is_some() && plan.tenant.is_empty() {
            return Ok(());
        }
        plan.check_tenant(&tenant_id(self.lms).await?)
    }

    /// The people to process, by the places of their steps. Those who need no request are noted, all at once.
    fn open_people(
        &self,
        run: i64,
        plan: &Plan,
        states: &mut [StepState],
    ) -> Result<Vec<Range<usize>>, Error> {
        let mut start = 0;
        let people = plan.people().map(|steps| {
            let range = start..start + steps.len();
            start = range.end;
            (steps, range)
        });
        let is_open = |(steps, range): &(&[Step], Range<usize>)| {
            let mut states = states[range.clone()].iter();
            states.any(|state| !state.status.is_final())
                && (self.only.is_empty() || self.only.contains(&group_of(steps)))
        };
        let people = people
            .filter(is_open)
            .take(self.limit.unwrap_or(usize::MAX));
        let (people, silent): (Vec<_>, Vec<_>) =
            people.partition(|(steps, _)| steps.iter().any(sends));
        self.ledger
            .note_done(run, silent.iter().flat_map(|(steps, _)| *steps))?;
        for index in silent.into_iter().flat_map(|(_, range)| range) {
            states[index].status = Status::Done;
        }
        Ok(people.into_iter().map(|(_, range)| range).collect())
    }
}

/// A run, which its tasks share. Only its caller keeps the ledger open.
struct Run {
    run: i64,
    plan: Arc<Plan>,
    operations: Arc<dyn Operations>,
    ledger: WeakLedger,
    states: Mutex<Vec<StepState>>,
}

impl Run {
    fn states(&self) -> MutexGuard<'_, Vec<StepState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the steps of a person that have not ended. After one that did not end well, the others wait. Returns whether
    /// all ended well; an error of the ledger or of the operations ends the run.
    async fn person(
        &self,
        lms: &Lms,
        steps: Range<usize>,
    ) -> Result<Result<bool, Error>, lms_ext::Error> {
        for index in steps.clone() {
            if self.states()[index].status.is_final() {
                continue;
            }
            let status = match self.step(lms, index).await {
                Ok(status) => status,
                Err(Problem::Call(error)) => return Err(error),
                Err(Problem::Stop(error)) => return Ok(Err(error)),
                Err(Problem::Ended(status, _)) => status,
            };
            if status == Status::Conflict {
                // The other steps follow from what the plan saw.
                let state = StepState {
                    status,
                    reason: "an earlier step of this person is a conflict".to_owned(),
                    ..StepState::default()
                };
                let mut others = index + 1..steps.end;
                let noted = others
                    .try_for_each(|index| self.note(index, &self.plan.steps[index], state.clone()));
                return Ok(noted.map(|()| false));
            }
            if !status.is_well() {
                return Ok(Ok(false));
            }
        }
        Ok(Ok(true))
    }

    /// Sends a step, and notes it before and after. One that has begun something is sent again, to wait for that.
    async fn step(&self, lms: &Lms, index: usize) -> Result<Status, Problem> {
        let mut step = self.plan.steps[index].clone();
        let mut state = self.states()[index].clone();
        state.learner = match step.learner.clone().or(state.learner) {
            None if !step.key.is_empty() => self.ledger.open()?.learner(&step.key)?,
            learner => learner,
        };
        loop {
            let before = state.clone();
            state.reason.clear();
            if sends(&step) {
                state.status = Status::Sent;
                self.note(index, &step, state.clone())?;
            }
            let mut failed = None;
            match self.operations.send(lms, &step, &before).await {
                Ok((ended, action)) => {
                    let learner = ended.learner.clone().or(state.learner);
                    (state, step.action) = (StepState { learner, ..ended }, action);
                    let is_known = state.status != Status::Unneeded || !state.reason.is_empty();
                    if before.status == Status::Sent && !is_known {
                        MAYBE_DONE.clone_into(&mut state.reason);
                    }
                }
                Err(Problem::Ended(status, reason)) => {
                    (state.status, state.reason) = (status, reason);
                }
                Err(Problem::Stop(error)) => return Err(error.into()),
                Err(Problem::Call(error)) => {
                    // Only a response about the step settles whether an earlier attempt was processed.
                    let is_settled = before.status != Status::Sent || error.is_object_specific();
                    state.status = match is_settled && !error.is_ambiguous() {
                        true => Status::Failed,
                        false => Status::Sent,
                    };
                    state.reason = self.operations.reason(&error);
                    failed = Some(error);
                }
            }
            self.note(index, &step, state.clone())?;
            match failed {
                Some(error) => return Err(error.into()),
                None if state.status == Status::Sent && state.reason.is_empty() => {}
                None => return Ok(state.status),
            }
        }
    }

    /// Notes the state of a step in the ledger.
    fn note(&self, index: usize, step: &Step, state: StepState) -> Result<(), Error> {
        self.ledger.open()?.note(self.run, step, &state)?;
        self.states()[index] = state;
        Ok(())
    }

    /// Ends the run. What the operations store is stored before the run ends in the ledger.
    fn conclude(&self, ledger: &Ledger, stopped: Option<Error>, was_finished: bool) -> Applied {
        let mut states = std::mem::take(&mut *self.states());
        let mut failures = Vec::new();
        let mut rest = states.as_mut_slice();
        for steps in self.plan.people() {
            let (states, others) = std::mem::take(&mut rest).split_at_mut(steps.len());
            rest = others;
            let failed = states
                .iter()
                .position(|state| !state.status.is_well() && !state.reason.is_empty());
            failures.extend(failed.map(|failed| RecordedStep {
                run: self.run,
                step: Step {
                    row: steps[0].row.clone(),
                    ..steps[failed].clone()
                },
                state: states[failed].clone(),
                at: None,
            }));
            for state in states {
                if state.status == Status::Sent && state.reason.is_empty() {
                    STOPPED.clone_into(&mut state.reason);
                }
            }
        }
        let stored = self.operations.store(&states);
        let concluded = ledger.conclude(self.run, STOPPED, stored.is_ok());
        let stored = stored.and(concluded);
        Applied {
            run: self.run,
            failures,
            states,
            stopped: stopped.or(stored.err()),
            was_finished,
        }
    }
}

/// The reason of a step whose request was given up.
const STOPPED: &str = "the run was stopped";

/// Returns `true` if the step needs a request, or a learner who is not known yet.
fn sends(step: &Step) -> bool {
    !step.action.is_silent() || step.learner.is_none()
}
