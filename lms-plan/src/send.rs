//! Sends one step, through the safe edits and the idempotent additions of `lms-ext`.
//!
//! The object must be as the plan saw it. A step that an earlier run may have sent is looked up by the same calls: an
//! addition finds the learner, and an edit finds its values.

use std::{collections::BTreeMap, sync::mpsc};

use lms_ext::{EnrolmentScope, Lms, Unenrolled, types};
use serde_json::{Map, Value, json};

use crate::plan::{Action, FieldChange, Step};

/// The result of a step.
pub(crate) enum Sent {
    /// With the learner that the step is about.
    Done(String),
    /// There was nothing to do.
    Unneeded(String),
}

/// Why a step was not done.
pub(crate) enum Problem {
    /// The object is not as the plan saw it.
    Conflict(String),
    Call(lms_ext::Error),
}

impl From<lms_ext::Error> for Problem {
    fn from(error: lms_ext::Error) -> Self {
        Self::Call(error)
    }
}

/// Sends a step about this learner. `in_doubt` if an earlier run may have sent it.
pub(crate) async fn send(
    lms: &Lms,
    step: &Step,
    learner: Option<&str>,
    in_doubt: bool,
) -> Result<Sent, Problem> {
    if let Action::Create {
        fields,
        tags,
        send_email,
    } = &step.action
    {
        return create(lms, fields, tags, *send_email, in_doubt).await;
    }
    let Some(learner) = learner else {
        return Err(Problem::Conflict("the learner is not known".to_owned()));
    };
    match &step.action {
        Action::Create { .. }
        | Action::Link { .. }
        | Action::Unlink
        | Action::Leave
        | Action::Return => Ok(Sent::Done(learner.to_owned())),
        Action::Command { .. } => Err(Problem::Conflict(
            "a plan cannot have a step of a command".to_owned(),
        )),
        Action::Edit {
            fields,
            add_tags,
            remove_tags,
            seen,
        } => {
            let edit = Edit {
                fields: fields.clone(),
                add_tags: add_tags.clone(),
                remove_tags: remove_tags.clone(),
                seen: seen.clone(),
            };
            edit.send(lms, learner, in_doubt).await
        }
        Action::Enrol { course, .. } => {
            let wanted = types::AddEnrolment::builder(course, learner);
            let ensured = lms.ensure_enrolment(wanted).await?;
            Ok(match ensured.is_new() || in_doubt {
                true => Sent::Done(learner.to_owned()),
                false => Sent::Unneeded(learner.to_owned()),
            })
        }
        Action::Unenrol { course, .. } => {
            let scope = EnrolmentScope::learner_in_course(learner, course.as_str());
            Ok(match lms.unenrol(scope).await? {
                Unenrolled::NoneFound if !in_doubt => Sent::Unneeded(learner.to_owned()),
                _ => Sent::Done(learner.to_owned()),
            })
        }
    }
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
        .map_err(|error| Problem::Conflict(format!("the learner cannot be added: {error}")))?;
    let ensured = lms.ensure_learner(wanted).await?;
    let id = ensured.value().id.as_ref().map(ToString::to_string);
    let id = id.ok_or_else(|| Problem::Conflict("the response has no id".to_owned()))?;
    // One that this plan has added has its values.
    match ensured.is_new() || (in_doubt && ensured.differs().is_empty()) {
        true => Ok(Sent::Done(id)),
        false => Err(Problem::Conflict(format!(
            "since the plan was made, the learner {id} has got this email address"
        ))),
    }
}

/// The change of a learner.
struct Edit {
    fields: Vec<FieldChange>,
    add_tags: Vec<String>,
    remove_tags: Vec<String>,
    seen: BTreeMap<String, String>,
}

impl Edit {
    async fn send(self, lms: &Lms, learner: &str, in_doubt: bool) -> Result<Sent, Problem> {
        // The closure runs in the task of the edit.
        let (conflicts, conflict) = mpsc::channel();
        let edit = lms.update_learner(learner, move |draft: &mut types::EditLearner| {
            if let Err(reason) = self.change(draft) {
                // The receiver waits for the end of the edit.
                let _ = conflicts.send(reason);
            }
        });
        let edited = match edit.await {
            Err(error) if error.is_not_found() => {
                return Err(Problem::Conflict(
                    "the learner does not exist any more".to_owned(),
                ));
            }
            edited => edited?,
        };
        if let Ok(reason) = conflict.try_recv() {
            return Err(Problem::Conflict(reason));
        }
        Ok(match edited.was_written() || in_doubt {
            true => Sent::Done(learner.to_owned()),
            false => Sent::Unneeded(learner.to_owned()),
        })
    }

    /// Changes a draft that is as the plan saw it. One that has every new value already stays as it is.
    fn change(&self, draft: &mut types::EditLearner) -> Result<(), String> {
        let value = serde_json::to_value(&*draft).map_err(|error| error.to_string())?;
        let Value::Object(mut fields) = value else {
            return Err("the learner cannot be read".to_owned());
        };
        let text = |fields: &Map<String, Value>, name: &str| {
            let text = fields.get(name).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let changed = self
            .fields
            .iter()
            .map(|change| (&change.field, &change.from, Some(&change.to)));
        let others = self
            .seen
            .iter()
            .filter(|(name, _)| !self.fields.iter().any(|change| change.field == **name));
        let others = others.map(|(name, from)| (name, from, None));
        for (name, from, to) in changed.chain(others) {
            let found = text(&fields, name);
            if found != *from && to != Some(&found) {
                return Err(format!(
                    "{name} is {found:?}, and was {from:?} when the plan was made"
                ));
            }
        }
        for FieldChange { field, to, .. } in &self.fields {
            match to.is_empty() {
                true => fields.remove(field),
                false => fields.insert(field.clone(), json!(to)),
            };
        }
        *draft =
            serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
        draft.tags.retain(|tag| !self.remove_tags.contains(tag));
        for tag in &self.add_tags {
            if !draft.tags.contains(tag) {
                draft.tags.push(tag.clone());
            }
        }
        Ok(())
    }
}
