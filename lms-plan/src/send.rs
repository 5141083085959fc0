//! Sends one step, through the safe edits and the idempotent additions of `lms-ext`.
//!
//! The object must be as the plan saw it. A step that an earlier run may have sent is looked up by the same calls: an
//! addition finds the learner, and an edit finds its values.

use std::{collections::BTreeMap, fmt::Debug, pin::Pin, sync::mpsc};

use lms_ext::{EnrolmentScope, Lms, Unenrolled, types};
use serde_json::{Map, Value, json};

use crate::{
    error::Error,
    ledger::{Status, StepState},
    plan::{Action, FieldChange, Step},
};

/// The future of a step that is sent.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<Sent, Problem>> + Send + 'a>>;

/// How the steps of a plan are sent: as their actions say, or by a program that knows other operations.
pub trait Operations: Debug + Send + Sync {
    /// Sends a step about this learner. `in_doubt` if it may have been sent before.
    fn send<'a>(
        &'a self,
        lms: &'a Lms,
        step: &'a Step,
        learner: Option<&'a str>,
        in_doubt: bool,
    ) -> Sending<'a>;

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

/// The result of a step.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sent {
    pub(crate) status: Status,
    pub(crate) learner: Option<String>,
    pub(crate) action: Option<Action>,
    pub(crate) result: String,
}

impl Sent {
    /// Done, or unneeded because there was nothing to do, with the learner that the step is about.
    #[must_use]
    pub fn new(is_done: bool, learner: Option<String>) -> Self {
        Self {
            status: match is_done {
                true => Status::Done,
                false => Status::Unneeded,
            },
            learner,
            action: None,
            result: String::new(),
        }
    }

    /// The action with the values that are known by now, and the result, in the words of the program.
    #[must_use]
    pub fn with(self, action: Action, result: String) -> Self {
        Self {
            action: Some(action),
            result,
            ..self
        }
    }
}

/// Why a step was not done.
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
    fn send<'a>(
        &'a self,
        lms: &'a Lms,
        step: &'a Step,
        learner: Option<&'a str>,
        in_doubt: bool,
    ) -> Sending<'a> {
        Box::pin(send(lms, step, learner, in_doubt))
    }
}

async fn send(
    lms: &Lms,
    step: &Step,
    learner: Option<&str>,
    in_doubt: bool,
) -> Result<Sent, Problem> {
    let known = || learner.ok_or_else(|| conflict("the learner is not known"));
    let is_done = match &step.action {
        Action::Create {
            fields,
            tags,
            send_email,
        } => return create(lms, fields, tags, *send_email, in_doubt).await,
        Action::Link { .. } | Action::Unlink | Action::Leave | Action::Return => true,
        Action::Command { .. } => return Err(conflict("a plan cannot have a step of a command")),
        Action::Edit { .. } => edit(lms, known()?, step.action.clone()).await?,
        Action::Enrol { course, .. } => {
            let wanted = types::AddEnrolment::builder(course, known()?);
            lms.ensure_enrolment(wanted).await?.is_new()
        }
        Action::Unenrol { course, .. } => {
            let scope = EnrolmentScope::learner_in_course(known()?, course.as_str());
            lms.unenrol(scope).await? != Unenrolled::NoneFound
        }
    };
    Ok(Sent::new(is_done || in_doubt, Some(known()?.to_owned())))
}

async fn create(
    lms: &Lms,
    fields: &BTreeMap<String, String>,
    tags: &[String],
    send_email: bool,
    in_doubt: bool,
) -> Result<Sent, Problem> {
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
    match ensured.is_new() || (in_doubt && ensured.differs().is_empty()) {
        true => Ok(Sent::new(true, Some(id))),
        false => Err(conflict(format!(
            "since the plan was made, the learner {id} has got this email address"
        ))),
    }
}

/// Edits a learner, and returns whether something was written.
async fn edit(lms: &Lms, learner: &str, action: Action) -> Result<bool, Problem> {
    // The closure runs in the task of the edit.
    let (conflicts, found) = mpsc::channel();
    let edit = lms.update_learner(learner, move |draft: &mut types::EditLearner| {
        if let Err(reason) = change(draft, &action) {
            // The receiver waits for the end of the edit.
            let _ = conflicts.send(reason);
        }
    });
    let edited = match edit.await {
        Err(error) if error.is_not_found() => {
            return Err(conflict("the learner does not exist any more"));
        }
        edited => edited?,
    };
    match found.try_recv() {
        Ok(reason) => Err(conflict(reason)),
        Err(_) => Ok(edited.was_written()),
    }
}

/// Changes a draft that is as the plan saw it. One that has every new value already stays as it is.
fn change(draft: &mut types::EditLearner, action: &Action) -> Result<(), String> {
    let Action::Edit {
        fields: changes,
        add_tags,
        remove_tags,
        seen,
    } = action
    else {
        return Ok(());
    };
    let value = serde_json::to_value(&*draft).map_err(|error| error.to_string())?;
    let Value::Object(mut fields) = value else {
        return Err("the learner cannot be read".to_owned());
    };
    let changed = changes
        .iter()
        .map(|change| (&change.field, &change.from, Some(&change.to)));
    let is_changed = |name: &String| changes.iter().any(|change| change.field == *name);
    let others = seen.iter().filter(|(name, _)| !is_changed(name));
    for (name, from, to) in changed.chain(others.map(|(name, from)| (name, from, None))) {
        let found = fields.get(name).and_then(Value::as_str).unwrap_or_default();
        if found != from && to.is_none_or(|to| to != found) {
            return Err(format!(
                "{name} is {found:?}, and was {from:?} when the plan was made"
            ));
        }
    }
    for FieldChange { field, to, .. } in changes {
        match to.is_empty() {
            true => fields.remove(field),
            false => fields.insert(field.clone(), json!(to)),
        };
    }
    *draft = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    draft.tags.retain(|tag| !remove_tags.contains(tag));
    let new = add_tags.iter().filter(|tag| !draft.tags.contains(*tag));
    let new: Vec<_> = new.cloned().collect();
    draft.tags.extend(new);
    Ok(())
}
