//! `api`: sends any request, with the token, the limits and the checks of all commands.

use clap::{Arg, ArgAction, ArgMatches, Command};
use lms_ext::RawRequest;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::read;
use crate::{
    args::{file, switch, text, yes},
    calls::{body::Body, label, stdin::Stdin},
    context::Context,
    failure::Failure,
    operations::lookup::of_operation,
    output::Printer,
    session::Session,
    terminal::confirm,
};

/// A request that a dry run does not send.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RequestPlan<'a> {
    /// Always true.
    dry_run: bool,
    method: &'a str,
    url: &'a str,
    /// The body, without secret fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    body: Option<&'a Body>,
}

pub(crate) fn command() -> Command {
    Command::new("api")
        .about("Send any request: lms api GET /courses/c1")
        .arg(
            Arg::new("method")
                .value_name("METHOD")
                .required(true)
                .help("GET, PUT, POST, PATCH or DELETE"),
        )
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .required(true)
                .help("Path below /api/v1, encoded: /courses/c1"),
        )
        .arg(
            text(
                "query",
                "NAME=VALUE",
                "Add a query parameter; can be repeated",
            )
            .action(ArgAction::Append),
        )
        .arg(file(
            "body",
            "FILE",
            "Send JSON from a file, or from stdin with -",
        ))
        .arg(switch(
            "paginate",
            "Read all pages of a list, and print its items",
        ))
        .arg(switch("dry-run", "Show what would be sent"))
        .arg(yes("Do not ask before a DELETE"))
}

/// Sends the request, or shows it, and prints the response.
pub(crate) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let given = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let method = given("method").to_ascii_uppercase();
    let is_known = ["GET", "PUT", "POST", "PATCH", "DELETE"].contains(&method.as_str());
    let parsed = method.parse().ok().filter(|_| is_known);
    let method = parsed.ok_or_else(|| {
        Failure::usage(format!(
            "{method} is not a method; write GET, PUT, POST, PATCH or DELETE"
        ))
    })?;
    let file = matches.get_one::<String>("body");
    let body = match file {
        Some(file) => Body::parse(&Stdin::of(context).or_text_file(file, "--body")?)?,
        None => Body::default(),
    };
    let session = Session::open(context).await?;
    let mut request = session.lms.raw(method, given("path"))?;
    for pair in matches.get_many::<String>("query").into_iter().flatten() {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Failure::usage(format!("--query {pair}: write NAME=VALUE")));
        };
        request = request.query(name, value);
    }
    if request.operation().id == "get_token" {
        return Err(Failure::usage(
            "the response would show a token; this program requests tokens itself",
        ));
    }
    if file.is_some() {
        let command = of_operation(request.operation().id);
        request = request.body(body.json(command)?);
    }
    if context.dry_run {
        let plan = RequestPlan {
            dry_run: true,
            method: request.operation().method.as_str(),
            url: request.url(),
            body: (!body.is_empty()).then_some(&body),
        };
        let printer = Printer::new(context, None)?.of_any();
        return printer.object(&to_raw_value(&plan)?);
    }
    if matches.get_flag("paginate") {
        return read::list(context, request, matches, None).await;
    }
    if request.operation().method.as_str() == "DELETE" {
        // The question names the host.
        let url = request.url();
        let about = url.strip_prefix(session.lms.base_url()).unwrap_or(url);
        confirm(context, &label::question(&session, "api DELETE", about))?;
    }
    send(context, request).await
}

/// Sends a request, and prints the response.
async fn send(context: &Context, request: RawRequest) -> Result<(), Failure> {
    let is_read = request.operation().method.as_str() == "GET";
    let response = request.call().await?;
    let value: Option<Box<RawValue>> = response.value;
    let Some(value) = value else {
        context.note(&format!("{} without a body", response.status));
        return Ok(());
    };
    // After a change, an error would say that nothing was sent.
    if is_read {
        check_fields(context, &value)?;
    }
    Printer::new(context, None)?.object(&value)
}

/// Fails if a response has none of the chosen columns, such as a list whose items have them.
fn check_fields(context: &Context, value: &RawValue) -> Result<(), Failure> {
    let object: Option<Map<String, Value>> = serde_json::from_str(value.get()).ok();
    let (Some(chosen), Some(object)) = (&context.columns, object) else {
        return Ok(());
    };
    match chosen.iter().any(|name| object.contains_key(name)) {
        true => Ok(()),
        false => {
            let known: Vec<_> = object.keys().map(String::as_str).collect();
            Err(Failure::usage(format!(
                "--columns: the response has no field {}",
                chosen.join(", ")
            ))
            .advice(format!(
                "it has {}; --paginate prints the items of a list",
                known.join(", ")
            )))
        }
    }
}
