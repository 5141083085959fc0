//! `add --if-not-exists`: adds a learner or an enrolment once, by the idempotent calls of `lms-ext`.

use lms_ext::{Ensured, Lms, types};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    applied::{Applied, Effect, Problem, Shown},
    arguments::IF_NOT_EXISTS,
    call::Call,
    input::ENROL,
    invalid::Invalid,
    plan::RequestPlan,
    typed,
};
use crate::{failure::Failure, operations::lookup::body_fields};

/// Returns `true` if the object of an addition can be looked up.
pub(super) fn can(call: &Call) -> bool {
    matches!(call.operation.id, "add_learner" | "add_enrolment")
}

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

/// Fails if an addition that does not look up its object first has steps after the addition, which a row may name.
pub(super) fn refuse_steps(call: &Call) -> Result<(), Invalid> {
    let tags = call.input.added.iter();
    let mut flags = tags.filter_map(|(name, _)| {
        let mut fields = body_fields(call.command);
        let field = fields.find(|field| field.name == name)?;
        Some(format!("add-{}", field.flag))
    });
    let enrol = (!call.input.enrol.is_empty()).then(|| ENROL.flag.to_owned());
    match flags.next().or(enrol) {
        Some(flag) => Err(Invalid::Value {
            flag,
            reason: format!("requires --{IF_NOT_EXISTS}"),
        }),
        None => Ok(()),
    }
}

/// Adds the object unless it exists.
pub(super) async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Problem> {
    if call.operation.id == "add_learner" {
        let learner = lms.ensure_learner(body::<types::AddLearner>(call)?);
        let learner = learner.run(call.mode).await?;
        enrol_and_tag(lms, call, learner).await
    } else {
        let enrolment = lms.ensure_enrolment(body::<types::AddEnrolment>(call)?);
        applied(
            lms,
            call,
            &enrolment.run(call.mode).await?,
            &Steps::default(),
        )
    }
}

/// The tags that a learner gets whether the learner existed or not.
fn added_tags(call: &Call) -> Result<Vec<String>, Failure> {
    let tags = call.input.added.get("tags");
    tags.map_or(Ok(Vec::new()), |tags| {
        serde_json::from_str(tags.get()).map_err(|error| Failure::usage(format!("tags: {error}")))
    })
}

/// Gives a learner the tags and the enrolments that the learner lacks.
async fn enrol_and_tag(
    lms: &Lms,
    call: &Call,
    learner: Ensured<types::Learner>,
) -> Result<Applied, Problem> {
    let mut steps = Steps {
        tags: added_tags(call)?,
        enrolled: call.input.enrol.clone(),
    };
    steps.tags.retain(|tag| !learner.value().tags.contains(tag));
    // In a dry run, a new learner has no id.
    if let Some(id) = &learner.value().id {
        if !steps.tags.is_empty() {
            let tags = steps.tags.clone();
            let edit = lms.update_learner(id.clone(), move |draft| draft.tags.extend(tags.clone()));
            edit.run(call.mode).await?;
        }
        steps.enrolled.clear();
        for course in &call.input.enrol {
            let enrolment = serde_json::json!({ "course": course, "user": id });
            let enrolment: types::AddEnrolment = serde_json::from_value(enrolment)
                .map_err(|error| Failure::fault(format!("could not make an enrolment: {error}")))?;
            if lms
                .ensure_enrolment(enrolment)
                .run(call.mode)
                .await?
                .is_new()
            {
                steps.enrolled.push(course.clone());
            }
        }
    }
    applied(lms, call, &learner, &steps)
}

/// Enrolments and tags that a learner got, or in a dry run would get, after the addition.
#[derive(Default)]
struct Steps {
    tags: Vec<String>,
    enrolled: Vec<String>,
}

fn body<T: DeserializeOwned>(call: &Call) -> Result<T, Failure> {
    serde_json::from_str(&call.input.body.json(Some(call.command))?)
        .map_err(|error| Failure::usage(format!("a value has the wrong type: {error}")))
}

fn applied<T: Serialize>(
    lms: &Lms,
    call: &Call,
    report: &Ensured<T>,
    steps: &Steps,
) -> Result<Applied, Problem> {
    let differs = report.differs().iter().map(ToString::to_string);
    let differs: Vec<_> = differs.filter(|_| !report.is_new()).collect();
    let shown = if call.is_dry_run() {
        let request = call.request(lms)?;
        let plan = RequestPlan {
            exists: Some(!report.is_new()),
            differs: (!differs.is_empty()).then(|| differs.clone()),
            add_tags: (!steps.tags.is_empty()).then(|| steps.tags.clone()),
            enrol: (!steps.enrolled.is_empty()).then(|| steps.enrolled.clone()),
            ..RequestPlan::of(&request, &call.input.body)
        };
        Shown::Plan(plan.raw()?)
    } else {
        Shown::Object(typed::ordered(&call.command.output, report.value())?)
    };
    let mut notes = Vec::new();
    let effect = match report.is_new() {
        true => Effect::Added,
        false if !steps.enrolled.is_empty() => Effect::Enrolled,
        false if !steps.tags.is_empty() => Effect::Tagged,
        false => Effect::Existed,
    };
    let verb = |done| match call.is_dry_run() {
        true => format!("would be {done}"),
        false => format!("was {done}"),
    };
    if !report.is_new() {
        notes.push(format!("nothing {}: it exists already", verb("added")));
        let differs = differs.iter();
        notes.extend(differs.map(|change| format!("differs from the request: {change}")));
    }
    let tags = steps
        .tags
        .iter()
        .map(|tag| format!("{} {tag}", verb("tagged")));
    notes.extend(tags);
    let courses = steps.enrolled.iter();
    notes.extend(courses.map(|course| format!("{} in {course}", verb("enrolled"))));
    Ok(Applied {
        notes,
        differs,
        ..Applied::new(effect, shown)
    })
}
