//! Applies a plan: sends its steps and nothing else, and notes each in the ledger before and after.
//!
//! After a kill, the same call continues: steps that are done are not sent again, and those that may have been sent are
//! looked up. The steps of one person follow each other; people are processed concurrently.

use std::{collections::BTreeMap, num::NonZeroUsize};

use futures_util::{StreamExt as _, stream};
use lms_ext::Lms;
use lms_sync::tenant_id;

use crate::{
    error::{Error, ErrorKind},
    ledger::{Ledger, Status, who},
    plan::{Action, Group, Plan, Step, group_of},
    send::{Problem, Sent, send},
};

/// The number of people who are processed at the same time.
const CONCURRENCY: usize = 8;

/// Applies a plan.
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
    who: String,
}

/// The result of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The number of the run in the ledger.
    pub run: i64,
    /// The number of steps of the plan with each status.
    pub steps: BTreeMap<Status, usize>,
    /// The people whose steps did not all end well in this call.
    pub failures: Vec<Failure>,
    /// The error for which the run was ended early.
    pub stopped: Option<lms_ext::Error>,
    /// `true` if every step had ended before this call, so that it sent nothing.
    pub was_finished: bool,
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
        self.stopped.is_none()
            && self
                .steps
                .keys()
                .all(|status| matches!(status, Status::Done | Status::Unneeded))
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
            who: who(),
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

    /// Processes only people of these groups.
    pub fn only(mut self, groups: impl IntoIterator<Item = Group>) -> Self {
        self.only = groups.into_iter().collect();
        self
    }

    /// Ends the run when the steps of this number of people have failed.
    pub fn max_errors(mut self, people: usize) -> Self {
        self.max_errors = Some(people);
        self
    }

    /// Sets the number of people who are processed at the same time. Default: 8.
    pub fn concurrency(mut self, people: NonZeroUsize) -> Self {
        self.concurrency = people.get();
        self
    }

    /// Sends the steps, and calls `progress` after each person with the number of people that are left.
    ///
    /// # Errors
    ///
    /// [`Held`](ErrorKind::Held) if the plan is held and not approved, [`OtherTenant`](ErrorKind::OtherTenant) if it is for
    /// another tenant, and [`Ledger`](ErrorKind::Ledger) if a step cannot be noted; no further step is sent then. Errors of
    /// steps are in [`Applied`].
    pub async fn run(self, plan: &Plan, mut progress: impl FnMut(usize)) -> Result<Applied, Error> {
        self.check(plan).await?;
        let begun = self.ledger.begin(plan, &self.who)?;
        let (run, known) = (begun.run, begun.statuses);
        let mut statuses: Vec<Status> = known.iter().map(|(status, _)| *status).collect();
        let was_finished = statuses.iter().all(|status| status.is_final());
        let people = self.open_people(plan, &known);
        let mut left = people.len();
        let mut failures = Vec::new();
        let mut stopped = None;
        let this = &self;
        let mut ending =
            stream::iter(people)
                .map(|(first, steps, known)| async move {
                    (first, this.person(run, steps, &known).await)
                })
                .buffer_unordered(self.concurrency);
        while let Some((first, ended)) = ending.next().await {
            let Ended {
                statuses: new,
                failure,
                error,
            } = ended?;
            for (offset, status) in new.into_iter().enumerate() {
                statuses[first + offset] = status;
            }
            failures.extend(failure);
            left -= 1;
            progress(left);
            stopped = error.filter(|error| !error.is_object_specific());
            if stopped.is_some() || self.max_errors.is_some_and(|max| failures.len() >= max) {
                break;
            }
        }
        // No step may be sent after this.
        drop(ending);
        if statuses.iter().all(|status| status.is_final()) {
            self.ledger.end(run)?;
        }
        failures.sort_by_key(|failure: &Failure| failure.step.number);
        let mut counts = BTreeMap::new();
        for status in statuses {
            *counts.entry(status).or_default() += 1;
        }
        Ok(Applied {
            run,
            steps: counts,
            failures,
            stopped,
            was_finished,
        })
    }

    /// Fails if the plan must not be applied to the tenant of the client.
    async fn check(&self, plan: &Plan) -> Result<(), Error> {
        plan.check_approval(self.approved.as_deref())?;
        let tenant = tenant_id(self.lms).await?;
        if tenant == plan.tenant {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OtherTenant,
            format!(
                "the plan is for the tenant {} at {}, and the credentials belong to {tenant}",
                plan.tenant, plan.base_url
            ),
        ))
    }

    /// The people to process: the place of their first step, their steps, and what is known about these.
    fn open_people<'p>(
        &self,
        plan: &'p Plan,
        known: &[Known],
    ) -> Vec<(usize, &'p [Step], Vec<Known>)> {
        let mut start = 0;
        let mut people = Vec::new();
        for steps in plan.people() {
            let range = start..start + steps.len();
            start = range.end;
            let known = &known[range.clone()];
            let is_open = known.iter().any(|(status, _)| !status.is_final());
            if is_open && (self.only.is_empty() || self.only.contains(&group_of(steps))) {
                people.push((range.start, steps, known.to_vec()));
            }
        }
        people.truncate(self.limit.unwrap_or(usize::MAX));
        people
    }

    /// Sends the steps of a person that have not ended. After one that did not end well, the others wait.
    async fn person(&self, run: i64, steps: &[Step], known: &[Known]) -> Result<Ended, Error> {
        let mut ended = Ended {
            statuses: known.iter().map(|(status, _)| *status).collect(),
            failure: None,
            error: None,
        };
        let row = steps
            .first()
            .map(|step| step.row.clone())
            .unwrap_or_default();
        for (index, step) in steps.iter().enumerate() {
            let (status, noted) = &known[index];
            if *status == Status::Conflict {
                break;
            }
            if status.is_final() {
                continue;
            }
            let learner = match step.learner.clone().or_else(|| noted.clone()) {
                Some(learner) => Some(learner),
                None => self.ledger.learner(&step.key)?,
            };
            if sends(&step.action) {
                self.ledger
                    .note(run, step, Status::Sent, learner.as_deref(), "")?;
            }
            let sent = send(self.lms, step, learner.as_deref(), *status == Status::Sent).await;
            let (status, learner, reason) = outcome(&sent, learner);
            if let Err(Problem::Call(error)) = sent {
                ended.error = Some(error);
            }
            self.ledger
                .note(run, step, status, learner.as_deref(), &reason)?;
            ended.statuses[index] = status;
            if reason.is_empty() {
                continue;
            }
            if status == Status::Conflict {
                // The other steps follow from what the plan saw.
                for (index, step) in steps.iter().enumerate().skip(index + 1) {
                    self.ledger.note(
                        run,
                        step,
                        Status::Conflict,
                        None,
                        "an earlier step of this person is a conflict",
                    )?;
                    ended.statuses[index] = Status::Conflict;
                }
            }
            ended.failure = Some(Failure {
                step: step.clone(),
                status,
                reason,
                row,
            });
            break;
        }
        Ok(ended)
    }
}

/// The status of a step, and the learner that it is about.
type Known = (Status, Option<String>);

/// The status of a step that was sent, its learner, and the reason if it did not end well.
fn outcome(
    sent: &Result<Sent, Problem>,
    learner: Option<String>,
) -> (Status, Option<String>, String) {
    match sent {
        Ok(Sent::Done(learner)) => (Status::Done, Some(learner.clone()), String::new()),
        Ok(Sent::Unneeded(learner)) => (Status::Unneeded, Some(learner.clone()), String::new()),
        Err(Problem::Conflict(reason)) => (Status::Conflict, learner, reason.clone()),
        Err(Problem::Call(error)) if error.is_ambiguous() => {
            (Status::Sent, learner, error.to_string())
        }
        Err(Problem::Call(error)) => (Status::Failed, learner, error.to_string()),
    }
}

/// The steps of a person after a run.
struct Ended {
    statuses: Vec<Status>,
    failure: Option<Failure>,
    error: Option<lms_ext::Error>,
}

/// Returns `true` if the step needs a request.
fn sends(action: &Action) -> bool {
    !matches!(
        action,
        Action::Link { .. } | Action::Unlink | Action::Leave | Action::Return
    )
}
