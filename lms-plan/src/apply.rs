//! Applies a plan: sends its steps and nothing else, and notes each in the ledger before and after.
//!
//! After a kill, the same call continues: steps that are done are not sent again, and those that may have been sent are
//! looked up. The steps of one person follow each other; people are processed concurrently, by [`Lms::bulk`].

use std::{
    borrow::Cow,
    collections::BTreeMap,
    future::pending,
    ops::Range,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::future::{Either, select};
use lms_ext::Lms;
use lms_sync::tenant_id;

use crate::{
    error::{Error, ErrorKind},
    ledger::{Ledger, MAYBE_DONE, Status, StepState, WeakLedger},
    plan::{Group, Plan, Step, group_of},
    send::{Operations, Planned, Problem},
};

/// The number of people who are processed at the same time.
const CONCURRENCY: usize = 8;

/// Applies a plan: sends its steps, and records each in the ledger before and after.
///
/// A plan that was applied in part continues: steps that are done are not sent again, and steps that may have been sent are
/// looked up first. A plan that was applied completely sends nothing. The steps of one person follow each other; people are
/// processed concurrently.
#[derive(Debug)]
#[must_use = "nothing is sent until `run` is awaited"]
pub struct Apply<'a> {
    lms: &'a Lms,
    ledger: &'a Ledger,
    approved: Option<String>,
    limit: Option<usize>,
    only: Vec<Group>,
    max_errors: Option<usize>,
    concurrency: usize,
    operations: Option<Arc<dyn Operations>>,
}

/// The result of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The number of the run in the ledger.
    pub run: i64,
    /// The number of steps of the plan with each status.
    pub steps: BTreeMap<Status, usize>,
    /// The state of each step of the plan, in its order.
    pub states: Vec<StepState>,
    /// The people with a step that failed, is a conflict or may have been sent, in this call or an earlier one for the plan.
    pub failures: Vec<Failure>,
    /// The error that ended the run early: an outage, invalid credentials, the ledger, or
    /// [`Cancelled`](ErrorKind::Cancelled). `None` after [`max_errors`](Apply::max_errors).
    pub stopped: Option<Error>,
    /// `true` if every step had ended before this call, so that it sent nothing.
    pub was_finished: bool,
}

/// A person who was processed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Processed<'a> {
    /// The steps of the person.
    pub steps: &'a [Step],
    /// The state of each.
    pub states: &'a [StepState],
    /// The number of people who are left.
    pub left: usize,
}

/// A person whose steps did not all end well.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The step.
    pub step: Step,
    /// The status: failed, conflict or sent.
    pub status: Status,
    /// The reason.
    pub reason: String,
    /// The texts of the person's row; empty if the person is not in the file.
    pub row: Vec<String>,
}

impl Applied {
    /// Returns `true` if every step of the plan has ended well.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.steps.keys().all(|status| status.is_well())
    }

    /// The number of steps with a status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.steps.get(&status).copied().unwrap_or_default()
    }
}

impl<'a> Apply<'a> {
    /// Applies plans to the tenant of a client, with the ledger of that tenant.
    pub fn new(lms: &'a Lms, ledger: &'a Ledger) -> Self {
        Self {
            lms,
            ledger,
            approved: None,
            limit: None,
            only: Vec::new(),
            max_errors: None,
            concurrency: CONCURRENCY,
            operations: None,
        }
    }

    /// Approves the plan with this hash, although it is held.
    pub fn approve(mut self, hash: impl Into<String>) -> Self {
        self.approved = Some(hash.into());
        self
    }

    /// Processes at most this number of people; the same call later continues with others.
    pub fn limit(mut self, people: usize) -> Self {
        self.limit = Some(people);
        self
    }

    /// Processes only people of these groups. Default, and for an empty iterator: all.
    pub fn only(mut self, groups: impl IntoIterator<Item = Group>) -> Self {
        self.only = groups.into_iter().collect();
        self
    }

    /// Ends the run when the steps of this number of people have failed. Default: no limit.
    pub fn max_errors(mut self, people: usize) -> Self {
        self.max_errors = Some(people);
        self
    }

    /// Sets the number of people who are processed at the same time, at most `max_concurrent` of the client. Default: 8.
    /// 0 counts as 1.
    pub fn concurrency(mut self, people: usize) -> Self {
        self.concurrency = people;
        self
    }

    /// Sends the steps by these operations. A [plan of a command](Plan::of_command), which names no tenant, is then for
    /// that of the client.
    pub fn operations(mut self, operations: Arc<dyn Operations>) -> Self {
        self.operations = Some(operations);
        self
    }

    /// Sends the steps, and calls `progress` after each person. People for whom a request fails temporarily are tried once
    /// more after the others, and an outage ends the run.
    ///
    /// # Errors
    ///
    /// [`Held`](ErrorKind::Held) if the plan is held and not approved, [`OtherTenant`](ErrorKind::OtherTenant) if it is for
    /// another tenant, and [`Ledger`](ErrorKind::Ledger) if the run cannot begin. Errors after that are in [`Applied`].
    pub async fn run(
        self,
        plan: impl Into<Arc<Plan>>,
        progress: impl FnMut(Processed<'_>),
    ) -> Result<Applied, Error> {
        self.run_until(plan, progress, pending()).await
    }

    /// Like [`run`](Self::run), and ends the run early when `cancelled` completes.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub async fn run_until(
        self,
        plan: impl Into<Arc<Plan>>,
        mut progress: impl FnMut(Processed<'_>),
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
        let people = self.open_people(&plan, &states);
        let people = self.note_silent(run, &plan, &mut states, people)?;
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
            progress(Processed {
                steps: &run.plan.steps[outcome.item.clone()],
                states: &run.states()[outcome.item],
                left,
            });
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

    /// Notes people who need no request, all at once, and returns the others.
    fn note_silent(
        &self,
        run: i64,
        plan: &Plan,
        states: &mut [StepState],
        people: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>, Error> {
        let (people, silent): (Vec<_>, Vec<_>) = people
            .into_iter()
            .partition(|steps| plan.steps[steps.clone()].iter().any(sends));
        let silent: Vec<usize> = silent.into_iter().flatten().collect();
        let steps = silent.iter().map(|index| &plan.steps[*index]);
        self.ledger.note_done(run, steps)?;
        for index in silent {
            states[index].status = Status::Done;
        }
        Ok(people)
    }

    /// The people to process, by the places of their steps.
    fn open_people(&self, plan: &Plan, states: &[StepState]) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut people = Vec::new();
        for steps in plan.people() {
            let range = start..start + steps.len();
            start = range.end;
            let mut states = states[range.clone()].iter();
            let is_open = states.any(|state| !state.status.is_final());
            if is_open && (self.only.is_empty() || self.only.contains(&group_of(steps))) {
                people.push(range);
            }
        }
        people.truncate(self.limit.unwrap_or(usize::MAX));
        people
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

    /// Sends a step, and notes it before and after.
    async fn step(&self, lms: &Lms, index: usize) -> Result<Status, Problem> {
        let step = &self.plan.steps[index];
        let mut state = self.states()[index].clone();
        let maybe_processed = state.status == Status::Sent;
        state.learner = match step.learner.clone().or(state.learner) {
            None if !step.key.is_empty() => self.ledger.open()?.learner(&step.key)?,
            learner => learner,
        };
        state.reason.clear();
        if sends(step) {
            state.status = Status::Sent;
            self.note(index, step, state.clone())?;
        }
        let learner = state.learner.clone();
        let sent = self
            .operations
            .send(lms, step, learner.as_deref(), maybe_processed);
        let mut ended = Cow::Borrowed(step);
        let mut failed = None;
        match sent.await {
            Ok(sent) => {
                if let Some(action) = sent.action {
                    ended.to_mut().action = action;
                }
                state.status = sent.status;
                let is_unneeded = sent.status == Status::Unneeded;
                if sent.may_be_earlier || (maybe_processed && is_unneeded) {
                    MAYBE_DONE.clone_into(&mut state.reason);
                }
                state.learner = sent.learner.or(state.learner);
                state.result = sent.result;
            }
            Err(Problem::Ended(status, reason)) => (state.status, state.reason) = (status, reason),
            Err(Problem::Stop(error)) => return Err(error.into()),
            Err(Problem::Call(error)) => {
                state.status = match error.is_ambiguous() {
                    true => Status::Sent,
                    false => Status::Failed,
                };
                state.reason = self.operations.reason(&error);
                failed = Some(error);
            }
        }
        let status = state.status;
        self.note(index, &ended, state)?;
        failed.map_or(Ok(status), |error| Err(error.into()))
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
            failures.extend(failed.map(|failed| Failure {
                step: steps[failed].clone(),
                status: states[failed].status,
                reason: states[failed].reason.clone(),
                row: steps[0].row.clone(),
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
        let mut steps = BTreeMap::new();
        for state in &states {
            *steps.entry(state.status).or_default() += 1;
        }
        Applied {
            run: self.run,
            failures,
            steps,
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
