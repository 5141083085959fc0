//! Commands that add or delete.

use lms_ext::RawRequest;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::{
    call::Call,
    input::{Body, empty},
};
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

/// A request that a dry run does not send.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RequestPlan<'a> {
    /// Always true.
    dry_run: bool,
    method: &'a str,
    url: &'a str,
    /// How many enrolments the request would end.
    #[serde(skip_serializing_if = "Option::is_none")]
    enrolments: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    body: Option<&'a Body>,
    /// Whether the object exists already, so that the request would not be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    exists: Option<bool>,
    /// What the printed body lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<&'a str>,
}

/// Sends a write and prints the object that it returns.
pub(super) async fn run(call: Call<'_>) -> Result<(), Failure> {
    let printer = Printer::new(call.context, call.command.output.schema())?;
    let mut request = call.request()?;
    if call.command.body.is_some() {
        check_required(&call)?;
        note_undocumented(&call);
        request = request.body(call.input.body.json()?);
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

/// Fails if a required field is missing or empty, such as an id: the service may refuse the request or not.
pub(super) fn check_required(call: &Call<'_>) -> Result<(), Failure> {
    let required = || body_fields(call.command).filter(|field| field.required);
    let is_empty = |value: &RawValue| {
        serde_json::from_str::<String>(value.get()).is_ok_and(|text| text.trim().is_empty())
    };
    if let Some(field) =
        required().find(|field| call.input.body.get(field.name).is_some_and(is_empty))
    {
        return Err(empty(&format!("--{}", field.flag)));
    }
    let missing: Vec<String> = required()
        .filter(|field| call.input.body.get(field.name).is_none())
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
    RequestPlan::of(request, body).print(context)
}

impl<'a> RequestPlan<'a> {
    fn new(method: &'a str, url: &'a str) -> Self {
        Self {
            dry_run: true,
            method,
            url,
            enrolments: None,
            body: None,
            exists: None,
            hidden: None,
        }
    }

    /// The request that would be sent.
    pub(super) fn of(request: &'a RawRequest, body: &'a Body) -> Self {
        let hidden = body.iter().any(|(name, _)| is_secret(name));
        Self {
            body: (!body.is_empty()).then_some(body),
            hidden: hidden.then_some("secret fields"),
            ..Self::new(request.operation().method.as_str(), request.url())
        }
    }

    /// The request is sent only if its object does not exist.
    pub(super) fn if_not_exists(self, exists: bool) -> Self {
        Self {
            exists: Some(exists),
            ..self
        }
    }

    /// The request that would end this number of enrolments.
    pub(super) fn of_unenrolment(url: &'a str, enrolments: u64) -> Self {
        Self {
            enrolments: Some(enrolments),
            ..Self::new("DELETE", url)
        }
    }

    /// Prints it.
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        let plan = to_raw_value(self)
            .map_err(|error| Failure::fault(format!("could not show the request: {error}")))?;
        Printer::new(context, None)?.of_any().object(&plan)
    }
}
