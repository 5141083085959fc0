//! `courses duplicate` and `courses duplication`: starts a copy of a course, shows its state, and waits for it.

use serde_json::value::RawValue;

use super::{
    call::Call,
    write::{check_required, show},
};
use crate::{
    failure::Failure,
    operations::lookup::{of_operation, operation},
    output::Printer,
    progress::Progress,
};

/// Starts or reads a copy; with `--wait`, prints the new course when it is there.
pub(super) async fn run(call: Call<'_>) -> Result<(), Failure> {
    let wait = call.flag("wait");
    let course = of_operation("get_course").and_then(|command| command.output.schema());
    let schema = if wait {
        course
    } else {
        call.command.output.schema()
    };
    let printer = Printer::new(call.context, schema)?;
    let mut request = call.request()?;
    if call.command.body.is_some() {
        check_required(&call)?;
        request = request.body(call.input.body.json()?);
        if call.context.dry_run {
            return show(call.context, &request, &call.input.body);
        }
    }
    let task: Box<RawValue> = request.call_as().await?.value;
    if !wait {
        return printer.object(&task);
    }
    let id = serde_json::from_str::<serde_json::Value>(task.get())
        .ok()
        .and_then(|task| task["id"].as_str().map(str::to_owned))
        .filter(|id| !id.is_empty());
    let Some(id) = id else {
        return Err(Failure::fault(
            "the copy was started, but the response has no id to wait for; look for the new course in `lms courses list`",
        ));
    };
    call.context.note(&format!(
        "waiting for the copy; to wait again later: lms courses duplication {id} --wait"
    ));
    let progress = Progress::of_task(call.context, "copying");
    let lms = &call.session.lms;
    let mut states = lms.course_copy(id.as_str()).progress();
    let mut new_course = None;
    while let Some(state) = states.try_next().await? {
        let percent = state
            .progress
            .and_then(|percent| u64::try_from(percent).ok());
        progress.at(percent.unwrap_or_default());
        new_course = state.new_course;
    }
    progress.finish();
    let new_course = new_course.ok_or_else(|| {
        Failure::fault("the copy is complete, but the response does not name the new course")
    })?;
    let operation = of_operation("get_course")
        .and_then(operation)
        .ok_or_else(|| Failure::fault("get_course is not an operation of this program's client"))?;
    let course: Box<RawValue> = lms
        .raw_operation(operation, &[new_course])?
        .call_as()
        .await?
        .value;
    printer.object(&course)
}
