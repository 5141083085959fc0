//! `courses duplicate` and `courses duplication`: waits for a copy of a course with `--wait`.

use std::time::Duration;

use lms_ext::{Error, ErrorKind, Lms};
use serde_json::value::RawValue;

use super::{
    plain,
    verb::{Doing, Verb},
};
use crate::{
    calls::{
        Call,
        applied::{Applied, Effect},
        raw,
    },
    context::Context,
    failure::Failure,
    operations::lookup::of_operation,
    output::Printer,
    progress::Progress,
};

const START: &str = "add_duplicate_course";

pub(crate) struct Copy;

impl Verb for Copy {
    fn operations(&self) -> &'static [&'static str] {
        &[START, "view_duplicate_course"]
    }

    fn waits(&self) -> bool {
        true
    }

    /// A copy that learners see at once may be a surprise.
    fn note(&self, call: &Call) -> Option<&'static str> {
        let decides = call.operation.id == START && call.input.body.get("published").is_none();
        decides.then_some("the service decides whether the copy is published at once; --published=false keeps it back")
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        Box::pin(async move {
            let is_waiting = call.wait.is_some() && !call.is_dry_run();
            match (&call.begun, call.wait) {
                (Some(task), Some(time)) => {
                    let course = wait(lms, task, time, |_| ()).await?;
                    Ok(Applied::new(Effect::Added, Some(course)))
                }
                (Some(task), None) => Ok(Applied {
                    id: Some(task.clone()),
                    ..Applied::new(Effect::Added, None)
                }),
                (None, _) => Ok(Applied {
                    has_begun: is_waiting,
                    ..plain::send(lms, call).await?
                }),
            }
        })
    }
}

/// Starts or reads a copy, and prints the new course when it is there.
pub(crate) async fn run(
    context: &Context,
    lms: &Lms,
    call: &Call,
    time: Duration,
) -> Result<(), Failure> {
    let course = of_operation("get_course").and_then(|command| command.output.schema());
    let printer = Printer::new(context, course)?;
    if let Some(note) = Copy.note(call) {
        context.note(note);
    }
    let task = plain::send(lms, call).await?.id.ok_or_else(|| {
        Failure::fault(
            "the copy was started, but the response has no id to wait for; look for the new course in `lms courses list`",
        )
    })?;
    context.note(&format!(
        "waiting for the copy; to wait again later: lms courses duplication {task} --wait{}",
        context.tenant_options()
    ));
    let progress = Progress::of_task(context, "copying");
    let at = |percent: u64| progress.set(percent.min(100), None);
    let course = wait(lms, &task, time, at).await?;
    drop(progress);
    printer.object(&course)
}

/// Waits for the copy of a task for at most this time, and returns the new course.
async fn wait(
    lms: &Lms,
    task: &str,
    time: Duration,
    at: impl Fn(u64),
) -> Result<Box<RawValue>, Failure> {
    let mut states = lms.course_copy(task).timeout(time).progress();
    let mut new_course = None;
    let again = |error: Error| {
        let failure = Failure::from(&error);
        match error.kind() {
            ErrorKind::DeadlineExceeded => failure.advice(format!(
                "to wait again: lms courses duplication {task} --wait, with the options of this command"
            )),
            _ => failure,
        }
    };
    while let Some(state) = states.try_next().await.map_err(again)? {
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
