//! `add --if-not-exists`: adds a learner or an enrolment once, by the idempotent calls of `lms-ext`.

use lms_ext::{Ensured, WriteMode, types};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    arguments::IF_NOT_EXISTS,
    call::Call,
    typed,
    write::{RequestPlan, check_required},
};
use crate::{failure::Failure, operations::lookup::body_fields, output::Printer};

/// Whether a command was given the option.
pub(super) fn is_asked(call: &Call<'_>) -> bool {
    matches!(call.matches.try_get_one(IF_NOT_EXISTS), Ok(Some(true)))
}

/// Adds the object unless it exists, and prints it.
pub(super) async fn run(call: Call<'_>) -> Result<(), Failure> {
    check_required(&call)?;
    let mode = if call.context.dry_run {
        WriteMode::DryRun
    } else {
        WriteMode::Apply
    };
    let lms = &call.session.lms;
    if call.operation.id == "add_learner" {
        let report = lms
            .ensure_learner(body::<types::AddLearner>(&call)?)
            .run(mode)
            .await?;
        show(&call, &report)
    } else {
        let report = lms
            .ensure_enrolment(body::<types::AddEnrolment>(&call)?)
            .run(mode)
            .await?;
        show(&call, &report)
    }
}

fn body<T: DeserializeOwned>(call: &Call<'_>) -> Result<T, Failure> {
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    let mut fields = call.input.body.iter().map(|(name, _)| name);
    if let Some(unknown) = fields.find(|name| !known.contains(name)) {
        return Err(Failure::usage(format!(
            "{unknown} is not a documented field, which --{IF_NOT_EXISTS} cannot send"
        )));
    }
    serde_json::from_str(&call.input.body.json()?)
        .map_err(|error| Failure::usage(format!("a value has the wrong type: {error}")))
}

fn show<T: Serialize>(call: &Call<'_>, report: &Ensured<T>) -> Result<(), Failure> {
    if !report.is_new() {
        let would_be = if call.context.dry_run {
            "would be"
        } else {
            "was"
        };
        call.context
            .note(&format!("nothing {would_be} added: it exists already"));
        for change in report.differs() {
            call.context
                .note(&format!("differs from the request: {change}"));
        }
    }
    if call.context.dry_run {
        return RequestPlan::of(&call.request()?, &call.input.body)
            .if_not_exists(!report.is_new())
            .print(call.context);
    }
    let printer = Printer::new(call.context, call.command.output.schema())?;
    typed::print(&call.command.output, printer, report.value())
}
