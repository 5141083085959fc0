//! Commands that add or delete.

use lms_ext::RawRequest;
use serde_json::{json, value::RawValue};

use super::{call::Call, input::Body};
use crate::{
    context::Context,
    failure::Failure,
    operations::{
        lookup::{body_fields, is_secret},
        table::Output,
    },
    output::Printer,
    terminal::confirm,
};

/// Sends a write and prints the object that it returns.
pub(super) async fn run(call: Call<'_>) -> Result<(), Failure> {
    let printer = Printer::new(call.context, call.command.output.schema())?;
    let mut request = call.request()?;
    if call.command.body.is_some() {
        check_required(&call)?;
        note_undocumented(&call);
        request = request.body(call.input.body.json());
    }
    if call.context.dry_run {
        return show(call.context, &request, &call.input.body);
    }
    match call.command.output {
        Output::Nothing => {
            let ids = call.input.path.join(" ");
            let (resource, verb) = (call.command.resource, call.command.verb);
            let one = resource.strip_suffix('s').unwrap_or(resource);
            confirm(call.context, &format!("{verb} {one} {ids}?"))?;
            let response = request.call_as::<()>().await?;
            let already = if response.already_removed {
                ", by an attempt whose response was lost"
            } else {
                ""
            };
            call.context
                .note(&format!("{one} {ids} was deleted{already}"));
            Ok(())
        }
        _ => {
            let value: Box<RawValue> = request.call_as().await?.value;
            printer.object(&value)
        }
    }
}

/// Fails if a required field is missing: the service would refuse the request.
pub(super) fn check_required(call: &Call<'_>) -> Result<(), Failure> {
    let missing: Vec<String> = body_fields(call.command)
        .filter(|field| field.required && call.input.body.get(field.name).is_none())
        .map(|field| format!("--{}", field.flag))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} needs {}",
        call.command.name(),
        missing.join(", ")
    )))
}

/// A field that the document does not have may be one of the tenant, or a mistake.
fn note_undocumented(call: &Call<'_>) {
    let known: Vec<_> = body_fields(call.command).map(|field| field.name).collect();
    for (name, _) in call
        .input
        .body
        .iter()
        .filter(|(name, _)| !known.contains(name))
    {
        call.context.note(&format!(
            "note: {name} is not a documented field, and is sent as it is"
        ));
    }
}

/// Prints what a dry run would send.
pub(super) fn show(context: &Context, request: &RawRequest, body: &Body) -> Result<(), Failure> {
    let method = request.operation().method.as_str();
    print_plan(context, method, request.url(), body, json!({}))
}

/// Prints a request that is not sent, with more that is known about it.
pub(super) fn print_plan(
    context: &Context,
    method: &str,
    url: &str,
    body: &Body,
    more: serde_json::Value,
) -> Result<(), Failure> {
    let mut plan = json!({ "dry_run": true, "method": method, "url": url });
    if let (Some(plan), serde_json::Value::Object(more)) = (plan.as_object_mut(), more) {
        plan.extend(more);
    }
    let mut text = plan.to_string();
    if !body.is_empty() {
        let hidden = body.iter().any(|(name, _)| is_secret(name));
        text.pop();
        let note = if hidden {
            r#","hidden":"secret fields""#
        } else {
            ""
        };
        text.push_str(&format!(r#","body":{}{note}}}"#, body.json()));
    }
    let plan = RawValue::from_string(text)
        .map_err(|error| Failure::fault(format!("could not show the request: {error}")))?;
    Printer::new(context, None)?.of_any().object(&plan)
}
