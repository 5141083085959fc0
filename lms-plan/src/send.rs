//! Sends one step, through the safe edits and the idempotent additions of `lms-ext`.
//!
//! The object must be as the plan saw it. A step that an earlier run may have sent is looked up by the same calls: an
//! addition finds the learner, and an edit finds its values.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    pin::Pin,
    sync::mpsc::{self, Sender},
};

use lms_ext::{EnrolmentScope, Lms, Unenrolled, types};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use crate::{
    error::Error,
    ledger::{Status, StepState},
    plan::{Action, Course, Edit, FieldChange, Step},
};

/// The future of a step that is sent: its state, and its action with the values that are known by now.
///
/// The state [`Sent`](Status::Sent) without a reason says that the step has begun something: it is recorded with its result,
/// and the step is sent again with this state, to wait for that.
pub type Sending<'a> =
    Pin<Box<dyn Future<Output = Result<(StepState, Action), Problem>> + Send + 'a>>;

/// Sends the steps of a plan, for a program with other operations than those of the actions.
pub trait Operations: Debug + Send + Sync {
    /// Sends a step, with its state before that, which has its learner. If that is [`Sent`](Status::Sent), an earlier attempt
    /// may have sent it, so that it has to be looked up.
    fn send<'a>(&'a self, lms: &'a Lms, step: &'a Step, before: &'a StepState) -> Sending<'a>;

    /// The state of a step before the run; `None` for the one in the ledger, which is kept in any case if it is a good end.
    fn known(&self, _: &Step) -> Option<StepState> {
        None
    }

    /// Returns `true` if every step can be sent again after it may have been processed.
    fn is_idempotent(&self) -> bool {
        true
    }

    /// The reason in the ledger for a request that failed, with what the server said.
    fn reason(&self, error: &lms_ext::Error) -> String {
        format!("{error:#}")
    }

    /// Stores the states of the steps in another place than the ledger, after the last one of the run.
    ///
    /// # Errors
    ///
    /// If they cannot be stored; the run does not end then.
    fn store(&self, _: &[StepState]) -> Result<(), Error> {
        Ok(())
    }
}

/// The reason why a step was not done.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// It ended with this status and reason: in a conflict, if the object is not as the plan saw it.
    Ended(Status, String),
    /// A request failed.
    Call(lms_ext::Error),
    /// Its result cannot be stored, which ends the run.
    Stop(Error),
}

impl From<lms_ext::Error> for Problem {
    fn from(error: lms_ext::Error) -> Self {
        Self::Call(error)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Stop(error)
    }
}

fn conflict(reason: impl Into<String>) -> Problem {
    Problem::Ended(Status::Conflict, reason.into())
}

/// The changes that actions name.
#[derive(Debug)]
pub(crate) struct Planned;

impl Operations for Planned {
    fn send<'a>(&'a self, lms: &'a Lms, step: &'a Step, before: &'a StepState) -> Sending<'a> {
        Box::pin(async move {
            let maybe_processed = before.status == Status::Sent;
            let mut learner = before.learner.clone();
            let known = || {
                let learner = before.learner.clone();
                learner.ok_or_else(|| conflict("the learner is not known"))
            };
            let is_done = match &step.action {
                Action::Create {
                    fields,
                    tags,
                    send_email,
                } => {
                    let id = create(lms, fields, tags, *send_email, maybe_processed).await?;
                    learner = Some(id);
                    true
                }
                Action::Link { .. } | Action::Unlink | Action::Leave | Action::Return => {
                    known().map(|_| true)?
                }
                Action::Command { .. } => {
                    return Err(conflict("a plan cannot have a step of a command"));
                }
                Action::Edit(of) => edit(lms, known, (**of).clone()).await?,
                Action::Enrol(Course { course, .. }) => {
                    let wanted = types::AddEnrolment::builder(course, known()?);
                    lms.ensure_enrolment(wanted).await?.is_new()
                }
                Action::Unenrol(Course { course, .. }) => {
                    let scope = EnrolmentScope::learner_in_course(known()?, course.as_str());
                    lms.unenrol(scope).await? != Unenrolled::NoneFound
                }
            };
            let status = match is_done || maybe_processed {
                true => Status::Done,
                false => Status::Unneeded,
            };
            let state = StepState {
                learner,
                ..StepState::new(status, "", "")
            };
            Ok((state, step.action.clone()))
        })
    }
}

/// Adds a learner, and returns the id.
async fn create(
    lms: &Lms,
    fields: &BTreeMap<String, String>,
    tags: &[String],
    send_email: bool,
    maybe_processed: bool,
) -> Result<String, Problem> {
    let mut body: Map<String, Value> = fields
        .iter()
        .map(|(name, text)| (name.clone(), json!(text)))
        .collect();
    body.insert("generate_password".to_owned(), json!(true));
    if !tags.is_empty() {
        body.insert("tags".to_owned(), json!(tags));
    }
    if send_email {
        body.insert("send_email".to_owned(), json!(true));
    }
    let wanted: types::AddLearner = serde_json::from_value(Value::Object(body))
        .map_err(|error| conflict(format!("the learner cannot be added: {error}")))?;
    let ensured = lms.ensure_learner(wanted).await?;
    let id = ensured.value().id.as_ref().map(ToString::to_string);
    let id = id.ok_or_else(|| conflict("the response has no id"))?;
    // One that this plan has added has its values.
    match ensured.is_new() || (maybe_processed && ensured.differs().is_empty()) {
        true => Ok(id),
        false => Err(conflict(format!(
            "since the plan was made, the learner {id} has got this email address"
        ))),
    }
}

/// Edits a learner or a course, and returns whether something was written.
async fn edit(
    lms: &Lms,
    learner: impl Fn() -> Result<String, Problem>,
    edit: Edit,
) -> Result<bool, Problem> {
    if !edit.enrolled.is_empty() || !edit.hidden.is_empty() {
        return Err(conflict("a plan cannot have a step of a command"));
    }
    // The closure runs in the task of the edit.
    let (conflicts, found) = mpsc::channel();
    let noun = edit.course.as_ref().map_or("learner", |_| "course");
    let written = match edit.course.clone() {
        Some(course) => {
            let edited = lms.update_course(course, move |draft| change(draft, &edit, &conflicts));
            edited.await.map(|edited| edited.was_written())
        }
        None => {
            let edited =
                lms.update_learner(learner()?, move |draft| change(draft, &edit, &conflicts));
            edited.await.map(|edited| edited.was_written())
        }
    };
    match (found.try_recv(), written) {
        (Ok(reason), _) => Err(conflict(reason)),
        (_, Err(error)) if error.is_not_found() => {
            Err(conflict(format!("the {noun} does not exist any more")))
        }
        (_, written) => Ok(written?),
    }
}

/// Changes a draft that is as the plan saw it. One that has every new value already stays as it is, and so does one that is
/// not, which is a conflict.
fn change<T: Serialize + DeserializeOwned>(draft: &mut T, edit: &Edit, conflicts: &Sender<String>) {
    match changed(draft, edit) {
        Ok(changed) => *draft = changed,
        // The receiver waits for the end of the edit.
        Err(reason) => _ = conflicts.send(reason),
    }
}

fn changed<T: Serialize + DeserializeOwned>(draft: &T, edit: &Edit) -> Result<T, String> {
    let value = serde_json::to_value(draft).map_err(|error| error.to_string())?;
    let Value::Object(mut fields) = value else {
        return Err("the object cannot be read".to_owned());
    };
    let changes = edit.fields.iter();
    let changes = changes.map(|change| (&change.field, &change.from, Some(&change.to)));
    let is_changed = |name: &String| edit.fields.iter().any(|change| change.field == *name);
    let others = edit.seen.iter().filter(|(name, _)| !is_changed(name));
    for (name, from, to) in changes.chain(others.map(|(name, from)| (name, from, None))) {
        let found = fields.get(name).map(FieldChange::text).unwrap_or_default();
        if found != *from && to.is_none_or(|to| *to != found) {
            return Err(format!(
                "{name} is {found:?}, and the plan expects {from:?}"
            ));
        }
    }
    for FieldChange { field, to, .. } in &edit.fields {
        if to.is_empty() {
            fields.remove(field);
            continue;
        }
        // The type of the field decides whether it is a text or JSON.
        fields.insert(field.clone(), json!(to));
        let is_text = serde_json::from_value::<T>(Value::Object(fields.clone())).is_ok();
        if let (false, Ok(value)) = (is_text, serde_json::from_str(to)) {
            fields.insert(field.clone(), value);
        }
    }
    if !edit.add_tags.is_empty() || !edit.remove_tags.is_empty() {
        let tags = fields.remove("tags").unwrap_or_default();
        let mut tags: Vec<String> = serde_json::from_value(tags).unwrap_or_default();
        tags.retain(|tag| !edit.remove_tags.contains(tag));
        let new = edit.add_tags.iter().filter(|tag| !tags.contains(tag));
        let new: Vec<_> = new.cloned().collect();
        tags.extend(new);
        fields.insert("tags".to_owned(), json!(tags));
    }
    serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())
}
