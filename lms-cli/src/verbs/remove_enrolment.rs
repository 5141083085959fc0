//! `enrolments rm`: ends the enrolments of a learner, of a course, or of a learner in a course.

use lms_ext::{EnrolmentScope, Lms, Unenrolled, WriteMode};
use lms_plan::{Action, FieldChange};

use super::{
    plain,
    verb::{Doing, Verb},
};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect, Problem, Shown},
        body::Body,
        invalid::Invalid,
        label,
        plan::RequestPlan,
    },
    failure::Failure,
    session::Session,
    wording::count,
};

pub(super) struct RemoveEnrolment;

impl Verb for RemoveEnrolment {
    fn operations(&self) -> &'static [&'static str] {
        &["delete_enrolment"]
    }

    fn check(&self, call: &Call) -> Result<(), Invalid> {
        scope(call).map(drop)
    }

    fn question<'a>(&self, session: &'a Session, call: &'a Call) -> Doing<'a, String, Failure> {
        Box::pin(question(session, call))
    }

    fn target(&self, call: &Call) -> Option<Vec<String>> {
        let query = ["user", "course"].map(|name| call.input.query(name));
        Some(query.map(|id| id.unwrap_or_default().to_owned()).into())
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied, Problem> {
        Box::pin(apply(lms, call))
    }

    fn step(&self, call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
        let user = call.input.query("user").map(str::to_owned);
        match call.input.query("course") {
            Some(course) if user.is_some() => {
                let (course, course_name) = (course.to_owned(), course.to_owned());
                (
                    user,
                    Action::Unenrol {
                        course,
                        course_name,
                    },
                )
            }
            _ => {
                let mut action = plain::step(call, applied).1;
                let ended = applied.and_then(|applied| applied.ended);
                if let (Action::Command { fields, .. }, Some(ended)) = (&mut action, ended) {
                    fields.push(FieldChange::new(
                        "enrolments",
                        ended.to_string(),
                        String::new(),
                    ));
                }
                (user, action)
            }
        }
    }
}

/// The enrolments that end, and their description.
fn scope(call: &Call) -> Result<(EnrolmentScope, String), Invalid> {
    match (call.input.query("user"), call.input.query("course")) {
        (Some(user), Some(course)) => Ok((
            EnrolmentScope::learner_in_course(user, course),
            format!("learner {user} in course {course}"),
        )),
        (Some(user), None) => Ok((EnrolmentScope::learner(user), format!("learner {user}"))),
        (None, Some(course)) => Ok((EnrolmentScope::course(course), format!("course {course}"))),
        (None, None) => Err(
            Failure::usage("enrolments rm needs --user, --course or both")
                .advice("without them, the request may end all enrolments")
                .into(),
        ),
    }
}

/// The question before a removal, with the number of enrolments.
async fn question(session: &Session, call: &Call) -> Result<String, Failure> {
    let lms = &session.lms;
    let (scope, _) = scope(call).map_err(|invalid| invalid.of_options(call.command))?;
    let planned = lms.unenrol(scope).run(WriteMode::DryRun).await?;
    let mut of = Vec::new();
    for (filter, resource, noun) in [
        ("user", "learners", "learner"),
        ("course", "courses", "course"),
    ] {
        if let Some(id) = call.input.query(filter) {
            let label = label::of(lms, resource, &[id]).await;
            of.push(format!("{noun} {id}{label}"));
        }
    }
    let of = of.join(" in ");
    let place = label::place(session);
    Ok(format!("end {} of {of} at {place}?", counted(planned)))
}

/// Ends the enrolments; counts them before.
async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Problem> {
    let (scope, of) = scope(call).map_err(|invalid| invalid.of_options(call.command))?;
    let planned = lms.unenrol(scope.clone()).run(WriteMode::DryRun).await?;
    if call.is_dry_run() {
        let request = call.request(lms)?;
        let body = Body::default();
        let plan = RequestPlan {
            enrolments: Some(planned.count().unwrap_or_default()),
            ..RequestPlan::of(&request, &body)
        };
        let effect = match planned.count() {
            Some(0) => Effect::Absent,
            _ => Effect::Removed,
        };
        return Ok(Applied {
            ended: planned.count(),
            ..Applied::new(effect, Shown::Plan(plan.raw()?))
        });
    }
    let (effect, note) = match lms.unenrol(scope).await? {
        Unenrolled::NoneFound => (Effect::Absent, format!("{of} has no enrolments")),
        // The list may lag behind, so the removal is sent in any case.
        _ if planned.count() == Some(0) => (
            Effect::Removed,
            format!("no enrolments of {of} were listed, and the service ended what there was"),
        ),
        Unenrolled::AlreadyRemoved => (
            Effect::Removed,
            format!(
                "{} of {of} ended, by an attempt whose response was lost",
                counted(planned)
            ),
        ),
        _ => (
            Effect::Removed,
            format!("{} of {of} ended", counted(planned)),
        ),
    };
    let applied = Applied {
        ended: planned.count(),
        ..Applied::new(effect, Shown::Nothing)
    };
    Ok(applied.note(note))
}

fn counted(planned: Unenrolled) -> String {
    count(planned.count().unwrap_or_default(), "enrolment")
}
