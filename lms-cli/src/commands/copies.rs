//! `courses duplicate` and `courses duplication` with `--wait`: waits for a copy of a course.

use std::time::Duration;

use lms_ext::{CopyProgress, CopyState, ErrorKind, Lms, Polling};
use serde_json::value::RawValue;

use super::{
    applied::{Problem, id_of},
    call::{Call, raw},
};
use crate::{
    context::Context, failure::Failure, operations::lookup::of_operation, output::Printer,
    progress::Progress,
};

/// Starts or reads a copy, and prints the new course when it is there.
pub(super) async fn run(
    context: &Context,
    lms: &Lms,
    call: &Call,
    time: Duration,
) -> Result<(), Failure> {
    let course = of_operation("get_course").and_then(|command| command.output.schema());
    let printer = Printer::new(context, course)?;
    let mut request = call.request(lms)?;
    if call.command.body.is_some() {
        request = request.body(call.input.body.json(Some(call.command))?);
    }
    note_published(context, call);
    let task: Box<RawValue> = request.call_as().await?.value;
    if let Some(id) = id_of(&task) {
        context.note(&format!(
            "waiting for the copy; to wait again later: lms courses duplication {id} --wait"
        ));
    }
    let progress = Progress::of_task(context, "copying");
    let at = |percent: u64| progress.set(percent.min(100), None);
    let course = wait(lms, &task, time, at).await?;
    drop(progress);
    printer.object(&course)
}

/// A copy that learners see at once may be a surprise.
pub(super) fn note_published(context: &Context, call: &Call) {
    let is_copy = call.operation.id == "add_duplicate_course";
    if is_copy && call.input.body.get("published").is_none() {
        context.note("the service decides whether the copy is published at once; --published=false keeps it back");
    }
}

/// Waits for the copy of a task for at most this time, and returns the new course.
pub(super) async fn wait(
    lms: &Lms,
    task: &RawValue,
    time: Duration,
    at: impl Fn(u64),
) -> Result<Box<RawValue>, Problem> {
    let id = id_of(task).ok_or_else(|| {
        Failure::fault(
            "the copy was started, but the response has no id to wait for; look for the new course in `lms courses list`",
        )
    })?;
    let polling = Polling::default().timeout(time);
    let mut states = lms.course_copy(id.as_str()).polling(polling).progress();
    let mut new_course = None;
    while let Some(state) = next(&mut states, &id).await? {
        let percent = state
            .progress
            .and_then(|percent| u64::try_from(percent).ok());
        at(percent.unwrap_or_default());
        new_course = state.new_course;
    }
    let new_course = new_course.ok_or_else(|| {
        Failure::fault("the copy is complete, but the response does not name the new course")
    })?;
    let request = raw(lms, "get_course", &[new_course.as_str()])?;
    Ok(request.call_as().await?.value)
}

async fn next(states: &mut CopyProgress, id: &str) -> Result<Option<CopyState>, Problem> {
    states.try_next().await.map_err(|error| {
        if error.kind() != ErrorKind::DeadlineExceeded {
            return error.into();
        }
        let again = format!("to wait again: lms courses duplication {id} --wait");
        Failure::from(error).advice(again).into()
    })
}
