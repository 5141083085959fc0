//! `add --if-not-exists`: adds a learner or an enrolment once, by the idempotent calls of `lms-ext`.

use lms_ext::{Ensured, Lms, types};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    applied::{Applied, Effect, Problem, Shown},
    arguments::IF_NOT_EXISTS,
    call::Call,
    invalid::Invalid,
    plan::RequestPlan,
    typed,
};
use crate::{failure::Failure, operations::lookup::body_fields};

/// Fails if the body has a field that the idempotent calls cannot send.
pub(super) fn check(call: &Call) -> Result<(), Invalid> {
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    let mut fields = call.input.body.iter().map(|(name, _)| name);
    match fields.find(|name| !known.contains(name)) {
        Some(unknown) => Err(Failure::usage(format!(
            "{unknown} is not a documented field, which --{IF_NOT_EXISTS} cannot send"
        ))
        .into()),
        None => Ok(()),
    }
}

/// Adds the object unless it exists.
pub(super) async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Problem> {
    if call.operation.id == "add_learner" {
        let learner = lms.ensure_learner(body::<types::AddLearner>(call)?);
        applied(lms, call, &learner.run(call.mode).await?)
    } else {
        let enrolment = lms.ensure_enrolment(body::<types::AddEnrolment>(call)?);
        applied(lms, call, &enrolment.run(call.mode).await?)
    }
}

fn body<T: DeserializeOwned>(call: &Call) -> Result<T, Failure> {
    serde_json::from_str(&call.input.body.json()?)
        .map_err(|error| Failure::usage(format!("a value has the wrong type: {error}")))
}

fn applied<T: Serialize>(lms: &Lms, call: &Call, report: &Ensured<T>) -> Result<Applied, Problem> {
    let shown = if call.is_dry_run() {
        let request = call.request(lms)?;
        let plan = RequestPlan {
            exists: Some(!report.is_new()),
            ..RequestPlan::of(&request, &call.input.body)
        };
        Shown::Plan(plan.raw()?)
    } else {
        Shown::Object(typed::ordered(&call.command.output, report.value())?)
    };
    if report.is_new() {
        return Ok(Applied::new(Effect::Added, shown));
    }
    let would_be = match call.is_dry_run() {
        true => "would be",
        false => "was",
    };
    let applied = Applied::new(Effect::Existed, shown)
        .note(format!("nothing {would_be} added: it exists already"));
    let differs = report.differs().iter();
    let notes = differs.map(|change| format!("differs from the request: {change}"));
    Ok(notes.fold(applied, Applied::note))
}
