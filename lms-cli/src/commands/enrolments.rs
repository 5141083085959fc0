//! `enrolments remove`: ends the enrolments of a learner, of a course, or of a learner in a course.

use lms_ext::{EnrolmentScope, Unenrolled, WriteMode};

use super::{call::Call, write::RequestPlan};
use crate::{failure::Failure, terminal::confirm};

/// Counts the enrolments, asks, and ends them.
pub(super) async fn remove(call: Call<'_>) -> Result<(), Failure> {
    let value = |name: &str| {
        let mut query = call.input.query.iter();
        query
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.clone())
    };
    let (user, course) = (value("user"), value("course"));
    let (scope, of) = match (&user, &course) {
        (Some(user), Some(course)) => (
            EnrolmentScope::learner_in_course(user, course),
            format!("learner {user} in course {course}"),
        ),
        (Some(user), None) => (EnrolmentScope::learner(user), format!("learner {user}")),
        (None, Some(course)) => (EnrolmentScope::course(course), format!("course {course}")),
        (None, None) => {
            return Err(
                Failure::usage("enrolments remove needs --user, --course or both")
                    .advice("without them, the request may end all enrolments"),
            );
        }
    };
    let lms = &call.session.lms;
    let planned = lms.unenrol(scope.clone()).run(WriteMode::DryRun).await?;
    let found = planned.count().unwrap_or_default();
    if call.context.dry_run {
        let request = call.request()?;
        return RequestPlan::of_unenrolment(request.url(), found).print(call.context);
    }
    let several = if found == 1 {
        "enrolment"
    } else {
        "enrolments"
    };
    confirm(call.context, &format!("end {found} {several} of {of}?"))?;
    let note = match lms.unenrol(scope).await? {
        Unenrolled::NoneFound => format!("{of} has no enrolments"),
        // The list may lag behind, so the removal is sent in any case.
        _ if found == 0 => {
            format!("no enrolments of {of} were listed, and the service ended what there was")
        }
        Unenrolled::AlreadyRemoved => {
            format!("{found} {several} of {of} ended, by an attempt whose response was lost")
        }
        _ => format!("{found} {several} of {of} ended"),
    };
    call.context.note(&note);
    Ok(())
}
