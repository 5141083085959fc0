//! `enrolments rm`: ends the enrolments of a learner, of a course, or of a learner in a course.

use lms_ext::{EnrolmentScope, Lms, Unenrolled, WriteMode};
use lms_plan::{Action, Course, FieldChange};

use super::{
    plain,
    verb::{Doing, Verb},
};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        invalid::Invalid,
    },
    failure::Failure,
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

    fn target(&self, call: &Call) -> Option<Vec<String>> {
        let query = ["user", "course"].map(|name| call.input.query(name));
        Some(query.map(|id| id.unwrap_or_default().to_owned()).into())
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        Box::pin(apply(lms, call))
    }

    fn step(&self, call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
        let user = call.input.query("user").map(str::to_owned);
        if let (Some(course), Some(_)) = (call.input.query("course"), &user) {
            return (user, Action::Unenrol(Course::new(course, course)));
        }
        let mut action = plain::step(call, applied).1;
        if let Action::Command { fields, .. } = &mut action {
            // It is the learner of the step.
            fields.retain(|change| change.field != "user");
            let ended = applied.and_then(|applied| applied.ended);
            let change =
                |ended: u64| FieldChange::new("enrolments", ended.to_string(), String::new());
            fields.extend(ended.map(change));
        }
        (user, action)
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

/// Ends the enrolments; counts them before.
async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Failure> {
    let (scope, of) = scope(call).map_err(|invalid| invalid.of_options(call.command))?;
    let planned = lms.unenrol(scope.clone()).run(WriteMode::DryRun).await?;
    let ended = planned.count();
    let applied = |effect| Applied {
        ended,
        ..Applied::new(effect, None)
    };
    if call.is_dry_run() {
        return Ok(applied(match ended {
            Some(0) => Effect::Absent,
            _ => Effect::Removed,
        }));
    }
    let number = count(ended.unwrap_or_default(), "enrolment");
    let (effect, note) = match (lms.unenrol(scope).await?, ended) {
        (Unenrolled::NoneFound, _) => (Effect::Absent, format!("{of} has no enrolments")),
        // The list may lag behind, so the removal is sent in any case.
        (_, Some(0)) => (
            Effect::Removed,
            format!("no enrolments of {of} were listed, and the service ended what there was"),
        ),
        (Unenrolled::AlreadyRemoved, _) => (
            Effect::Removed,
            format!("{number} of {of} ended, by an attempt whose response was lost"),
        ),
        _ => (Effect::Removed, format!("{number} of {of} ended")),
    };
    Ok(applied(effect).note(note))
}
