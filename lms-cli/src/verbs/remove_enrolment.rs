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
        match call.input.query("course") {
            Some(course) if user.is_some() => (user, Action::Unenrol(Course::new(course, course))),
            _ => {
                let mut action = plain::step(call, applied).1;
                let ended = applied.and_then(|applied| applied.ended);
                if let Action::Command { fields, .. } = &mut action {
                    // It is the learner of the step.
                    fields.retain(|change| change.field != "user");
                    let ended = ended.map(|ended| ended.to_string());
                    let change = |ended| FieldChange::new("enrolments", ended, String::new());
                    fields.extend(ended.map(change));
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

/// Ends the enrolments; counts them before.
async fn apply(lms: &Lms, call: &Call) -> Result<Applied, Failure> {
    let (scope, of) = scope(call).map_err(|invalid| invalid.of_options(call.command))?;
    let planned = lms.unenrol(scope.clone()).run(WriteMode::DryRun).await?;
    if call.is_dry_run() {
        let effect = match planned.count() {
            Some(0) => Effect::Absent,
            _ => Effect::Removed,
        };
        return Ok(Applied {
            ended: planned.count(),
            ..Applied::new(effect, None)
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
        ..Applied::new(effect, None)
    };
    Ok(applied.note(note))
}

fn counted(planned: Unenrolled) -> String {
    count(planned.count().unwrap_or_default(), "enrolment")
}
